// What a chat knows of a message besides what every list needs.
public import Chat
#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A message of a chat: each part is there for a type that has it, and needs nothing of one that has not.
public protocol ChatMessageType: MessageType {
  /// Who said it; nil when the app did, or it is not known.
  var sender: MessageSender? { get }
  /// What its sender calls it, from before it was acknowledged on; once among all of theirs.
  var clientID: String? { get }
  /// Whether whoever looks said it; as its alignment tells where a type does not.
  var isOwn: Bool { get }
  /// What it shows; nil for what its kind says.
  var content: MessageContent? { get }
  /// What hangs on it, in order.
  var attachments: [Attachment] { get }
  /// When it was edited last; nil when it was not.
  var edited: Date? { get }
  /// Whether it is deleted, and keeps its place.
  var isDeleted: Bool { get }
  /// Whether only whoever looks sees it.
  var isEphemeral: Bool { get }
  /// How far it came; nil where that is not told.
  var delivery: MessageDelivery? { get }
  /// How it is reacted to, in the order in which the kinds first came.
  var reactions: [MessageReaction] { get }
  /// The thread about it; nil when there is none.
  var thread: MessageThread? { get }
  /// The message that it quotes; nil when it quotes none.
  var quote: MessageQuote? { get }
  /// What is remarked above it.
  var annotations: MessageAnnotations { get }
  /// What whoever looks may do with it; nil for all that there is to do with a message like this.
  var actions: MessageActions? { get }
}

extension ChatMessageType {
  /// The message itself.
  public var chatMessage: (any ChatMessageType)? { self }
  /// Not known.
  public var sender: MessageSender? { nil }
  /// None.
  public var clientID: String? { nil }
  /// What stands on the right is one's own.
  public var isOwn: Bool { alignment == .right }
  /// What its kind says.
  public var content: MessageContent? { nil }
  /// None.
  public var attachments: [Attachment] { [] }
  /// Never.
  public var edited: Date? { nil }
  /// It is there.
  public var isDeleted: Bool { false }
  /// All see it.
  public var isEphemeral: Bool { false }
  /// Not told.
  public var delivery: MessageDelivery? { nil }
  /// None.
  public var reactions: [MessageReaction] { [] }
  /// None.
  public var thread: MessageThread? { nil }
  /// None.
  public var quote: MessageQuote? { nil }
  /// None.
  public var annotations: MessageAnnotations { [] }
  /// All.
  public var actions: MessageActions? { nil }
}

/// Who said something.
public struct MessageSender: Hashable, Sendable {
  /// What they are called for good.
  public var id: String
  /// The name that others see.
  public var name: String
  /// Where a picture of them is.
  public var image: String?

  /// Somebody with a name.
  public init(id: String, name: String, image: String? = nil) { (self.id, self.name, self.image) = (id, name, image) }
}

/// What a row shows.
public enum MessageContent: Hashable, Sendable {
  /// Words.
  case text
  /// Nothing but so many emoji, few enough to be shown large.
  case jumboEmoji(Int)
  /// A picture.
  case image
  /// Pictures and videos, in order.
  case media([MediaKind])
  /// A file or a recording, or several.
  case file
  /// Words with a page elsewhere.
  case link
  /// An animated picture that a command found.
  case giphy
  /// An app's own kind, by the id of its renderer.
  case custom(String)
  /// A message was here.
  case deletedPlaceholder
  /// What only its author sees, until they send or cancel it.
  case ephemeral

  /// What is shown of pictures and videos.
  public enum MediaKind: Hashable, Sendable {
    /// A picture.
    case image
    /// A moving picture.
    case video
  }
}

/// How far a message came.
public enum MessageDelivery: Hashable, Sendable {
  /// It is on its way.
  case pending
  /// It was sent.
  case sent
  /// It reached somebody.
  case delivered
  /// So many have read it.
  case read(Int)
  /// It could not be delivered.
  case failed(reason: String)
}

/// How often a message is reacted to in one way.
public struct MessageReaction: Hashable, Sendable {
  /// In which way.
  public var key: String
  /// By how many.
  public var count: Int
  /// Whether whoever looks is one of them.
  public var mine: Bool

  /// So many reactions of a kind.
  public init(_ key: String, count: Int, mine: Bool = false) { (self.key, self.count, self.mine) = (key, count, mine) }
}

/// The thread about a message.
public struct MessageThread: Hashable, Sendable {
  /// How many replies stand in it.
  public var replyCount: Int
  /// Some who replied, three at most; more are left out.
  public var participants: [MessageSender] {
    didSet { participants = Array(participants.prefix(Self.participantsMax)) }
  }
  /// How many replies wait for whoever looks.
  public var unread: Int
  /// Whether they have written something for it that is not sent.
  public var hasDraft: Bool
  /// Whether the message is itself a reply, and stands in the channel too.
  public var alsoInChannel: Bool

  /// How many are shown of those who replied.
  public static let participantsMax = 3

  /// A thread with its parts.
  public init(
    replyCount: Int, participants: [MessageSender] = [], unread: Int = 0, hasDraft: Bool = false,
    alsoInChannel: Bool = false
  ) {
    self.participants = Array(participants.prefix(Self.participantsMax))
    (self.replyCount, self.unread, self.hasDraft) = (replyCount, unread, hasDraft)
    self.alsoInChannel = alsoInChannel
  }
}

/// What a message quotes.
public struct MessageQuote: Hashable, Sendable {
  /// Which message.
  public var target: String
  /// Who said it; nil when it is not known.
  public var author: MessageSender?
  /// What it shows.
  public var content: MessageContent
  /// Its words, where they are known.
  public var text: String
  /// What is known of it.
  public var state: State

  /// What is known of a quoted message.
  public enum State: Hashable, Sendable {
    /// It is there.
    case present
    /// It is deleted.
    case deleted
    /// Nothing: it was not read.
    case notLoaded
  }

  /// A quote with its parts.
  public init(
    _ target: String, by author: MessageSender? = nil, content: MessageContent = .text, text: String = "",
    state: State = .present
  ) {
    (self.target, self.author, self.content, self.text, self.state) = (target, author, content, text, state)
  }
}
