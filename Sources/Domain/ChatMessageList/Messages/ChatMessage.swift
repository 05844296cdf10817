// A chat message as seen by a viewer.
public import Chat
#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A chat message together with data stored elsewhere: sender, delivery state and quoted message.
///
/// The message's own fields are read from it; ``Details`` are supplied by the caller who has read them. Copies share
/// their storage, so a list can pass them around cheaply.
public struct ChatMessage: ChatMessageType, Sendable {
  private let held: Held

  /// The data about a message that is stored outside of it.
  public struct Details: Hashable, Sendable {
    /// The author of the message.
    public var sender: MessageSender?
    /// The delivery state, for a message of the viewer.
    public var delivery: MessageDelivery?
    /// The kinds of the viewer's own reactions.
    public var ownReactions: Set<String> = []
    /// The options of the poll for which the viewer voted.
    public var ownVotes: Set<Poll.Option.ID> = []
    /// Whether the poll accepts votes at the time of viewing.
    public var isPollOpen = false
    /// The author of the message from which it was forwarded.
    public var forwardedFrom: MessageSender?
    /// The thread of replies to it.
    public var thread: MessageThread?
    /// The message that it quotes.
    public var quote: MessageQuote?
    /// Whether it is pinned at the time of viewing.
    public var isPinned = false
    /// Whether the list shows the thread to which the message belongs.
    public var isInThread = false
    /// The actions that the viewer may perform.
    public var actions: MessageActions?

    /// Creates details without any data.
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

  /// Creates a message as seen by a viewer; a nil viewer is the author of no message.
  public init(_ message: Message, seenBy viewer: User.ID?, _ details: Details = Details()) {
    held = Held(message, viewer, details)
  }

  /// The chat message.
  public var message: Message { held.message }
  /// The user who views the list.
  public var viewer: User.ID? { held.viewer }
  /// The data stored outside of the message.
  public var details: Details { held.details }

  /// Whether both have equal message, viewer and details.
  public static func == (a: ChatMessage, b: ChatMessage) -> Bool {
    a.held === b.held || a.message == b.message && a.viewer == b.viewer && a.details == b.details
  }
}

// MARK: Required properties

extension ChatMessage {
  /// The id of the message in its channel.
  public var messageID: String { held.message.key.id.text }
  /// The time at which the message was sent.
  public var timestamp: Date { held.message.sent.date }
  /// The side: the viewer's own messages are on the right.
  public var alignment: MessageAlignment { isOwn ? .right : .left }

  /// The kind: text with a ``MentionAttribute`` on each mention, a system text, or a custom kind whose item holds the
  /// message.
  public var kind: MessageKind {
    switch held.message.content.kind {
    case .system: .system(words)
    case .custom(let kind): .custom(ChatItem(id: kind.text, message: message))
    case .regular, .ephemeral: .text(TextItem(words))
    }
  }

  /// The text with its mentions marked.
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

/// The item of a message of a custom kind.
public struct ChatItem: CustomItem, Sendable {
  /// The id of the custom kind.
  public let id: String
  /// The message.
  public let message: Message
  /// The message as renderer data.
  public var data: Any? { message }
}

// MARK: Optional properties

extension ChatMessage {
  /// The author of the message.
  public var sender: MessageSender? { held.details.sender }
  /// The delivery state of the message.
  public var delivery: MessageDelivery? { held.details.delivery }
  /// The thread of replies to the message.
  public var thread: MessageThread? { held.details.thread }
  /// The message that it quotes.
  public var quote: MessageQuote? { held.details.quote }
  /// The actions that the viewer may perform.
  public var actions: MessageActions? { held.details.actions }
  /// The number of the message in its channel.
  public var number: UInt64 { held.message.number.rawValue }
  /// The client id assigned by the author.
  public var clientID: String? { held.message.content.client?.text }
  /// Whether the viewer is the author.
  public var isOwn: Bool { viewer != nil && held.message.author == viewer }
  /// The attachments of the message.
  public var attachments: [Attachment] { held.message.content.attachments }
  /// The time of the last edit.
  public var edited: Date? { held.message.edited?.date }
  /// Whether it is deleted.
  public var isDeleted: Bool { held.message.presence != .present }
  /// Whether it is deleted because its content was erased from the log.
  public var isErased: Bool { held.message.presence == .erased }
  /// Whether only its author sees it.
  public var isEphemeral: Bool { held.message.content.kind == .ephemeral }

  /// The reactions to the message.
  public var reactions: [MessageReaction] {
    held.message.reactions.map { total in
      MessageReaction(
        total.kind.text, count: Int(total.count), mine: held.details.ownReactions.contains(total.kind.text))
    }
  }

  /// The poll in the message.
  public var poll: MessagePoll? {
    held.message.poll.map { poll in
      let options = poll.options.map { option in
        MessagePoll.Option(
          option.id.text, option.text.string, votes: Int(option.votes), mine: held.details.ownVotes.contains(option.id))
      }
      return MessagePoll(options, isOpen: held.details.isPollOpen, votesMax: Int(poll.rules.votesPerUserMax))
    }
  }

  /// The author of the message from which it was forwarded.
  public var forwardedFrom: MessageSender? { held.details.forwardedFrom }

  /// The annotations above the message.
  public var annotations: MessageAnnotations {
    var annotations: MessageAnnotations = held.details.isPinned ? .pinned : []
    if held.message.content.forwarded != nil { annotations.insert(.forwarded) }
    if held.message.content.parent != nil {
      if !held.details.isInThread { annotations.insert(.repliedToThread) }
      if held.details.isInThread, held.message.content.showsInChannel { annotations.insert(.alsoInChannel) }
    }
    return annotations
  }

  /// The first content that applies: media, file, giphy, custom attachment, link, text.
  public var content: MessageContent? {
    guard held.message.content.kind == .regular || held.message.content.kind == .ephemeral else { return nil }
    if attachments.isEmpty {
      let text = held.message.content.text.string
      // No emoji starts with a letter, while most texts do.
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

/// The maximum number of emoji counted; the list options decide how many are shown large.
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

extension Timestamp {
  /// The instant as a date.
  public var date: Date { Date(timeIntervalSince1970: Double(rawValue) / 1_000_000) }
}

extension String {
  /// Returns the index range of a UTF-16 range, clamped to the end of the text.
  fileprivate func range(_ range: UTF16Range) -> Range<Index> {
    let start = utf16.index(startIndex, offsetBy: range.lowerBound.rawValue, limitedBy: endIndex) ?? endIndex
    let end = utf16.index(startIndex, offsetBy: range.upperBound.rawValue, limitedBy: endIndex) ?? endIndex
    return start..<max(start, end)
  }
}
