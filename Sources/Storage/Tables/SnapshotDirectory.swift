// Snapshots of a table store at log positions: taken atomically, checked before use.
public import Digests
internal import Errors
internal import Files
internal import LMDBPages
internal import Locks

/// A directory of snapshots of a table store, each in a subdirectory named by its position.
///
/// A snapshot is compacted, synced, and never written again. It consists of `data.mdb` alone; to write, copy it with
/// ``lay(_:into:isOnChain:)``. Another process can replace or remove a snapshot at any time: each is read through one
/// open file, which does not change, and a missing snapshot is not a damaged one.
public final class SnapshotDirectory: Sendable {
  /// The directory that contains the snapshots' directories.
  public let path: String
  private let tableNames: [String]
  private let seeds: [UInt64]
  /// The identities of files that passed the check.
  private let checked = Locked<Set<String>>([])

  /// Creates a reference to a snapshot directory, which is created with the first snapshot.
  public init(in path: String, tables names: [String], seededBy seeding: RowHashSeed) {
    self.path = path
    tableNames = names
    seeds = seeding.seeds(of: names)
  }

  /// The positions of all snapshots, in ascending order.
  public var positions: [UInt64] {
    let names = (try? FileSystem.names(in: path)) ?? []
    // An entry of another type is a damaged snapshot, which must be visible.
    return names.compactMap { UInt64($0) }.filter { FileSystem.kind(at: dataPath($0)) != .nothing }.sorted()
  }

  /// Returns the directory of the snapshot at a position.
  public func path(of position: UInt64) -> String { "\(path)/\(position)" }

  private func dataPath(_ position: UInt64) -> String { path(of: position) + "/data.mdb" }

  /// Takes a snapshot of the newest state of a table store, durably; returns its log point, nil when nothing was ever
  /// written.
  ///
  /// The snapshot is created atomically. One is taken at a time; this blocks for another until the deadline.
  public func take(of tableStore: TableStore, until deadline: ContinuousClock.Instant) throws(TablesError) -> LogPoint?
  {
    try making(until: deadline) { making throws(TablesError) in
      try tableStore.copyData(to: making)
      let data = making + "/data.mdb"
      let status = try rethrow(
        Self.status(of: DataFile(path: data), tables: tableNames.count),
        as: { (error: DataFileError) in TablesError.failed(path: making, reason: error.description) })
      guard let (logPoint, _) = status else { return nil }
      try TablesError.mapping(at: path) { () throws(FileError) in
        try FileSystem.sync(data)
        try FileSystem.sync(making)
        try FileSystem.require(files: ["data.mdb"], in: path(of: logPoint.position))
        try Self.replace(path(of: logPoint.position), by: making)
        try FileSystem.syncPath(to: path)
      }
      return logPoint
    }
  }

  /// Moves a new snapshot to its final path.
  ///
  /// An existing snapshot was taken at this position, too: of another chain, or damaged, or equal. Its file is replaced
  /// atomically, so that a reader always finds one or the other.
  private static func replace(_ copy: String, by making: String) throws(FileError) {
    if FileSystem.kind(at: copy + "/data.mdb") == .file {
      try FileSystem.rename(making + "/data.mdb", to: copy + "/data.mdb")
      try FileSystem.sync(copy)
    } else {
      try FileSystem.removeDirectory(copy)
      try FileSystem.rename(making, to: copy)
    }
  }

  /// Runs the closure with an empty, exclusively used directory beside the snapshots, which a crash may leave.
  private func making(
    until deadline: ContinuousClock.Instant, _ body: (String) throws(TablesError) -> LogPoint?
  ) throws(TablesError) -> LogPoint? {
    let making = path + "/making"
    let lock = try TablesError.mapping(at: path) { () throws(FileError) in
      try FileSystem.makeDirectories(path)
      return try FileLock(path: path + "/lock")
    }
    guard lock.lock(until: deadline) else { throw .busy(path: path) }
    try TablesError.mapping(at: making) { () throws(FileError) in
      try FileSystem.removeDirectory(making)
      try FileSystem.makeDirectory(making)
    }
    defer { try? FileSystem.removeDirectory(making) }
    return try body(making)
  }

  /// Removes the snapshot at a position.
  public func remove(_ position: UInt64) { try? FileSystem.removeDirectory(path(of: position)) }

  /// Removes all snapshots and their directory, with what a process left that was killed while it took one.
  public func removeAll() { try? FileSystem.removeTree(path) }

  /// Returns the snapshot directories in a directory, of any tables; they only list, and remove, snapshots.
  public static func all(in directory: String) -> [SnapshotDirectory] {
    let names = (try? FileSystem.names(in: directory)) ?? []
    return names.sorted().map { SnapshotDirectory(in: directory + "/" + $0, tables: [], seededBy: .name) }
  }

  /// Removes the snapshots of all table stores in a directory, and the directory.
  public static func removeAll(in directory: String) {
    for snapshots in all(in: directory) { snapshots.removeAll() }
    try? FileSystem.removeDirectory(directory)
  }

