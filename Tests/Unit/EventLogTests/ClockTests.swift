// Threat: one wrong clock gives its time to all later events of a log, and nothing can correct that.
//
// A block is not recorded before the one it follows, so one append by a machine whose clock was twenty years ahead gave
// its time to every later event. Now a clock is accepted only as far ahead as the last block, the monotonic clock and a
// pause allow, and a correction that is an event of the log lets the true time continue.
import Digests
import Locks
import PostgresServer
import SeededRandom
import Testing

@testable import EventLog

private let day: Int64 = 86_400_000_000
private let year: Int64 = 365 * 86_400_000_000
/// The beginning of 2026.
private let start: Int64 = 1_767_225_600_000_000

/// A clock and a monotonic clock that tests set.
private final class Clocks: Sendable {
  /// The machine of the log, where it is on a server.
  let machine = Machine()
  private let times: Locked<(clock: Int64, uptime: Int64)>

  init(_ clock: Int64) { times = Locked((clock, 0)) }

  /// Advances both clocks, or the first alone.
  func advance(_ microseconds: Int64, withUptime isReal: Bool = true) {
    times.withLock { times in
      times.clock += microseconds
      if isReal { times.uptime += microseconds }
    }
  }

  func set(_ clock: Int64) { times.withLock { $0.clock = clock } }

  var now: Int64 { times.withLock { $0.clock } }

  func configuration(_ limits: ClockLimits? = ClockLimits()) -> EventStore.Configuration {
    var configuration = EventStore.Configuration()
    configuration.clock = { Timestamp(rawValue: self.now) }
    configuration.clockLimits = limits
    configuration.uptime = { .microseconds(self.times.withLock { $0.uptime }) }
    return configuration
  }
}

private let note = ProposedEvent(stream: "a", type: "noted", payload: [1])

/// Returns a store on a log that was created at the clock's time: in memory, or on a server with
/// VERBATIM_TESTS_ON_POSTGRES=1.
private func store(_ clocks: Clocks, _ limits: ClockLimits? = ClockLimits()) throws -> EventStore {
  let (genesis, configuration) = (Genesis.new(at: Timestamp(rawValue: clocks.now)), clocks.configuration(limits))
  if PostgresServer.isChosen { return try clocks.machine.makeStore(genesis, configuration) }
  return EventStore.inMemory(genesis: genesis, configuration: configuration)
}

/// Returns another store on the log of a store.
private func reopened(_ store: EventStore, _ clocks: Clocks, _ limits: ClockLimits? = ClockLimits()) -> EventStore {
  EventStore(
    log: store.log, index: InMemoryIndex(genesis: store.log.genesis), configuration: clocks.configuration(limits))
}

/// Returns the clock defect that an append throws; nil if it succeeds.
private func refusal(_ store: EventStore, _ id: AppendID? = nil) throws -> ClockDefect? {
  do { _ = try store.appendBlocking([note], id: id) } catch AppendError.log(.clock(let defect)) { return defect }
  return nil
}

