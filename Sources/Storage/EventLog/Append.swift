// What is appended, what must hold for it, and what comes of it.

/// An event that somebody wants to append.
public struct ProposedEvent: Hashable, Sendable {
  /// The stream it belongs to.
  public var stream: Name
  /// What kind of event it is.
  public var type: Name
  /// What is recorded; its meaning is the caller's.
  public var payload: [UInt8]
  /// Who did it.
  public var actor: Name?
  /// On which device.
  public var device: Name?
  /// The event that caused it, which stands in the log already.
  public var cause: Position?

  /// A proposal with its parts.
  public init(
    stream: Name, type: Name, payload: [UInt8], actor: Name? = nil, device: Name? = nil,
    cause: Position? = nil
  ) {
    self.stream = stream
    self.type = type
    self.payload = payload
    self.actor = actor
    self.device = device
    self.cause = cause
  }
}

/// What must hold of a stream for an append to be made; the stream need not be one that is written to.
public struct StreamExpectation: Hashable, Sendable {
  /// Which stream.
  public let stream: Name
  /// What of it.
  public let state: State

  /// A state that a stream can be expected in.
  public enum State: Hashable, Sendable {
    /// Whatever state.
    case any
    /// Never written.
    case none
    /// Written at least once.
    case exists
    /// With exactly so many events.
    case version(StreamVersion)
  }

  /// An expectation of a stream.
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

  /// Whether some version satisfies both of two expectations of the same stream.
  internal func agrees(with other: StreamExpectation) -> Bool {
    switch (state, other.state) {
    case (.version(let version), _): other.holds(at: version)
    case (_, .version(let version)): holds(at: version)
    case (.none, .exists), (.exists, .none): false
    default: true
    }
  }
}

/// Some events to be appended together, or not at all.
public struct Append: Hashable, Sendable {
  /// What it is called; a new id is made when nil.
  public var id: AppendID?
  /// The events, in order; at least one.
  public var events: [ProposedEvent]
  /// What must hold when they are appended.
  public var expectations: [StreamExpectation]
  /// What the append belongs to.
  public var correlation: Name?
  /// What it came of; nil when its events say it all.
  public var proposal: ProposalHash?

  /// An append with its parts.
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

/// What came of an append: where its events stand.
public struct Receipt: Hashable, Sendable {
  /// What the append is called.
  public let id: AppendID
  /// Where its events stand in the log, in their order.
  public let positions: ClosedRange<Position>
  /// When it was recorded.
  public let recorded: Timestamp
  /// Which versions each stream got, in the order in which the streams first came.
  public let streams: [StreamRange]

  /// A stream with consecutive versions.
  public struct StreamRange: Hashable, Sendable {
    /// The stream.
    public let stream: Name
    /// The versions.
    public internal(set) var versions: ClosedRange<StreamVersion>
  }
}

/// A stream is not as an append expected it: somebody wrote first.
public struct AppendConflict: Error, Hashable, Sendable {
  /// The stream.
  public let stream: Name
  /// What was expected.
  public let expected: StreamExpectation.State
  /// What it is.
  public let actual: StreamVersion
}

/// Why an append was not made; nothing of it is in the log, unless the failure says that this is not known.
public enum AppendError: Error, Sendable {
  /// A stream is not as it was expected.
  case conflict(AppendConflict)
  /// The log has an append with this id and other events.
  case idReused(AppendID, at: Position)
  /// There is nothing to append.
  case empty
  /// An event is larger than the store allows.
  case eventTooLarge(index: Int, byteCount: Int, max: Int)
  /// The events together are larger than the store allows.
  case appendTooLarge(byteCount: Int, max: Int)
  /// Two expectations of one stream cannot both hold.
  case contradiction(StreamExpectation, StreamExpectation)
  /// An event names a cause that is not in the log.
  case unknownCause(index: Int, Position)
  /// The log did not take it.
  case log(LogError)
}

extension AppendConflict: CustomStringConvertible {
  /// One sentence: what happened, to what, what to do.
  public var description: String {
    "The stream \(stream) was expected \(expected) and is at version \(actual): read what is new, decide again."
  }
}

extension StreamExpectation.State: CustomStringConvertible {
  /// The state in words that follow "expected".
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
  /// One sentence: what happened, to what, what to do.
  public var description: String {
    switch self {
    case .conflict(let conflict): conflict.description
    case .idReused(let id, let position):
      "The append id \(id) was used for other events, at position \(position): "
        + "use a new id for new events, and the same events with an id when you try again."
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
        + "name an event that is."
    case .log(let error): error.description
    }
  }
}
