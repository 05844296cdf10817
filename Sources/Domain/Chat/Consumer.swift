// Consumers: named programs that handle each event of the log once, and their positions.

// MARK: Identity

extension Consumer {
  /// The id of a consumer, such as `poll-bot`.
  public typealias ID = Chat.ID<Consumer>
}

// MARK: State

/// A program that handles each event of the log once, with the position up to which it has.
public struct Consumer: Hashable, Sendable {
  /// The id of the consumer.
  public let id: ID
  /// The user who began the consumer and alone may advance it; nil for the app.
  public let owner: User.ID?
  /// The time at which the consumer began.
  public let began: Timestamp
  /// The position in the log of the last event that was handled; 0 before the first.
  public var handled: UInt64
  /// The time at which the position was recorded.
  public var advanced: Timestamp

  package init(id: ID, owner: User.ID?, began: Timestamp, handled: UInt64, advanced: Timestamp) {
    (self.id, self.owner, self.began, self.handled, self.advanced) = (id, owner, began, handled, advanced)
  }
}

// MARK: Events

extension Consumer {
  /// An event of a consumer.
  public enum Event: Hashable, Sendable {
    /// The consumer began, after the event at a position of the log.
    case began(after: UInt64)
    /// The events up to a position were handled.
    case advanced(through: UInt64)
    /// The events up to a position were skipped, since the consumer could not handle one of them.
    case skipped(through: UInt64)
    /// The consumer ended, and its position was removed.
    case ended
  }
}

// MARK: Intents

extension Consumer {
  /// An intent on a consumer.
  public enum Intent: Hashable, Sendable {
    /// Begins the consumer after the event at a position; a no-op if it exists, which keeps its position.
    ///
    /// The app takes over a consumer that a user began: it ends, and begins anew at the app's position.
    case begin(after: UInt64)
    /// Records that the events up to a position were handled.
    case advance(through: UInt64)
    /// Skips the events up to a position.
    case skip(through: UInt64)
    /// Ends the consumer.
    case end
  }
}

// MARK: Decide

extension Decision {
  func decide(_ intent: Consumer.Intent, on id: Consumer.ID) throws(Refusal) -> [Consumer.Event] {
    guard let consumer = state[id] else {
      switch intent {
      case .begin(let position): return [.began(after: position)]
      case .advance, .skip: throw .unknownConsumer(id)
      case .end: return []
      }
    }
    if let owner = consumer.owner { try needsRight(toActFor: owner) } else { try needsAdministrator() }
    switch intent {
    case .begin(let position): return try begin(after: position, existing: consumer)
    case .advance(let position): return position > consumer.handled ? [.advanced(through: position)] : []
    case .skip(let position): return position > consumer.handled ? [.skipped(through: position)] : []
    case .end: return [.ended]
    }
  }

  private func begin(after position: UInt64, existing consumer: Consumer) throws(Refusal) -> [Consumer.Event] {
    guard let owner = consumer.owner, owner != actor.user else { return [] }
    // Any user can begin a consumer of any name, at any position, and skip events of it: the app's consumer must not
    // continue there, and miss those events.
    guard actor.user == nil else { throw .notYours(owner) }
    return [.ended, .began(after: position)]
  }
}

// MARK: Fold

extension Consumer.Event {
  func fold(on id: Consumer.ID, _ origin: EventOrigin, into state: inout some ChatStateStore) {
    switch self {
    case .began(let position):
      state[id] = Consumer(
        id: id, owner: origin.actor.user, began: origin.at, handled: position, advanced: origin.at)
    case .advanced(let position), .skipped(let position):
      state[id]?.handled = position
      state[id]?.advanced = origin.at
    case .ended: state[id] = nil
    }
  }
}
