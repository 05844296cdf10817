// A disk that can be filled.
import ChildProcess
import Foundation

/// A file system of a given size in memory, with a directory for a server. Only root can create one.
package final class SmallDisk: Sendable {
  /// Whether this process can create one.
  package static let isPossible: Bool = (try? SmallDisk(byteCount: 1 << 20)) != nil

  /// The directory in which the file system is.
  package let directory = "/tmp/verbatim-disk-\(UInt64.random(in: 0 ... .max))"
  private var filling: String { directory + "/filling" }

  /// Creates a disk.
  package init(byteCount: Int) throws {
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    guard geteuid() == 0, try Self.run("mount", "-t", "tmpfs", "-o", "size=\(byteCount)", "none", directory) else {
      throw Child.Failure.other("no right to mount", instead: "a disk")
    }
  }

  deinit {
    _ = try? Self.run("umount", directory)
    try? FileManager.default.removeItem(atPath: directory)
  }

  private static func run(_ command: String...) throws -> Bool { try Child(command).finish() == .exit(0) }

  /// Fills the disk.
  package func fill() throws {
    let file = open(filling, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    guard file >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    defer { close(file) }
    let bytes = [UInt8](repeating: 1, count: 4096)
    while write(file, bytes, bytes.count) > 0 {}
  }

  /// Makes room again.
  package func makeRoom() throws { try FileManager.default.removeItem(atPath: filling) }
}
