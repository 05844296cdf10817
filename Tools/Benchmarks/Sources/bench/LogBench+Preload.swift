// Measures whether a large log accepts events as fast as a new one.
import EventLog

extension LogBench {
  func preload() throws -> [Grid] {
    let directory = try disk.makeDirectory()
    let rawDirectory = try disk.makeDirectory()
    let filling = try fill(directory)
    let store = try openStore(directory)
    defer { store.close() }
    _ = try store.head()
    let raw = try RawLMDB(creating: rawDirectory)
    try raw.fill(try Blocks(of: vocabulary, seed: 31, perCommit: 1000), events: options.preload)
    let rows = try [SQLiteIDs.timeOrdered, .random].map { try filledSQLite(disk.makeDirectory(), $0) }
    let columns = try [1, 10, 100, 1000].map { perCommit in
      ("\(perCommit) per commit", try figures(perCommit, store, raw, rows))
    }
    let shared = ("64 writers", try sharedFigures(64, store, rows))
    let full = Grid(
      "preload", "Durable append to a log of \(options.preload) events and to a new one, events/s",
      columns: columns + [shared],
      rows: ["raw fresh", "raw full", "sqlite full", "sqlite-random full", "ours fresh", "ours full"],
      ratios: [
        Ratio("raw full", to: "raw fresh"), Ratio("ours full", to: "ours fresh"),
        Ratio("ours fresh", to: "raw fresh"), Ratio("ours full", to: "raw full"),
        Ratio("ours full", to: "sqlite full"), Ratio("ours full", to: "sqlite-random full"),
      ])
    return [filling, full]
  }

  /// Fills a log through the public interface; the speed of each tenth shows the effect of growth.
  private func fill(_ directory: String) throws -> Grid {
    let store = try openStore(directory)
    var draws = Draws(seed: 31)
    let tenths = 10
    var columns: [(name: String, figures: [String: Figure])] = []
    let commits = max(1, options.preload / 1000 / tenths)
    for tenth in 1...tenths {
      let elapsed = try seconds {
        for _ in 0..<commits { _ = try store.appendBlocking(draws.proposals(1000, vocabulary)) }
      }
      let rate = Double(commits * 1000) / elapsed
      columns.append(("\(tenth)0 %", ["ours": Figure(unit: .perSecond, samples: [rate])]))
    }
    let closing = seconds { store.close() }
    columns.append(("close, s", ["ours": Figure(unit: .seconds, samples: [closing])]))
    return Grid("fill", "Filling, 1,000 per commit, events/s", columns: columns, rows: ["ours"])
  }

  /// Returns a SQLite table with as many events, filled without syncs.
  private func filledSQLite(_ directory: String, _ ids: SQLiteIDs) throws -> SQLiteLog {
    let log = try SQLiteLog(path: directory + "/sqlite", vocabulary, isSynced: false)
    var draws = Draws(seed: 31)
    while log.position < options.preload { try log.append(draws.next(1000), ids: ids) }
    try log.sync()
    return log
  }

  /// Measures many writers of one event each that share commits.
  private func sharedFigures(
    _ writers: Int, _ store: EventStore, _ sqlite: [SQLiteLog]
  ) throws -> [String: Figure] {
    let contestants: [Contestant] = [
      { [self] in ["sqlite full": try share(writers) { try sqlite[0].append($0, ids: .timeOrderedEach) }] },
      { [self] in ["sqlite-random full": try share(writers) { try sqlite[1].append($0, ids: .random) }] },
      { [self] in ["ours full": try appendInTasks(writers, store)] },
      { [self] in ["ours fresh": try withStore { try self.appendInTasks(writers, $0) }] },
    ]
    return try inTurn(contestants, rounds: options.rounds, unit: .perSecond)
  }

  private func append(
    _ log: SQLiteLog, _ ids: SQLiteIDs, _ draws: inout Draws, _ perCommit: Int, _ limit: RunLimit
  ) throws -> Double {
    let start = ContinuousClock.now
    let first = log.position
    var elapsed = 0.0
    repeat {
      try log.append(draws.next(perCommit), ids: ids)
      elapsed = secondsSince(start)
    } while elapsed < limit.seconds && log.position - first < limit.events
    return Double(log.position - first) / elapsed
  }

  private func figures(
    _ perCommit: Int, _ store: EventStore, _ raw: RawLMDB, _ sqlite: [SQLiteLog]
  ) throws -> [String: Figure] {
    let blocks = try Blocks(of: vocabulary, seed: 37, perCommit: perCommit)
    let limit = options.limit
    var draws = Draws(seed: 37)
    let contestants: [Contestant] = [
      { ["raw full": try raw.append(blocks, limit)] },
      { [self] in
        try disk.withDirectory { ["raw fresh": try RawLMDB(creating: $0).append(blocks, limit)] }
      },
      { [self] in ["sqlite full": try append(sqlite[0], .timeOrdered, &draws, perCommit, limit)] },
      { [self] in ["sqlite-random full": try append(sqlite[1], .random, &draws, perCommit, limit)] },
      { [self] in
        let run = try AppendRun(store, &draws, vocabulary, perCommit: perCommit, limit)
        return ["ours full": run.durable]
      },
      { [self] in
        try withStore { fresh in
          let run = try AppendRun(fresh, &draws, vocabulary, perCommit: perCommit, limit)
          return ["ours fresh": run.durable]
        }
      },
    ]
    return try inTurn(contestants, rounds: options.rounds, unit: .perSecond)
  }
}
