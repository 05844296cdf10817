// A directory for a test.
import Foundation

/// An empty directory that is removed with this object.
final class Scratch: Sendable {
  let path: String

  init() {
    path = FileManager.default.temporaryDirectory.path + "/files-tests-\(UUID().uuidString)"
    try! FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
