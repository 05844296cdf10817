// The temporary files of a studio.
internal import Files
internal import Locks

/// A temporary directory that only this user can read: it is created when it is first used, and removed with everything
/// in it.
final class TemporaryFolder: Sendable {
  private let path = Locked<String?>(nil)

  /// Returns the path of a file in the directory.
  func path(of name: String) throws(Failure) -> String {
    let made = path.withLock { path in
      path = path ?? FileSystem.makeTemporaryDirectory()
      return path
    }
    guard let made else {
      throw Failure(.unable, "A temporary directory cannot be created: free space, or name another one in TMPDIR.")
    }
    return made + "/" + name
  }

  /// Removes a file in the directory; a missing one is no error.
  func remove(_ name: String) {
    guard let made = path.withLock({ $0 }) else { return }
    try? FileSystem.remove(made + "/" + name)
  }

  /// Removes the directory; idempotent.
  func remove() {
    path.withLock { path in
      if let path { try? FileSystem.removeTree(path) }
      path = nil
    }
  }
}
