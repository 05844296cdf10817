// The contract of reading and following.
import ChildProcess
import Dispatch
import EventLog
import Testing

extension ContractCase {
  static let reading = [
    ContractCase("reading goes forward and backward from any position, within blocks too") { bench in
      let store = try await filled(bench, appends: [1, 5, 1, 1, 7, 3])
      let all = try allEvents(store)
      #expect(all.count == 18)
      for from in 0...20 {
        let position = Position(rawValue: UInt64(from))
        let forward = all.filter { $0.position >= position }
        let backward = Array(all.filter { $0.position <= position }.reversed())
        for limit in [0, 1, 4, 100] {
          #expect(try store.events(from: position, limit: limit) == Array(forward.prefix(limit)))
          #expect(try store.events(from: position, .backward, limit: limit) == Array(backward.prefix(limit)))
        }
        for checks in [Checks.full, .none] {
          var seen: [UInt64] = []
          try store.read(from: position, checks: checks) {
            seen.append($0.position.rawValue); return .next
          }
          #expect(seen == forward.map(\.position.rawValue))
          seen = []
          try store.read(from: position, .backward, checks: checks) {
            seen.append($0.position.rawValue); return .next
          }
          #expect(seen == backward.map(\.position.rawValue))
        }
        #expect(try store.event(at: position) == all.first { $0.position == position })
      }
    },
    ContractCase("a reader who says stop is lent nothing more") { bench in
      let store = try await filled(bench, appends: [2, 3, 2])
      var seen = 0
      try store.read { _ in
        seen += 1
        return seen == 4 ? .stop : .next
      }
      #expect(seen == 4)
    },
    ContractCase("a stream of many events reads forward and backward from any version") { bench in
      let store = try bench.makeStore()
      for round in 0..<30 {
        let events = (0..<25).map { event($0 % 5 == 4 ? "other" : "long", "\(round * 25 + $0)") }
        _ = try await store.append(events)
      }
      let all = try allEvents(store).filter { $0.stream == "long" }
      #expect(all.count == 600)
      #expect(all.map(\.version.rawValue) == Array(1...600))
      for from in [0, 1, 2, 255, 256, 257, 511, 512, 513, 599, 600, 601, 1000] as [UInt64] {
        let version = StreamVersion(rawValue: from)
        let forward = all.filter { $0.version >= version }
        let backward = Array(all.filter { $0.version <= version }.reversed())
        #expect(try store.events(of: "long", from: version, limit: .max) == forward)
        #expect(try store.events(of: "long", from: version, .backward, limit: .max) == backward)
        #expect(try store.events(of: "long", from: version, .backward, limit: 3) == Array(backward.prefix(3)))
      }
      #expect(try store.version(of: "long").rawValue == 600)
      #expect(try store.version(of: "other").rawValue == 150)
    },
    ContractCase("streams are found by prefix, in the order of their bytes, page by page") { bench in
      let store = try bench.makeStore()
      let names: [Name] = ["a", "a/1", "a/10", "a/2", "b", "z", "é", "é/x"]
      _ = try await store.append(names.reversed().map { event($0) } + [event("a/2")])
      #expect(try store.streams(limit: 100).map(\.name) == names)
      #expect(try store.streams(withPrefix: "a/", limit: 100).map(\.name) == ["a/1", "a/10", "a/2"])
      #expect(try store.streams(withPrefix: "a/", limit: 100).map(\.version.rawValue) == [1, 1, 2])
      #expect(try store.streams(withPrefix: "é", after: "é", limit: 100).map(\.name) == ["é/x"])
      #expect(try store.streams(withPrefix: "q", limit: 100) == [])
      #expect(try store.streams(withPrefix: "b", after: "c", limit: 100) == [])
      var paged: [Name] = []
      while true {
        let page = try store.streams(after: paged.last, limit: 3)
        paged += page.map(\.name)
        if page.count < 3 { break }
      }
      #expect(paged == names)
    },
    ContractCase("what was appended is there after opening again") { bench in
      var store = try await filled(bench, appends: [1, 300, 2])
      let all = try allEvents(store)
      let head = try store.head()
      store = try bench.reopen(store)
      #expect(try store.head() == head)
      #expect(try allEvents(store) == all)
      #expect(try store.events(of: "s0", limit: .max) == all.filter { $0.stream == "s0" })
      try expectChainIsWhole(store)
      _ = try await store.append([event("s0")])
      #expect(try store.version(of: "s0").rawValue == UInt64(all.count { $0.stream == "s0" }) + 1)
    },
  ]

