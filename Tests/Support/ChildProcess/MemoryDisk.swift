// A small file system in memory, for tests of full and read-only disks.
internal import Foundation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A mounted file system of eight megabytes in memory; only the superuser can create one.
package final class MemoryDisk: Sendable {
  /// The mount point.
  package let path = FileManager.default.temporaryDirectory.path + "/verbatim-disk-\(UUID().uuidString)"

  /// Whether this process can mount one.
  package static var canBeMade: Bool { geteuid() == 0 && (try? MemoryDisk()) != nil }

  package init() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    do { try mount("-t", "tmpfs", "-o", "size=8m", "verbatim", path) } catch {
      try FileManager.default.removeItem(atPath: path)
      throw error
    }
  }

  /// Fills the free space.
  package func fill() throws {
    let file = open(path + "/filler", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(file) }
    for size in [65_536, 4096] {
      let zeros = [UInt8](repeating: 0, count: size)
      while write(file, zeros, size) == size {}
    }
  }

  /// Removes what filled the disk.
  package func empty() throws { try remove("filler") }

  /// Removes a file or a directory, and waits until its space is free.
  ///
  /// A process that another test starts has the descriptors of this one until it runs its program, and keeps the space
  /// in use for as long.
  package func remove(_ name: String) throws {
    let path = path + "/" + name
    let names = [path] + (FileManager.default.subpaths(atPath: path) ?? []).map { path + "/" + $0 }
    let expected = try names.reduce(freeByteCount) { $0 + byteCount(of: $1) }
    try FileManager.default.removeItem(atPath: path)
    let deadline = ContinuousClock.now + .seconds(Deadline.seconds)
    while try freeByteCount < expected {
      if ContinuousClock.now > deadline { throw Overdue("the end of \(path)", seconds: Deadline.seconds) }
      sched_yield()
    }
  }

  /// Mounts the disk read-only at another path; returns that path.
  package func readOnlyPath() throws -> String {
    let other = path + "-read-only"
    try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
    try mount("--bind", path, other)
    try mount("-o", "remount,bind,ro", other)
    return other
  }

  private var freeByteCount: Int {
    get throws {
      let free = try FileManager.default.attributesOfFileSystem(forPath: path)[.systemFreeSize]
      return (free as? NSNumber)?.intValue ?? 0
    }
  }

  /// Returns the space that a file takes.
  private func byteCount(of path: String) -> Int {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? Int(status.st_blocks) * 512 : 0
  }

  private func mount(_ arguments: String...) throws {
    guard try Child(["mount"] + arguments).finish() == .exit(0) else { throw CocoaError(.fileWriteNoPermission) }
  }

  deinit {
    for path in [path + "-read-only", path] where FileManager.default.fileExists(atPath: path) {
      _ = try? Child(["umount", "-l", path]).finish()
      try? FileManager.default.removeItem(atPath: path)
    }
  }
}
