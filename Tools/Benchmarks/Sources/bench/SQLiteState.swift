// A typical conversation state on SQLite: a table for each kind of row, prepared statements.
import Bytes
import CSQLite
import Chat
import ChatProjections
import Tables

/// Rows in SQLite tables: a key and the encoded row, the same bytes as in our tables.
///
/// Each row is read on access and written on change; SQLite caches all pages in memory. It uses WAL and syncs nothing
/// (synchronous=OFF), like our tables while they fold.
struct SQLiteState: ChatStateStore {
  var rules = Rules()
  let database: SQLiteTables
  private let users, devices, mutes, bans, flags, channels, members, messages, sent, reactions, drafts,
    composers, consumers, blocks, reviews, savedMessages, scheduledMessages, threadMarkers, votes: SQLiteTable

  init(path: String) throws {
    database = try SQLiteTables(path: path)
    users = try database.table("users")
    devices = try database.table("devices")
    mutes = try database.table("mutes")
    bans = try database.table("bans")
    flags = try database.table("flags")
    channels = try database.table("channels")
    members = try database.table("members")
    messages = try database.table("messages")
    sent = try database.table("sent")
    reactions = try database.table("reactions")
    drafts = try database.table("drafts")
    composers = try database.table("composers")
    consumers = try database.table("consumers")
    blocks = try database.table("blocks")
    reviews = try database.table("reviews")
    savedMessages = try database.table("savedMessages")
    scheduledMessages = try database.table("scheduledMessages")
    threadMarkers = try database.table("threadMarkers")
    votes = try database.table("votes")
  }

  func begin() throws { try database.run("BEGIN IMMEDIATE") }
  func commit() throws { try database.run("COMMIT") }

  subscript(id: User.ID) -> User? {
    get { users.row(id) }
    set { users.set(newValue, id) }
  }
  subscript(key: Device.Key) -> Device? {
    get { devices.row(key) }
    set { devices.set(newValue, key) }
  }
  subscript(key: Mute.Key) -> Mute? {
    get { mutes.row(key) }
    set { mutes.set(newValue, key) }
  }
  subscript(key: Ban.Key) -> Ban? {
    get { bans.row(key) }
    set { bans.set(newValue, key) }
  }
  subscript(key: Flag.Key) -> Flag? {
    get { flags.row(key) }
    set { flags.set(newValue, key) }
  }
  subscript(id: Channel.ID) -> Channel? {
    get { channels.row(id) }
    set { channels.set(newValue, id) }
  }
  subscript(key: Member.Key) -> Member? {
    get { members.row(key) }
    set { members.set(newValue, key) }
  }
  subscript(key: Message.Key) -> Message? {
    get { messages.row(key) }
    set { messages.set(newValue, key) }
  }
  subscript(key: Message.ClientKey) -> Message.Key? {
    get { sent.row(key) }
    set { sent.set(newValue, key) }
  }
  subscript(key: Reaction.Key) -> Reaction? {
    get { reactions.row(key) }
    set { reactions.set(newValue, key) }
  }
  subscript(key: Draft.Key) -> Draft? {
    get { drafts.row(key) }
    set { drafts.set(newValue, key) }
  }
  /// Always empty: events are folded into this state, but nothing is decided on it.
  func drafts(in scope: Draft.Scope) -> [Draft.Key] { [] }
  subscript(key: Composer.Key) -> Composer? {
    get { composers.row(key) }
    set { composers.set(newValue, key) }
  }
  subscript(id: Consumer.ID) -> Consumer? {
    get { consumers.row(id) }
    set { consumers.set(newValue, id) }
  }
  subscript(key: UserBlock.Key) -> UserBlock? {
    get { blocks.row(key) }
    set { blocks.set(newValue, key) }
  }
  subscript(key: Flag.Target) -> Review? {
    get { reviews.row(key) }
    set { reviews.set(newValue, key) }
  }
  subscript(key: SavedMessage.Key) -> SavedMessage? {
    get { savedMessages.row(key) }
    set { savedMessages.set(newValue, key) }
  }
  subscript(key: ScheduledMessage.Key) -> ScheduledMessage? {
    get { scheduledMessages.row(key) }
    set { scheduledMessages.set(newValue, key) }
  }
  subscript(key: ThreadMarker.Key) -> ThreadMarker? {
    get { threadMarkers.row(key) }
    set { threadMarkers.set(newValue, key) }
  }
  subscript(key: Vote.Key) -> Vote? {
    get { votes.row(key) }
    set { votes.set(newValue, key) }
  }
}

