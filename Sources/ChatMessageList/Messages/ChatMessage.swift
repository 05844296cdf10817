// A message of the chat, as somebody sees it.
public import Chat
#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A message of the chat with what belongs to it elsewhere: who said it, how far it came, what it quotes.
///
/// What the message says itself is asked of it; the rest is given by who has read it.
public struct ChatMessage: ChatMessageType, Hashable, Sendable {
  /// The message.
  public let message: Message
  /// Who looks.
  public let viewer: User.ID?
  /// Who said it.
  public var sender: MessageSender?
  /// How far it came, of a message of whoever looks.
  public var delivery: MessageDelivery?
  /// The kinds in which whoever looks reacted.
  public var ownReactions: Set<String> = []
  /// The thread about it.
  public var thread: MessageThread?
  /// The message that it quotes.
  public var quote: MessageQuote?
  /// Whether it stands out at the time at which one looks.
  public var isPinned = false
  /// Whether the list is the thread in which it stands.
  public var isInThread = false
  /// What whoever looks may do.
  public var actions: MessageActions?

  /// A message as somebody sees it; nil for somebody who is nobody's author.
  public init(_ message: Message, seenBy viewer: User.ID?) { (self.message, self.viewer) = (message, viewer) }
}

// MARK: What every list needs

extension ChatMessage {
  /// The id of the message in its channel.
  public var messageID: String { message.key.id.text }
  /// When it was sent.
  public var timestamp: Date { message.sent.date }
  /// One's own stand on the right.
  public var alignment: MessageAlignment { isOwn ? .right : .left }

  /// Words, with a ``MentionAttribute`` where somebody is meant; what the app said; or a kind of the app's own, whose
  /// item holds the message.
  public var kind: MessageKind {
    switch message.content.kind {
    case .system: .system(words)
    case .custom(let kind): .custom(ChatItem(id: kind.text, message: message))
    case .regular, .ephemeral: .text(TextItem(words))
    }
  }

  /// What is said.
  private var words: AttributedString {
    let text = message.content.text.string
    var words = AttributedString()
    var end = text.startIndex
    for mention in message.content.mentions {
      let range = text.range(mention.range)
      if range.lowerBound < end { continue }
      words += AttributedString(text[end..<range.lowerBound])
      var name = AttributedString(text[range])
      name[MentionAttribute.self] = mention.user.text
      words += name
      end = range.upperBound
    }
    return words + AttributedString(text[end...])
  }
}

/// A message of a kind of the app's own.
public struct ChatItem: CustomItem, Sendable {
  /// Which kind.
  public let id: String
  /// The message.
  public let message: Message
  /// The message.
  public var data: Any? { message }
}

// MARK: What a chat knows

extension ChatMessage {
  /// What its author calls it.
  public var clientID: String? { message.content.client?.text }
  /// Whether whoever looks said it.
  public var isOwn: Bool { viewer != nil && message.author == viewer }
  /// What hangs on it.
  public var attachments: [Attachment] { message.content.attachments }
  /// When it was edited last.
  public var edited: Date? { message.edited?.date }
  /// Whether it is deleted.
  public var isDeleted: Bool { message.presence != .present }
  /// Whether only its author sees it.
  public var isEphemeral: Bool { message.content.kind == .ephemeral }

  /// How it is reacted to.
  public var reactions: [MessageReaction] {
    message.reactions.map { total in
      MessageReaction(total.kind.text, count: Int(total.count), mine: ownReactions.contains(total.kind.text))
    }
  }

  /// What is remarked above it.
  public var annotations: MessageAnnotations {
    var annotations: MessageAnnotations = isPinned ? .pinned : []
    if message.content.parent != nil {
      if !isInThread { annotations.insert(.repliedToThread) }
      if isInThread, message.content.showsInChannel { annotations.insert(.alsoInChannel) }
    }
    return annotations
  }

  /// The first of what it shows: pictures, a file, an animated picture, something of the app's own, a page, words.
  public var content: MessageContent? {
    guard message.content.kind == .regular || message.content.kind == .ephemeral else { return nil }
    if attachments.isEmpty {
      return jumbo(message.content.text.string, max: jumboCountMax).map { .jumboEmoji($0) } ?? .text
    }
    let media = attachments.compactMap(\.mediaKind)
    if !media.isEmpty { return .media(media) }
    if attachments.contains(where: { $0.kind == .file || $0.kind == .audio }) { return .file }
    if attachments.contains(where: { $0.kind == .giphy }) { return .giphy }
    for case .custom(let kind, _) in attachments.map(\.kind) { return .custom(kind.text) }
    return .link
  }
}

/// How many emoji are counted; a list decides how many of them it shows large.
private let jumboCountMax = 16

extension Attachment {
  fileprivate var mediaKind: MessageContent.MediaKind? {
    switch kind {
    case .image: .image
    case .video: .video
    case .file, .audio, .link, .giphy, .custom: nil
    }
  }
}

extension Instant {
  /// The point as a date.
  public var date: Date { Date(timeIntervalSince1970: Double(rawValue) / 1_000_000) }
}

extension String {
  /// The place of a range that is counted in UTF-16 units; cut where the text ends.
  fileprivate func range(_ range: UTF16Range) -> Range<Index> {
    let start = utf16.index(startIndex, offsetBy: range.lowerBound.rawValue, limitedBy: endIndex) ?? endIndex
    let end = utf16.index(startIndex, offsetBy: range.upperBound.rawValue, limitedBy: endIndex) ?? endIndex
    return start..<max(start, end)
  }
}
