// Measures reading a whole log in order, from a warm cache.
import EventLog

extension LogBench {
  func scan() throws -> Grid {
    let columns = try [1, 100, 1000].map { perCommit in
      ("\(perCommit) per commit", try scanFigures(try filledLog(perCommit)))
    }
    return Grid(
      "scan", "Scan forward, warm, ns per event (raw touch and raw copy see values whole)",
      columns: columns,
      rows: [
        "raw touch", "raw copy", "raw copy each event", "ours unchecked", "ours checked", "sqlite",
        "rocksdb",
      ],
      ratios: [
        Ratio("raw touch", to: "ours unchecked"), Ratio("raw copy", to: "ours unchecked"),
        Ratio("raw copy each event", to: "ours unchecked"), Ratio("raw copy each event", to: "ours checked"),
        Ratio("sqlite", to: "ours checked"),
        Ratio("sqlite", to: "ours unchecked"), Ratio("rocksdb", to: "ours checked"),
      ])
  }

  private func scanFigures(_ log: FilledLog) throws -> [String: Figure] {
    let raw = try log.raw()
    let scale = 1e9 / Double(log.events)
    let contestants: [Contestant] = [
      { ["raw touch": try raw.touch() * scale] },
      { ["raw copy": try raw.copy() * scale] },
      { ["raw copy each event": try raw.copyEvents() * scale] },
      { ["ours unchecked": try seconds { try self.scan(log, .none) } * scale] },
      { ["ours checked": try seconds { try self.scan(log, .full) } * scale] },
      { ["sqlite": seconds { keep(log.sqlite.scan()) } * scale] },
      { ["rocksdb": seconds { keep(log.rocks.scan()) } * scale] },
    ]
    for contestant in contestants { _ = try contestant() }
    return try inTurn(contestants, rounds: options.rounds, unit: .nanoseconds)
  }

  private func scan(_ log: FilledLog, _ checks: Checks) throws {
    var events = 0
    var sum = 0
    try log.store.read(checks: checks) { event in
      let payload = event.payload
      sum &+= payload.byteCount &+ Int(payload.unsafeLoad(as: UInt8.self))
      events += 1
      return .next
    }
    keep(sum)
    precondition(events == log.events, "\(events) events were read of \(log.events)")
  }
}

/// Consumes a value, so that the optimizer does not remove its computation.
@inline(never)
func keep<T>(_ value: T) {}
