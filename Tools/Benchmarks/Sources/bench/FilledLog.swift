// A log filled for read benchmarks, in our format, in SQLite and in RocksDB.
import EventLog
import EventLogLMDB

final class FilledLog {
  let perCommit: Int
  /// The number of events, including those of the short streams.
  let events: Int
  let directory: String
  /// The bytes of names in the blocks: each name once per block that uses it.
  let nameByteCount: Int
  /// The bytes of names in SQLite's rows.
  let sqliteNameByteCount: Int
  /// The ids of about a thousand appends.
  let ids: [AppendID]
  let sqliteIDs: [AppendID]
  /// The sizes of the closed log, its index and SQLite's file.
  let logSize: (logical: Int, onDisk: Int)
  let indexSize: (logical: Int, onDisk: Int)
  let sqliteSize: (logical: Int, onDisk: Int)
  let store: EventStore
  let sqlite: SQLiteLog
  let rocks: RocksLog

  init(disk: Disk, vocabulary: Vocabulary, events: Int, perCommit: Int) throws {
    self.perCommit = perCommit
    directory = try disk.makeDirectory()
    let shortEvents = Vocabulary.shortStreamCount * Vocabulary.eventsPerShortStream
    self.events = events + shortEvents
    let commits = Self.commits(events, perCommit)
    nameByteCount = commits.reduce(0) { $0 + Self.nameByteCount($1, vocabulary) }
    sqliteNameByteCount = commits.joined().reduce(0) { sum, draw in
      sum + vocabulary.streamBytes[draw.stream].count + vocabulary.typeBytes[draw.type].count
    }

    let store = try openStore(directory)
    ids = try Self.sampled(commits) { try store.appendBlocking($0.map { vocabulary.proposal($0) }).id }
    store.close()
    let file = directory + "/sqlite"
    sqliteIDs = try Self.fill(file, commits, vocabulary)
    disk.settle()
    logSize = disk.size(of: directory + "/log/log")
    indexSize = disk.size(of: directory + "/log/index")
    sqliteSize = disk.size(of: file)
    self.store = try openStore(directory)
    sqlite = try SQLiteLog(path: file, vocabulary)
    try Self.fillRocks(directory + "/rocks", commits, vocabulary)
    rocks = try RocksLog(path: directory + "/rocks", vocabulary)
  }

  private static func fill(
    _ path: String, _ commits: [[Draw]], _ vocabulary: Vocabulary
  ) throws -> [AppendID] {
    // It is closed at the end, with everything checkpointed into one file.
    let sqlite = try SQLiteLog(path: path, vocabulary, isSynced: false)
    return try sampled(commits) { try sqlite.append($0) }
  }

  /// It is closed at the end, so that the next one to open it has everything in tables.
  private static func fillRocks(_ path: String, _ commits: [[Draw]], _ vocabulary: Vocabulary) throws {
    let rocks = try RocksLog(path: path, vocabulary, isSynced: false)
    for commit in commits { try rocks.append(commit) }
  }

  /// Appends each commit; returns the ids of about a thousand of them.
  private static func sampled(
    _ commits: [[Draw]], _ append: ([Draw]) throws -> AppendID
  ) throws -> [AppendID] {
    var ids: [AppendID] = []
    for (index, commit) in commits.enumerated() {
      let id = try append(commit)
      if index % max(1, commits.count / 1000) == 0 { ids.append(id) }
    }
    return ids
  }

  private static func commits(_ events: Int, _ perCommit: Int) -> [[Draw]] {
    var draws = Draws(seed: 23)
    return (0..<events / perCommit).map { _ in draws.next(perCommit) } + shortStreams(perCommit)
  }

  /// The short streams' events, interleaved so that the events of a stream are far apart.
  private static func shortStreams(_ perCommit: Int) -> [[Draw]] {
    let draws = (0..<Vocabulary.eventsPerShortStream).flatMap { turn in
      (0..<Vocabulary.shortStreamCount).map { index in
        Draw(stream: Vocabulary.streamCount + index, type: 0, payload: (index * 7 + turn) & 4095)
      }
    }
    return stride(from: 0, to: draws.count, by: perCommit).map { start in
      Array(draws[start..<min(start + perCommit, draws.count)])
    }
  }

  private static func nameByteCount(_ commit: [Draw], _ vocabulary: Vocabulary) -> Int {
    Set(commit.map(\.stream)).reduce(0) { $0 + vocabulary.streamBytes[$1].count }
      + Set(commit.map(\.type)).reduce(0) { $0 + vocabulary.typeBytes[$1].count }
  }

  /// Opens our log's file through LMDB's C interface.
  func raw() throws -> RawLMDB { try RawLMDB(reading: directory + "/log/log") }
}
