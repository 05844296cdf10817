// A typical message store on SQLite: one table, indexed by id and by number, read with a prepared statement.
import CSQLite
import Chat

// Safe because one thread at a time uses it.
/// Messages in one SQLite file.
final class SQLiteMessages: @unchecked Sendable {
  private let database: OpaquePointer
  private let insertion: OpaquePointer
  private let pages: OpaquePointer
  private var newest: [Channel.ID: Int64] = [:]

  /// The fields of a message in a page.
  struct Row {
    let id, author, text: String
    let client, parent: String?
    let number, sent, edits, presence, replies: Int64
    let edited: Int64?
  }

  private static let schema = """
    CREATE TABLE messages(
      channel TEXT, id TEXT, number INTEGER, author TEXT, kind INTEGER, text TEXT, client TEXT, parent TEXT,
      shows INTEGER, silent INTEGER, sent INTEGER, edited INTEGER, edits INTEGER, presence INTEGER, replies INTEGER,
      PRIMARY KEY(channel, id));
    CREATE UNIQUE INDEX byNumber ON messages(channel, number);
    """

  init(path: String) throws {
    var database: OpaquePointer?
    try check(
      sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nil),
      database)
    self.database = database!
    let settings = """
      PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF; PRAGMA cache_size=-262144; PRAGMA mmap_size=4294967296;
      """
    try check(sqlite3_exec(database, settings + Self.schema, nil, nil, nil), database)
    insertion = try prepare(
      "INSERT INTO messages VALUES(?, ?, ?, ?, 0, ?, ?, NULL, 0, 0, ?, NULL, 0, 0, 0)", database)
    pages = try prepare(
      """
      SELECT id, author, text, client, parent, number, sent, edits, presence, replies, edited FROM messages
      WHERE channel = ? AND number < ? AND (parent IS NULL OR shows) AND presence < 2
      ORDER BY number DESC LIMIT ?
      """, database)
  }

  deinit {
    sqlite3_finalize(insertion)
    sqlite3_finalize(pages)
    sqlite3_close(database)
  }

  /// Inserts the messages that events send, in one transaction.
  func insert(_ events: [ChatEvent]) throws {
    try check(sqlite3_exec(database, "BEGIN", nil, nil, nil), database)
    for event in events {
      guard case .message(let key, .sent(let content)) = event.change else { continue }
      newest[key.channel, default: 0] += 1
      let texts: [(CInt, String?)] = [
        (1, key.channel.text), (2, key.id.text), (4, event.origin.actor.user?.text), (5, content.text.string),
        (6, content.client?.text),
      ]
      for (column, text) in texts { bind(text, insertion, column) }
      sqlite3_bind_int64(insertion, 3, newest[key.channel]!)
      sqlite3_bind_int64(insertion, 7, event.origin.at.rawValue)
      let code = sqlite3_step(insertion)
      sqlite3_reset(insertion)
      if code != SQLITE_DONE { try check(code, database) }
    }
    try check(sqlite3_exec(database, "COMMIT", nil, nil, nil), database)
  }

  /// Reads a page; returns its number of messages.
  func page(_ page: PageWorkload.Page, _ limit: Int) throws -> Int {
    bind(page.channel.text, pages, 1)
    sqlite3_bind_int64(pages, 2, page.before.map { Int64($0.rawValue) } ?? .max)
    sqlite3_bind_int64(pages, 3, Int64(limit))
    defer { sqlite3_reset(pages) }
    var rows: [Row] = []
    while sqlite3_step(pages) == SQLITE_ROW {
      rows.append(
        Row(
          id: text(0)!, author: text(1)!, text: text(2)!, client: text(3), parent: text(4), number: number(5),
          sent: number(6), edits: number(7), presence: number(8), replies: number(9),
          edited: sqlite3_column_type(pages, 10) == SQLITE_NULL ? nil : number(10)))
    }
    keep(rows.reversed())
    return rows.count
  }

  private func number(_ column: CInt) -> Int64 { sqlite3_column_int64(pages, column) }

  private func text(_ column: CInt) -> String? {
    guard let bytes = sqlite3_column_text(pages, column) else { return nil }
    let count = Int(sqlite3_column_bytes(pages, column))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  private func bind(_ text: String?, _ statement: OpaquePointer, _ column: CInt) {
    guard var text else {
      sqlite3_bind_null(statement, column)
      return
    }
    text.withUTF8 { bytes in
      let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
      let characters = UnsafeRawPointer(bytes.baseAddress!).assumingMemoryBound(to: CChar.self)
      sqlite3_bind_text(statement, column, characters, CInt(bytes.count), transient)
    }
  }
}
