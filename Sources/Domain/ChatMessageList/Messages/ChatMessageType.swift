// The chat properties of a message beyond what every list needs.
public import Chat
#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A message with chat properties; every requirement has a default for types that lack the property.
public protocol ChatMessageType: MessageType {
  /// The author; nil for system messages or if unknown.
  var sender: MessageSender? { get }
  /// The number of the message in its channel, by which messages of equal time are ordered; 0 if it has none.
  var number: UInt64 { get }
  /// The client id that the sender assigned before acknowledgement; unique among the messages of the sender.
  var clientID: String? { get }
  /// Whether the viewer is the author; derived from the alignment by default.
  var isOwn: Bool { get }
  /// The displayed content; nil to derive it from the kind.
  var content: MessageContent? { get }
  /// The attachments, in order.
  var attachments: [Attachment] { get }
  /// The time of the last edit; nil if never edited.
  var edited: Date? { get }
  /// Whether it is deleted; a deleted message keeps its row.
  var isDeleted: Bool { get }
  /// Whether it is deleted because its content was erased from the log.
  var isErased: Bool { get }
  /// Whether only the viewer sees it.
  var isEphemeral: Bool { get }
  /// The delivery state; nil if unknown.
  var delivery: MessageDelivery? { get }
  /// The reactions, in the order in which their kinds were first used.
  var reactions: [MessageReaction] { get }
  /// The poll in it; nil if there is none.
  var poll: MessagePoll? { get }
  /// The author of the message from which it was forwarded; nil if it was not, or that is unknown.
  var forwardedFrom: MessageSender? { get }
  /// The thread of replies to it; nil if there is none.
  var thread: MessageThread? { get }
  /// The quoted message; nil if it quotes none.
  var quote: MessageQuote? { get }
  /// The annotations above the message.
  var annotations: MessageAnnotations { get }
  /// The actions that the viewer may perform; nil allows every action that applies to such a message.
  var actions: MessageActions? { get }
}

extension ChatMessageType {
  /// The message itself.
  public var chatMessage: (any ChatMessageType)? { self }
  /// The default: unknown.
  public var sender: MessageSender? { nil }
  /// The default: no number.
  public var number: UInt64 { 0 }
  /// The default: no client id.
  public var clientID: String? { nil }
  /// The default: messages on the right are the viewer's own.
  public var isOwn: Bool { alignment == .right }
  /// The default: the content follows from the kind.
  public var content: MessageContent? { nil }
  /// The default: no attachments.
  public var attachments: [Attachment] { [] }
  /// The default: never edited.
  public var edited: Date? { nil }
  /// The default: not deleted.
  public var isDeleted: Bool { false }
  /// The default: not erased.
  public var isErased: Bool { false }
  /// The default: visible to all users.
  public var isEphemeral: Bool { false }
  /// The default: no delivery state.
  public var delivery: MessageDelivery? { nil }
  /// The default: no reactions.
  public var reactions: [MessageReaction] { [] }
  /// The default: no poll.
  public var poll: MessagePoll? { nil }
  /// The default: not forwarded.
  public var forwardedFrom: MessageSender? { nil }
  /// The default: no thread.
  public var thread: MessageThread? { nil }
  /// The default: no quote.
  public var quote: MessageQuote? { nil }
  /// The default: no annotations.
  public var annotations: MessageAnnotations { [] }
  /// The default: all actions are allowed.
  public var actions: MessageActions? { nil }
}

/// The author of a message.
public struct MessageSender: Hashable, Sendable {
  /// The permanent user id.
  public var id: String
  /// The display name.
  public var name: String
  /// The location of the avatar image.
  public var image: String?

  /// Creates a sender.
  public init(id: String, name: String, image: String? = nil) { (self.id, self.name, self.image) = (id, name, image) }
}

/// The displayed content of a row.
public enum MessageContent: Hashable, Sendable {
  /// The content is text.
  case text
  /// The content is only emoji, this many, few enough to be shown large.
  case jumboEmoji(Int)
  /// The content is an image.
  case image
  /// The content is images and videos, in order.
  case media([MediaKind])
  /// The content is one or several files or audio recordings.
  case file
  /// The content is text with a link preview.
  case link
  /// The content is an animated image found by a command.
  case giphy
  /// The content is of a custom kind, with the id of its renderer.
  case custom(String)
  /// The message is deleted.
  case deletedPlaceholder
  /// The content is visible only to its author until they send or cancel it.
  case ephemeral

  /// The kind of one media item.
  public enum MediaKind: Hashable, Sendable {
    /// The item is an image.
    case image
    /// The item is a video.
    case video
  }
}

/// The delivery state of a message.
public enum MessageDelivery: Hashable, Sendable {
  /// The message has not been acknowledged yet.
  case pending
  /// The message was sent.
  case sent
  /// The message was delivered to at least one recipient.
  case delivered
  /// The message was read by this many users.
  case read(Int)
  /// The delivery failed.
  case failed(reason: String)
}

/// The total of one reaction kind on a message.
public struct MessageReaction: Hashable, Sendable {
  /// The reaction kind.
  public var key: String
  /// The number of users who reacted.
  public var count: Int
  /// Whether the viewer is one of them.
  public var mine: Bool

  /// Creates the total of a reaction kind.
  public init(_ key: String, count: Int, mine: Bool = false) { (self.key, self.count, self.mine) = (key, count, mine) }
}

/// The thread of replies to a message.
public struct MessageThread: Hashable, Sendable {
  /// The number of replies.
  public var replyCount: Int
  /// Some participants, at most three; further ones are dropped.
  public var participants: [MessageSender] {
    didSet { participants = Array(participants.prefix(Self.participantsMax)) }
  }
  /// The number of replies unread by the viewer.
  public var unread: Int
  /// Whether the viewer has an unsent draft for the thread.
  public var hasDraft: Bool
  /// Whether the message is itself a reply that is also shown in the channel.
  public var alsoInChannel: Bool

  /// The maximum number of participants.
  public static let participantsMax = 3

  /// Creates a thread from its parts.
  public init(
    replyCount: Int, participants: [MessageSender] = [], unread: Int = 0, hasDraft: Bool = false,
    alsoInChannel: Bool = false
  ) {
    self.participants = Array(participants.prefix(Self.participantsMax))
    (self.replyCount, self.unread, self.hasDraft) = (replyCount, unread, hasDraft)
    self.alsoInChannel = alsoInChannel
  }
}

/// The quoted message of a message.
public struct MessageQuote: Hashable, Sendable {
  /// The id of the quoted message.
  public var target: String
  /// The author; nil if unknown.
  public var author: MessageSender?
  /// The displayed content.
  public var content: MessageContent
  /// The text, where known.
  public var text: String
  /// The availability of the quoted message.
  public var state: State

  /// The availability of a quoted message.
  public enum State: Hashable, Sendable {
    /// The quoted message is present.
    case present
    /// The quoted message is deleted.
    case deleted
    /// The quoted message has not been loaded.
    case notLoaded
  }

  /// Creates a quote from its parts.
  public init(
    _ target: String, by author: MessageSender? = nil, content: MessageContent = .text, text: String = "",
    state: State = .present
  ) {
    (self.target, self.author, self.content, self.text, self.state) = (target, author, content, text, state)
  }
}
