// Threat: a list leaves out events, shows some twice, or counts them wrongly, and nobody notices among millions.
import EventLog
import Locks
import SeededRandom
import Testing

@testable import Studio

@Suite struct `The outline of a log` {
  /// A log of random events of a few composers and channels, at increasing times with idle stretches.
  private struct RandomLog {
    let store: EventStore
    let events: [RecordedEvent]

    init(_ random: inout SeededRandom, count: Int = 3_000) throws {
      var configuration = EventStore.Configuration()
      let box = ClockBox()
      configuration.clock = { box.now }
      store = EventStore.inMemory(configuration: configuration)
      var appended = 0
      while appended < count {
        box.advance(by: random.below(40) == 0 ? Int64(random.below(900_000_000)) : Int64(random.below(2_000_000)))
        let events = (0..<random.below(6) + 1).map { _ in Self.event(&random, after: appended) }
        let correlation: Name? = random.below(8) == 0 ? "c1" : nil
        _ = try store.appendBlocking(events, correlation: correlation)
        appended += events.count
      }
      events = try store.events(limit: .max)
    }

    private static func event(_ random: inout SeededRandom, after count: Int) -> ProposedEvent {
      let user = ["ada", "ben", "cleo"][random.below(3)]
      let channel = ["general", "lunch"][random.below(2)]
      let isTyped = random.below(5) > 0
      let stream = isTyped ? "composer/\(user)/phone/\(channel)" : "channel/\(channel)"
      let type = isTyped ? ["composerTyped.1", "composerSelectionMoved.1"][random.below(2)] : "messageSent.1"
      var event = ProposedEvent(
        stream: Name(stringLiteral: stream), type: Name(stringLiteral: type),
        payload: Array(["dinner at Seven", "gladly", ""][random.below(3)].utf8))
      event.actor = random.below(9) == 0 ? nil : Name(stringLiteral: user)
      event.device = random.below(3) == 0 ? nil : "phone"
      if count > 0, random.below(4) == 0 { event.cause = Position(rawValue: UInt64(random.below(count) + 1)) }
      return event
    }
  }

  /// A clock that a test sets.
  private final class ClockBox: Sendable {
    /// After the creation of the log, before which no time is recorded.
    private let value = Locked<Int64>(4_000_000_000_000_000)
    var now: Timestamp { Timestamp(rawValue: value.withLock { $0 }) }
    func advance(by microseconds: Int64) { value.withLock { $0 += microseconds } }
  }

  private static func outline(_ log: RandomLog) throws -> LogOutline {
    let outline = LogOutline(of: log.store.log)
    while try outline.extend(by: 100) {}
    #expect(outline.end.rawValue == UInt64(log.events.count))
    return outline
  }

  // What broke: a step from a run of keystrokes to the next row went to the beginning of the same run.
  @Test func `from each position, the next and the previous row are those that begin after and before it`() throws {
    var random = SeededRandom.printingSeed()
    let log = try RandomLog(&random)
    let outline = try Self.outline(log)
    for _ in 0..<40 {
      let selection = EventSelection(of: Self.criteria(&random, log.events), in: outline)
      let extent = try selection.extend(by: .max)
      let firsts = selection.rows(0..<extent.rowCount).map(\.first)
      for number in 0...UInt64(log.events.count + 1) where random.below(20) == 0 {
        let position = Position(rawValue: number)
        let (next, previous) = (firsts.first { $0 > position }, firsts.last { $0 < position })
        #expect(selection.beginning(.forward, of: position) == next)
        #expect(selection.beginning(.backward, of: position) == previous)
      }
    }
  }

