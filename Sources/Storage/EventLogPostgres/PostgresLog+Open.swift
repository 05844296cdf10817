// Opening a log on a server.
internal import Digests
internal import Errors
internal import Files
public import EventLog

extension PostgresLog {
  /// Opens the log at an address; creates it, and the schema if the database has none, with ``Options/creates``.
  ///
  /// It connects once: a server that cannot be reached, or refuses the user, is an error at once.
  public static func open(
    at address: PostgresAddress, options: Options = Options()
  ) throws(OpenError) -> PostgresLog {
    let log: PostgresLog
    do throws(OpenFailure) { log = try open(address, options) } catch { throw OpenError(error, at: address) }
    do throws(LogError) {
      try log.requireAcknowledged()
      return log
    } catch {
      log.close()
      throw OpenError(error)
    }
  }

  /// Brings the tables of an earlier program in the database of an address up to date, and leaves others as they are.
  ///
  /// Programs that have a log open go on; earlier ones cannot open one any more.
  public static func upgrade(at address: PostgresAddress) throws(OpenError) {
    do throws(PostgresError) {
      let connection = try Connection(to: address)
      if try connection.execute(Schema.hasSchema).bool(0, 0) { try upgrade(connection) }
    } catch {
      throw OpenError(.server(error), at: address)
    }
  }

  private static func open(_ address: PostgresAddress, _ options: Options) throws(OpenFailure) -> PostgresLog {
    let connection = try asking { () throws(PostgresError) in try Connection(to: address) }
    guard try asking({ () throws(PostgresError) in try hasSchema(connection, options) }) else { throw .missing }
    let version = try asking { () throws(PostgresError) in try connection.execute(Schema.format).integer(0, 0) }
    guard version == Schema.version else { throw .format(version) }
    let found = try row(of: address, connection, options)
    guard let row = found else { throw .missing }
    let genesis = try rethrow(Genesis(validating: row.genesis.span.bytes), as: OpenFailure.damaged)
    let server = try asking { () throws(PostgresError) in try ServerSettings(connection) }
    let pool = ConnectionPool(to: address, connection, retryingFor: options.retryTimeout)
    let database = try asking { () throws(PostgresError) in try identity(of: connection) }
    let path = try rethrow(options.derivedPath(of: row.copy, in: database), as: OpenFailure.directory)
    do throws(FileError) { return try PostgresLog(at: address, row, genesis, server, pool, options, path) } catch {
      throw .directory(.storage(StorageFailure("\(path) cannot be used (\(error)): check that it is writable.")))
    }
  }

  /// Returns what distinguishes a database from those of other servers and from those beside it, also from a copy of it
  /// that was made by a dump; a standby has that of its primary.
  private static func identity(of connection: Connection) throws(PostgresError) -> String {
    do throws(PostgresError) { return try connection.execute(Schema.identity).text(0, 0) } catch {
      // Not every server lets every user ask for its number.
      guard case .statement = error else { throw error }
      return try connection.execute(Schema.database).text(0, 0)
    }
  }

  private static func asking<R>(_ body: () throws(PostgresError) -> R) throws(OpenFailure) -> R {
    try rethrow(body(), as: OpenFailure.server)
  }

  /// Returns whether the database has the schema; creates it if that is allowed.
  private static func hasSchema(_ connection: Connection, _ options: Options) throws(PostgresError) -> Bool {
    if try connection.execute(Schema.hasSchema).bool(0, 0) { return true }
    guard options.creates else { return false }
    try changeSchema(connection) { () throws(PostgresError) in
      if try !connection.execute(Schema.hasSchema).bool(0, 0) { try connection.execute(Schema.creation) }
    }
    return true
  }

  /// Changes a schema of version 1, unless another program did so meanwhile.
  private static func upgrade(_ connection: Connection) throws(PostgresError) {
    try changeSchema(connection) { () throws(PostgresError) in
      if try connection.execute(Schema.format).integer(0, 0) == 1 { try connection.execute(Schema.upgrade) }
    }
  }

  /// Runs the closure in a transaction while no other program changes the schema.
  private static func changeSchema(
    _ connection: Connection, _ body: () throws(PostgresError) -> Void
  ) throws(PostgresError) {
    try connection.execute("BEGIN; SELECT pg_advisory_xact_lock(\(Schema.lockKey), 0)")
    do throws(PostgresError) { try body() } catch {
      try? connection.execute("ROLLBACK")
      throw error
    }
    try connection.execute("COMMIT")
  }

