// A typical log on SQLite: one table, two unique indexes, WAL, prepared statements.
import CSQLite
import EventLog

/// The append ids of events.
enum SQLiteIDs {
  /// One per transaction, increasing with time.
  case timeOrdered
  /// One per event, increasing with time.
  case timeOrderedEach
  /// One per event, random.
  case random
}

// Safe because one thread at a time uses it.
/// A log in one SQLite file.
final class SQLiteLog: @unchecked Sendable {
  private let database: OpaquePointer
  private let begin: OpaquePointer
  private let commit: OpaquePointer
  private let insert: OpaquePointer
  private let scanning: OpaquePointer
  private let byPosition: OpaquePointer
  private let byStream: OpaquePointer
  private let byAppend: OpaquePointer
  private let vocabulary: Vocabulary
  private var versions: [Int: Int64] = [:]
  private var generator = SplitMix(seed: 7)
  private(set) var position: Int64 = 0

  private static let schema = """
    CREATE TABLE IF NOT EXISTS events(
      position INTEGER PRIMARY KEY, stream TEXT, version INTEGER, append BLOB, ordinal INTEGER, type TEXT,
      recorded INTEGER, payload BLOB, UNIQUE(stream, version), UNIQUE(append, ordinal))
    """

  init(path: String, _ vocabulary: Vocabulary, isSynced: Bool = true) throws {
    self.vocabulary = vocabulary
    var database: OpaquePointer?
    try check(
      sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nil),
      database)
    self.database = database!
    let synchronous = isSynced ? "FULL" : "OFF"
    let settings = """
      PRAGMA journal_mode=WAL; PRAGMA synchronous=\(synchronous); PRAGMA cache_size=-65536;
      PRAGMA mmap_size=4294967296;
      """
    try check(sqlite3_exec(database, settings + Self.schema, nil, nil, nil), database)
    begin = try prepare("BEGIN IMMEDIATE", database)
    commit = try prepare("COMMIT", database)
    insert = try prepare("INSERT INTO events VALUES(?, ?, ?, ?, ?, ?, ?, ?)", database)
    scanning = try prepare("SELECT payload FROM events ORDER BY position", database)
    byPosition = try prepare(
      "SELECT stream, version, append, type, recorded, payload FROM events WHERE position = ?", database)
    byStream = try prepare(
      "SELECT position, payload FROM events WHERE stream = ? ORDER BY version", database)
    byAppend = try prepare(
      "SELECT position, stream, version, recorded FROM events WHERE append = ? ORDER BY ordinal", database)
  }

  deinit {
    for statement in [begin, commit, insert, scanning, byPosition, byStream, byAppend] {
      sqlite3_finalize(statement)
    }
    sqlite3_close(database)
  }

  /// Makes the unsynced contents durable, and syncs all later appends.
  func sync() throws {
    try check(
      sqlite3_exec(database, "PRAGMA synchronous=FULL; PRAGMA wal_checkpoint(TRUNCATE);", nil, nil, nil), database)
  }

  /// Appends events in one transaction; returns the id of the last append.
  @discardableResult
  func append(_ draws: [Draw], ids: SQLiteIDs = .timeOrdered) throws -> AppendID {
    let recorded = Timestamp.now
    var id = AppendID.timeOrdered(at: recorded, random: generator.next())
    try step(begin)
    for (index, draw) in draws.enumerated() {
      switch ids {
      case .timeOrdered: break
      case .timeOrderedEach: id = AppendID.timeOrdered(at: recorded, random: generator.next())
      case .random: id = AppendID(high: generator.next(), low: generator.next())
      }
      try insert(draw, id, ordinal: ids == .timeOrdered ? index : 0, recorded)
    }
    try step(commit)
    return id
  }

  private func insert(_ draw: Draw, _ id: AppendID, ordinal: Int, _ recorded: Timestamp) throws {
    position += 1
    let version = versions[draw.stream, default: 0] + 1
    versions[draw.stream] = version
    sqlite3_bind_int64(insert, 1, position)
    bind(text: vocabulary.streamBytes[draw.stream], insert, 2)
    sqlite3_bind_int64(insert, 3, version)
    sqlite3_bind_int64(insert, 5, Int64(ordinal))
    bind(text: vocabulary.typeBytes[draw.type], insert, 6)
    sqlite3_bind_int64(insert, 7, recorded.rawValue)
    let payload = vocabulary.payloadBytes[draw.payload]
    sqlite3_bind_blob(insert, 8, payload.start, CInt(payload.count), nil)
    try id.withBytes { bytes in
      sqlite3_bind_blob(insert, 4, bytes.baseAddress, CInt(bytes.count), nil)
      return Result { try step(insert) }
    }.get()
  }

  /// Runs a statement that returns no rows.
  private func step(_ statement: OpaquePointer) throws {
    let code = sqlite3_step(statement)
    sqlite3_reset(statement)
    if code != SQLITE_DONE { try check(code, database) }
  }

  private func bind(text: LastingBytes, _ statement: OpaquePointer, _ column: CInt) {
    let characters = text.start.assumingMemoryBound(to: CChar.self)
    sqlite3_bind_text(statement, column, characters, CInt(text.count), nil)
  }
}

extension SQLiteLog {
  /// Reads every payload in order; returns a value that depends on all of them.
  func scan() -> Int { touchAll(scanning, payload: 0).sum }

  /// Reads a whole event.
  func event(at position: Int) -> Int {
    sqlite3_bind_int64(byPosition, 1, Int64(position))
    defer { sqlite3_reset(byPosition) }
    guard sqlite3_step(byPosition) == SQLITE_ROW else { return 0 }
    var sum = 0
    for column in [0, 2, 3, 5] as [CInt] { sum += touch(byPosition, column) }
    return sum + Int(sqlite3_column_int64(byPosition, 1)) + Int(sqlite3_column_int64(byPosition, 4))
  }

  /// Reads the payloads of a stream; returns their number.
  func readStream(_ stream: Int) -> Int {
    bind(text: vocabulary.streamBytes[stream], byStream, 1)
    return touchAll(byStream, payload: 1).rows
  }

  /// Reads the positions of an append's events.
  func receipt(of id: AppendID) -> Int {
    id.withBytes { bytes in
      sqlite3_bind_blob(byAppend, 1, bytes.baseAddress, CInt(bytes.count), nil)
      return touchAll(byAppend, payload: 1).rows
    }
  }

  private func touchAll(_ statement: OpaquePointer, payload column: CInt) -> (rows: Int, sum: Int) {
    var rows = 0
    var sum = 0
    while sqlite3_step(statement) == SQLITE_ROW {
      sum &+= touch(statement, column)
      rows += 1
    }
    sqlite3_reset(statement)
    return (rows, sum)
  }

  private func touch(_ statement: OpaquePointer, _ column: CInt) -> Int {
    guard let bytes = sqlite3_column_blob(statement, column) else { return 0 }
    return Int(bytes.load(as: UInt8.self)) + Int(sqlite3_column_bytes(statement, column))
  }
}

struct SQLiteFailure: Error {
  let message: String
}

/// Throws SQLite's message for an error code.
func check(_ code: CInt, _ database: OpaquePointer?) throws {
  guard code == SQLITE_OK else {
    throw SQLiteFailure(message: String(cString: sqlite3_errmsg(database)) + " (\(code))")
  }
}

/// Prepares a statement for repeated use.
func prepare(_ text: String, _ database: OpaquePointer?) throws -> OpaquePointer {
  var statement: OpaquePointer?
  let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
  try check(sqlite3_prepare_v3(database, text, -1, flags, &statement, nil), database)
  return statement!
}
