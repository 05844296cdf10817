// Refusals: the reasons for which the decider rejects intents.

/// The reason for refusing an intent; nothing has changed.
public enum Refusal: Error, Hashable, Sendable {
  /// The user does not exist.
  case unknownUser(User.ID)
  /// The user exists already, with another profile.
  case userExists(User.ID)
  /// The id stands for a group in mentions, and is that of no user.
  case reservedUser(User.ID)
  /// The user is deactivated and cannot act.
  case userDeactivated(User.ID)
  /// The author is neither the app nor an administrator.
  case notAdministrator
  /// The action is reserved to this user, and the author cannot act for them.
  case notYours(User.ID)
  /// The user and the target of the action are the same.
  case oneself

  /// The channel does not exist.
  case unknownChannel(Channel.ID)
  /// The id is taken by another channel.
  case channelExists(Channel.ID)
  /// The channel was deleted.
  case channelDeleted(Channel.ID)
  /// The channel is frozen: sending, editing and reacting are refused for now.
  case channelFrozen(Channel.ID)
  /// The feature is off in the channel.
  case off(ChannelFlag, in: Channel.ID)

  /// The user is not a member; non-members learn nothing more about the channel.
  case notMember(Member.Key)
  /// The user is a member already, in another role.
  case memberExists(Member.Key)
  /// The user has no invitation to the channel.
  case notInvited(Member.Key)
  /// The members of a direct channel do not change.
  case directChannel(Channel.ID)
  /// The id is that of the direct channel of other users.
  case otherMembers(Channel.ID)
  /// The other user blocked the author.
  case blocked(by: User.ID)
  /// The author blocks the other user.
  case blocking(User.ID)
  /// The author's role lacks the capability.
  case notAllowed(Capability, in: Channel.ID)
  /// The author is banned and may only read.
  case banned(Ban)
  /// The other user has a capability that the author lacks.
  case outranked(by: User.ID)
  /// The role has a capability that the author lacks.
  case roleTooHigh(Role)
  /// The role is not in the rules.
  case unknownRole(Role)
  /// The author has to wait: the channel is in slow mode.
  case coolingDown(until: Timestamp)

  /// The message does not exist, or the author may not see it.
  case unknownMessage(Message.Key)
  /// The message exists already, with another content or author.
  case messageExists(Message.Key)
  /// The author sent a message with this client id in another channel.
  case clientIDTaken(Message.ClientID, by: Message.Key)
  /// The message was deleted and can only be restored.
  case messageDeleted(Message.Key)
  /// The message is ephemeral: only its author sees it.
  case messageIsEphemeral(Message.Key)
  /// The message is forwarded: its content is that of its source, and is neither written nor edited.
  case messageIsForwarded(Message.Key)
  /// The message is not ephemeral.
  case notEphemeral(Message.Key)
  /// The message is not waiting for this delivery result.
  case notAwaited(Message.Key, Message.Delivery)
  /// The parent is itself a reply and has no thread.
  case parentIsReply(Message.Key)
  /// The message has neither text nor attachments.
  case emptyMessage
  /// The range of a mention is empty, outside the text, splits a surrogate pair, or is out of order.
  case mentionMisplaced(Mention)
  /// The id of an attachment is used twice.
  case attachmentTwice(Attachment.ID)
  /// The content of an attachment is not reachable by others.
  case notUploaded(Attachment.ID)
  /// The score of a reaction is 0.
  case zeroScore
  /// The message is no reply to the other one.
  case notReply(Message.Key, to: Message.ID)
  /// The message has a poll already.
  case pollExists(Message.Key)
  /// The message has no poll.
  case noPoll(Message.Key)
  /// The poll is closed.
  case pollClosed(Message.Key)
  /// The poll has fewer than two options, or allows no vote.
  case fewOptions(Message.Key)
  /// The id of an option is used twice.
  case optionTwice(Poll.Option.ID)
  /// The poll does not have the option.
  case unknownOption(Poll.Option.ID, in: Message.Key)
  /// The target has no flags to decide about.
  case noFlags(Flag.Target)
  /// Another author claimed the review.
  case claimed(by: Author)

  /// The expiry is in the past.
  case alreadyOver(Timestamp)
  /// A size exceeds the limit of the rules.
  case tooLarge(Limit, count: Int, max: Int)

  /// The range of a composer's action is invalid in its text.
  case notComposable(Composer.Key)
  /// The composer belongs to this other device.
  case otherDevice(Device.ID)
  /// The composer is running this command; the next has to wait.
  case commandRuns(CommandExecution.ID)
  /// The command is not running: it has ended or never started.
  case commandEnded(CommandExecution.ID)
  /// The consumer does not exist.
  case unknownConsumer(Consumer.ID)
  /// The version of an app's event is 0.
  case zeroVersion(AppEvent.Name)
  /// The name of an app's event, or of its subject, begins with `verbatim.`, as those of the log's own events.
  case reservedAppEvent(AppEvent.Name)

  /// A limit on a count, a size or a depth.
  public enum Limit: Hashable, Sendable {
    /// The number of characters of a message, limited by the channel's configuration.
    case messageLength
    /// The number of bytes of a message's text.
    case textByteCount
    /// The number of bytes of an app's extra values.
    case extraByteCount
    /// The nesting depth of an app's extra values.
    case extraDepth
    /// The number of members added at once.
    case membersPerAdd
    /// The number of characters of a name.
    case nameLength
    /// The number of bytes of an address, a title, or a reason.
    case lineByteCount
    /// The number of attachments of a message.
    case attachments
    /// The number of bytes of an attachment in the log.
    case attachmentByteCount
    /// The number of bytes of an attachment's content.
    case uploadByteCount(Attachment.ID)
    /// The number of mentions in a message.
    case mentions
    /// The number of kinds of reactions to a message.
    case reactionKinds
    /// The number of options of a poll.
    case pollOptions
    /// The number of options voted for, limited by the rules of the poll.
    case votes
    /// The number of bytes of the content of a composer or a draft.
    case compositionByteCount
    /// The number of bytes of the payload of an app's event or action.
    case payloadByteCount
  }
}
