// Measures concurrent writers, each of which waits until its event is durable before the next.
import Dispatch
import EventLog
import EventLogLMDB

extension LogBench {
  func concurrent() throws -> Grid {
    let writers = [1, 16, 64]
    let measured = try writers.map { try concurrentFigures($0) }
    let gains = measured[0].reduce(into: [String: Figure]()) { gains, first in
      gains[first.key] = measured[2][first.key]?.ratio(to: first.value)
    }
    var columns = zip(writers, measured).map { (name: "\($0) writers", figures: $1) }
    columns[0].name = "1 writer"
    columns.append((name: "64 / 1", figures: gains))
    return Grid(
      "concurrent", "Concurrent writers, one event each at a time, events/s", columns: columns,
      rows: ["raw sharing", "sqlite sharing", "rocksdb", "ours tasks", "ours threads"],
      ratios: [
        Ratio("ours tasks", to: "sqlite sharing"), Ratio("ours threads", to: "sqlite sharing"),
        Ratio("ours tasks", to: "raw sharing"), Ratio("ours threads", to: "raw sharing"),
        Ratio("ours tasks", to: "rocksdb"), Ratio("ours threads", to: "rocksdb"),
      ])
  }

  private func concurrentFigures(_ writers: Int) throws -> [String: Figure] {
    let contestants: [Contestant] = [
      { [self] in ["raw sharing": try shareRaw(writers)] },
      { [self] in ["sqlite sharing": try shareSQLite(writers)] },
      { [self] in ["rocksdb": try appendToRocks(threads: writers)] },
      { [self] in ["ours tasks": try appendInTasks(writers)] },
      { [self] in ["ours threads": try appendInThreads(writers)] },
    ]
    return try inTurn(contestants, rounds: options.rounds, unit: .perSecond)
  }

  private func appendInTasks(_ writers: Int) throws -> Double {
    try withStore { try appendInTasks(writers, $0) }
  }

  /// Returns the events per second that `writers` tasks append to a store.
  func appendInTasks(_ writers: Int, _ store: EventStore) throws -> Double {
    let vocabulary = vocabulary
    let start = ContinuousClock.now
    let deadline = start + .seconds(options.limit.seconds)
    let events = try waiting {
      try await withThrowingTaskGroup(of: Int.self) { group in
        for writer in 0..<writers {
          group.addTask {
            try await appendInTask(store, seed: UInt64(writer), vocabulary, until: deadline)
          }
        }
        return try await group.reduce(0, +)
      }
    }
    return Double(events) / secondsSince(start)
  }

  private func appendInThreads(_ writers: Int) throws -> Double {
    try withStore { store in
      let vocabulary = vocabulary
      return try rate(writers) { draws, _ in
        _ = try store.appendBlocking(draws.proposals(1, vocabulary))
      }
    }
  }

  /// Threads whose commits RocksDB joins.
  private func appendToRocks(threads writers: Int) throws -> Double {
    try disk.withDirectory { directory in
      let log = try RocksLog(path: directory + "/rocks", vocabulary)
      return try rate(writers) { draws, _ in try log.append([draws.next()]) }
    }
  }

  private func shareSQLite(_ writers: Int) throws -> Double {
    try disk.withDirectory { directory in
      let log = try SQLiteLog(path: directory + "/sqlite", vocabulary)
      return try share(writers) { try log.append($0, ids: .timeOrderedEach) }
    }
  }

  /// Measures raw LMDB with values as long as our blocks of one event, for each event.
  private func shareRaw(_ writers: Int) throws -> Double {
    try disk.withDirectory { directory in
      let log = RawSharing(try RawLMDB(creating: directory))
      return try share(writers) { try log.append($0) }
    }
  }

  /// Returns the events per second of `writers` threads that share the commits of one writer thread.
  func share(_ writers: Int, _ write: @escaping @Sendable ([Draw]) throws -> Void) throws -> Double {
    let commits = SharedCommits(write: write)
    defer { commits.close() }
    let semaphores = (0..<writers).map { _ in DispatchSemaphore(value: 0) }
    return try rate(writers) { draws, writer in commits.append(draws.next(), semaphores[writer]) }
  }

  /// Returns the events per second that `writers` threads append.
  private func rate(
    _ writers: Int, _ append: @escaping @Sendable (inout Draws, Int) throws -> Void
  ) throws -> Double {
    let start = ContinuousClock.now
    let deadline = start + .seconds(options.limit.seconds)
    let events = try onThreads(writers) { writer in
      var draws = Draws(seed: UInt64(writer))
      var events = 0
      while ContinuousClock.now < deadline {
        try append(&draws, writer)
        events += 1
      }
      return events
    }
    return Double(events) / secondsSince(start)
  }
}

// Safe because only the thread that shares commits uses it.
/// An environment that one thread writes.
private final class RawSharing: @unchecked Sendable {
  private static let byteCountPerEvent = 300
  private let log: RawLMDB

  init(_ log: RawLMDB) { self.log = log }

  func append(_ draws: [Draw]) throws {
    let bytes = [UInt8](repeating: UInt8(draws[0].payload & 127), count: draws.count * Self.byteCountPerEvent)
    try bytes.withUnsafeBytes { try log.append($0, events: draws.count) }
  }
}
