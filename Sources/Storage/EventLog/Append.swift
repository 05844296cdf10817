// Appends: events, expectations, receipts and errors.

/// An event to be appended.
public struct ProposedEvent: Hashable, Sendable {
  /// The stream of the event.
  public var stream: Name
  /// The type of the event.
  public var type: Name
  /// The recorded bytes; the log does not interpret them.
  public var payload: [UInt8]
  /// The author of the event.
  public var actor: Name?
  /// The device on which the event was caused.
  public var device: Name?
  /// The position of the event that caused this one; it must already be in the log.
  public var cause: Position?
  /// The part of the payload that is content, which is encrypted where the log's content is; nil for none.
  package var content: EventContent?
  /// The encrypted content of an event that is copied from another log; empty for none.
  package var encrypted: [UInt8]
}

extension ProposedEvent {
  /// Creates a proposed event from its parts.
  public init(
    stream: Name, type: Name, payload: [UInt8], actor: Name? = nil, device: Name? = nil, cause: Position? = nil
  ) {
    self.init(stream: stream, type: type, payload: payload, actor: actor, device: device, cause: cause, content: nil)
  }

  // By the memberwise initializer: one that assigns the properties makes the event elsewhere and copies it.
  package init(
    stream: Name, type: Name, payload: [UInt8], actor: Name?, device: Name?, cause: Position?, content: EventContent?
  ) {
    self.init(
      stream: stream, type: type, payload: payload, actor: actor, device: device, cause: cause, content: content,
      encrypted: [])
  }
}

/// The content of an event: what people wrote, in contrast to what happened, when, where and between whom.
package struct EventContent: Hashable, Sendable {
  /// The fields of the payload that are content, a bit for each number; all bits for a payload that is content as a
  /// whole.
  package let fields: UInt16
  /// The owner of the content.
  package let owner: Owner
  /// Whether there is an encrypted part even if the fields are empty, as of the first event of a holder of keys.
  package let isAlways: Bool

  /// An owner of content.
  package enum Owner: Hashable, Sendable {
    /// The author of the event.
    case author
    /// Another person.
    case person(Name)
    /// The channel of the stream.
    case channel
    /// The workspace, as for events without an author.
    case workspace
  }

  package init(fields: UInt16, owner: Owner = .author, isAlways: Bool = false) {
    (self.fields, self.owner, self.isAlways) = (fields, owner, isAlways)
  }
}

/// A condition on the version of a stream (optimistic concurrency); the append need not write to that stream.
public struct StreamExpectation: Hashable, Sendable {
  /// The stream.
  public let stream: Name
  /// The expected state of the stream.
  public let state: State

  /// An expected state of a stream.
  public enum State: Hashable, Sendable {
    /// Any version.
    case any
    /// The stream has no events.
    case none
    /// The stream has at least one event.
    case exists
    /// The stream has exactly this many events (expected version).
    case version(StreamVersion)
  }

  /// Creates an expectation of a stream.
  public init(_ stream: Name, _ state: State) {
    self.stream = stream
    self.state = state
  }

  internal func holds(at version: StreamVersion) -> Bool {
    switch state {
    case .any: true
    case .none: version == .zero
    case .exists: version > .zero
    case .version(let expected): version == expected
    }
  }

  /// Returns whether some version satisfies both expectations of one stream.
  internal func agrees(with other: StreamExpectation) -> Bool {
    switch (state, other.state) {
    case (.version(let version), _): other.holds(at: version)
    case (_, .version(let version)): holds(at: version)
    case (.none, .exists), (.exists, .none): false
    default: true
    }
  }
}

/// Events to be appended atomically.
public struct Append: Hashable, Sendable {
  /// The idempotency key; nil for a new one.
  public var id: AppendID?
  /// The events in order; at least one.
  public var events: [ProposedEvent]
  /// The conditions that must hold when the events are appended.
  public var expectations: [StreamExpectation]
  /// The name that correlates the append with others.
  public var correlation: Name?
  /// A hash of the intent that produced the events; nil when the events alone identify the append.
  public var proposal: ProposalHash?