/// A database with tables of keys and rows.
final class SQLiteTables {
  let database: OpaquePointer

  init(path: String) throws {
    var database: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    guard sqlite3_open_v2(path, &database, flags, nil) == SQLITE_OK, let database else {
      throw SQLiteFailure(message: "cannot open \(path)")
    }
    self.database = database
    try run("PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF; PRAGMA cache_size=-262144; PRAGMA mmap_size=8589934592;")
  }

  deinit { sqlite3_close_v2(database) }

  func run(_ text: String) throws {
    guard sqlite3_exec(database, text, nil, nil, nil) == SQLITE_OK else {
      throw SQLiteFailure(message: String(cString: sqlite3_errmsg(database)))
    }
  }

  func table(_ name: String) throws -> SQLiteTable {
    try run("CREATE TABLE \(name)(key BLOB PRIMARY KEY, row BLOB) WITHOUT ROWID")
    return SQLiteTable(
      reading: try prepare("SELECT row FROM \(name) WHERE key = ?"),
      writing: try prepare("INSERT INTO \(name) VALUES(?, ?) ON CONFLICT(key) DO UPDATE SET row = excluded.row"),
      removing: try prepare("DELETE FROM \(name) WHERE key = ?"))
  }

  private func prepare(_ text: String) throws -> OpaquePointer {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v3(database, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil) == SQLITE_OK,
      let statement
    else { throw SQLiteFailure(message: String(cString: sqlite3_errmsg(database))) }
    return statement
  }
}

/// A table of keys and rows.
final class SQLiteTable {
  private let reading: OpaquePointer
  private let writing: OpaquePointer
  private let removing: OpaquePointer

  init(reading: OpaquePointer, writing: OpaquePointer, removing: OpaquePointer) {
    (self.reading, self.writing, self.removing) = (reading, writing, removing)
  }

  deinit { for statement in [reading, writing, removing] { sqlite3_finalize(statement) } }

  func row<Row: BinaryRow>(_ key: some TableKey) -> Row? {
    key.withKeyBytes { key in
      bind(key, to: reading, 1)
      defer { sqlite3_reset(reading) }
      guard sqlite3_step(reading) == SQLITE_ROW else { return nil }
      let stored = UnsafeRawBufferPointer(
        start: sqlite3_column_blob(reading, 0), count: Int(sqlite3_column_bytes(reading, 0)))
      return Row(decoding: stored.bytes, of: key.bytes)
    }
  }

  func set<Row: BinaryRow>(_ row: Row?, _ key: some TableKey) {
    key.withKeyBytes { key in
      guard let row else { return run(removing, key) }
      var writer = ByteWriter()
      row.encode(into: &writer)
      writer.withBytes { bytes in
        bind(bytes, to: writing, 2)
        run(writing, key)
      }
    }
  }

  /// Returns the bytes stored under a key.
  func bytes(_ key: [UInt8]) -> [UInt8]? {
    key.withUnsafeBytes { key in
      bind(key, to: reading, 1)
      defer { sqlite3_reset(reading) }
      guard sqlite3_step(reading) == SQLITE_ROW else { return nil }
      return Array(
        UnsafeRawBufferPointer(
          start: sqlite3_column_blob(reading, 0), count: Int(sqlite3_column_bytes(reading, 0))))
    }
  }

  /// Stores bytes under a key; nil removes the row.
  func set(_ bytes: [UInt8]?, _ key: [UInt8]) {
    key.withUnsafeBytes { key in
      guard let bytes else { return run(removing, key) }
      bytes.withUnsafeBytes { bytes in
        bind(bytes, to: writing, 2)
        run(writing, key)
      }
    }
  }

  private func run(_ statement: OpaquePointer, _ key: UnsafeRawBufferPointer) {
    bind(key, to: statement, 1)
    let code = sqlite3_step(statement)
    precondition(code == SQLITE_DONE, "SQLite answers \(code)")
    sqlite3_reset(statement)
  }

  private func bind(_ bytes: UnsafeRawBufferPointer, to statement: OpaquePointer, _ column: CInt) {
    sqlite3_bind_blob(statement, column, bytes.baseAddress, CInt(bytes.count), nil)
  }
}
