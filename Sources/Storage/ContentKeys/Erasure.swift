// Erasures: the events of a log by which content is erased.
internal import Bytes
public import EventLog

/// An erasure of content from a log: what it covers, and how far it has come.
///
/// An erasure is three events: it is requested, the keys are destroyed, it is completed. From the first on, the content
/// counts as erased; after the last, none of it is in any file of the workspace.
public struct Erasure: Hashable, Sendable {
  /// The content that an erasure covers.
  public enum Scope: Hashable, Sendable {
    /// All content of a user, by the id.
    case user(Name)
    /// Everything that a user, or everybody, typed and drafted on the days before that of a time, in UTC.
    case typing(of: Name?, before: Timestamp)
    /// Everything that was typed and drafted in a channel on the days before that of a time, in UTC.
    case typingInChannel(Name, before: Timestamp)
    /// All messages of a channel, or of all channels, of the days before that of a time, in UTC.
    case messages(in: Name?, before: Timestamp)
  }

  /// The position of the event that requested it.
  public let position: Position
  /// The time at which it was requested.
  public let requested: Timestamp
  /// The content that it covers.
  public let scope: Scope
  /// The number of generations of a user's keys that it covers; 0 if it covers days.
  internal let generations: UInt32
  /// The position of the event that the keys are destroyed; nil before.
  public internal(set) var keysDestroyed: Position?
  /// The position of the event that it is completed; nil before.
  public internal(set) var completed: Position?

  /// The stream of the events of all erasures.
  public static let stream: Name = "app/verbatim.erasures"
}

extension Erasure.Scope {
  /// Content of days: typing or messages of a holder, or of everyone for the workspace, before a day.
  internal struct Days {
    let holder: KeyHolder
    let isOfMessages: Bool
    let end: Day
  }

  /// The days that it covers; nil for all content of a user.
  internal var days: Days? {
    switch self {
    case .user: nil
    case .typing(let name, let time):
      Days(holder: name.map { .person($0) } ?? .workspace, isOfMessages: false, end: Day(of: time))
    case .typingInChannel(let name, let time):
      Days(holder: .channel(name), isOfMessages: false, end: Day(of: time))
    case .messages(let name, let time):
      Days(holder: name.map { .channel($0) } ?? .workspace, isOfMessages: true, end: Day(of: time))
    }
  }

  /// The end of its last day; nil for all content of a user.
  package var end: Timestamp? { days?.end.start }

  /// The scope with the time at which its last day ends.
  package var wholeDays: Self {
    switch self {
    case .user: self
    case .typing(let name, let time): .typing(of: name, before: Day(of: time).start)
    case .typingInChannel(let name, let time): .typingInChannel(name, before: Day(of: time).start)
    case .messages(let name, let time): .messages(in: name, before: Day(of: time).start)
    }
  }
}

extension Erasure.Scope: CustomStringConvertible {
  /// The scope as a part of a sentence.
  public var description: String {
    switch self {
    case .user(let user): "all content of \(user)"
    case .typing(let user?, let time): "what \(user) typed before \(date(of: time))"
    case .typing(nil, let time): "what was typed before \(date(of: time))"
    case .typingInChannel(let channel, let time): "what was typed in \(channel) before \(date(of: time))"
    case .messages(let channel?, let time): "the messages of \(channel) before \(date(of: time))"
    case .messages(nil, let time): "all messages before \(date(of: time))"
    }
  }

  private func date(of time: Timestamp) -> Substring { time.description.prefix { $0 != "T" } }
}

// MARK: Events

extension Erasure {
  private static let requestedType: Name = "app/verbatim.erasureRequested.1"
  private static let destroyedType: Name = "app/verbatim.keysDestroyed.1"
  private static let completedType: Name = "app/verbatim.erasureCompleted.1"

  /// The event that requests an erasure.
  fileprivate static func request(_ scope: Scope, _ generations: UInt32) -> ProposedEvent {
    var payload = ByteWriter()
    switch scope {
    case .user(let name):
      name.withBytes { payload.field(1, bytes: $0) }
      payload.field(2, varint: UInt64(generations))
    case .typing(let name, let time):
      name?.withBytes { payload.field(1, bytes: $0) }
      payload.field(3, fixed64: UInt64(bitPattern: time.rawValue))
    case .typingInChannel(let name, let time):
      payload.field(3, fixed64: UInt64(bitPattern: time.rawValue))
      name.withBytes { payload.field(4, bytes: $0) }
    case .messages(let name, let time):
      payload.field(3, fixed64: UInt64(bitPattern: time.rawValue))
      name?.withBytes { payload.field(4, bytes: $0) }
      payload.field(5, varint: 1)
    }
    return ProposedEvent(stream: stream, type: requestedType, payload: payload.array())
  }

