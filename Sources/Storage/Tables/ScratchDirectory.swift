// A directory for tables that are needed for a while, which goes also when its process dies.
internal import LMDB
internal import Locks

/// A directory that is removed with this object; or, when its process died, by whoever makes the next beside it.
public final class ScratchDirectory: Sendable {
  /// The directory, which is empty but for a lock.
  public let path: String
  /// Held for as long as the directory is used.
  private let use: FileLock
  private let isRemoved = Locked(false)

  /// Makes a directory in another; where that cannot be written, in memory or among the temporary files.
  public static func make(
    in parent: String, until deadline: ContinuousClock.Instant
  ) throws(TablesError) -> ScratchDirectory {
    let failure: TablesError
    do throws(TablesError) { return try ScratchDirectory(in: parent, until: deadline) } catch { failure = error }
    switch failure {
    case .noSpace, .notWritable: break
    default: throw failure
    }
    do throws(TablesError) { return try make(inMemoryUntil: deadline) } catch { throw failure }
  }

  /// Makes a directory in memory, or among the temporary files where that is not possible.
  package static func make(inMemoryUntil deadline: ContinuousClock.Instant) throws(TablesError) -> ScratchDirectory {
    var failure = TablesError.failed(path: "/tmp", reason: "no directory there can be written by this user alone")
    for parent in Files.temporaryParents {
      do throws(TablesError) { return try ScratchDirectory(in: parent, until: deadline) } catch { failure = error }
    }
    throw failure
  }

  /// Makes a directory in another, which is made if it is not there, and removes what the dead left there.
  public init(in parent: String, until deadline: ContinuousClock.Instant) throws(TablesError) {
    // Between the making of a directory and of its lock, nobody may take it for one that was left.
    let gate: FileLock
    do throws(LMDBError) {
      try Files.makeDirectories(parent)
      gate = try FileLock(path: parent + "/gate")
    } catch {
      throw TablesError(error, at: parent)
    }
    guard gate.lock(until: deadline) else { throw .busy(path: parent) }
    defer { gate.unlock() }
    Self.removeUnused(in: parent)
    let taken: Set<String>
    do throws(LMDBError) { taken = Set(try Files.names(in: parent)) } catch { throw TablesError(error, at: parent) }
    path = "\(parent)/\((1...).first { !taken.contains(String($0)) } ?? 0)"
    do throws(LMDBError) {
      try Files.makeDirectory(path)
      use = try FileLock(path: Self.lockPath(path))
    } catch {
      throw TablesError(error, at: path)
    }
    guard use.tryLock() else { throw .busy(path: path) }
  }

  deinit { remove() }

  /// Removes the directory; nobody may use what is in it any more. It may be called again.
  public func remove() {
    // Later the name may be another's.
    isRemoved.withLock { isRemoved in
      if !isRemoved { Self.remove(path) }
      isRemoved = true
    }
  }

  private static func lockPath(_ path: String) -> String { path + "/used" }

  private static func removeUnused(in parent: String) {
    for name in (try? Files.names(in: parent)) ?? [] where UInt64(name) != nil {
      let path = "\(parent)/\(name)"
      if let lock = try? FileLock(path: lockPath(path)), lock.tryLock() { remove(path) }
    }
  }

  /// Removes a directory with everything in it.
  private static func remove(_ path: String) { try? Files.removeTree(path) }
}