  @Test func `a selection has exactly the events that meet its criteria, each in one row`() throws {
    var random = SeededRandom.printingSeed()
    let log = try RandomLog(&random)
    let outline = try Self.outline(log)
    for _ in 0..<40 {
      let criteria = Self.criteria(&random, log.events)
      let expected = log.events.filter { Self.meets($0, criteria) }.map(\.position)
      let selection = EventSelection(of: criteria, in: outline)
      var extent = try selection.extend(by: random.below(500) + 1)
      while extent.end.rawValue < UInt64(log.events.count) { extent = try selection.extend(by: 400) }
      #expect(extent.eventCount == expected.count)
      #expect(try selection.extend(by: .max).eventCount == expected.count)
      let rows = selection.rows(0..<extent.rowCount)
      #expect(rows.map(\.first) == rows.map(\.first).sorted())
      let found = rows.flatMap { selection.events(of: $0) }
      let areEqual = found.sorted() == expected
      #expect(areEqual, "\(criteria)")
      #expect(rows.allSatisfy { selection.events(of: $0).count == $0.count })
      if !criteria.joinsKeystrokes { #expect(rows.count == expected.count) }
      // Each event is in the row that is found for its position.
      for position in expected.shuffled(using: &random).prefix(50) {
        let row = rows[selection.number(of: position)]
        #expect(selection.events(of: row).contains(position))
      }
      for position in (1...log.events.count).shuffled(using: &random).prefix(50) {
        let position = Position(rawValue: UInt64(position))
        if expected.contains(position) { continue }
        let number = selection.number(of: position)
        #expect(number == rows.count || rows[number].first > position)
        #expect(rows.prefix(number).allSatisfy { $0.first < position })
      }
    }
  }

  @Test func `rows of keystrokes end only at other events`() throws {
    let store = EventStore.inMemory()
    func append(_ stream: String, _ type: Name) throws {
      _ = try store.appendBlocking([ProposedEvent(stream: Name(stringLiteral: stream), type: type, payload: [])])
    }
    for user in ["ada", "ben", "ada", "ben"] { try append("composer/\(user)/d/general", "composerTyped.1") }
    try append("channel/general", "messageSent.1")
    try append("composer/ada/d/general", "composerTyped.1")
    let outline = LogOutline(of: store.log)
    while try outline.extend() {}
    let selection = EventSelection(of: EventCriteria(), in: outline)
    let extent = try selection.extend(by: .max)
    let rows = selection.rows(0..<extent.rowCount).map { [$0.first.rawValue, $0.last.rawValue, UInt64($0.count)] }
    #expect(rows == [[1, 3, 2], [2, 4, 2], [5, 5, 1], [6, 6, 1]])
  }

  @Test func `buckets of a timeline cover the log and count each event once`() throws {
    var random = SeededRandom.printingSeed()
    let log = try RandomLog(&random)
    let outline = try Self.outline(log)
    for axis in Timeline.Axis.allCases {
      for grouping in Timeline.Grouping.allCases {
        for count in [1, 7, 100, 2_000] {
          let timeline = outline.timeline(axis, by: grouping, buckets: count)
          let starts = timeline.buckets.map { Int($0.first.rawValue) } + [log.events.count + 1]
          #expect(starts.first == 1 && zip(starts, starts.dropFirst()).allSatisfy { $0 < $1 })
          for (bucket, next) in zip(timeline.buckets, starts.dropFirst()) {
            let events = log.events[Int(bucket.first.rawValue) - 1..<next - 1]
            #expect(bucket.from == events.first?.recorded)
            if let gap = bucket.gap {
              #expect(gap == bucket.from - log.events[Int(bucket.first.rawValue) - 2].recorded)
            }
            var counts = Array(repeating: 0, count: timeline.series.count)
            for event in events {
              let name =
                switch grouping {
                case .kind: event.type.text.hasPrefix("message") ? "messages" : "typing"
                case .person: event.actor?.text ?? "system"
                }
              counts[try #require(timeline.series.firstIndex(of: name))] += 1
            }
            #expect(counts == bucket.counts)
          }
        }
      }
    }
    let cut = outline.timeline(.clock, by: .kind, buckets: 100).buckets.compactMap { $0.gap?.rawValue }
    let blocks = zip(log.events, log.events.dropFirst()).map { $1.recorded.rawValue - $0.recorded.rawValue }
    #expect(cut.reduce(0, +) == blocks.filter { $0 > 60_000_000 }.reduce(0, +))
  }

  @Test func `effects, correlated appends, writers and names are those of the log`() throws {
    var random = SeededRandom.printingSeed()
    let log = try RandomLog(&random)
    let outline = try Self.outline(log)
    for event in log.events {
      let expected = log.events.filter { $0.cause == event.position }.map(\.position)
      #expect(outline.effects(of: event.position, limit: .max) == expected)
    }
    var appends: [Position] = []
    for event in log.events where event.correlation == "c1" {
      if event.position == log.events.first(where: { $0.append == event.append })?.position {
        appends.append(event.position)
      }
    }
    #expect(outline.appends(correlatedBy: "c1", limit: .max) == appends)
    #expect(outline.writers(in: "general") == ["ada", "ben", "cleo"])
    let names = outline.names()
    #expect(names.types == ["composerTyped", "composerSelectionMoved", "messageSent"])
    #expect(names.actors == ["ada", "ben", "cleo", "system"])
    #expect(names.channels == ["general", "lunch"])
    #expect(names.streams.count == 8)
  }

  private static func criteria(_ random: inout SeededRandom, _ events: [RecordedEvent]) -> EventCriteria {
    var criteria = EventCriteria()
    criteria.joinsKeystrokes = random.below(2) == 0
    if random.below(3) == 0 { criteria.types = [["messageSent", "composerTyped.1", "composerTyped"][random.below(3)]] }
    if random.below(3) == 0 { criteria.actors = [["ada", "system", "nobody"][random.below(3)], "ben"] }
    if random.below(4) == 0 { criteria.devices = ["phone"] }
    if random.below(4) == 0 { criteria.channels = [["general", "lunch"][random.below(2)]] }
    if random.below(5) == 0 { criteria.streams = [events[random.below(events.count)].stream.text] }
    if random.below(3) == 0 { criteria.text = ["SEVEN", "glad", "x"][random.below(3)] }
    if random.below(4) == 0 { criteria.since = events[random.below(events.count)].recorded }
    if random.below(4) == 0 { criteria.until = events[random.below(events.count)].recorded }
    return criteria
  }

  private static func meets(_ event: RecordedEvent, _ criteria: EventCriteria) -> Bool {
    func fits(_ wanted: [String], _ values: String?...) -> Bool {
      wanted.isEmpty || values.contains { value in value.map(wanted.contains) ?? false }
    }
    let parts = event.stream.text.split(separator: "/").map(String.init)
    let text = String(decoding: event.payload, as: UTF8.self).lowercased()
    return fits(criteria.types, event.type.text, String(event.type.text.dropLast(2)))
      && fits(criteria.actors, event.actor?.text ?? "system") && fits(criteria.devices, event.device?.text)
      && fits(criteria.streams, event.stream.text) && fits(criteria.channels, parts.last)
      && (criteria.text.isEmpty || text.contains(criteria.text.lowercased()))
      && criteria.since.map { event.recorded >= $0 } ?? true && criteria.until.map { event.recorded <= $0 } ?? true
  }
}

@Suite struct `The assets of a studio` {
  @Test func `all assets together are small, and none loads from elsewhere`() {
    #expect(StudioAssets.all.values.reduce(0) { $0 + $1.count } < 165_000)
    for (name, bytes) in StudioAssets.all {
      let text = String(decoding: bytes, as: UTF8.self).replacing("http://www.w3.org/2000/svg", with: "")
      #expect(!bytes.isEmpty && !text.contains("http:") && !text.contains("https:"), "\(name)")
    }
  }
}
