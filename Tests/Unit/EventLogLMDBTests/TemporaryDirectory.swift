// A directory for a test, which goes with it.
import Foundation

/// A path at which nothing stands yet; what is made there is removed with this object.
final class TemporaryDirectory: Sendable {
  let path: String

  /// A path on the disk; or in memory, where the system has a place for that, when many files come and go.
  init(inMemory: Bool = false) {
    let manager = FileManager.default
    let isMemoryThere = inMemory && manager.isWritableFile(atPath: "/dev/shm")
    let parent = isMemoryThere ? "/dev/shm" : manager.temporaryDirectory.path
    path = parent + "/verbatim-\(UUID().uuidString)"
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
