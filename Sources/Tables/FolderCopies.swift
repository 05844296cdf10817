// Copies of a folder of tables, each as it stood at a position: taken whole, checked before use.
public import Digests
internal import LMDB
internal import Locks

/// Copies of the tables of a folder, each in a directory that is called by the position it stands at.
///
/// A copy is compacted, synced, and never written again. It holds `data.mdb` alone; where somebody is to write, it is
/// copied on with ``lay(_:into:isOnChain:)``.
public final class FolderCopies: Sendable {
  /// The directory of their directories.
  public let path: String
  private let tableNames: [String]
  private let seeds: [UInt64]
  /// Files that were found whole, by what changes when they do.
  private let checked = Guarded<Set<String>>([])

  /// The copies in a directory, which is made with the first.
  public init(in path: String, tables names: [String], seededBy seeding: RowSeeding) {
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
  public func take(of folder: Folder, until deadline: ContinuousClock.Instant) throws(TablesError) -> Anchor? {
    try making(until: deadline) { making throws(TablesError) in
      try folder.copyData(to: making)
      let data = making + "/data.mdb"
      guard let (anchor, _) = Self.standing(of: data, tables: tableNames.count) else { return nil }
      do throws(LMDBError) {
        try Files.sync(data)
        try Files.sync(making)
        try Files.require(files: ["data.mdb"], in: path(of: anchor.position))
        // One that is there was taken at this position, too: of another chain, or damaged, or the same.
        try Files.removeDirectory(path(of: anchor.position))
        try Files.rename(making, to: path(of: anchor.position))
        try Files.sync(path)
      } catch {
        throw TablesError(error, at: path)
      }
      return anchor
    }
  }

  /// Runs the closure with an empty directory beside the copies, which nobody else uses and a crash may leave.
  private func making(
    until deadline: ContinuousClock.Instant, _ body: (String) throws(TablesError) -> Anchor?
  ) throws(TablesError) -> Anchor? {
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
      FolderCopies(in: directory + "/" + name, tables: [], seededBy: .name).removeAll()
    }
    try? Files.removeDirectory(directory)
  }

  /// Lays the copy at a position into an empty directory, where a folder can be opened on it; answers why it did not,
  /// when there is none or it is not whole.
  public func lay(_ position: UInt64, into directory: String, isOnChain: (Anchor) -> Bool) -> String? {
    if let damage = damage(of: position, isOnChain: isOnChain) { return damage }
    do throws(LMDBError) { try Files.copy(dataPath(position), to: directory + "/data.mdb") } catch {
      try? Files.remove(directory + "/data.mdb")
      return "it cannot be copied: \(error)"
    }
    return nil
  }

  /// Where the copy at a position says to stand, and which digests its tables have; nil when it says nothing.
  public func standing(of position: UInt64) -> (anchor: Anchor, digests: [TableDigest])? {
    Self.standing(of: dataPath(position), tables: tableNames.count).map { ($0.0, $0.1.map(\.digest)) }
  }
}

extension FolderCopies {
  /// What is wrong with the copy at a position; nil when it is whole and lies on the chain.
  ///
  /// It is read as bytes: a damaged file of LMDB can crash whoever opens it. Its rows are counted once for a file.
  public func damage(of position: UInt64, isOnChain: (Anchor) -> Bool) -> String? {
    let path = dataPath(position)
    do throws(LMDBError) {
      guard try Files.isFile(at: path) else { return "it is gone" }
    } catch {
      return error.description
    }
    let identity = Files.identity(of: path)
    guard let (anchor, tallies) = Self.standing(of: path, tables: tableNames.count) else {
      return "it does not say where it stands"
    }
    guard anchor.position == position else { return "it stands at position \(anchor.position)" }
    guard isOnChain(anchor) else { return "it is of another log" }
    if let identity, checked.withLock({ $0.contains(identity) }) { return nil }
    if let damage = damage(of: path, tallies) { return damage }
    if let identity { checked.withLock { _ = $0.insert(identity) } }
    return nil
  }

  /// Where the tables in a file stand, and their tallies; nil when it does not say.
  private static func standing(of path: String, tables count: Int) -> (Anchor, [Tally])? {
    guard let file = try? DataFile(path: path), let meta = try? file.newestMeta() else { return nil }
    var found: (Anchor, [Tally])?
    try? file.forEach(in: Folder.metaTableName, of: meta) { key, value, _ in
      if Folder.isAnchor(key) { found = Folder.anchorAndTallies(in: value.bytes, tables: count) }
      return true
    }
    return found
  }

  /// What is wrong with a file that says to hold so many rows with these digests.
  private func damage(of path: String, _ tallies: [Tally]) -> String? {
    do throws(DataFileError) {
      let file = try DataFile(path: path)
      if let disagreement = file.metaDisagreement() { return disagreement }
      let meta = try file.newestMeta()
      if let damage = try file.damages(of: meta).first { return "\(damage)" }
      for (number, name) in tableNames.enumerated() {
        var tally = Tally()
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
