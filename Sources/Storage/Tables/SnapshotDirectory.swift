// Copies of a folder of tables, each as it stood at a position: taken whole, checked before use.
public import Digests
internal import LMDB
internal import Locks

/// Copies of the tables of a folder, each in a directory that is called by the position it stands at.
///
/// A copy is compacted, synced, and never written again. It holds `data.mdb` alone; where somebody is to write, it is
/// copied on with ``lay(_:into:isOnChain:)``. Another process may replace or remove a copy at any time: each is read
/// through one open file, which stays as it was, and a copy that is gone is not a damaged one.
public final class SnapshotDirectory: Sendable {
  /// The directory of their directories.
  public let path: String
  private let tableNames: [String]
  private let seeds: [UInt64]
  /// Files that were found whole, by what changes when they do.
  private let checked = Locked<Set<String>>([])

  /// The copies in a directory, which is made with the first.
  public init(in path: String, tables names: [String], seededBy seeding: RowHashSeed) {
    self.path = path
    tableNames = names
    seeds = seeding.seeds(of: names)
  }

  /// The positions of all copies, from the first on.
  public var positions: [UInt64] {
    let names = (try? Files.names(in: path)) ?? []
    // What is no file is a damaged copy, which is to be seen.
    return names.compactMap { UInt64($0) }.filter { Files.kind(at: dataPath($0)) != .nothing }.sorted()
  }

  /// The directory of the copy at a position.
  public func path(of position: UInt64) -> String { "\(path)/\(position)" }

  private func dataPath(_ position: UInt64) -> String { path(of: position) + "/data.mdb" }

  /// Copies the newest state of a folder, durably; answers where it stands, nil when nothing was ever written.
  ///
  /// It is there whole or not at all. One copy is taken at a time; another is waited for until the deadline.
  public func take(of tableStore: TableStore, until deadline: ContinuousClock.Instant) throws(TablesError) -> LogPoint?
  {
    try making(until: deadline) { making throws(TablesError) in
      try tableStore.copyData(to: making)
      let data = making + "/data.mdb"
      guard let file = try? DataFile(path: data), let (anchor, _) = Self.standing(of: file, tables: tableNames.count)
      else { return nil }
      do throws(LMDBError) {
        try Files.sync(data)
        try Files.sync(making)
        try Files.require(files: ["data.mdb"], in: path(of: anchor.position))
        try Self.replace(path(of: anchor.position), by: making)
        try Files.sync(path)
      } catch {
        throw TablesError(error, at: path)
      }
      return anchor
    }
  }

  /// Gives a new copy its place.
  ///
  /// A copy that is there was taken at this position, too: of another chain, or damaged, or the same. Its file is
  /// replaced in one step, so that a reader meets one or the other at any time, and never neither.
  private static func replace(_ copy: String, by making: String) throws(LMDBError) {
    if Files.kind(at: copy + "/data.mdb") == .file {
      try Files.rename(making + "/data.mdb", to: copy + "/data.mdb")
      try Files.sync(copy)
    } else {
      try Files.removeDirectory(copy)
      try Files.rename(making, to: copy)
    }
  }

  /// Runs the closure with an empty directory beside the copies, which nobody else uses and a crash may leave.
  private func making(
    until deadline: ContinuousClock.Instant, _ body: (String) throws(TablesError) -> LogPoint?
  ) throws(TablesError) -> LogPoint? {
    let making = path + "/making"
    let lock: FileLock
    do throws(LMDBError) {
      try Files.makeDirectories(path)
      lock = try FileLock(path: path + "/lock")
    } catch {
      throw TablesError(error, at: path)
    }
    guard lock.lock(until: deadline) else { throw .busy(path: path) }
    do throws(LMDBError) {
      try Files.removeDirectory(making)
      try Files.makeDirectory(making)
    } catch {
      throw TablesError(error, at: making)
    }
    defer { try? Files.removeDirectory(making) }
    return try body(making)
  }

  /// Removes the copy at a position.
  public func remove(_ position: UInt64) { try? Files.removeDirectory(path(of: position)) }

  /// Removes all copies, and their directory.
  public func removeAll() {
    for position in positions { remove(position) }
    try? Files.removeDirectory(path)
  }

  /// Removes the copies of all sets of tables in a directory, and the directory.
  public static func removeAll(in directory: String) {
    for name in (try? Files.names(in: directory)) ?? [] {
      SnapshotDirectory(in: directory + "/" + name, tables: [], seededBy: .name).removeAll()
    }
    try? Files.removeDirectory(directory)
  }

