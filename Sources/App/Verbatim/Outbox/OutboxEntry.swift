// The entries of an outbox and the outcomes of deliveries.
public import Chat
public import EventLog

extension Outbox {
  /// Intents that wait for delivery: all are granted, or none.
  public struct Entry: Hashable, Sendable {
    /// The entry's id, under which it is submitted and so takes effect once.
    public let id: AppendID
    /// The intents, in order.
    public let intents: [ChatIntent]
    /// The correlation id.
    public let correlation: Name?
    /// The time of adding by the device's clock; never earlier than the entry before.
    public let added: Timestamp
  }

  /// An entry that the domain refused at delivery.
  public struct Refused: Hashable, Sendable {
    /// The entry.
    public let entry: Entry
    /// The index of the refused intent, from 0; nil if the refusal concerns no single intent.
    public let intent: Int?
    /// The reason as a sentence for the user.
    public let reason: String
  }

  /// The outcome of a delivery.
  public struct Delivery: Sendable {
    /// The delivered entries in order, each with its result.
    public internal(set) var delivered: [(entry: Entry, submitted: Submitted)] = []
    /// The refused entries in order; they are kept until they are forgotten.
    public internal(set) var refused: [Refused] = []
  }

  /// A delivery that stopped early; the remaining entries are kept, in order.
  public struct DeliveryStop: Error, Sendable {
    /// The outcome of the entries delivered before.
    public let delivery: Delivery
    /// The error that stopped the delivery.
    public let reason: OutboxError
  }
}

extension Outbox.DeliveryStop: CustomStringConvertible {
  /// One sentence: what failed, on what, what to do.
  public var description: String { reason.description }
}
