// A message of the chat, as somebody sees it.
public import Chat
#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A message of the chat with what belongs to it elsewhere: who said it, how far it came, what it quotes.
///
/// What the message says itself is asked of it; the rest is given by who has read it. Copies share what they hold, so
/// that a list can hand them around.
public struct ChatMessage: ChatMessageType, Sendable {
  private let held: Held

  /// What belongs to a message elsewhere.
  public struct Details: Hashable, Sendable {
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

    /// Nothing is known.
    public init() {}
  }

  private final class Held: Sendable {
    let message: Message
    let viewer: User.ID?
    let details: Details

    init(_ message: Message, _ viewer: User.ID?, _ details: Details) {
      (self.message, self.viewer, self.details) = (message, viewer, details)
    }
  }

  /// A message as somebody sees it; nil for somebody who is nobody's author.
  public init(_ message: Message, seenBy viewer: User.ID?, _ details: Details = Details()) {
    held = Held(message, viewer, details)
  }

  /// The message.
  public var message: Message { held.message }
  /// Who looks.
  public var viewer: User.ID? { held.viewer }
  /// What belongs to it elsewhere.
  public var details: Details { held.details }

  /// Whether both show the same.
  public static func == (a: ChatMessage, b: ChatMessage) -> Bool {
    a.held === b.held || a.message == b.message && a.viewer == b.viewer && a.details == b.details
  }
}

// MARK: What every list needs

extension ChatMessage {
  /// The id of the message in its channel.
  public var messageID: String { held.message.key.id.text }
  /// When it was sent.
  public var timestamp: Date { held.message.sent.date }
  /// One's own stand on the right.
  public var alignment: MessageAlignment { isOwn ? .right : .left }

  /// Words, with a ``MentionAttribute`` where somebody is meant; what the app said; or a kind of the app's own, whose
  /// item holds the message.
  public var kind: MessageKind {
    switch held.message.content.kind {
    case .system: .system(words)
    case .custom(let kind): .custom(ChatItem(id: kind.text, message: message))
    case .regular, .ephemeral: .text(TextItem(words))
    }
  }

  /// What is said.
  private var words: AttributedString {
    let text = held.message.content.text.string
    var words = AttributedString()
    var end = text.startIndex
    for mention in held.message.content.mentions {
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
  /// Who said it.
  public var sender: MessageSender? { held.details.sender }
  /// How far it came.
  public var delivery: MessageDelivery? { held.details.delivery }
  /// The thread about it.
  public var thread: MessageThread? { held.details.thread }
  /// The message that it quotes.
  public var quote: MessageQuote? { held.details.quote }
  /// What whoever looks may do.
  public var actions: MessageActions? { held.details.actions }
  /// What its author calls it.
  public var clientID: String? { held.message.content.client?.text }
  /// Whether whoever looks said it.
  public var isOwn: Bool { viewer != nil && held.message.author == viewer }
  /// What hangs on it.
  public var attachments: [Attachment] { held.message.content.attachments }
  /// When it was edited last.
  public var edited: Date? { held.message.edited?.date }
  /// Whether it is deleted.
  public var isDeleted: Bool { held.message.presence != .present }
  /// Whether only its author sees it.
  public var isEphemeral: Bool { held.message.content.kind == .ephemeral }

  /// How it is reacted to.
  public var reactions: [MessageReaction] {
    held.message.reactions.map { total in
      MessageReaction(
        total.kind.text, count: Int(total.count), mine: held.details.ownReactions.contains(total.kind.text))
    }
  }

  /// What is remarked above it.
  public var annotations: MessageAnnotations {
    var annotations: MessageAnnotations = held.details.isPinned ? .pinned : []
    if held.message.content.parent != nil {
      if !held.details.isInThread { annotations.insert(.repliedToThread) }
      if held.details.isInThread, held.message.content.showsInChannel { annotations.insert(.alsoInChannel) }
    }
    return annotations
  }

  /// The first of what it shows: pictures, a file, an animated picture, something of the app's own, a page, words.
  public var content: MessageContent? {
    guard held.message.content.kind == .regular || held.message.content.kind == .ephemeral else { return nil }
    if attachments.isEmpty {
      let text = held.message.content.text.string
      // No emoji begins with a letter, as most of what is said does.
      if let first = text.utf8.first, (0x40..<0x80).contains(first) { return .text }
      return jumbo(text, max: jumboCountMax).map { .jumboEmoji($0) } ?? .text
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
