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

  private static func open(_ address: PostgresAddress, _ options: Options) throws(OpenFailure) -> PostgresLog {
    let connection = try asking { () throws(PostgresError) in try Connection(to: address) }
    guard try asking({ () throws(PostgresError) in try hasSchema(connection, options) }) else { throw .missing }
    let version = try asking { () throws(PostgresError) in try connection.execute(Schema.format).integer(0, 0) }
    guard version == Schema.version else { throw .format(version) }
    let found = try asking { () throws(PostgresError) in try row(of: address, connection, options) }
    guard let (id, stored, copy) = found else { throw .missing }
    let genesis = try rethrow(Genesis(validating: stored.span.bytes), as: OpenFailure.damaged)
    let server = try asking { () throws(PostgresError) in try ServerSettings(connection) }
    let pool = ConnectionPool(to: address, connection, retryingFor: options.retryTimeout)
    let path = try rethrow(options.derivedPath(of: copy), as: OpenFailure.directory)
    do throws(FileError) { return try PostgresLog(at: address, id: id, genesis, server, pool, options, path) } catch {
      throw .directory(.storage(StorageFailure("\(path) cannot be used (\(error)): check that it is writable.")))
    }
  }

  private static func asking<R>(_ body: () throws(PostgresError) -> R) throws(OpenFailure) -> R {
    try rethrow(body(), as: OpenFailure.server)
  }

  /// Returns whether the database has the schema; creates it if that is allowed.
  private static func hasSchema(_ connection: Connection, _ options: Options) throws(PostgresError) -> Bool {
    if try connection.execute(Schema.hasSchema).bool(0, 0) { return true }
    guard options.creates else { return false }
    try connection.execute("BEGIN; SELECT pg_advisory_xact_lock(\(Schema.lockKey), 0)")
    do throws(PostgresError) {
      if try !connection.execute(Schema.hasSchema).bool(0, 0) { try connection.execute(Schema.creation) }
    } catch {
      try? connection.execute("ROLLBACK")
      throw error
    }
    try connection.execute("COMMIT")
    return true
  }

  /// Returns the number of the log with a name, its stored genesis and the identity of this copy of it; creates it if
  /// that is allowed.
  private static func row(
    of address: PostgresAddress, _ connection: Connection, _ options: Options
  ) throws(PostgresError) -> (id: Int64, genesis: [UInt8], copy: String)? {
    let name = Array(address.log.utf8)
    func find() throws(PostgresError) -> (id: Int64, genesis: [UInt8], copy: String)? {
      let rows = try name.withBytes { name throws(PostgresError) in try connection.execute(Schema.log, [], [name]) }
      return rows.count == 1 ? (rows.integer(0, 0), Array(rows.bytes(0, 1)), rows.text(0, 2)) : nil
    }
    if let found = try find() { return found }
    guard options.creates else { return nil }
    let genesis = options.genesis ?? .new()
    let hash = genesis.hash.withBytes { Array($0) }
    _ = try name.withBytes { name throws(PostgresError) in
      try genesis.encoded().withBytes { stored throws(PostgresError) in
        try hash.withBytes { hash throws(PostgresError) in
          try connection.execute(Schema.newLog, [genesis.created.rawValue], [name, stored, hash])
        }
      }
    }
    return try find()
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
