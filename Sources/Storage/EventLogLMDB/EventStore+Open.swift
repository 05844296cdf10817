// Opening a log in a directory.
internal import Errors
internal import EventIndex
public import EventLog
internal import Files
internal import LMDB
internal import LMDBPages
internal import Locks
internal import Tables

extension EventStore {
  /// Opens the log in a directory, with its index.
  ///
  /// Nothing is read ahead: the index catches up with the log when it is first used.
  public static func open(
    at path: String, options: LMDBLog.Options = LMDBLog.Options(), configuration: Configuration = Configuration()
  ) throws(OpenError) -> EventStore {
    let log = try LMDBLog.open(at: path, options: options)
    do throws(LogError) {
      let index = try StoredIndex(of: log, at: LMDBLog.indexPath(log.derivedPath)) {
        !log.isReadOnly && (try? log.completeTail()) == true
      }
      log.indexStore.withLock { $0.tableStore = index.tableStore }
      return EventStore(log: log, index: index, at: log.derivedPath, configuration: configuration)
    } catch {
      var options = options
      guard case .noSpace = error, options.allowsReadOnly, log.derivedPath == log.path else { throw OpenError(error) }
      options.derivesElsewhere = true
      return try open(at: path, options: options, configuration: configuration)
    }
  }
}

extension LMDBLog {
  /// Opens the log in a directory, without an index.
  ///
  /// A commit that the file holds and that is not in force is completed, as <doc:FailureModes> describes.
  public static func open(at path: String, options: Options = Options()) throws(OpenError) -> LMDBLog {
    let path = FileSystem.resolved(path)
    try requireLog(at: path, options)
    try requireOwnFiles(of: path)
    try requireCompleteCommit(at: path, options)
    let hidesCommit: Bool
    do throws(OpenError) { hidesCommit = try requireMetas(at: path) } catch {
      guard try removeInterruptedCreation(at: path, options) else { throw error }
      hidesCommit = try requireMetas(at: path)
    }
    var options = options
    // Catching up derived tables needs space: a caller that only reads must not fail on a full disk.
    if options.allowsReadOnly, !options.creates, isDiskFull(at: path) { options.derivesElsewhere = true }
    let log: LMDBLog
    do throws(OpenError) { log = try openFile(path, options) } catch {
      guard options.allowsReadOnly, !options.creates, error.allowsReadOnly else { throw error }
      options.isReadOnly = true
      log = try openFile(path, options)
    }
    // A process that was killed may have left a commit that is not visible yet.
    if !log.isReadOnly { try? log.completeInterruptedCommit() }
    if hidesCommit { try log.completeHiddenCommit() }
    return log
  }

  private static func openFile(_ path: String, _ options: Options) throws(OpenError) -> LMDBLog {
    let environment = try openEnvironment(logPath(path), options)
    let table = try access(path) { () throws(LMDBError) in try environment.table(nil) }
    let genesis = try genesis(path, environment, table, options)
    do throws(LMDBError) {
      // The process that created the log may have died before this, and the first append must be durable by its path.
      let entries = try environment.read { transaction throws(LMDBError) in
        try transaction.statistics(of: table).entries
      }
      if entries <= 1, !options.isReadOnly {
        try LMDBError.mapping { () throws(FileError) in try syncDirectories(path) }
      }
      return try LMDBLog(path: path, environment: environment, table: table, genesis: genesis, options: options)
    } catch {
      throw OpenError(.failed(path: path, error))
    }
  }

  /// Completes the commit that the meta pages hide, or throws that the end of the log is damaged.
  private func completeHiddenCommit() throws(OpenError) {
    let counts = "the meta page in force has fewer entries than the one before it"
    if isReadOnly {
      throw .damaged(path: path, reason: counts + ", which a writable opening of the log may repair")
    }
    let isComplete = try rethrow(
      completeTail(), as: { (error: LogError) in OpenError.storage(StorageFailure(of: error)) })
    if isComplete { return }
    // Another process may have completed or overwritten the commit in between.
    if try Self.requireMetas(at: path) { throw .damaged(path: path, reason: counts) }
  }