@Suite struct `Clock limits` {
  @Test func `a clock twenty years ahead is refused, and later events have the true time`() throws {
    let clocks = Clocks(start)
    let first = try store(clocks)
    #expect(try refusal(first) == nil)
    clocks.advance(20 * year, withUptime: false)
    let second = reopened(first, clocks)
    let defect = try refusal(second)
    #expect(
      defect
        == .ahead(
          found: Timestamp(rawValue: start + 20 * year), last: Timestamp(rawValue: start),
          latest: Timestamp(rawValue: start + 400 * day)))
    #expect(defect?.description.hasPrefix("The clock is at 2045-12-27T00:00:00.000000Z, the last block was") == true)
    #expect(try first.head().blocks == 1)
    clocks.set(start + day)
    #expect(try refusal(second) == nil && first.head().recorded.rawValue == start + day)
    clocks.advance(20 * year, withUptime: false)
    #expect(try refusal(first) != nil && refusal(second) != nil)
  }

  @Test func `the first append of a store accepts a clock up to the maximum pause ahead`() throws {
    for (days, isAccepted) in [(1, true), (399, true), (401, false), (3 * 365, false)] as [(Int64, Bool)] {
      let clocks = Clocks(start)
      let log = try store(clocks)
      #expect(try refusal(log) == nil)
      clocks.advance(days * day, withUptime: false)
      #expect(try (refusal(reopened(log, clocks)) == nil) == isAccepted, "\(days) days")
      // The override is explicit.
      #expect(try refusal(reopened(log, clocks, nil)) == nil)
      #expect(try log.head().recorded.rawValue == clocks.now)
    }
  }

  @Test func `later appends accept a clock as far ahead as the monotonic clock allows`() throws {
    let clocks = Clocks(start)
    let log = try store(clocks)
    for step in [0, day, 3 * year, 1, 500 * day] {
      clocks.advance(step)
      #expect(try refusal(log) == nil)
    }
    clocks.advance(23 * day / 24, withUptime: false)
    #expect(try refusal(log) == nil)
    clocks.advance(25 * day / 24, withUptime: false)
    #expect(try refusal(log) != nil)
    // As much time as it was ahead has passed, in which it did not advance.
    clocks.advance(2 * day)
    clocks.advance(-2 * day, withUptime: false)
    #expect(try refusal(log) == nil)
    // A store that waits for years before its first append.
    let waiting = reopened(log, clocks)
    clocks.advance(10 * year)
    #expect(try refusal(waiting) == nil)
  }

  @Test func `an append with a clock behind the log does not bound later clocks`() throws {
    let clocks = Clocks(start)
    let log = try store(clocks)
    #expect(try refusal(log) == nil)
    // A machine without a clock of its own starts in 1970, until its clock is set.
    clocks.set(0)
    let other = reopened(log, clocks)
    #expect(try refusal(other) == nil && log.head().recorded.rawValue == start)
    clocks.set(start + 30 * day)
    #expect(try refusal(other) == nil && log.head().recorded.rawValue == start + 30 * day)
  }

  @Test func `after a block from before 2025 a clock is bounded only by the year 2200`() throws {
    let clocks = Clocks(0)
    let log = try store(clocks)
    #expect(try refusal(log) == nil)
    clocks.set(ClockLimits.plausible.upperBound.rawValue)
    #expect(try refusal(log) == .implausible(found: ClockLimits.plausible.upperBound))
    clocks.set(.max)
    #expect(try refusal(log) == .implausible(found: Timestamp(rawValue: .max)))
    clocks.set(start)
    #expect(try refusal(log) == nil)
  }

  @Test func `a retried append returns its receipt although the clock is refused`() throws {
    let clocks = Clocks(start)
    let log = try store(clocks)
    let id = AppendID(high: 1, low: 1)
    #expect(try refusal(log, id) == nil)
    clocks.advance(20 * year, withUptime: false)
    #expect(try log.appendBlocking([note], id: id).positions == .first ... .first)
    #expect(try refusal(log, AppendID(high: 1, low: 2)) != nil)
  }

  @Test func `the machine's clock has limits, and a custom clock has none`() {
    var configuration = EventStore.Configuration()
    #expect(configuration.clockLimits == ClockLimits())
    configuration.clock = { Timestamp(rawValue: 0) }
    #expect(configuration.clockLimits == nil)
  }

  @Test func `a store whose wrong time was corrected by another store refuses that time`() throws {
    var history = ClockHistory(opened: .zero)
    let wrong = Timestamp(rawValue: start + 20 * year)
    history.record(wrong, uptime: .zero)
    let head = Head(
      position: .first, hash: BlockParts.head.hash, blocks: 1, recorded: Timestamp(rawValue: start + day))
    #expect(throws: ClockDefect.self) {
      try history.check(wrong, after: head, within: ClockLimits(), uptime: .seconds(1))
    }
    try history.check(Timestamp(rawValue: start + 2 * day), after: head, within: ClockLimits(), uptime: .seconds(1))
  }
}

