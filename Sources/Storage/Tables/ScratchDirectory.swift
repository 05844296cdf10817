// A temporary directory for tables, which is also removed after its process died.
internal import Files
internal import Locks

/// A directory that is removed with this object; or, after its process died, when the next is created beside it.
public final class ScratchDirectory: Sendable {
  /// The path of the directory, which contains only a lock file.
  public let path: String
  /// The lock that is held while the directory is used.
  private let use: FileLock
  private let isRemoved = Locked(false)

  /// Creates a directory in another; where that cannot be written, in memory or among the temporary files.
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

  /// Creates a directory in memory, or among the temporary files where that is impossible.
  package static func make(inMemoryUntil deadline: ContinuousClock.Instant) throws(TablesError) -> ScratchDirectory {
    var failure = TablesError.failed(path: "/tmp", reason: "no directory there can be written by this user alone")
    for parent in FileSystem.temporaryParents {
      do throws(TablesError) { return try ScratchDirectory(in: parent, until: deadline) } catch { failure = error }
    }
    throw failure
  }

  /// Creates a directory in another, which is created if it is missing, and removes those that dead processes left
  /// there.
  public init(in parent: String, until deadline: ContinuousClock.Instant) throws(TablesError) {
    // Between the creation of a directory and of its lock, no other process must take it for abandoned.
    let gate = try TablesError.mapping(at: parent) { () throws(FileError) in
      try FileSystem.makeDirectories(parent)
      return try FileLock(path: parent + "/gate")
    }
    guard gate.lock(until: deadline) else { throw .busy(path: parent) }
    defer { gate.unlock() }
    for name in (try? FileSystem.names(in: parent)) ?? [] where UInt64(name) != nil {
      _ = try? Self.remove(unused: "\(parent)/\(name)")
    }
    let taken = try TablesError.mapping(at: parent) { () throws(FileError) in Set(try FileSystem.names(in: parent)) }
    let path = "\(parent)/\((1...).first { !taken.contains(String($0)) } ?? 0)"
    self.path = path
    use = try TablesError.mapping(at: path) { () throws(FileError) in
      try FileSystem.makeDirectory(path)
      return try FileLock(path: Self.lockPath(path))
    }
    guard use.tryLock() else { throw .busy(path: path) }
  }

  deinit { remove() }

  /// Removes the directory, which must not be in use any more; further calls are no-ops.
  public func remove() {
    // The name may be reused later.
    isRemoved.withLock { isRemoved in
      if !isRemoved { Self.remove(path) }
      isRemoved = true
    }
  }

  /// Removes the directories in another that dead processes left, and returns those that are in use, each by its
  /// identity.
  package static func used(in parent: String) throws(TablesError) -> Set<String> {
    let gate = try TablesError.mapping(at: parent) { () throws(FileError) in
      try FileSystem.isDirectory(at: parent) ? try FileLock(path: parent + "/gate") : nil
    }
    guard let gate else { return [] }
    guard gate.lock(until: .now + .seconds(10)) else { throw .busy(path: parent) }
    defer { gate.unlock() }
    return try TablesError.mapping(at: parent) { () throws(FileError) -> Set<String> in
      var used: Set<String> = []
      for name in try FileSystem.names(in: parent) where UInt64(name) != nil {
        if let identity = try remove(unused: "\(parent)/\(name)") { used.insert(identity) }
      }
      return used
    }
  }

  private static func lockPath(_ path: String) -> String { path + "/used" }

  /// Removes a directory that no process uses; returns the identity of one that is in use.
  private static func remove(unused path: String) throws(FileError) -> String? {
    // The process that uses it may just be removing it: without its lock file, it is unused.
    while let lock = try FileError.ifFound(FileLock(path: lockPath(path))) {
      if lock.tryLock() {
        try FileSystem.removeTree(path)
        return nil
      }
      if let identity = FileSystem.identity(of: lockPath(path)) { return identity }
    }
    return nil
  }

  private static func remove(_ path: String) { try? FileSystem.removeTree(path) }
}
