// Messages, with their identity, state, events and intents.

// MARK: Identity

extension Message {
  /// The id of a message, unique in its channel.
  public typealias ID = Chat.ID<Message>

  /// The primary key of a message: channel and id.
  public struct Key: Hashable, Codable, Sendable {
    /// The channel of the message.
    public let channel: Channel.ID
    /// The id in the channel.
    public let id: ID

    /// Creates the key of a message in a channel.
    public init(_ channel: Channel.ID, _ id: ID) { (self.channel, self.id) = (channel, id) }
  }

  /// An idempotency key given by the author: a repeated send with the same key is a no-op.
  public struct ClientKey: Hashable, Sendable {
    /// The author who gave the id.
    public let author: User.ID
    /// The id given by the author.
    public let id: ClientID

    /// Creates the key from an author and their id.
    public init(_ author: User.ID, _ id: ClientID) { (self.author, self.id) = (author, id) }
  }

  /// The id that an author gives a message, unique among all of theirs.
  public typealias ClientID = Chat.ID<ClientKey>

  /// The id of an app's own kind of message.
  public typealias CustomKind = Chat.ID<CustomKindName>

  /// The phantom type of ``CustomKind``.
  public enum CustomKindName: Sendable {}

  /// The number of a message in its channel: 1, 2, 3 … in the order of sending.
  public struct Number: RawRepresentable, Codable, Hashable, Comparable, Sendable {
    /// The number as an integer.
    public let rawValue: UInt64

    /// Creates a message number.
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// The number before the first message.
    public static let zero = Number(rawValue: 0)

    /// The following number; the greatest for the greatest.
    public var next: Number { rawValue == .max ? self : Number(rawValue: rawValue + 1) }

    /// The preceding number; zero for zero.
    public var previous: Number { rawValue == 0 ? self : Number(rawValue: rawValue - 1) }

    /// Returns whether the first message was sent earlier.
    public static func < (a: Number, b: Number) -> Bool { a.rawValue < b.rawValue }
  }
}

// MARK: State

/// A message in a channel.
public struct Message: Hashable, Sendable {
  /// The key of the message.
  public let key: Key
  /// The user who sent the message; nil for the app.
  public let author: User.ID?
  /// The text, attachments and options of the message.
  public var content: Content
  /// The number of the message in its channel.
  public var number: Number
  /// The time of sending.
  public var sent: Timestamp
  /// The time of the last edit.
  public var edited: Timestamp?
  /// The number of edits.
  public var editCount: UInt32 = 0
  /// Whether the message is present, deleted or erased.
  public var presence = Presence.present
  /// The pin of the message, possibly expired.
  public var pin: Pin?
  /// The totals of reactions, by kind, in the order in which the kinds were first added.
  public var reactions: [Total] = []
  /// The number of replies in the thread of the message.
  public var replyCount: UInt32 = 0
  /// The poll in the message; nil when there is none.
  public var poll: Poll? {
    get { boxedPoll.value }
    set { boxedPoll = Boxed(newValue) }
  }
  // Without an initializer of its own, whose result would be copied: see the extension below.
  var boxedPoll = Boxed<Poll>()
  /// The delivery state at the server, for messages that wait for one.
  public var delivery: Delivery

  /// The presence of a message.
  public enum Presence: Hashable, Sendable {
    /// The message is present.
    case present
    /// The message was deleted and can be restored.
    case deleted(EventOrigin)
    /// The message was deleted for good; its content is erased from the row.
    case gone
    /// The content was erased from the log; that there was a message remains.
    case erased
  }

  /// A pin on a message, until it expires.
  public struct Pin: Hashable, Sendable {
    /// The author and time of the pin.
    public let stamp: EventOrigin
    /// The expiry of the pin.
    public let term: Expiry

    package init(stamp: EventOrigin, term: Expiry) { (self.stamp, self.term) = (stamp, term) }
  }

  /// The total of reactions of one kind to a message.
  public struct Total: Hashable, Sendable {
    /// The kind of reaction.
    public let kind: Reaction.Kind
    /// The number of users.
    public var count: UInt32
    /// The sum of the scores.
    public var score: UInt64