  /// The type of the event that all keys are replaced.
  fileprivate static let replacedType: Name = "app/verbatim.keysReplaced.1"

  fileprivate init?(requestedBy event: EventView) {
    guard Self.requestedType.hasBytes(of: event.type) else { return nil }
    var reader = ByteReader(event.payload)
    var person: Name?
    if reader.skip(1 << 3 | 2) {
      guard let name = reader.name(in: event.payload) else { return nil }
      person = name
    }
    (position, requested) = (event.position, event.recorded)
    if let person, reader.skip(2 << 3) {
      guard let count = reader.varint(), count > 0, count <= UInt32.max else { return nil }
      (scope, generations) = (.user(person), UInt32(count))
    } else {
      guard reader.skip(3 << 3 | 1), let time = reader.fixed64() else { return nil }
      let end = Timestamp(rawValue: Int64(bitPattern: time))
      var channel: Name?
      if reader.skip(4 << 3 | 2) {
        guard person == nil, let name = reader.name(in: event.payload) else { return nil }
        channel = name
      }
      let isOfMessages = reader.skip(5 << 3)
      if isOfMessages, person != nil || reader.varint() != 1 { return nil }
      scope =
        if isOfMessages {
          .messages(in: channel, before: end)
        } else if let channel {
          .typingInChannel(channel, before: end)
        } else {
          .typing(of: person, before: end)
        }
      generations = 0
    }
    guard reader.isAtEnd else { return nil }
  }

  /// A step of an erasure after the request.
  package enum Step: Sendable { case keysDestroyed, completed }

  fileprivate func event(of step: Step) -> ProposedEvent {
    let type =
      switch step {
      case .keysDestroyed: Self.destroyedType
      case .completed: Self.completedType
      }
    return ProposedEvent(stream: Self.stream, type: type, payload: [], cause: position)
  }

  fileprivate mutating func take(_ event: EventView) {
    guard event.cause == position else { return }
    if Self.destroyedType.hasBytes(of: event.type) { keysDestroyed = event.position }
    if Self.completedType.hasBytes(of: event.type) { completed = event.position }
  }
}

extension ByteReader {
  /// Reads a name of some bytes; nil if there is none.
  internal mutating func name(in bytes: RawSpan) -> Name? {
    lengthDelimited().flatMap { Name(bytes.extracting($0)) }
  }
}

// MARK: In a log

extension EventStore {
  /// Returns the erasures of the log, in their order.
  package func erasures() throws(LogError) -> [Erasure] { try erasuresAndCoverage().erasures }

  /// Returns the erasures of the log, in their order, and what they cover.
  fileprivate func erasuresAndCoverage() throws(LogError) -> (erasures: [Erasure], covered: Erasures) {
    var erasures: [Erasure] = []
    var covered = Erasures()
    try readStream(Erasure.stream) { event in
      covered.version = event.version
      // The log's own events have no author; one that has was an app's, recorded before such names were refused.
      if event.actor != nil { return .next }
      if let erasure = Erasure(requestedBy: event) {
        erasures.append(erasure)
        covered.add(erasure)
      } else if Erasure.replacedType.hasBytes(of: event.type) {
        covered.replaceKeys(at: event.position)
      } else {
        for index in erasures.indices { erasures[index].take(event) }
      }
      return .next
    }
    return (erasures, covered)
  }

