// A small disk for one test.
import ChildProcess
import Foundation
import Glibc

/// A file system in memory of a few megabytes, for the superuser.
final class SmallDisk {
  let path = FileManager.default.temporaryDirectory.path + "/verbatim-disk-\(UUID().uuidString)"

  static var canBeMade: Bool { (try? SmallDisk()) != nil }

  init() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let mount = try Child(["mount", "-t", "tmpfs", "-o", "size=8m", "verbatim", path])
    guard try mount.finish() == .exit(0) else {
      try remove(path)
      throw CocoaError(.fileWriteNoPermission)
    }
  }

  /// Fills the free space.
  func fill() throws {
    let file = open(path + "/filler", O_WRONLY | O_CREAT, 0o600)
    defer { close(file) }
    for size in [65_536, 4096] {
      let zeros = [UInt8](repeating: 0, count: size)
      while Glibc.write(file, zeros, size) == size {}
    }
  }

  /// Frees the filled space.
  func empty() throws { try remove(path + "/filler") }

  /// Mounts the disk read-only at another path; returns that path.
  func readOnlyPath() throws -> String {
    let other = path + "-read-only"
    try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
    for arguments in [["--bind", path, other], ["-o", "remount,bind,ro", other]] {
      guard try Child(["mount"] + arguments).finish() == .exit(0) else { throw CocoaError(.fileWriteNoPermission) }
    }
    return other
  }

  deinit {
    for path in [path + "-read-only", path] where FileManager.default.fileExists(atPath: path) {
      _ = try? Child(["umount", "-l", path]).finish()
      try? remove(path)
    }
  }
}
