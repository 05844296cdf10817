// A directory for a test, which goes with it.
import Foundation

/// A path at which nothing stands yet; what is made there is removed with this object.
final class TemporaryDirectory: Sendable {
  let path: String

  init() {
    path = FileManager.default.temporaryDirectory.path + "/verbatim-\(UUID().uuidString)"
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
