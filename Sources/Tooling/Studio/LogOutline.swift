// The outline of a log in memory: who did what kind of thing where, for every event.
package import EventLog
internal import Chat
internal import ChatCodec
internal import Locks

/// The outline of a log: stream, type, actor and device of each event, four bytes for each.
///
/// It is read once from the whole log, in the background, and grows with it. Lists, counts and filters over millions of
/// events are computed from it without reading the log again. Payloads are not in it.
package final class LogOutline: Sendable {
  internal let log: any Log
  internal let state = Locked(Columns())

  /// Creates an empty outline of a log.
  package init(of log: any Log) { self.log = log }

  /// The position through which the log has been read.
  package var end: Position { state.withLock { $0.end } }

  /// Reads the next blocks, about `count` events; returns false when the end of the log was reached.
  package func extend(by count: Int = 20_000) throws(LogError) -> Bool {
    let next = end.next
    guard try log.head().position >= next else { return false }
    var read = 0
    try log.blocks(from: next, .forward, checks: .full) { block in
      read += block.count
      // A block that another thread has added meanwhile is added once.
      state.withLock { if block.first == $0.end.next { $0.add(block) } }
      return read < count ? .next : .stop
    }
    return true
  }

  /// The names that a filter can contain, each kind sorted.
  package func names() -> Names {
    state.withLock { columns in
      var names = Names()
      for combination in columns.combinations {
        names.types.insert(combination.type.withoutVersion)
        names.actors.insert(combination.actor ?? Combination.system)
        if let device = combination.device { names.devices.insert(device) }
        if let channel = combination.channel { names.channels.insert(channel) }
        names.streams.insert(combination.stream)
      }
      return names
    }
  }

  /// The names that occur in a log.
  package struct Names: Sendable {
    /// The types, without their versions.
    package var types: Set<String> = []
    /// The actors, `system` for the app.
    package var actors: Set<String> = []
    /// The devices.
    package var devices: Set<String> = []
    /// The channels.
    package var channels: Set<String> = []
    /// The streams.
    package var streams: Set<String> = []
  }

  /// Returns the channel that the stream of an event belongs to; nil for others.
  package static func channel(of event: RecordedEvent) -> String? {
    Combination(stream: event.stream.text, type: event.type.text, actor: nil, device: nil).channel
  }

  /// Returns the users who have composers in a channel, sorted.
  package func writers(in channel: String) -> [String] {
    state.withLock { columns in
      let writers = columns.combinations.filter { $0.channel == channel && $0.stream.hasPrefix("composer/") }
      return Set(writers.compactMap(\.actor)).sorted()
    }
  }

  /// Returns the positions of the events that an event is the cause of, in ascending order.
  package func effects(of cause: Position, limit: Int) -> [Position] {
    state.withLock { columns in
      guard let cause = UInt32(exactly: cause.rawValue) else { return [] }
      return (columns.effects[cause] ?? []).prefix(limit).map { Position(rawValue: UInt64($0)) }
    }
  }

  /// Returns the positions of the first events of appends with a correlation, in ascending order.
  package func appends(correlatedBy correlation: Name, limit: Int) -> [Position] {
    state.withLock { columns in
      (columns.correlated[correlation.text] ?? []).prefix(limit).map { Position(rawValue: UInt64($0)) }
    }
  }
}

/// The properties that an event has in common with others: its stream, type, actor and device.
internal struct Combination {
  let stream: String
  let type: String
  let actor: String?
  let device: String?
  /// The channel that the stream belongs to.
  let channel: String?
  let kind: EventKind
  /// Whether it is a keystroke or a movement of the caret, many of which are shown as one row.
  let isKeystroke: Bool

  /// The name of the actor of events that no user caused.
  static let system = "system"

  init(stream: String, type: String, actor: String?, device: String?) {
    (self.stream, self.type, self.actor, self.device) = (stream, type, actor, device)
    let plain = type.withoutVersion
    isKeystroke = ["composerTyped", "composerSelectionMoved"].contains(plain)
    let subject = (try? Name(stream)).flatMap { StreamSubject(name: $0) }
    switch subject {
    case .channel(let id): channel = id.text
    case .draft(let key): channel = key.channel.text
    case .composer(let key): channel = key.channel.text
    case .user, .consumer, .app, nil: channel = nil
    }
    kind = EventKind(type: plain)
  }
}

