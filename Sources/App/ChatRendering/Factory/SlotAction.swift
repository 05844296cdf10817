// The actions that drawn output carries.
public import Chat
public import ChatComposer
public import ChatMessageList

/// An action that can be performed on drawn output.
public enum SlotAction: Hashable, Sendable, Identifiable {
  /// An action on a message.
  case message(MessageAction, String)
  /// An action of the app on a message: the id of a ``/ChatMessageList/MessageMenuItem``.
  case custom(String, message: String)
  /// Sends, shuffles or cancels an ephemeral message.
  case ephemeral(EphemeralAction, message: String)
  /// Adds or removes a reaction to a message.
  case react(String, message: String)
  /// Votes for an option of a message's poll, or takes the vote back.
  case vote(String, message: String)
  /// Goes to the quoted message, which the list loads if it does not have it yet.
  case jump(to: String)
  /// Opens an attachment of a message.
  case open(Attachment.ID, message: String)
  /// Loads earlier messages.
  case loadOlder
  /// Loads later messages.
  case loadNewer
  /// Loads more items of a list.
  case loadMore(ItemListKind)
  /// Taps an item of the composer.
  case tap(ComposerItem.ID)
  /// Sends the content of the composer.
  case send
  /// Taps the chip of a custom attachment in the composer.
  case tapAttachment(Attachment.ID)
  /// Performs an action in the composer.
  case perform(Composer.Action, id: String)
  /// Picks a suggestion.
  case pick(Suggestion.ID)
  /// Opens a channel.
  case openChannel(Channel.ID)
  /// Opens the thread of a message.
  case openThread(Message.Key)
  /// Opens a draft.
  case openDraft(Draft.Key)
  /// Deletes a draft.
  case deleteDraft(Draft.Key)
  /// Opens the channel of a message, at the message.
  case openMessage(Message.Key)
  /// Claims, releases or resolves the review of a message.
  case review(Review.Intent, of: Message.Key)
  /// Ends a mute.
  case unmute(Mute.Target)
  /// Joins a public channel, or accepts an invitation.
  case join(Channel.ID)
  /// Declines an invitation.
  case decline(Channel.ID)
  /// Removes a message from the saved ones.
  case unsave(Message.Key)
  /// Cancels a scheduled message.
  case cancelScheduled(Message.Key)
  /// Ends the block of a user.
  case unblock(User.ID)

  /// An id that is unique among all actions drawn at once: the action and its target.
  public var id: String {
    switch self {
    case .message(let action, let message): "\(action.rawValue):\(message)"
    case .custom(let id, let message): "custom:\(id.part):\(message)"
    case .ephemeral(let action, let message): "ephemeral-\(action.rawValue):\(message)"
    case .react(let kind, let message): "reaction:\(kind.part):\(message)"
    case .vote(let option, let message): "vote:\(option.part):\(message)"
    case .jump(let message): "jump:\(message)"
    case .open(let attachment, let message): "open:\(attachment.text.part):\(message)"
    case .loadOlder: "older"
    case .loadNewer: "newer"
    case .loadMore(let kind): "more:\(kind.rawValue)"
    case .tap(let item): "composer:\(item)"
    case .send: "send"
    case .tapAttachment(let id): "attachment:\(id.text.part)"
    case .perform(_, let id): "perform:\(id)"
    case .pick(let suggestion): "suggestion:\(suggestion)"
    case .openChannel(let channel): "channel:\(channel)"
    case .openThread(let parent): "open-thread:\(parent.channel)/\(parent.id)"
    case .openDraft(let draft): "draft:\(draft.path)"
    case .deleteDraft(let draft): "delete-draft:\(draft.path)"
    case .openMessage(let message): "open-message:\(message.channel)/\(message.id)"
    case .review(.claim, let message): "claim:\(message.channel)/\(message.id)"
    case .review(.release, let message): "release:\(message.channel)/\(message.id)"
    case .review(.resolve(let outcome, _), let message):
      "resolve:\(outcome.text.part):\(message.channel)/\(message.id)"
    case .unmute(.user(let user)): "unmute-user:\(user)"
    case .unmute(.channel(let channel)): "unmute-channel:\(channel)"
    case .join(let channel): "join:\(channel)"
    case .decline(let channel): "decline:\(channel)"
    case .unsave(let message): "unsave:\(message.channel)/\(message.id)"
    case .cancelScheduled(let message): "cancel-scheduled:\(message.channel)/\(message.id)"
    case .unblock(let user): "unblock:\(user)"
    }
  }
}

extension String {
  /// The text with the separator of ids escaped, so that different parts never produce the same id.
  fileprivate var part: String {
    if !utf8.contains(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "%") }) { return self }
    return unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar {
      case ":": text += "%3A"
      case "%": text += "%25"
      default: text.unicodeScalars.append(scalar)
      }
    }
  }
}

extension Draft.Key {
  /// The user, the channel and the thread, separated by `/`.
  fileprivate var path: String {
    ([user.text, channel.text] + [thread?.text].compactMap(\.self)).joined(separator: "/")
  }
}