  /// Throws unless there is a log at a path, however damaged.
  internal static func requireFile(of path: String) throws(OpenError) {
    try requireLog(at: path, Options())
    try requireOwnFiles(of: path)
    guard FileSystem.kind(at: logPath(path) + "/data.mdb") == .file else { throw .missing(path: path) }
    // An unreadable file is not a damaged one.
    try rethrow(
      DataFile(path: logPath(path) + "/data.mdb"),
      as: { (error: DataFileError) in OpenError.storage(StorageFailure(of: error)) })
  }

  /// Checks the path before anything is created there.
  private static func requireLog(at path: String, _ options: Options) throws(OpenError) {
    try requireAccess(to: path)
    switch FileSystem.kind(at: path) {
    case .file, .special: throw .notALog(path: path, reason: "it is not a directory")
    case .unreachable: throw .notALog(path: path, reason: "it cannot be reached")
    case .nothing where !options.creates: throw .missing(path: path)
    case .nothing:
      try rethrow(
        FileSystem.makeDirectory(path),
        as: { (error: FileError) in
          OpenError.storage(
            StorageFailure("\(path) cannot be created (\(error)): check that its parent exists and is writable."))
        })
    case .directory:
      let names = try rethrow(
        FileSystem.names(in: path), as: { (error: FileError) in OpenError(error, at: path) })
      if names.contains("log") { return }
      guard names.isEmpty else { throw .notALog(path: path, reason: "it has other files and no log/") }
      guard options.creates else { throw .missing(path: path) }
    }
  }

  /// Checks the file before LMDB opens it: LMDB trusts the newer meta page, would not notice one that was set back, and
  /// crashes on a page that is not in the file and on damaged pages that it changes. Returns whether the other page has
  /// more entries than the one in force.
  private static func requireMetas(at path: String) throws(OpenError) -> Bool {
    guard let file = try? DataFile(path: logPath(path) + "/data.mdb"), file.size > 0 else { return false }
    if let defect = file.openingDefect(in: logPath(path)) {
      throw .damaged(path: path, reason: defect)
    }
    for _ in 0..<100 {
      // Other processes may commit between two reads.
      if file.metaDisagreement() == nil {
        guard let counts = file.entryCounts(), counts.inForce < counts.other else { return false }
      }
    }
    return true
  }

  /// Returns whether the creation of a log was interrupted before its genesis was stored.
  ///
  /// A power loss or a full disk can leave a file without meta pages, with zeros instead of them, or without an entry.
  /// Without derived data and without a block, no event was ever acknowledged.
  internal static func isCreationInterrupted(at path: String) -> Bool {
    guard let file = try? DataFile(path: logPath(path) + "/data.mdb"), file.size <= 1 << 16,
      Set((try? FileSystem.names(in: path)) ?? ["?"]).isSubset(of: ["log", "writer-lock", "writer-queue"]),
      file.metaDisagreement() == nil ? (try? file.newestMeta().main.entries) == 0 : file.isUnfinished
    else { return false }
    return !Salvage.holdsBlocks(file)
  }

  /// Removes the file of a log whose creation was interrupted, so that the log is created again; returns false for any
  /// other file. Without ``Options/creates`` it throws that there is no log.
  private static func removeInterruptedCreation(at path: String, _ options: Options) throws(OpenError) -> Bool {
    guard isCreationInterrupted(at: path) else { return false }
    guard options.creates else { throw .missing(path: path) }
    let data = logPath(path) + "/data.mdb"
    let removal: Result<Void, FileError>
    do throws(ExclusiveEnvironmentLock.Refusal) {
      removal = try ExclusiveEnvironmentLock.hold(of: logPath(path)) { _ in
        Result { () throws(FileError) in try FileSystem.remove(data) }
      }
    } catch .failed(let error) {
      throw OpenError(.failed(path: path, error))
    } catch {
      // If the file is in use, another process is creating the log.
      return true
    }
    try rethrow(
      removal.get(), as: { (error: FileError) in OpenError(.failed(path: path, LMDBError(error))) })
    return true
  }