  /// Creates an append from its parts.
  public init(
    _ events: [ProposedEvent], expecting expectations: [StreamExpectation] = [], id: AppendID? = nil,
    correlation: Name? = nil, proposal: ProposalHash? = nil
  ) {
    self.events = events
    self.expectations = expectations
    self.id = id
    self.correlation = correlation
    self.proposal = proposal
  }
}

/// The result of an append: the positions and versions of its events.
public struct Receipt: Hashable, Sendable {
  /// The idempotency key of the append.
  public let id: AppendID
  /// The positions of the events, in their order.
  public let positions: ClosedRange<Position>
  /// The time at which the append was recorded.
  public let recorded: Timestamp
  /// The versions given in each stream, in the order of the streams' first use.
  public let streams: [StreamRange]

  /// A range of consecutive versions of a stream.
  public struct StreamRange: Hashable, Sendable {
    /// The stream.
    public let stream: Name
    /// The versions.
    public internal(set) var versions: ClosedRange<StreamVersion>
  }
}

/// A failed expectation: another writer appended to the stream first.
public struct AppendConflict: Error, Hashable, Sendable {
  /// The stream.
  public let stream: Name
  /// The expected state.
  public let expected: StreamExpectation.State
  /// The actual version.
  public let actual: StreamVersion
}

/// An error of an append; nothing of the append is in the log, unless the error says that the outcome is unknown.
public enum AppendError: Error, Sendable {
  /// A stream is not in the expected state.
  case conflict(AppendConflict)
  /// The log has an append with this id and different events.
  case idReused(AppendID, at: Position)
  /// The append has no events.
  case empty
  /// An event is larger than the store allows.
  case eventTooLarge(index: Int, byteCount: Int, max: Int)
  /// The events together are larger than the store allows.
  case appendTooLarge(byteCount: Int, max: Int)
  /// Two expectations of one stream cannot both hold.
  case contradiction(StreamExpectation, StreamExpectation)
  /// An event names a cause that is not in the log.
  case unknownCause(index: Int, Position)
  /// The log reported an error.
  case log(LogError)
}

extension AppendConflict: CustomStringConvertible {
  /// The error in one sentence: what failed, on what, what to do.
  public var description: String {
    "The stream \(stream) was expected \(expected) and is at version \(actual): read the new events and decide again."
  }
}

extension StreamExpectation.State: CustomStringConvertible {
  /// The state as the end of a sentence after "expected".
  public var description: String {
    switch self {
    case .any: "in any state"
    case .none: "not to exist"
    case .exists: "to exist"
    case .version(let version): "at version \(version)"
    }
  }
}

extension AppendError: CustomStringConvertible {
  /// The error in one sentence: what failed, on what, what to do.
  public var description: String {
    switch self {
    case .conflict(let conflict): conflict.description
    case .idReused(let id, let position):
      "The append id \(id) was used for other events, at position \(position): "
        + "use a new id for new events, and retry an id with the same events only."
    case .empty: "The append has no events: give it at least one."
    case .eventTooLarge(let index, let byteCount, let max):
      "Event \(index) of the append has \(byteCount) bytes, and \(max) are allowed: "
        + "keep large content elsewhere, or open the store with a larger limit."
    case .appendTooLarge(let byteCount, let max):
      "The append has \(byteCount) bytes, and \(max) are allowed: split it."
    case .contradiction(let first, let second):
      "The stream \(first.stream) cannot be expected \(first.state) and \(second.state): leave one out."
    case .unknownCause(let index, let position):
      "Event \(index) of the append names position \(position) as its cause, which is not in the log yet: "
        + "name a recorded event."
    case .log(let error): error.description
    }
  }
}
