// Opening a log in a directory.
public import EventLog
internal import LMDB
internal import Tables

/// Why a log could not be opened.
public enum OpenError: Error, Sendable {
  /// There is nothing at the path, and making a log was not asked for.
  case missing(path: String)
  /// What stands at the path is no log.
  case notALog(path: String, reason: String)
  /// It was written by a newer program.
  case newerFormat(path: String, format: UInt8)
  /// Its file is damaged.
  case damaged(path: String, reason: String)
  /// The disk or the system refused.
  case storage(StorageFailure)
}

extension OpenError: CustomStringConvertible {
  /// One sentence: what happened, to what, what to do.
  public var description: String {
    switch self {
    case .missing(let path): "There is no log at \(path): check the path, or ask for a new log to be made there."
    case .notALog(let path, let reason): "\(path) is no log (\(reason)): check the path."
    case .newerFormat(let path, let format):
      "The log at \(path) was written in format \(format) by a newer program: open it with that one."
    case .damaged(let path, let reason):
      "The file of the log at \(path) is damaged (\(reason)): verify it, salvage what is whole, or restore a backup."
    case .storage(let failure): failure.description
    }
  }
}

extension EventStore {
  /// Opens the log in a directory, with its index.
  ///
  /// Nothing is read ahead: what the index has not seen is folded when it is first asked.
  public static func open(
    at path: String, options: LMDBLog.Options = LMDBLog.Options(), configuration: Configuration = Configuration()
  ) throws(OpenError) -> EventStore {
    let log = try LMDBLog.open(at: path, options: options)
    let index: StoredIndex
    do throws(LogError) {
      index = try StoredIndex(of: log)
    } catch {
      throw .storage(StorageFailure(error.description, underlying: error))
    }
    return EventStore(log: log, index: index, configuration: configuration)
  }
}

extension LMDBLog {
  /// Opens the log in a directory, without an index.
  public static func open(at path: String, options: Options = Options()) throws(OpenError) -> LMDBLog {
    try requireLog(at: path, options)
    try requireMetas(at: path)
    let environment = try openEnvironment(logPath(path), options)
    let table = try access(path) { () throws(LMDBError) in try environment.table(nil) }
    let genesis = try genesis(path, environment, table, options)
    do throws(LMDBError) {
      // Whoever made the log may not have come so far, and the first append must find its way on the disk.
      let entries = try environment.read { transaction throws(LMDBError) in
        try transaction.statistics(of: table).entries
      }
      if entries <= 1 { try syncDirectories(path) }
      return try LMDBLog(path: path, environment: environment, table: table, genesis: genesis, options: options)
    } catch {
      throw OpenError(.failed(path: path, error))
    }
  }

  /// Looks whether there is a log at a path, however damaged.
  internal static func requireFile(of path: String) throws(OpenError) {
    try requireLog(at: path, Options())
    guard Files.kind(at: logPath(path) + "/data.mdb") == .other else { throw .missing(path: path) }
  }

  internal static func logPath(_ path: String) -> String { path + "/log" }
  internal static func indexPath(_ path: String) -> String { path + "/index" }

  /// Looks at the path before anything is made there.
  private static func requireLog(at path: String, _ options: Options) throws(OpenError) {
    switch Files.kind(at: path) {
    case .other: throw .notALog(path: path, reason: "it is not a directory")
    case .nothing where !options.creates: throw .missing(path: path)
    case .nothing:
      do throws(LMDBError) { try Files.makeDirectory(path) } catch {
        throw .storage(
          StorageFailure(
            "\(path) cannot be made (\(error)): check that its parent is there and can be written by you."))
      }
    case .directory:
      let names = Files.names(in: path)
      if names.contains("log") { return }
      guard names.isEmpty else { throw .notALog(path: path, reason: "it has other files and no log/") }
      guard options.creates else { throw .missing(path: path) }
    }
  }

  /// Looks at the meta pages before LMDB does: it takes the newer one's word for everything, and would not notice
  /// one that was set back.
  private static func requireMetas(at path: String) throws(OpenError) {
    guard let file = try? DataFile(path: logPath(path) + "/data.mdb"), file.size > 0 else { return }
    if let disagreement = PinnedFile.lastingDisagreement(file) {
      throw .damaged(path: path, reason: disagreement)
    }
  }

  private static func openEnvironment(_ path: String, _ options: Options) throws(OpenError) -> Environment {
    var chosen = Environment.Options(creates: options.creates)
    chosen.reapsReaders = options.reapsReaders
    do throws(EnvironmentError) {
      return try Environment(path: path, options: chosen)
    } catch {
      throw OpenError(error)
    }
  }

  private static func access<R: ~Copyable>(
    _ path: String, _ body: () throws(LMDBError) -> R
  ) throws(OpenError) -> R {
    do throws(LMDBError) { return try body() } catch { throw OpenError(.failed(path: path, error)) }
  }

  /// Makes the directories' entries durable, once the log has its genesis.
  private static func syncDirectories(_ path: String) throws(LMDBError) {
    try Files.sync(logPath(path))
    try Files.sync(path)
    // A parent that cannot be read cannot be synced: whoever made it so sees to it.
    try? Files.sync(path + "/..")
  }

  /// Reads the genesis; writes it if the log is empty and may be made.
  private static func genesis(
    _ path: String, _ environment: borrowing Environment, _ table: Table, _ options: Options
  ) throws(OpenError) -> Genesis {
    let stored: Result<Genesis, BlockDefect>?
    do throws(LMDBError) {
      if options.creates, try readGenesis(environment, table) == nil {
        try writeGenesis(options.genesis ?? .new(), environment, table)
      }
      stored = try readGenesis(environment, table)
    } catch {
      throw OpenError(.failed(path: path, error))
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
      // Another process may have made it meanwhile: then its genesis holds.
      guard try transaction.statistics(of: table).entries == 0 else { return }
      let bytes = genesis.encoded()
      try bytes.span.bytes.withUnsafeBytes { bytes throws(LMDBError) in
        try transaction.append(bytes, for: BlockKey(.zero), in: table)
      }
    }
  }

  /// The genesis, or why it is none; nil for an empty log.
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
  fileprivate init(_ error: EnvironmentError) {
    switch error {
    case .missing(let path): self = .missing(path: path)
    case .failed(let path, let code) where code.isDamage: self = .damaged(path: path, reason: "\(code)")
    default: self = .storage(StorageFailure(error.description, underlying: error))
    }
  }
}
