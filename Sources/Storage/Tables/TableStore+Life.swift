// The life cycle of a table store: its gate and marks, dropping and removing it.
package import Files
internal import LMDBPages

extension TableStore {
  /// Resolves the links in a path that a user has named: table stores are opened only by paths without links.
  package static func resolved(_ path: String) -> String { FileSystem.resolved(path) }

  /// Resolves the links of a path's directory, but not its last component, which a program has named and must not be a
  /// link.
  package static func resolvedDirectory(of path: String) -> String { FileSystem.resolvedDirectory(of: path) }

  /// Throws when an entry of a table store is a link or has an unexpected type; a missing one is no error.
  package static func requireOwnFiles(in path: String) throws(FileError) {
    try FileSystem.require(
      files: ["gate", "holders", "writer", "dirty", "complete", "data.mdb", "lock.mdb"], directories: ["beginning"],
      in: path)
  }

  /// Returns whether unsynced writes from before the last boot can be lost: the next opening drops the tables.
  package static func isStale(_ path: String) throws(TablesError) -> Bool {
    try TablesError.mapping(at: path) { () throws(FileError) in
      guard let mark = try FileSystem.contents(of: dirtyMark(path)) else { return false }
      let present = try FileSystem.bootAndDevice(of: path)
      return ![present, present + durable].contains(mark)
    }
  }

  /// Marks the table store dirty, durably, before any unsynced write.
  internal static func mark(_ path: String) throws(TablesError) {
    try TablesError.mapping(at: path) { () throws(FileError) in
      let present = try FileSystem.bootAndDevice(of: path)
      if try FileSystem.contents(of: dirtyMark(path)) == present + durable { return }
      // Also when the mark exists: the process that wrote it may have died before it was durable. Only its existence
      // must be: after a power cut, no content is that of the new boot, and the table store is dropped.
      try FileSystem.mark(dirtyMark(path), with: present, in: path)
      try FileSystem.append(durable, to: dirtyMark(path))
    }
  }

  /// A suffix appended to a mark once the mark is durable, so that no process has to sync its directory again.
  private static let durable = "durable\n"

  /// Returns whether the meta pages are damaged: LMDB trusts the newer one, and can crash because of it.
  internal static func hasDamagedMetas(_ path: String) -> Bool {
    guard let file = try? DataFile(path: path + "/data.mdb"), file.size > 0 else { return false }
    return file.metaDisagreement() != nil
  }

  /// Returns whether the meta pages are damaged, pages are missing that the newest one counts, or pages are damaged:
  /// LMDB crashes on each. In a large file only the pages are checked that LMDB reads in any case. No other process may
  /// write meanwhile.
  internal static func isDamaged(_ path: String) -> Bool {
    guard let file = try? DataFile(path: path + "/data.mdb"), file.size > 0 else { return false }
    if file.metaDisagreement() != nil { return true }
    guard let meta = try? file.newestMeta() else { return false }
    return file.lengthDefect(of: meta) != nil || (try? file.openingDamage(of: meta)) ?? nil != nil
  }

  internal static func dirtyMark(_ path: String) -> String { path + "/dirty" }

  /// Deletes the table store's files; the caller must be its only user.
  internal static func drop(_ path: String) throws(TablesError) {
    try TablesError.mapping(at: path) { () throws(FileError) in
      try FileSystem.removeDirectory(beginning(path))
      for name in ["/complete", "/data.mdb", "/lock.mdb"] { try FileSystem.remove(path + name) }
      // A power loss that brought the data back without the mark would make torn tables look like those of a clean end.
      if FileSystem.kind(at: dirtyMark(path)) == .file { try FileSystem.sync(path) }
      try FileSystem.remove(dirtyMark(path))
    }
  }
}

extension TableStore {
  /// Whether ``markComplete()`` was called since the tables were last created empty.
  public var isComplete: Bool { FileSystem.kind(at: Self.completeMark(path)) == .file }

  /// Marks the tables complete, durably: the caller asserts that they are correct.
  public func markComplete() throws(TablesError) {
    try TablesError.mapping(at: path) { () throws(FileError) in
      try FileSystem.mark(Self.completeMark(path), with: "complete\n", in: path)
    }
  }

  private static func completeMark(_ path: String) -> String { path + "/complete" }

  /// Locks the gate of a table store, which is created if it is missing; nil when another process holds it until the
  /// deadline.
  internal static func lockedGate(
    _ path: String, until deadline: ContinuousClock.Instant
  ) throws(FileError) -> FileLock? {
    while true {
      try FileSystem.makeDirectory(path)
      guard let gate = try FileError.ifFound(FileLock(path: path + "/gate")) else { continue }
      guard gate.lock(until: deadline) else { return nil }
      // The table store may have been removed while this waited.
      if gate.isAt(path + "/gate") { return gate }
    }
  }

  /// Returns the names of the table stores in a directory, in order.
  public static func tableStores(in directory: String) -> [String] {
    let names = (try? FileSystem.names(in: directory)) ?? []
    return names.filter { isThere(at: "\(directory)/\($0)") }.sorted()
  }

  /// Whether a table store is at a path; after a power cut during its removal, any other file may be missing.
  private static func isThere(at path: String) -> Bool { FileSystem.kind(at: path + "/holders") == .file }

  /// Removes, durably, the directories in another whose names the closure accepts: table stores that no process has
  /// open, what an interrupted removal left of them, and any other; returns whether none is left.
  package static func removeAll(in directory: String, where accepts: (String) -> Bool) throws(TablesError) -> Bool {
    try TablesError.mapping(at: directory) { () throws(FileError) in
      guard try FileSystem.isDirectory(at: directory) else { return true }
      var isAnyLeft = false
      for name in try FileSystem.names(in: directory).sorted() where accepts(name) {
        let path = directory + "/" + name
        // One that cannot be examined may be in use.
        if try FileSystem.isFile(at: path + "/holders") {
          // Its data is certainly gone before it is, so that no sync is needed here.
          if !removeIfUnused(path, for: 0) { isAnyLeft = true }
        } else {
          try FileSystem.removeTree(path)
        }
      }
      // Also where nothing is there: an earlier call may have ended with an error between its removals and the sync.
      try FileSystem.sync(directory)
      return !isAnyLeft
    }
  }

  /// Removes a table store if no process has it open and none opened it for some time; returns whether it did. Any
  /// other directory is left alone.
  public static func removeIfUnused(_ path: String, for seconds: Int) -> Bool {
    guard isThere(at: path), let gate = try? lockedGate(path, until: .now),
      let holders = try? FileLock(path: path + "/holders"), holders.tryLock(),
      FileSystem.secondsSinceChange(of: path + "/holders") >= seconds
    else { return false }
    return withExtendedLifetime(gate) {
      // The gate is removed last: a process that waits for it recreates the table store. The lock file that
      // marks a table store stays until the data is certainly gone.
      guard (try? drop(path)) != nil, (try? FileSystem.sync(path)) != nil else { return false }
      for name in ["holders", "writer"] { try? FileSystem.remove("\(path)/\(name)") }
      try? FileSystem.removeDirectory(path)
      return FileSystem.kind(at: path) == .nothing
    }
  }
}