    package init(kind: Reaction.Kind, count: UInt32, score: UInt64) {
      (self.kind, self.count, self.score) = (kind, count, score)
    }
  }

  /// The delivery state of a message at the server.
  public enum Delivery: Hashable, Sendable {
    /// The message waits for no server, or the server accepted it.
    case settled
    /// The message is being delivered.
    case pending
    /// The delivery failed.
    case failed(reason: UserText)
  }

  /// Returns whether the message is pinned at an instant.
  public func isPinned(at instant: Timestamp) -> Bool { pin?.term.lasts(at: instant) ?? false }
}

extension Message {
  package init(key: Key, author: User.ID?, content: Content, number: Number, sent: Timestamp, delivery: Delivery) {
    self.init(
      key: key, author: author, content: content, number: number, sent: sent, edited: nil, editCount: 0,
      presence: .present, pin: nil, reactions: [], replyCount: 0, poll: nil, delivery: delivery)
  }

  // By the memberwise initializer, as the content is.
  package init(
    key: Key, author: User.ID?, content: Content, number: Number, sent: Timestamp, edited: Timestamp?,
    editCount: UInt32, presence: Presence, pin: Pin?, reactions: [Total], replyCount: UInt32, poll: Poll?,
    delivery: Delivery
  ) {
    self.init(
      key: key, author: author, content: content, number: number, sent: sent, edited: edited, editCount: editCount,
      presence: presence, pin: pin, reactions: reactions, replyCount: replyCount, boxedPoll: Boxed(poll),
      delivery: delivery)
  }
}

// MARK: Events

extension Message {
  /// An event of a message.
  public enum Event: Hashable, Sendable {
    /// The message was sent.
    indirect case sent(Content)
    /// Parts of the content were changed.
    indirect case edited(Edits)
    /// The message was deleted; deleted for good, it cannot be restored.
    case deleted(forGood: Bool)
    /// The deleted message was restored.
    case restored
    /// The message was pinned, with an expiry.
    case pinned(Expiry)
    /// The message was unpinned.
    case unpinned
    /// The server accepted the pending message.
    case acknowledged
    /// The delivery of the message failed.
    case failed(reason: UserText)
    /// The delivery of the message was retried.
    case retried
    /// The ephemeral message became a regular message, visible to all.
    case ephemeralSent
    /// The attachments of the ephemeral message were replaced.
    case ephemeralShuffled([Attachment])
    /// The ephemeral message was cancelled and erased.
    case ephemeralCancelled
    /// A poll was opened in the message.
    indirect case pollOpened([Poll.Option], Poll.Rules)
    /// An option was added to the poll.
    indirect case pollOptionAdded(Poll.Option)
    /// The poll was closed.
    case pollClosed
  }
}

// MARK: Intents

extension Message {
  /// An intent on a message.
  public enum Intent: Hashable, Sendable {
    /// Sends the message.
    case send(Content)
    /// Sends the text and the attachments of another message, which the author can read.
    case forward(Key)
    /// Changes parts of the content.
    case edit(Edits)
    /// Deletes the message; deleted for good, it cannot be restored.
    case delete(forGood: Bool)
    /// Restores the deleted message.
    case restore
    /// Pins the message with an expiry.
    case pin(Expiry)
    /// Unpins the message.
    case unpin
    /// Records that the server accepted the message.
    case acknowledge
    /// Records that the delivery failed.
    case fail(reason: UserText)
    /// Retries the failed delivery.
    case retry
    /// Sends the ephemeral message to all.
    case sendEphemeral
    /// Replaces the attachments of the ephemeral message.
    case shuffleEphemeral([Attachment])
    /// Cancels the ephemeral message.
    case cancelEphemeral
    /// Opens a poll in the message, whose text is the question.
    indirect case openPoll([Poll.Option], Poll.Rules)
    /// Adds an option to the poll.
    indirect case addPollOption(Poll.Option)
    /// Closes the poll.
    case closePoll
  }
}