  /// Returns the row of the log with a name; creates it if that is allowed.
  private static func row(
    of address: PostgresAddress, _ connection: Connection, _ options: Options
  ) throws(OpenFailure) -> LogRow? {
    let name = Array(address.log.utf8)
    if let found = try asking({ () throws(PostgresError) in try find(name, connection) }) { return found }
    guard options.creates else { return nil }
    // Its existence shows every machine that the directory is mounted.
    if let directory = options.blobDirectory { try makeBlobs(in: directory) }
    return try asking { () throws(PostgresError) in
      try insert(name, options, connection)
      return try find(name, connection)
    }
  }

  private static func makeBlobs(in directory: String) throws(OpenFailure) {
    do throws(FileError) {
      try FileSystem.makeDirectory(directory + "/blobs")
      try FileSystem.sync(directory)
    } catch {
      throw .directory(
        .storage(StorageFailure("\(directory)/blobs cannot be created (\(error)): create \(directory) first.")))
    }
  }

  private static func find(_ name: [UInt8], _ connection: Connection) throws(PostgresError) -> LogRow? {
    let rows = try name.withBytes { name throws(PostgresError) in try connection.execute(Schema.log, [], [name]) }
    return rows.count == 1 ? LogRow(rows) : nil
  }

  private static func insert(_ name: [UInt8], _ options: Options, _ connection: Connection) throws(PostgresError) {
    let genesis = options.genesis ?? .new()
    let hash = genesis.hash.withBytes { Array($0) }
    _ = try name.withBytes { name throws(PostgresError) in
      try genesis.encoded().withBytes { stored throws(PostgresError) in
        try hash.withBytes { hash throws(PostgresError) in
          try Array((options.blobDirectory ?? "").utf8).withBytes { directory throws(PostgresError) in
            try connection.execute(Schema.newLog, [genesis.created.rawValue], [name, stored, hash, directory])
          }
        }
      }
    }
  }
}

/// The row of a log.
internal struct LogRow {
  /// The number of the log in its database.
  let id: Int64
  /// The stored genesis.
  let genesis: [UInt8]
  /// The identity of this copy of the log.
  let copy: String
  /// The shared directory for the contents of attachments; nil when they are in the database.
  let blobDirectory: String?

  fileprivate init(_ rows: Rows) {
    (id, genesis, copy) = (rows.integer(0, 0), Array(rows.bytes(0, 1)), rows.text(0, 2))
    let directory = rows.text(0, 3)
    blobDirectory = directory.isEmpty ? nil : directory
  }
}

/// The reason for which a log could not be opened.
private enum OpenFailure: Error {
  case missing
  case format(Int64)
  case damaged(BlockDefect)
  case server(PostgresError)
  case directory(OpenError)
}

extension OpenError {
  fileprivate init(_ failure: OpenFailure, at address: PostgresAddress) {
    let path = address.description
    switch failure {
    case .missing: self = .missing(path: path)
    case .format(let version) where version < Schema.version:
      self = .olderTables(path: path, version: Int(version))
    case .format(let version): self = .newerFormat(path: path, format: UInt8(clamping: version))
    case .damaged(.otherFormat(let format)): self = .newerFormat(path: path, format: format)
    case .damaged(let defect): self = .damaged(path: path, reason: "its genesis: \(defect)")
    case .directory(let error): self = error
    case .server(let error):
      self = .storage(
        StorageFailure("\(path) cannot be opened (\(error)): check the address, the user and the server."))
    }
  }
}

/// The role and the settings of a server when a log is opened.
internal struct ServerSettings {
  /// Whether the server is a standby, which follows another server and cannot write.
  let isStandby: Bool
  /// Whether the log can only be read.
  let isReadOnly: Bool
  private let risks: [String]

  init(_ connection: Connection) throws(PostgresError) {
    let rows = try connection.execute(Schema.server)
    isStandby = rows.bool(0, 0)
    isReadOnly = isStandby || rows.text(0, 4) == "on" || !rows.bool(0, 5)
    var risks: [String] = []
    for (name, column) in [("fsync", 1), ("full_page_writes", 2), ("synchronous_commit", 3)]
    where rows.text(0, column) == "off" { risks.append(name) }
    self.risks = risks
  }

  /// The settings with which acknowledged events can be lost.
  func warnings(at address: PostgresAddress) -> [String] {
    risks.map {
      "The server of \(address) runs with \($0)=off, with which a crash of its machine can lose acknowledged events: "
        + "set it to on."
    }
  }
}

extension [UInt8] {
  /// Runs the closure with the bytes; its error keeps its type.
  internal func withBytes<R, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> R
  ) throws(Failure) -> R {
    try withUnsafeBufferPointer { bytes throws(Failure) in try body(UnsafeRawBufferPointer(bytes)) }
  }
}