@Suite struct `Clock correction` {
  /// Returns a log with events of 2026, then of 2046, then a correction of 2026 and events after it; twice.
  private func corrected() throws -> (EventStore, Clocks) {
    let clocks = Clocks(start)
    let log = try store(clocks, nil)
    for round in 0..<2 as Range<Int64> {
      for _ in 0..<5 {
        clocks.advance(day)
        _ = try log.appendBlocking([note, note])
      }
      let now = clocks.now
      clocks.set(now + 20 * year)
      _ = try log.appendBlocking([note])
      clocks.set(now + (10 - round) * year)
      _ = try log.appendBlocking([note])
      clocks.set(now + day)
      _ = try log.appendBlocking([note])
      #expect(try log.head().recorded.rawValue == now + 20 * year)
      let correction = try #require(try log.correctClock())
      #expect(correction.recorded.rawValue == now + day)
      #expect(correction.position.rawValue == 14 + 16 * UInt64(round))
      let proposed = ProposedEvent(stream: correction.stream, type: correction.type, payload: correction.payload)
      let wrong = Timestamp(rawValue: now + 20 * year)
      #expect(
        ClockCorrection(proposed)
          == ClockCorrection(wrong: wrong, first: Position(rawValue: 11 + 16 * UInt64(round))))
      #expect(try log.correctClock() == nil)
      clocks.advance(day)
      _ = try log.appendBlocking([note, note])
      #expect(try log.head().recorded.rawValue == now + 2 * day)
    }
    return (log, clocks)
  }

  @Test func `a correction is an event, after which the true time continues`() throws {
    let (log, _) = try corrected()
    var head = Head(of: log.log.genesis)
    var falls: [Position] = []
    try log.log.blocks(from: .first, .forward, checks: .full) { block in
      #expect(throws: Never.self) {
        try block.validate(after: head)
        try block.validateCanonical()
      }
      if block.recorded < head.recorded { falls.append(block.first) }
      head = block.head
      return .next
    }
    #expect(falls.map(\.rawValue) == [14, 30])
    #expect(try log.events(of: ClockCorrection.stream, limit: 9).map(\.position) == falls)
  }

  @Test func `the event at an instant is the last one recorded at or before it`() throws {
    let (log, clocks) = try corrected()
    let events = try log.events(limit: .max)
    for time in Set(events.map(\.recorded.rawValue) + [.min, start - 1, clocks.now, .max]) {
      for instant in [time, time == .max ? time : time + 1] {
        let instant = Timestamp(rawValue: instant)
        let expected = events.last { $0.recorded <= instant }?.position ?? .zero
        #expect(try log.last(recordedBy: instant) == expected, "\(instant)")
      }
    }
  }

  @Test func `a correction is refused for an implausible clock, and a no-op for right times`() throws {
    let clocks = Clocks(start)
    let log = try store(clocks, nil)
    #expect(try log.correctClock() == nil)
    clocks.set(start + year)
    _ = try log.appendBlocking([note])
    clocks.set(0)
    #expect(throws: LogError.self) { try log.correctClock() }
    #expect(try log.head().blocks == 1)
  }

  @Test func `only a block whose one event corrects the previous time may have an earlier time`() throws {
    let head = Head(
      position: .first, hash: BlockParts.head.hash, blocks: 1, recorded: Timestamp(rawValue: start + year))
    let right = ClockCorrection(wrong: head.recorded, first: .first).event
    func isValid(_ events: [ProposedEvent], at time: Int64 = start) -> Bool {
      var given = CopiedBlock()
      given.add(
        Append(events), AppendID(high: 1, low: 1),
        versions: events.indices.map { StreamVersion(rawValue: UInt64($0) + 1) })
      return given.withBlock(after: head, at: Timestamp(rawValue: time)) { block in
        do throws(BlockDefect) { try block.validate(after: head) } catch {
          #expect("\(error)".hasPrefix("it was recorded at "))
          return false
        }
        return true
      }
    }
    #expect(isValid([right]))
    #expect(isValid([right], at: start + 2 * year))
    #expect(!isValid([note]))
    #expect(!isValid([right, right]))
    #expect(!isValid([ClockCorrection(wrong: Timestamp(rawValue: start + year - 1), first: .first).event]))
    for edit in [
      { $0.stream = "app/other" }, { $0.type = "app/verbatim.clockCorrected.2" }, { $0.payload.append(0) },
      { $0.payload = [] },
    ] as [(inout ProposedEvent) -> Void] {
      var event = right
      edit(&event)
      #expect(!isValid([event]))
    }
  }
}
