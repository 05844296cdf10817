// Creates the row of a message, except for what depends on its neighbors.
#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

// MARK: Names

extension MessageRow {
  /// Returns the row id of a message that has no client id.
  static func id(ofMessage message: String) -> ID { "m:" + escaped(message) }

  /// Returns the row id of a message: from sender and client id if it has both, since they exist before
  /// acknowledgement.
  static func id(of message: some MessageType, _ chat: (any ChatMessageType)?) -> ID {
    guard let client = chat?.clientID, let sender = chat?.sender?.id else { return id(ofMessage: message.messageID) }
    return "m:\(escaped(sender))/\(escaped(client))"
  }

  /// Escapes `/` and `%`, so that different pairs of parts never form the same id. It works on scalars, since a
  /// combining mark after `/` makes another character of it.
  private static func escaped(_ text: String) -> String {
    if !text.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "%") }) { return text }
    return text.unicodeScalars.reduce(into: "") { $0 += $1 == "/" ? "%2F" : $1 == "%" ? "%25" : String($1) }
  }
}

// MARK: Content

extension MessageRow {
  /// Creates the row of a message, not yet placed in a group.
  init<Message: MessageType>(
    of message: Message, _ chat: (any ChatMessageType)?, _ kind: MessageKind?, _ told: MessageContent?, shape: Shape,
    by options: LayoutOptions<Message>, maxWidth: Double
  ) {
    self.init(Self.id(of: message, chat), shape == .bubble ? .message : .system)
    messageID = message.messageID
    self.maxWidth = maxWidth
    cornerRadius = options.cornerRadius
    content = told ?? Self.content(of: kind, jumboMax: options.jumboEmojiMax)
    if let chat { content = chat.isDeleted ? .deletedPlaceholder : chat.isEphemeral ? .ephemeral : content }
    if case .jumboEmoji(let count) = content, count > options.jumboEmojiMax { content = .text }
    // Deleted and ephemeral content is drawn as such, so it needs no custom renderer.
    if case .custom? = kind, case .custom(let id) = content, options.lacksRenderer(for: id) { self.kind = .notice }
    guard shape == .bubble else { return }
    isOwn = chat?.isOwn ?? (message.alignment == .right)
    if case .custom? = kind { side = .center } else { side = isOwn ? .trailing : .leading }
    swipeTimestamp = options.showsTimestampsOnSwipe
    if let chat { tell(chat) }
    actions = Self.actions(with: content, of: chat, isOwn: isOwn)
  }

  /// Returns a notice row that replaces messages of muted authors; `row` is the row of the last of them.
  static func notice(instead row: MessageRow) -> MessageRow {
    var notice = MessageRow(row.id, .notice)
    (notice.messageID, notice.date, notice.count) = (row.messageID, row.date, 1)
    (notice.maxWidth, notice.cornerRadius) = (row.maxWidth, row.cornerRadius)
    return notice
  }

  private mutating func tell(_ message: any ChatMessageType) {
    visibleOnlyToYou = message.isEphemeral
    edited = message.edited != nil
    // A deleted message shows only that it existed, and the way to its replies.
    if let thread = message.thread { self.thread = Thread(thread) }
    if message.isDeleted { return }
    delivery = isOwn ? message.delivery : nil
    showsEdited = edited
    if let quote = message.quote { self.quote = Quote(quote) }
    reactions = message.reactions
    poll = message.poll
    annotations = message.annotations
  }

  private static func content(of kind: MessageKind?, jumboMax: Int) -> MessageContent {
    switch kind {
    case .text(let item):
      jumboMax > 0 ? jumbo(item.text.characters, max: jumboMax).map { .jumboEmoji($0) } ?? .text : .text
    case .system, nil: .text
    case .image: .image
    case .custom(let item): .custom(item.id)
    }
  }

  private static func actions(
    with content: MessageContent, of message: (any ChatMessageType)?, isOwn: Bool
  ) -> MessageActions {
    guard let message else { return content.hasWords ? .words : [] }
    return (message.actions ?? .all).intersection(.sensible(with: content, message.delivery, isOwn: isOwn))
  }
}

extension MessageActions {
  // Stored once, since a list needs them for each message.
  fileprivate static let words = MessageActions(.copy)
  private static let unsent = MessageActions(.retry, .delete)
  private static let own = MessageActions(.reply, .edit, .delete, .pin, .react, .thread)
  private static let others = own.union(MessageActions(.flag, .mute))

  /// Returns the actions that apply to a message, regardless of permissions.
  fileprivate static func sensible(
    with content: MessageContent, _ delivery: MessageDelivery?, isOwn: Bool
  ) -> MessageActions {
    switch (content, isOwn ? delivery : nil) {
    case (.deletedPlaceholder, _), (.ephemeral, _): return []
    case (_, .failed): return unsent
    case (_, .pending): return content.hasWords ? words : []
    default: break
    }
    let actions = isOwn ? own : others
    return content.hasWords ? actions.union(words) : actions
  }
}

extension MessageContent {
  /// Whether the content can include text to copy.
  fileprivate var hasWords: Bool {
    switch self {
    case .text, .jumboEmoji, .link, .media, .file, .giphy: true
    case .image, .custom, .deletedPlaceholder, .ephemeral: false
    }
  }
}

extension MessageRow.Quote {
  fileprivate init(_ quote: MessageQuote) {
    (target, author, content, state) = (quote.target, quote.author?.id, quote.content, quote.state)
  }
}

extension MessageRow.Thread {
  fileprivate init(_ thread: MessageThread) {
    (replyCount, unread) = (thread.replyCount, thread.unread)
    (hasDraft, alsoInChannel) = (thread.hasDraft, thread.alsoInChannel)
    participants = thread.participants.map(\.id)
  }
}

extension LayoutOptions {
  /// Whether no renderer is registered for a custom kind.
  fileprivate func lacksRenderer(for id: String) -> Bool { customRenderers.map { !$0.contains(id) } ?? false }
}

// MARK: Emoji

/// Returns the number of emoji if a text consists only of emoji and white space, with at most `max` emoji; otherwise
/// nil.
func jumbo(_ text: some Collection<Character>, max: Int) -> Int? {
  var count = 0
  for letter in text where !letter.isWhitespace {
    count += 1
    if count > max || !letter.isEmoji { return nil }
  }
  return count == 0 ? nil : count
}

extension Character {
  /// Whether it is displayed as an emoji: a digit is not, although emoji sequences can start with one.
  fileprivate var isEmoji: Bool {
    guard let first = unicodeScalars.first, first.properties.isEmoji else { return false }
    if first.properties.isEmojiPresentation { return true }
    // A variation selector displays a text-style character as an emoji.
    return unicodeScalars.dropFirst().contains("\u{FE0F}")
  }
}
