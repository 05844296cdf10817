// Measures lookups: a stream's events, an event by its position, an append by its id.
import EventLog

extension LogBench {
  func read() throws -> [Grid] {
    try [1, 100].map { perCommit in
      let log = try filledLog(perCommit)
      let columns = [
        ("long stream, per event", try longStreamFigures(log)),
        ("short streams, per stream", try shortStreamFigures(log)),
        ("event by position", try positionFigures(log)),
        ("receipt by id", try receiptFigures(log)),
      ]
      return Grid(
        "read-\(perCommit)", "Random reads, warm, a log of \(perCommit) per commit, ns",
        columns: columns, rows: ["ours", "ours lent, unchecked", "sqlite"],
        ratios: [Ratio("sqlite", to: "ours"), Ratio("sqlite", to: "ours lent, unchecked")])
    }
  }

  /// Measures reading all events of a stream that has some thousands of a million.
  private func longStreamFigures(_ log: FilledLog) throws -> [String: Figure] {
    let stream = 31
    let name = vocabulary.streams[stream]
    let events = Double(try log.store.version(of: name).rawValue)
    return try measured(
      [
        "ours": { Double(try self.readStream(log, name, .full)) },
        "ours lent, unchecked": { Double(try self.readStream(log, name, .none)) },
        "sqlite": { Double(log.sqlite.readStream(stream)) },
      ], count: events, expecting: events)
  }

  private func shortStreamFigures(_ log: FilledLog) throws -> [String: Figure] {
    var generator = SplitMix(seed: 3)
    let streams = (Vocabulary.streamCount..<Vocabulary.streamCount + Vocabulary.shortStreamCount)
      .shuffled(using: &generator)
    let names = streams.map { vocabulary.streams[$0] }
    return try measured(
      [
        "ours": { Double(try names.reduce(0) { try $0 + self.readStream(log, $1, .full) }) },
        "ours lent, unchecked": { Double(try names.reduce(0) { try $0 + self.readStream(log, $1, .none) }) },
        "sqlite": { Double(streams.reduce(0) { $0 + log.sqlite.readStream($1) }) },
      ], count: Double(streams.count), expecting: Double(streams.count * Vocabulary.eventsPerShortStream))
  }

  private func positionFigures(_ log: FilledLog) throws -> [String: Figure] {
    var generator = SplitMix(seed: 5)
    let count = options.isQuick ? 1000 : 10_000
    let positions = (0..<count).map { _ in Int(generator.next() % UInt64(log.events)) + 1 }
    return try measured(
      [
        "ours": {
          var found = 0
          for position in positions {
            if let event = try log.store.event(at: Position(rawValue: UInt64(position))) {
              keep(event)
              found += 1
            }
          }
          return Double(found)
        },
        "ours lent, unchecked": {
          var found = 0
          for position in positions {
            try log.store.read(from: Position(rawValue: UInt64(position)), checks: .none) { event in
              keep(event.payload.unsafeLoad(as: UInt8.self))
              found += 1
              return .stop
            }
          }
          return Double(found)
        },
        "sqlite": { Double(positions.reduce(0) { $0 + (log.sqlite.event(at: $1) > 0 ? 1 : 0) }) },
      ], count: Double(count), expecting: Double(count))
  }

  private func receiptFigures(_ log: FilledLog) throws -> [String: Figure] {
    var generator = SplitMix(seed: 9)
    let ids = log.ids.shuffled(using: &generator)
    let sqliteIDs = log.sqliteIDs.shuffled(using: &generator)
    return try measured(
      [
        "ours": { Double(try ids.reduce(0) { try $0 + (log.store.receipt(of: $1) == nil ? 0 : 1) }) },
        "sqlite": { Double(sqliteIDs.reduce(0) { $0 + (log.sqlite.receipt(of: $1) > 0 ? 1 : 0) }) },
      ], count: Double(ids.count), expecting: Double(ids.count))
  }

  /// Measures closures that perform `count` lookups and return the number of results; one warm-up run precedes.
  private func measured(
    _ closures: [String: () throws -> Double], count: Double, expecting expected: Double
  ) throws -> [String: Figure] {
    let contestants = closures.sorted { $0.key < $1.key }.map { name, body -> Contestant in
      {
        var found = 0.0
        let elapsed = try seconds { found = try body() }
        precondition(found == expected, "\(name) found \(found) of \(expected)")
        return [name: elapsed / count * 1e9]
      }
    }
    for contestant in contestants { _ = try contestant() }
    return try inTurn(contestants, rounds: options.rounds, unit: .nanoseconds)
  }

  private func readStream(_ log: FilledLog, _ stream: Name, _ checks: Checks) throws -> Int {
    var events = 0
    var sum = 0
    try log.store.readStream(stream, checks: checks) { event in
      sum &+= Int(event.payload.unsafeLoad(as: UInt8.self))
      events += 1
      return .next
    }
    keep(sum)
    return events
  }
}
