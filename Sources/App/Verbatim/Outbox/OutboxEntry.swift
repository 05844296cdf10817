// What waits in an outbox, and what came of it.
public import Chat
public import EventLog

extension Outbox {
  /// Something that was wanted while the log could not be reached: all of it happens, or nothing.
  public struct Entry: Hashable, Sendable {
    /// What it is called; it is submitted under this id, and so happens once.
    public let id: AppendID
    /// What is wanted, in order.
    public let intents: [ChatIntent]
    /// What it belongs to.
    public let correlation: Name?
    /// When it was added, by the device's clock; never before the entry before it.
    public let added: Instant
  }

  /// An entry that was delivered and came to nothing: the domain said no.
  public struct Refused: Hashable, Sendable {
    /// The entry.
    public let entry: Entry
    /// Which of its intents it was about, from 0; nil when it was none of them alone.
    public let intent: Int?
    /// Why, in a sentence for people.
    public let reason: String
  }

  /// What came of a delivery.
  public struct Delivery: Sendable {
    /// The entries that were taken, in order, with what each came to.
    public internal(set) var delivered: [(entry: Entry, submitted: Submitted)] = []
    /// The entries that were refused, in order; they are kept until they are forgotten.
    public internal(set) var refused: [Refused] = []
  }

  /// A delivery ended before everything was delivered; the rest is kept, in order.
  public struct DeliveryStop: Error, Sendable {
    /// What came of what was delivered before.
    public let delivery: Delivery
    /// Why it ended.
    public let reason: OutboxError
  }
}

extension Outbox.DeliveryStop: CustomStringConvertible {
  /// One sentence: what happened, to what, what to do.
  public var description: String { reason.description }
}
