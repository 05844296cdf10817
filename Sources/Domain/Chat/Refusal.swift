// The domain's no: why an intent comes to nothing.

/// Why an intent is refused; nothing has changed.
public enum Refusal: Error, Hashable, Sendable {
  /// There is no such user.
  case unknownUser(User.ID)
  /// There is one already, who says something else of themselves.
  case userExists(User.ID)
  /// They may not act any more.
  case userDeactivated(User.ID)
  /// Only the app and administrators may do it.
  case notAdministrator
  /// It is this user's to do, and the actor may not act for them.
  case notYours(User.ID)
  /// One cannot do it to oneself.
  case oneself

  /// There is no such channel.
  case unknownChannel(Channel.ID)
  /// There is one already, and it is another.
  case channelExists(Channel.ID)
  /// It was deleted.
  case channelDeleted(Channel.ID)
  /// Nobody may send, edit or react there for now.
  case channelFrozen(Channel.ID)
  /// The channel does without it.
  case off(ChannelFlag, in: Channel.ID)

  /// They are not in the channel; who is not learns no more of it.
  case notMember(Member.Key)
  /// They are in the channel already, in another role.
  case memberExists(Member.Key)
  /// The actor's role does not allow it.
  case notAllowed(Capability, in: Channel.ID)
  /// The actor may only read.
  case banned(Ban)
  /// The other may do something that the actor may not.
  case outranked(by: User.ID)
  /// The role allows something that the actor may not do.
  case roleTooHigh(Role)
  /// No such role is in the rules.
  case unknownRole(Role)
  /// The actor has to wait, for the channel is in slow mode.
  case coolingDown(until: Instant)

  /// There is no such message, or not for the actor.
  case unknownMessage(Message.Key)
  /// There is one already, and it is another.
  case messageExists(Message.Key)
  /// Its author sent one with this client id in another channel.
  case clientIDTaken(Message.ClientID, by: Message.Key)
  /// It was deleted, and can only be restored.
  case messageDeleted(Message.Key)
  /// Only its author sees it.
  case messageIsEphemeral(Message.Key)
  /// It is not one that only its author sees.
  case notEphemeral(Message.Key)
  /// It waits for no server, or not for this.
  case notAwaited(Message.Key, Message.Delivery)
  /// It stands in a thread itself, and has none.
  case parentIsReply(Message.Key)
  /// It says nothing.
  case emptyMessage
  /// A mention stands for nothing, lies outside the text or within a character's pair, or is out of order.
  case mentionMisplaced(Mention)
  /// Two attachments have the same id.
  case attachmentTwice(Attachment.ID)
  /// An attachment's content cannot be reached by others.
  case notUploaded(Attachment.ID)
  /// A reaction needs a score of 1 or more.
  case zeroScore

  /// The end has come already.
  case alreadyOver(Instant)
  /// Something is larger than the rules allow.
  case tooLarge(Limit, count: Int, max: Int)

  /// A composer's action lies outside its text.
  case notComposable(Composer.Key)
  /// Only on this device is it composed.
  case otherDevice(Device.ID)
  /// A command is at work, and the next has to wait.
  case commandRuns(CommandExecution.ID)
  /// This command is not at work: it has ended, or never begun.
  case commandEnded(CommandExecution.ID)
  /// An app's event needs a version of 1 or more.
  case zeroVersion(AppEvent.Name)

  /// What can be too large.
  public enum Limit: Hashable, Sendable {
    /// Characters of a message, by the channel's configuration.
    case messageLength
    /// Bytes of a message's text.
    case textByteCount
    /// Bytes of an app's extra values.
    case extraByteCount
    /// How deep an app's extra values lie.
    case extraDepth
    /// Members added at once.
    case membersPerAdd
    /// Characters of a name.
    case nameLength
    /// Bytes of an address, a title, a reason.
    case lineByteCount
    /// Attachments of a message.
    case attachments
    /// Bytes that an attachment takes in the log.
    case attachmentByteCount
    /// Bytes of an attachment's content.
    case uploadByteCount(Attachment.ID)
    /// Mentions in a message.
    case mentions
    /// Kinds of reactions to a message.
    case reactionKinds
    /// Bytes of what a composer or a draft holds.
    case compositionByteCount
    /// Bytes of a payload of an app's own.
    case payloadByteCount
  }
}
