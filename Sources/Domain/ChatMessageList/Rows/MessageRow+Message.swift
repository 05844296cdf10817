// The row of a message, as far as its neighbors have no say in it.
#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

// MARK: Names

extension MessageRow {
  /// What the row of a message is called.
  static func id(ofMessage message: String) -> ID { "m:" + escaped(message) }

  /// What the row of a message is called: by its sender's own name for it, which it has before it is acknowledged.
  static func id(of message: some MessageType, _ chat: (any ChatMessageType)?) -> ID {
    guard let client = chat?.clientID, let sender = chat?.sender?.id else { return id(ofMessage: message.messageID) }
    return "m:\(escaped(sender))/\(escaped(client))"
  }

  /// A text without the sign that parts names, so that two parts never spell the same as two others; also where a mark
  /// stands on that sign, and makes another character of it.
  private static func escaped(_ text: String) -> String {
    if !text.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "%") }) { return text }
    return text.unicodeScalars.reduce(into: "") { $0 += $1 == "/" ? "%2F" : $1 == "%" ? "%25" : String($1) }
  }
}

// MARK: What it shows

extension MessageRow {
  /// The row of a message, in no group yet.
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
    // What is deleted or seen by its author alone is drawn as such, whoever draws its kind.
    if case .custom? = kind, case .custom(let id) = content, options.lacksRenderer(for: id) { self.kind = .notice }
    guard shape == .bubble else { return }
    isOwn = chat?.isOwn ?? (message.alignment == .right)
    if case .custom? = kind { side = .center } else { side = isOwn ? .trailing : .leading }
    swipeTimestamp = options.showsTimestampsOnSwipe
    if let chat { tell(chat) }
    actions = Self.actions(with: content, of: chat, isOwn: isOwn)
  }

  /// What stands for messages of muted authors, the last of which would have another row.
  static func notice(instead row: MessageRow) -> MessageRow {
    var notice = MessageRow(row.id, .notice)
    (notice.messageID, notice.date, notice.count) = (row.messageID, row.date, 1)
    (notice.maxWidth, notice.cornerRadius) = (row.maxWidth, row.cornerRadius)
    return notice
  }

  private mutating func tell(_ message: any ChatMessageType) {
    visibleOnlyToYou = message.isEphemeral
    edited = message.edited != nil
    // What is deleted says nothing any more, but that it was there and how one gets to what was said about it.
    if let thread = message.thread { self.thread = Thread(thread) }
    if message.isDeleted { return }
    delivery = isOwn ? message.delivery : nil
    showsEdited = edited
    if let quote = message.quote { self.quote = Quote(quote) }
    reactions = message.reactions
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
  // Said once: a list asks for each of its messages.
  fileprivate static let words = MessageActions(.copy)
  private static let unsent = MessageActions(.retry, .delete)
  private static let own = MessageActions(.reply, .edit, .delete, .pin, .react, .thread)
  private static let others = own.union(MessageActions(.flag, .mute))

  /// What there is to do with a message, whatever one may do.
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
  /// Whether there may be words to copy.
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
  /// Whether nothing draws an app's own kind.
  fileprivate func lacksRenderer(for id: String) -> Bool { customRenderers.map { !$0.contains(id) } ?? false }
}

// MARK: Emoji

/// How many emoji a text has, where it has nothing else but white space and not too many of them.
func jumbo(_ text: some Collection<Character>, max: Int) -> Int? {
  var count = 0
  for letter in text where !letter.isWhitespace {
    count += 1
    if count > max || !letter.isEmoji { return nil }
  }
  return count == 0 ? nil : count
}

extension Character {
  /// Whether it is shown as a picture: a digit is not, although it begins emoji.
  fileprivate var isEmoji: Bool {
    guard let first = unicodeScalars.first, first.properties.isEmoji else { return false }
    if first.properties.isEmojiPresentation { return true }
    // What is shown as a letter is made a picture by the sign behind it.
    return unicodeScalars.dropFirst().contains("\u{FE0F}")
  }
}
