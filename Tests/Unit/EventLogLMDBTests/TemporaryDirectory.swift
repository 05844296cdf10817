// A temporary directory for one test.
import Foundation

/// A path that does not exist yet; files created there are removed with this object.
final class TemporaryDirectory: Sendable {
  let path: String

  /// Creates a path on the disk; or in memory, where the system has a file system for that, for many short-lived files.
  init(inMemory: Bool = false) {
    let manager = FileManager.default
    let isMemoryThere = inMemory && manager.isWritableFile(atPath: "/dev/shm")
    let parent = isMemoryThere ? "/dev/shm" : manager.temporaryDirectory.path
    path = parent + "/verbatim-\(UUID().uuidString)"
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