  private static func openEnvironment(_ path: String, _ options: Options) throws(OpenError) -> Environment {
    var chosen = Environment.Options(creates: options.creates)
    chosen.reapsReaders = options.reapsReaders
    chosen.isReadOnly = options.isReadOnly
    return try rethrow(Environment(path: path, options: chosen), as: { (error: EnvironmentError) in OpenError(error) })
  }

  private static func access<R: ~Copyable>(
    _ path: String, _ body: () throws(LMDBError) -> R
  ) throws(OpenError) -> R {
    try rethrow(body(), as: { (error: LMDBError) in OpenError(.failed(path: path, error)) })
  }

  /// Makes the directory entries durable, once the log has its genesis.
  private static func syncDirectories(_ path: String) throws(FileError) {
    try FileSystem.sync(logPath(path))
    try FileSystem.sync(path)
    try FileSystem.syncAbove(path + "/..")
  }

  /// Reads the genesis; writes it if the log is empty and may be created.
  private static func genesis(
    _ path: String, _ environment: borrowing Environment, _ table: Table, _ options: Options
  ) throws(OpenError) -> Genesis {
    let stored = try access(path) { () throws(LMDBError) in
      if options.creates, try readGenesis(environment, table) == nil {
        try writeGenesis(options.genesis ?? .new(), environment, table)
      }
      return try readGenesis(environment, table)
    }
    switch stored {
    case .success(let genesis): return genesis
    case .failure(.otherFormat(let format)): throw .newerFormat(path: path, format: format)
    case .failure(let defect): throw .notALog(path: path, reason: "of its first entry: \(defect)")
    case nil: throw .missing(path: path)
    }
  }

  private static func writeGenesis(
    _ genesis: Genesis, _ environment: borrowing Environment, _ table: Table
  ) throws(LMDBError) {
    try environment.write { transaction throws(LMDBError) in
      // Another process may have created it in between: then its genesis is used.
      guard try transaction.statistics(of: table).entries == 0 else { return }
      let bytes = genesis.encoded()
      try bytes.span.bytes.withUnsafeBytes { bytes throws(LMDBError) in
        try transaction.append(bytes, for: BlockKey(.zero), in: table)
      }
    }
  }

  /// Returns the genesis or its defect; nil for an empty log.
  private static func readGenesis(
    _ environment: borrowing Environment, _ table: Table
  ) throws(LMDBError) -> Result<Genesis, BlockDefect>? {
    try environment.read { transaction throws(LMDBError) in
      guard let stored = try transaction.value(of: BlockKey(.zero), in: table) else {
        let isEmpty = try transaction.statistics(of: table).entries == 0
        return isEmpty ? nil : .failure(.noMagic)
      }
      return Result { () throws(BlockDefect) in try Genesis(validating: stored) }
    }
  }
}

extension OpenError {
  internal init(_ error: EnvironmentError) {
    switch error {
    case .missing(let path): self = .missing(path: path)
    case .failed(let path, let code) where code.isDamage: self = .damaged(path: path, reason: "\(code)")
    case .failed(_, let code) where code.isNoSpace:
      self = .noSpace(StorageFailure(of: error))
    default: self = .storage(StorageFailure(of: error))
    }
  }
}

extension OpenError {
  /// Whether a log that cannot be opened because of this error may still be opened read-only.
  fileprivate var allowsReadOnly: Bool {
    switch self {
    case .noSpace: true
    case .storage(let failure):
      if case .failed(_, let code)? = failure.underlying as? EnvironmentError { code.isReadOnly } else { false }
    default: false
    }
  }
}