  /// Copies a snapshot into an empty directory, where a table store can be opened on it; returns the result of the
  /// check, and copies nothing unless the snapshot is whole.
  public func lay(_ position: UInt64, into directory: String, isOnChain: (LogPoint) -> Bool) -> SnapshotCheck {
    let check = check(position, isOnChain: isOnChain, isAnew: false)
    guard case .whole = check else { return check }
    do throws(FileError) { try FileSystem.copy(dataPath(position), to: directory + "/data.mdb") } catch {
      try? FileSystem.remove(directory + "/data.mdb")
      return error == .noSuchFile ? .gone : .unreadable("\(dataPath(position)) cannot be copied (\(error)).")
    }
    return check
  }
}

extension SnapshotDirectory {
  /// Removes a snapshot that was copied into a directory in which no table store was opened yet.
  public func unlay(from directory: String) { try? FileSystem.remove(directory + "/data.mdb") }
}

/// The result of checking a snapshot.
public enum SnapshotCheck: Hashable, Sendable {
  /// The snapshot is whole and on the chain; its log point and the digests of its tables.
  case whole(LogPoint, [TableDigest])
  /// The snapshot is missing or was removed: snapshots that are not worth their space are removed.
  case gone
  /// The snapshot exists and cannot be used; the reason.
  case damaged(String)
  /// The snapshot could not be read, so its state is unknown; the reason.
  case unreadable(String)
}

extension SnapshotDirectory {
  /// Checks the snapshot at a position.
  ///
  /// It is read as bytes, since LMDB can crash on a damaged file. Unless it is checked anew, the rows of a file that
  /// was whole are not read again. Where a damaged file has been replaced or removed since, its replacement is checked.
  public func check(_ position: UInt64, isOnChain: (LogPoint) -> Bool, isAnew: Bool = true) -> SnapshotCheck {
    check(position, isOnChain: isOnChain, isAnew: isAnew, betweenLooks: {})
  }

  /// Checks the snapshot; the closure is called after a damage was found, before testing whether the file is still the
  /// same.
  internal func check(
    _ position: UInt64, isOnChain: (LogPoint) -> Bool, isAnew: Bool = false, betweenLooks: () -> Void
  ) -> SnapshotCheck {
    let path = dataPath(position)
    var found = SnapshotCheck.gone
    // The check gives up when another program keeps replacing the file.
    for _ in 0..<100 {
      do throws(FileError) {
        guard try FileSystem.isFile(at: path) else { return .gone }
      } catch {
        if error.unexpectedFile != nil { return .damaged(error.description) }
        return .unreadable("\(path) cannot be read (\(error)).")
      }
      guard let identity = FileSystem.identity(of: path) else { continue }
      found = check(fileAt: path, identity, position, isOnChain, isAnew: isAnew)
      if case .whole = found { return found }
      betweenLooks()
      if FileSystem.identity(of: path) == identity { return found }
    }
    return found
  }

  private func check(
    fileAt path: String, _ identity: String, _ position: UInt64, _ isOnChain: (LogPoint) -> Bool, isAnew: Bool
  ) -> SnapshotCheck {
    do throws(DataFileError) {
      let file = try DataFile(path: path)
      guard let (logPoint, summaries) = try Self.status(of: file, tables: tableNames.count) else {
        return .damaged("it does not state its position")
      }
      guard logPoint.position == position else { return .damaged("it is at position \(logPoint.position)") }
      guard isOnChain(logPoint) else { return .damaged("it belongs to another log") }
      let whole = SnapshotCheck.whole(logPoint, summaries.map(\.digest))
      if !isAnew, checked.withLock({ $0.contains(identity) }) { return whole }
      if let damage = try damage(of: file, summaries) { return .damaged(damage) }
      // The file may have been replaced between the identity and the read.
      if FileSystem.identity(of: path) == identity { checked.withLock { _ = $0.insert(identity) } }
      return whole
    } catch {
      return error.isOfReading ? .unreadable(error.description) : .damaged(error.description)
    }
  }

  /// Returns the log point and the summaries of the tables in a file; nil when it has none that can be read.
  private static func status(
    of file: DataFile, tables count: Int
  ) throws(DataFileError) -> (LogPoint, [TableSummary])? {
    let meta = try file.newestMeta()
    var found: (LogPoint, [TableSummary])?
    try file.forEach(in: TableStore.metaTableName, of: meta) { key, value, _ in
      if TableStore.isLogPoint(key) { found = TableStore.logPointAndSummaries(in: value.bytes, tables: count) }
      return true
    }
    return found
  }

  /// Returns what is wrong with a file whose tables should have these summaries; nil when nothing is.
  private func damage(of file: DataFile, _ summaries: [TableSummary]) throws(DataFileError) -> String? {
    if let disagreement = file.metaDisagreement() { return disagreement }
    let meta = try file.newestMeta()
    if let damage = try file.damages(of: meta).first { return "\(damage)" }
    for (number, name) in tableNames.enumerated() {
      var summary = TableSummary()
      try file.forEach(in: name, of: meta) { key, value, _ in
        // A row whose checksum alone is damaged would be rejected when it is read.
        guard let hash = StoredRow.wholeHash(of: value.bytes, key: key, seed: seeds[number]) else { return false }
        summary.digest.add(hash)
        summary.rows += 1
        return true
      }
      if summary != summaries[number] { return "its table \(name) has \(summary) instead of \(summaries[number])" }
    }
    return nil
  }
}
