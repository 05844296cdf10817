// What can be done where something is drawn.
public import Chat
public import ChatComposer
public import ChatMessageList

/// One thing that can be done where something is drawn.
public enum SlotAction: Hashable, Sendable, Identifiable {
  /// Something that one can do with a message.
  case message(MessageAction, String)
  /// Says to all what only whoever looks sees, exchanges it, or takes it away.
  case ephemeral(EphemeralAction, message: String)
  /// Reacts to a message in a way, or takes that back.
  case react(String, message: String)
  /// Goes to another message of the list: that which one quotes.
  case jump(to: String)
  /// Opens what hangs on a message.
  case open(Attachment.ID, message: String)
  /// Loads earlier messages.
  case loadOlder
  /// Loads later messages.
  case loadNewer
  /// Taps an item of the composer.
  case tap(ComposerItem.ID)
  /// Does something in the composer.
  case perform(Composer.Action, id: String)
  /// Picks something that is suggested.
  case pick(Suggestion.ID)
  /// Opens a channel.
  case openChannel(Channel.ID)
  /// Opens the thread about a message.
  case openThread(Message.Key)
  /// Opens what is written and not sent.
  case openDraft(Draft.Key)
  /// Throws away what is written and not sent.
  case deleteDraft(Draft.Key)

  /// What it is called among all that is drawn at once: what it does, and to what.
  public var id: String {
    switch self {
    case .message(let action, let message): "\(action.rawValue):\(message)"
    case .ephemeral(let action, let message): "ephemeral-\(action.rawValue):\(message)"
    case .react(let kind, let message): "reaction:\(kind.part):\(message)"
    case .jump(let message): "jump:\(message)"
    case .open(let attachment, let message): "open:\(attachment.text.part):\(message)"
    case .loadOlder: "older"
    case .loadNewer: "newer"
    case .tap(let item): "composer:\(item)"
    case .perform(_, let id): "perform:\(id)"
    case .pick(let suggestion): "suggestion:\(suggestion)"
    case .openChannel(let channel): "channel:\(channel)"
    case .openThread(let parent): "open-thread:\(parent.channel)/\(parent.id)"
    case .openDraft(let draft): "draft:\(draft.path)"
    case .deleteDraft(let draft): "delete-draft:\(draft.path)"
    }
  }
}

extension String {
  /// The words without the sign that parts names, so that two parts never spell the same as two others.
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
  /// Whose, and for what.
  fileprivate var path: String {
    ([user.text, channel.text] + [thread?.text].compactMap(\.self)).joined(separator: "/")
  }
}