  static let following = [
    ContractCase("a follower sees history and then what comes, each event once and in order") { bench in
      let store = try await filled(bench, appends: [3, 4])
      let follower = Task {
        var seen: [UInt64] = []
        for try await event in store.follow(from: Position(rawValue: 2)) {
          seen.append(event.position.rawValue)
          if event.position.rawValue == 207 { break }
        }
        return seen
      }
      for writer in 0..<100 { _ = try await store.append([event("live", "\(writer)"), event("live")]) }
      #expect(try await within("the event at position 207") { try await follower.value } == Array(2...207))
    },
    ContractCase("many followers from different places all see everything from there") { bench in
      let store = try bench.makeStore()
      let followers = (1...20).map { start in
        Task {
          var count = 0
          for try await event in store.follow(from: Position(rawValue: UInt64(start))) {
            #expect(event.position.rawValue == UInt64(start + count))
            count += 1
            if event.position.rawValue == 100 { break }
          }
          return count
        }
      }
      for _ in 0..<100 { _ = try await store.append([event("live")]) }
      for (index, follower) in followers.enumerated() {
        #expect(try await within("the event at position 100") { try await follower.value } == 100 - index)
      }
    },
    ContractCase("a follower who is cancelled ends, whether he waits or reads") { bench in
      let store = try await filled(bench, appends: [5])
      let waiting = Task {
        var count = 0
        for try await _ in store.follow() { count += 1 }
        return count
      }
      let beyond = Task {
        for try await _ in store.follow(from: Position(rawValue: 100)) {}
        return true
      }
      // Until the first follower has read the existing events, cancellation may reach it before its wait.
      while !waiting.isCancelled {
        waiting.cancel()
        beyond.cancel()
      }
      #expect(try await within("the end of a follower that reads") { try await waiting.value } <= 5)
      #expect(try await within("the end of a follower that waits") { try await beyond.value })
    },
    ContractCase("waiting ends when the log grows past a position, and at the deadline") { bench in
      let store = try bench.makeStore()
      #expect(try store.log.wait(beyond: .zero, until: .now) == false)
      #expect(try store.log.wait(beyond: .zero, until: .now + .milliseconds(5)) == false)
      async let hasGrown = onThread { try store.log.wait(beyond: .first, until: .now + .seconds(60)) }
      _ = try await store.append([event("s")])
      _ = try await store.append([event("s")])
      #expect(try await hasGrown)
      #expect(try store.log.wait(beyond: .first, until: .now))
    },
  ]

  static let recording = [
    ContractCase("the recorded time never goes back, whatever the clock does") { bench in
      var configuration = EventStore.Configuration()
      let ticks = Ticks([2, 5, 3, 4, 9])
      configuration.clock = { Timestamp(rawValue: ticks.next()) }
      let genesis = Genesis(id: AppendID(high: 0, low: 1), created: Timestamp(rawValue: 3))
      let store = try bench.makeStore(genesis, configuration)
      for number in 0..<5 as Range<UInt64> {
        _ = try await store.append([event("s")], id: AppendID(high: 9, low: number))
      }
      #expect(try allEvents(store).map(\.recorded.rawValue) == [3, 5, 5, 5, 9])
    },
    ContractCase("a head that somebody else moved takes no block") { bench in
      let store = try await filled(bench, appends: [1])
      let old = Head(of: store.log.genesis)
      var error: LogError?
      try store.log.blocks(from: .first, .forward, checks: .full) { block in
        let bytes = block.bytes.withUnsafeBytes { Array($0) }
        do throws(LogError) {
          try store.log.append(try BlockView(bytes.span.bytes, checks: .full, at: .first), after: old)
        } catch let failure {
          error = failure
        }
        return .stop
      }
      guard case .headMoved(let head) = error else {
        Issue.record("headMoved was expected, and it is \(String(describing: error))")
        return
      }
      #expect(try head == store.head())
      #expect(try allEvents(store).count == 1)
    },
  ]
}

/// Returns a store with appends of the given event counts, in three streams.
private func filled(_ bench: any LogBench, appends: [Int]) async throws -> EventStore {
  let store = try bench.makeStore()
  var number = 0
  for count in appends {
    let events = (0..<count).map { index in
      event(Name(stringLiteral: "s\((number + index) % 3)"), "\(number + index)")
    }
    number += count
    _ = try await store.append(events)
  }
  return store
}

/// Runs a blocking closure on a thread of its own, since the task pool has few threads.
private func onThread<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
  try await withCheckedThrowingContinuation { continuation in
    DispatchQueue.global().async { continuation.resume(with: Result { try body() }) }
  }
}

/// A clock with preset readings.
// Safe because the contract's cases call it from one task, one call after the other.
private final class Ticks: @unchecked Sendable {
  private var values: [Int64]

  init(_ values: [Int64]) { self.values = values }

  func next() -> Int64 { values.removeFirst() }
}
