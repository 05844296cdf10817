// The life of a folder: its gate and its marks, when it is dropped, and when it is removed.
package import LMDB

extension TableStore {
  /// A path that a user has named, without the links that it leads through: folders are kept where none is.
  package static func resolved(_ path: String) -> String { Files.resolved(path) }

  /// The same for a path whose last component a program has named: that may be no link.
  package static func resolvedDirectory(of path: String) -> String { Files.resolvedDirectory(of: path) }

  /// Throws when something in a folder is a link, or not the file or directory that it should be; what is missing is no
  /// error.
  package static func requireOwnFiles(in path: String) throws(LMDBError) {
    try Files.require(
      files: ["gate", "holders", "writer", "dirty", "complete", "data.mdb", "lock.mdb"], directories: ["beginning"],
      in: path)
  }

  /// Whether unsynced writes of an earlier run of the system may be lost.
  internal static func isStale(_ path: String) throws(TablesError) -> Bool {
    do throws(LMDBError) {
      guard let mark = try Files.contents(of: dirtyMark(path)) else { return false }
      let present = Files.bootAndMount(of: path)
      return ![present, present + durable].contains(mark)
    } catch {
      throw TablesError(error, at: path)
    }
  }

  /// Whether the next opening drops the tables, since they were in use when the system last went down.
  package static func isLeftUnsynced(_ path: String) -> Bool { (try? isStale(path)) ?? false }

  /// Whether an opening would drop what the folder holds without a look at its rows.
  internal static func isStaleOrDamaged(_ path: String) -> Bool {
    ((try? isStale(path)) ?? true) || hasDamagedMetas(path)
  }

  /// Marks the folder dirty, durably, before anything unsynced is written to it.
  internal static func mark(_ path: String) throws(TablesError) {
    let present = Files.bootAndMount(of: path)
    do throws(LMDBError) {
      if try Files.contents(of: dirtyMark(path)) == present + durable { return }
      // Also where the mark is there: whoever wrote it may have died before it was on the disk.
      try Files.writeDurably(present, to: dirtyMark(path), in: path)
      try Files.append(durable, to: dirtyMark(path))
    } catch {
      throw TablesError(error, at: path)
    }
  }

  /// What is put behind a mark once that is on the disk, so that nobody has to wait for the disk again. It need not be
  /// there itself: what reads it is this run of the system, and another drops the folder, whatever stands behind.
  private static let durable = "durable\n"

  /// Whether the meta pages are damaged: LMDB takes the newer one's word for everything, and may crash by it.
  internal static func hasDamagedMetas(_ path: String) -> Bool {
    guard let file = try? DataFile(path: path + "/data.mdb"), file.size > 0 else { return false }
    return file.metaDisagreement() != nil
  }

  internal static func dirtyMark(_ path: String) -> String { path + "/dirty" }

  /// Deletes what the folder holds; only for who has it alone.
  internal static func drop(_ path: String) throws(TablesError) {
    do throws(LMDBError) {
      try Files.removeDirectory(beginning(path))
      for name in ["/complete", "/data.mdb", "/lock.mdb"] { try Files.remove(path + name) }
      try Files.remove(dirtyMark(path))
    } catch {
      throw TablesError(error, at: path)
    }
  }
}

extension TableStore {
  /// Whether ``markComplete()`` was called since the tables were last begun from nothing.
  public var isComplete: Bool { Files.kind(at: Self.completeMark(path)) == .file }

  /// Marks the tables complete, durably: whoever made them says that they were as they must be.
  public func markComplete() throws(TablesError) {
    do throws(LMDBError) { try Files.writeDurably("complete\n", to: Self.completeMark(path), in: path) } catch {
      throw TablesError(error, at: path)
    }
  }

  private static func completeMark(_ path: String) -> String { path + "/complete" }

  /// Locks the gate of a folder, which is made if it is not there; nil when somebody else holds it until the deadline.
  internal static func lockedGate(
    _ path: String, until deadline: ContinuousClock.Instant
  ) throws(LMDBError) -> FileLock? {
    while true {
      try Files.makeDirectory(path)
      let gate: FileLock
      do throws(LMDBError) { gate = try FileLock(path: path + "/gate") } catch .noSuchFile { continue } catch {
        throw error
      }
      guard gate.lock(until: deadline) else { return nil }
      // While it was waited for, the folder may have been removed.
      if gate.isAt(path + "/gate") { return gate }
    }
  }

  /// The names of the folders of tables that lie in a directory, in order.
  public static func tableStores(in directory: String) -> [String] {
    let names = (try? Files.names(in: directory)) ?? []
    return names.filter { Files.kind(at: "\(directory)/\($0)/holders") == .file }.sorted()
  }

  /// Removes a folder with all that is in it, if nobody has it open and nobody opened it for some time; answers whether
  /// it did. What is no folder of tables is left alone.
  public static func removeIfUnused(_ path: String, for seconds: Int) -> Bool {
    guard Files.kind(at: path + "/gate") == .file, Files.kind(at: path + "/holders") == .file,
      let gate = try? lockedGate(path, until: .now), let holders = try? FileLock(path: path + "/holders"),
      holders.tryLock(), Files.secondsSinceChange(of: path + "/holders") >= seconds
    else { return false }
    return withExtendedLifetime(gate) {
      // The gate goes last: who waits for it makes the folder anew.
      guard (try? drop(path)) != nil else { return false }
      for name in ["holders", "writer"] { try? Files.remove("\(path)/\(name)") }
      try? Files.removeDirectory(path)
      return Files.kind(at: path) == .nothing
    }
  }
}
