// Measures durable appends by one writer, with increasing numbers of events per commit.
import EventLog

extension LogBench {
  private static let rows =
    ["flat", "raw", "sqlite", "sqlite-random", "rocksdb"] + PythonPeer.allCases.map(\.row)
    + ["ours", "ours async", "ours through close"]

  func append() throws -> Grid {
    let columns = try [1, 10, 100, 1000].map { perCommit in
      ("\(perCommit) per commit", try appendFigures(perCommit))
    }
    return Grid(
      "append", "Durable append, one writer, events/s", columns: columns, rows: Self.rows,
      ratios: [
        Ratio("raw", to: "flat"), Ratio("ours", to: "flat"), Ratio("ours", to: "raw"),
        Ratio("ours", to: "sqlite"), Ratio("ours", to: "sqlite-random"), Ratio("ours", to: "rocksdb"),
      ] + PythonPeer.allCases.map { Ratio("ours", to: $0.row) } + [
        Ratio("ours async", to: "ours"), Ratio("ours through close", to: "ours"),
      ])
  }

  private func appendFigures(_ perCommit: Int) throws -> [String: Figure] {
    let blocks = try Blocks(of: vocabulary, seed: 11, perCommit: perCommit)
    let limit = options.limit
    var contestants: [Contestant] = [
      { [self] in
        try disk.withDirectory { ["flat": try appendToFlatFile($0 + "/flat", blocks, limit)] }
      },
      { [self] in
        try disk.withDirectory { ["raw": try RawLMDB(creating: $0).append(blocks, limit)] }
      },
      { [self] in ["sqlite": try appendToSQLite(perCommit, .timeOrdered)] },
      { [self] in ["sqlite-random": try appendToSQLite(perCommit, .random)] },
      { [self] in ["rocksdb": try appendToRocks(perCommit)] },
      { [self] in try appendToOurs(perCommit) },
    ]
    contestants += PythonPeer.allCases.map { client in
      { [disk] in [client.row: try client.append(perCommit, limit, disk)] }
    }
    if perCommit == 1 {
      contestants.append { [self] in
        try withStore { ["ours async": try appendAwaiting($0, seed: 11, vocabulary, seconds: limit.seconds)] }
      }
    }
    return try inTurn(contestants, rounds: options.rounds, unit: .perSecond)
  }

  private func appendToOurs(_ perCommit: Int) throws -> [String: Double] {
    try withStore { store in
      var draws = Draws(seed: 11)
      let run = try AppendRun(
        store, &draws, vocabulary, perCommit: perCommit, options.limit, closes: true)
      return ["ours": run.durable, "ours through close": run.throughClose ?? 0]
    }
  }

  private func appendToSQLite(_ perCommit: Int, _ ids: SQLiteIDs) throws -> Double {
    try disk.withDirectory { directory in
      let log = try SQLiteLog(path: directory + "/sqlite", vocabulary)
      return try options.limit.rate(perCommit, seed: 11) { try log.append($0, ids: ids) }
    }
  }

  private func appendToRocks(_ perCommit: Int) throws -> Double {
    try disk.withDirectory { directory in
      let log = try RocksLog(path: directory + "/rocks", vocabulary)
      return try options.limit.rate(perCommit, seed: 11) { try log.append($0) }
    }
  }

  /// Passes a new log to the body, then closes and removes it.
  func withStore<R>(_ body: (EventStore) throws -> R) throws -> R {
    try disk.withDirectory { directory in
      let store = try openStore(directory)
      defer { store.close() }
      return try body(store)
    }
  }
}