  /// Copies the files of the copy at a position into an empty directory, where a folder can be opened on them; returns
  /// the result of the check, and copies nothing unless the copy is whole.
  public func lay(_ position: UInt64, into directory: String, isOnChain: (LogPoint) -> Bool) -> SnapshotCheck {
    let check = check(position, isOnChain: isOnChain)
    guard case .whole = check else { return check }
    do throws(LMDBError) { try Files.copy(dataPath(position), to: directory + "/data.mdb") } catch {
      try? Files.remove(directory + "/data.mdb")
      return error == .noSuchFile ? .gone : .damaged("it cannot be copied: \(error)")
    }
    return check
  }
}

extension SnapshotDirectory {
  /// Takes back what was laid into a directory in which no folder was opened yet.
  public func unlay(from directory: String) { try? Files.remove(directory + "/data.mdb") }
}

/// What was found of a copy.
public enum SnapshotCheck: Hashable, Sendable {
  /// It is whole and lies on the chain: where it stands, and the digests of its tables.
  case whole(LogPoint, [TableDigest])
  /// It is not there, or no longer: copies are removed that are not worth their space any more.
  case gone
  /// It is there and cannot be used; why.
  case damaged(String)
  /// The system does not let this user read it; why. Nothing is known of it.
  case unreadable(String)
}

extension SnapshotDirectory {
  /// Checks the copy at a position.
  ///
  /// It is read as bytes: a damaged file of LMDB can crash whoever opens it. Its rows are counted once for a file.
  /// Where something is wrong with a file that has been replaced or removed since, the one that took its place is
  /// checked.
  public func check(_ position: UInt64, isOnChain: (LogPoint) -> Bool) -> SnapshotCheck {
    check(position, isOnChain: isOnChain, betweenLooks: {})
  }

  /// The same; the closure is called between finding a copy wrong and looking whether it is still the one that is
  /// there.
  internal func check(_ position: UInt64, isOnChain: (LogPoint) -> Bool, betweenLooks: () -> Void) -> SnapshotCheck {
    let path = dataPath(position)
    do throws(LMDBError) {
      guard try Files.isFile(at: path) else { return .gone }
    } catch {
      return error.isPermission ? .unreadable("\(path) cannot be read (\(error)).") : .damaged(error.description)
    }
    var found = SnapshotCheck.gone
    // A program that replaces a file over and over is not waited for.
    for _ in 0..<100 {
      guard let identity = Files.identity(of: path) else { return .gone }
      found = check(fileAt: path, identity, position, isOnChain)
      if case .whole = found { return found }
      betweenLooks()
      if Files.identity(of: path) == identity { return found }
    }
    return found
  }

  private func check(
    fileAt path: String, _ identity: String, _ position: UInt64, _ isOnChain: (LogPoint) -> Bool
  ) -> SnapshotCheck {
    let file: DataFile
    do throws(DataFileError) { file = try DataFile(path: path) } catch {
      return error.isPermission ? .unreadable(error.description) : .damaged(error.description)
    }
    guard let (anchor, tallies) = Self.standing(of: file, tables: tableNames.count) else {
      return .damaged("it does not say where it stands")
    }
    guard anchor.position == position else { return .damaged("it stands at position \(anchor.position)") }
    guard isOnChain(anchor) else { return .damaged("it is of another log") }
    let whole = SnapshotCheck.whole(anchor, tallies.map(\.digest))
    if checked.withLock({ $0.contains(identity) }) { return whole }
    if let damage = damage(of: file, tallies) { return .damaged(damage) }
    // What was read may be the file that came after the one that was looked at.
    if Files.identity(of: path) == identity { checked.withLock { _ = $0.insert(identity) } }
    return whole
  }

  /// Where the tables in a file stand, and their tallies; nil when it does not say.
  private static func standing(of file: DataFile, tables count: Int) -> (LogPoint, [TableSummary])? {
    guard let meta = try? file.newestMeta() else { return nil }
    var found: (LogPoint, [TableSummary])?
    try? file.forEach(in: TableStore.metaTableName, of: meta) { key, value, _ in
      if TableStore.isAnchor(key) { found = TableStore.anchorAndTallies(in: value.bytes, tables: count) }
      return true
    }
    return found
  }

  /// What is wrong with a file that says to hold so many rows with these digests.
  private func damage(of file: DataFile, _ tallies: [TableSummary]) -> String? {
    do throws(DataFileError) {
      if let disagreement = file.metaDisagreement() { return disagreement }
      let meta = try file.newestMeta()
      if let damage = try file.damages(of: meta).first { return "\(damage)" }
      for (number, name) in tableNames.enumerated() {
        var tally = TableSummary()
        try file.forEach(in: name, of: meta) { key, value, _ in
          // A row whose checksum alone is damaged would be refused when it is read.
          guard let hash = StoredRow.wholeHash(of: value.bytes, key: key, seed: seeds[number]) else { return false }
          tally.digest.add(hash)
          tally.rows += 1
          return true
        }
        if tally != tallies[number] { return "its table \(name) holds \(tally) instead of \(tallies[number])" }
      }
      return nil
    } catch {
      return "\(error)"
    }
  }
}
