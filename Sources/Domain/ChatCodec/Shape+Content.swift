// What is content in events of each shape: what people wrote.
internal import Bytes
internal import Chat
internal import EventLog

extension Shape {
  /// The fields that are content, a bit for each number; 0 for a shape without any.
  ///
  /// All others remain readable where content is encrypted: ids, roles, times, and who mentioned whom.
  var contentFields: UInt16 {
    switch self {
    case .userCreated1, .userChanged1, .channelChanged1, .draftUpdated1, .draftUpdated2, .draftSuperseded1,
      .draftSuperseded2, .composerFilled1, .composerFilled2, .composerTyped1, .composerReplaced1, .composerAttached1,
      .composerAttached2, .composerAttachmentChanged1, .composerPreviewDismissed1, .composerExtraSet1,
      .composerCommandCleared1, .composerSendRefused2, .composerActionRefused1, .composerCleared1, .composerCleared2:
      Self.fields(1)
    case .userBanned1, .userFlagged1, .channelCreated1, .ephemeralShuffled1, .pollOpened1, .pollOptionAdded1,
      .composerMentionPicked1, .composerUploadFinished1, .composerUploadFailed1, .composerUploadFailed2,
      .composerEditBegan1, .composerEditBegan2, .composerCommandActivated1, .composerCommandFailed1,
      .composerCommandFailed2, .composerSendRefused1, .composerSent1, .composerSent2, .composerCustom1:
      Self.fields(2)
    case .memberBanned1, .messageFlagged1, .flagsResolved1, .messageSaved1, .messageScheduled1: Self.fields(3)
    case .deviceAdded1: Self.fields(2, 3, 4)
    case .messageSent1: Self.fields(4, 6, 11)
    case .messageEdited1: Self.fields(2, 4, 5)
    case .composerCommandStarted1: Self.fields(2, 3)
    default: 0
    }
  }

  private static func fields(_ numbers: UInt16...) -> UInt16 { numbers.reduce(0) { $0 | 1 << $1 } }

  /// The fields with which an event whose content was erased is read: the empty values of those that must be there.
  var erasedContent: [UInt8] {
    switch self {
    case .userCreated1, .userChanged1, .channelChanged1, .draftUpdated1, .draftSuperseded1: [0x0A, 0]
    case .channelCreated1: [0x12, 0]
    case .messageScheduled1: [0x1A, 2, 0x10, 1]
    // An option needs an id.
    case .pollOptionAdded1: [0x12, 8, 0x0A, 6] + Array("erased".utf8)
    default: []
    }
  }

  /// The shape of the event without its content.
  var withoutContent: Shape {
    switch self {
    case .draftUpdated2: .draftUpdated1
    case .draftSuperseded2: .draftSuperseded1
    case .composerSent2: .composerSent1
    case .composerCleared2: .composerCleared1
    default: self
    }
  }
}

extension EventContent {
  /// The content of a change; nil when it has none.
  init?(of change: ChatEvent.Change, stored type: StoredType) {
    switch (type, change) {
    case (.app, _): self.init(fields: .max)
    case (.shape(let shape), _) where shape.contentFields == 0: return nil
    case (.shape(let shape), .message(_, .sent(let content))):
      // The words are those of the first author, also where another user forwards them.
      guard let first = content.forwarded else { self.init(fields: shape.contentFields); return }
      self.init(fields: shape.contentFields, owner: Owner(first.author))
    case (.shape(let shape), .user(let user, _)):
      self.init(fields: shape.contentFields, owner: Owner(user), isAlways: shape == .userCreated1)
    case (.shape(let shape), .device(let key, _)): self.init(fields: shape.contentFields, owner: Owner(key.user))
    case (.shape(let shape), .channel):
      self.init(fields: shape.contentFields, owner: .channel, isAlways: shape == .channelCreated1)
    case (.shape(let shape), _): self.init(fields: shape.contentFields)
    }
  }
}

extension ProposedEvent {
  /// Makes the content that of a user, also where another user is the author of the event.
  internal mutating func setContent(of user: User.ID?) {
    if let content { self.content = EventContent(fields: content.fields, owner: EventContent.Owner(user)) }
  }
}

extension EventContent.Owner {
  /// The owner of what a user wrote; the workspace for the app.
  internal init(_ user: User.ID?) {
    self = user.map { .person(Name(stringLiteral: $0.text)) } ?? .workspace
  }
}