  /// Returns whether anything but erasures was recorded that may have keys of the days of a scope that no given erasure
  /// of the same holder covers.
  package func hasEvents(in scope: Erasure.Scope, notIn erasures: Erasures) throws(LogError) -> Bool {
    // After a correction of the clock, content may have the keys of another day than that on which it was recorded.
    guard let days = scope.days, try version(of: ClockCorrection.stream) == .zero else { return true }
    let start = erasures.end(of: days)
    var before =
      try start.map { start throws(LogError) in
        try last(recordedBy: Timestamp(rawValue: start.start.rawValue - 1))
      } ?? .zero
    // What was recorded on a day after an erasure of that day has the keys of the next.
    for erasure in try self.erasures() {
      if let start, let erased = erasure.scope.days, erased.isOfMessages == days.isOfMessages, erased.end >= start,
        erasure.requested < erased.end.start
      {
        before = min(before, erasure.position)
      }
    }
    var isFound = false
    try log.blocks(from: before.next, .forward, checks: .full) { block in
      if block.recorded >= days.end.start { return .stop }
      isFound = (0..<block.count).contains { !Erasure.stream.hasBytes(of: block.event(at: $0).stream) }
      return isFound ? .stop : .next
    }
    return isFound
  }

  /// Replaces the keys of all users and channels, durably: what is appended from now on is encrypted with new ones.
  @available(*, noasync, message: "it waits for the disk")
  package func replace(_ keys: ContentKeys) throws(AppendError) {
    try appendBlock(
      as: AppendError.log,
      { draft throws(AppendError) in
        do throws(LogError) {
          try keys.beginGeneration(at: draft.recorded)
          let event = ProposedEvent(stream: Erasure.stream, type: Erasure.replacedType, payload: [])
          _ = try draft.write(Append([event]), .timeOrdered(at: draft.recorded))
        } catch {
          throw .log(error)
        }
      }, folding: { _ in })
    do throws(LogError) { try readErasures() } catch { throw .log(error) }
  }

  /// Requests an erasure, durably, unless one of the same scope is not completed and covers all that was written since.
  ///
  /// Returns all of the scope that are not completed, with the one that covers everything at the end.
  @available(*, noasync, message: "it waits for the disk")
  @discardableResult
  package func requestErasure(of scope: Erasure.Scope, with keys: ContentKeys) throws(AppendError) -> [Erasure] {
    let scope = scope.wholeDays
    var requested: Position?
    while true {
      let (known, covered): ([Erasure], Erasures)
      do throws(LogError) { (known, covered) = try erasuresAndCoverage() } catch { throw .log(error) }
      let pending = known.filter { $0.scope == scope && $0.completed == nil }
      if let last = pending.last {
        if let requested, last.position > requested { return pending }
        do throws(KeyError) { if try !keys.hasKeys(notIn: last) { return pending } } catch {
          throw .log(LogError(error))
        }
      }
      requested = known.last?.position ?? .zero
      var generations: UInt32 = 0
      if case .user(let name) = scope { generations = covered.generation(of: name) + 1 }
      try append(Erasure.request(scope, generations), after: covered.version)
    }
  }

  /// Records a step of an erasure, durably, unless it is recorded.
  @available(*, noasync, message: "it waits for the disk")
  package func record(_ step: Erasure.Step, of erasure: Erasure) throws(AppendError) {
    while true {
      let (known, covered): ([Erasure], Erasures)
      do throws(LogError) { (known, covered) = try erasuresAndCoverage() } catch { throw .log(error) }
      guard let erasure = known.first(where: { $0.position == erasure.position }) else { return }
      let recorded =
        switch step {
        case .keysDestroyed: erasure.keysDestroyed
        case .completed: erasure.completed
        }
      if recorded != nil { return }
      try append(erasure.event(of: step), after: covered.version)
    }
  }

  /// Appends an event to the stream of erasures, unless another process did since they were read.
  private func append(_ event: ProposedEvent, after version: StreamVersion) throws(AppendError) {
    do throws(AppendError) {
      _ = try appendBlocking(Append([event], expecting: [StreamExpectation(Erasure.stream, .version(version))]))
    } catch {
      if case .conflict = error { return }
      throw error
    }
  }
}

extension Erasures {
  /// Reads what the erasures of a log cover.
  package init(of store: EventStore) throws(LogError) { self = try store.erasuresAndCoverage().covered }

  fileprivate mutating func add(_ erasure: Erasure) {
    if case .user(let name) = erasure.scope {
      erase(name, generations: erasure.generations, at: erasure.position)
    } else if let days = erasure.scope.days {
      if days.isOfMessages {
        eraseMessages(of: days.holder, before: days.end, at: erasure.position)
      } else {
        eraseTyping(of: days.holder, before: days.end, at: erasure.position)
      }
    }
  }
}
