// Messages: what was said, and what became of it.

// MARK: Identity

extension Message {
  /// What a message is called, once in its channel.
  public typealias ID = Chat.ID<Message>

  /// Which message of which channel.
  public struct Key: Hashable, Sendable {
    /// In which channel.
    public let channel: Channel.ID
    /// What it is called there.
    public let id: ID

    /// A message in a channel.
    public init(_ channel: Channel.ID, _ id: ID) { (self.channel, self.id) = (channel, id) }
  }

  /// An id that the author gave: the same one again is the same message again.
  public struct ClientKey: Hashable, Sendable {
    /// Who gave it.
    public let author: User.ID
    /// The id.
    public let id: ClientID

    /// An id that an author gave.
    public init(_ author: User.ID, _ id: ClientID) { (self.author, self.id) = (author, id) }
  }

  /// What an author calls a message, once among all of theirs.
  public typealias ClientID = Chat.ID<ClientKey>

  /// What an app's own kind of message is called.
  public typealias CustomKind = Chat.ID<CustomKindName>

  /// What the ids of an app's own kinds name.
  public enum CustomKindName: Sendable {}

  /// Which message of its channel it is: 1, 2, 3 … in the order in which they were sent.
  public struct Number: RawRepresentable, Hashable, Comparable, Sendable {
    /// The number.
    public let rawValue: UInt64

    /// The message with a number.
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Before the first message.
    public static let zero = Number(rawValue: 0)

    /// The one behind it.
    public var next: Number { Number(rawValue: rawValue &+ 1) }

    /// The one before it; before the first message there is none, and it stays.
    public var previous: Number { rawValue == 0 ? self : Number(rawValue: rawValue - 1) }

    /// Whether one was sent earlier.
    public static func < (a: Number, b: Number) -> Bool { a.rawValue < b.rawValue }
  }
}

// MARK: State

/// Something that was said in a channel.
public struct Message: Hashable, Sendable {
  /// Which one.
  public let key: Key
  /// Who said it; nil when the app did.
  public let author: User.ID?
  /// What was said.
  public var content: Content
  /// Which message of its channel it is.
  public var number: Number
  /// When it was sent.
  public var sent: Instant
  /// When it was edited last.
  public var edited: Instant?
  /// How often it was edited.
  public var editCount: UInt32 = 0
  /// Whether it is there.
  public var presence = Presence.present
  /// Whether it is pinned, and how long.
  public var pin: Pin?
  /// How it is reacted to: kinds in the order in which they first came.
  public var reactions: [Total] = []
  /// How many replies stand in its thread.
  public var replyCount: UInt32 = 0
  /// Whether the server that it waits for has it.
  public var delivery: Delivery

  package init(
    key: Key, author: User.ID?, content: Content, number: Number, sent: Instant, delivery: Delivery
  ) {
    (self.key, self.author, self.content) = (key, author, content)
    (self.number, self.sent, self.delivery) = (number, sent, delivery)
  }

  /// Whether a message is there.
  public enum Presence: Hashable, Sendable {
    /// It is.
    case present
    /// It was deleted, and can be restored.
    case deleted(EventOrigin)
    /// It was deleted for good; what was said is not in the row any more.
    case gone
  }

  /// A message that stands out, for a while or for good.
  public struct Pin: Hashable, Sendable {
    /// Who pinned it, and when.
    public let stamp: EventOrigin
    /// How long.
    public let term: Expiry

    package init(stamp: EventOrigin, term: Expiry) { (self.stamp, self.term) = (stamp, term) }
  }

  /// How often and how strongly a message is reacted to in one way.
  public struct Total: Hashable, Sendable {
    /// In which way.
    public let kind: Reaction.Kind
    /// By how many users.
    public var count: UInt32
    /// How strongly, together.
    public var score: UInt64

    package init(kind: Reaction.Kind, count: UInt32, score: UInt64) {
      (self.kind, self.count, self.score) = (kind, count, score)
    }
  }

  /// Whether the server that a message waits for has it.
  public enum Delivery: Hashable, Sendable {
    /// It waits for none, or the server has it.
    case settled
    /// It is on its way.
    case pending
    /// The server did not take it.
    case failed(reason: UserText)
  }

  /// Whether it is pinned at an instant.
  public func isPinned(at instant: Instant) -> Bool { pin?.term.lasts(at: instant) ?? false }
}

// MARK: Events

extension Message {
  /// What can happen to a message.
  public enum Event: Hashable, Sendable {
    /// It was sent.
    indirect case sent(Content)
    /// Something in it was changed.
    indirect case edited(Edits)
    /// It was deleted; one deleted for good cannot be restored.
    case deleted(forGood: Bool)
    /// It is there again.
    case restored
    /// It stands out, this long.
    case pinned(Expiry)
    /// It does not stand out any more.
    case unpinned
    /// The server that it waited for has it.
    case acknowledged
    /// The server did not take it.
    case failed(reason: UserText)
    /// It is on its way again.
    case retried
    /// What only its author saw was said to all.
    case ephemeralSent
    /// What only its author sees was exchanged.
    case ephemeralShuffled([Attachment])
    /// What only its author saw is gone.
    case ephemeralCancelled
  }
}

// MARK: Intents

extension Message {
  /// What one can want of a message.
  public enum Intent: Hashable, Sendable {
    /// That it is sent.
    case send(Content)
    /// That something in it is changed.
    case edit(Edits)
    /// That it is deleted; for good, it cannot be restored.
    case delete(forGood: Bool)
    /// That it is there again.
    case restore
    /// That it stands out, this long.
    case pin(Expiry)
    /// That it does not stand out any more.
    case unpin
    /// That the server that it waits for has it.
    case acknowledge
    /// That the server did not take it.
    case fail(reason: UserText)
    /// That it is on its way again.
    case retry
    /// That what only its author sees is said to all.
    case sendEphemeral
    /// That what only its author sees is exchanged.
    case shuffleEphemeral([Attachment])
    /// That what only its author sees is gone.
    case cancelEphemeral
  }
}