/// The kind of an event, for counting.
package enum EventKind: Int, CaseIterable, Sendable {
  case typing, messages, reactions, people, other

  fileprivate init(type: String) {
    let kinds: [(String, Self)] = [
      ("composer", .typing), ("draft", .typing), ("message", .messages), ("ephemeral", .messages),
      ("reaction", .reactions), ("poll", .reactions), ("vote", .reactions), ("user", .people), ("member", .people),
      ("device", .people), ("invitation", .people),
    ]
    self = kinds.first { type.hasPrefix($0.0) }?.1 ?? .other
  }
}

/// The columns of an outline; an event's index is its position less one.
internal struct Columns {
  private(set) var combinations: [Combination] = []
  /// The number of the combination of each event.
  private(set) var events: [UInt32] = []
  /// The position of the first event of each block, and the block's time.
  private(set) var blocks: [(first: UInt32, recorded: Int64)] = []
  /// The effects of each event that has some.
  private(set) var effects: [UInt32: [UInt32]] = [:]
  private(set) var correlated: [String: [UInt32]] = [:]
  private var numbers: [[UInt8]: UInt32] = [:]
  private var key: [UInt8] = []

  var end: Position { Position(rawValue: UInt64(events.count)) }

  /// The maximum number of events: larger logs are outlined up to it.
  private static let eventsMax = Int(UInt32.max) - 1

  mutating func add(_ block: BlockView) {
    if events.count + block.count > Self.eventsMax { return }
    let first = UInt32(events.count + 1)
    blocks.append((first, block.recorded.rawValue))
    // Names have numbers within their block, so that most events of a large one are known by these.
    var known: [SIMD4<UInt32>: UInt32] = [:]
    for index in 0..<block.count {
      let event = block.event(at: index)
      let local = SIMD4(
        UInt32(event.streamNumber), UInt32(event.typeNumber), UInt32((event.actorNumber ?? -1) + 1),
        UInt32((event.deviceNumber ?? -1) + 1))
      let number = known[local] ?? number(of: event)
      if block.count > 1 { known[local] = number }
      events.append(number)
      if let cause = event.cause { effects[UInt32(cause.rawValue), default: []].append(first + UInt32(index)) }
    }
    block.forEachAppend { append in
      guard let correlation = block.correlation(of: append)?.string else { return }
      correlated[correlation, default: []].append(first + UInt32(append.firstIndex))
    }
  }

  private mutating func number(of event: EventView) -> UInt32 {
    key.removeAll(keepingCapacity: true)
    Self.add(event.stream, to: &key)
    Self.add(event.type, to: &key)
    if let actor = event.actor { Self.add(actor, to: &key) } else { key.append(1) }
    if let device = event.device { Self.add(device, to: &key) } else { key.append(1) }
    if let number = numbers[key] { return number }
    let number = UInt32(combinations.count)
    combinations.append(
      Combination(
        stream: event.stream.string, type: event.type.string, actor: event.actor?.string,
        device: event.device?.string))
    numbers[key] = number
    return number
  }

  /// Appends a name, which contains no control characters, and a separator.
  private static func add(_ name: RawSpan, to key: inout [UInt8]) {
    name.withUnsafeBytes { key.append(contentsOf: $0) }
    key.append(0)
  }

  /// The time at which the block of an event was recorded.
  func recorded(_ position: Position) -> Timestamp {
    Timestamp(rawValue: blocks[block(of: UInt32(position.rawValue))].recorded)
  }

  /// The index of the block that contains a position.
  func block(of position: UInt32) -> Int { Self.count(of: blocks.count) { blocks[$0].first <= position } - 1 }

  /// Returns the number of the first elements that fulfil a condition, which none fulfils after one that does not.
  static func count(of total: Int, where holds: (Int) -> Bool) -> Int {
    var (low, high) = (0, total)
    while low < high {
      let middle = low + (high - low) / 2
      if holds(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension RawSpan {
  /// The bytes as text.
  internal var string: String { withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }
}

extension String {
  /// The name of a type without its version.
  internal var withoutVersion: String { lastIndex(of: ".").map { String(self[..<$0]) } ?? self }
}
