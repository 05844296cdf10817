// A copy of the key file, for a backup with keys.
internal import Files

/// The keys of a workspace that are copied with its log.
///
/// It is created before the log is copied and completed after it, since keys are durable before the events that need
/// them: so the copy has the keys of all copied events, or it fails because keys were destroyed meanwhile.
package struct KeyCopy: Sendable {
  private let directory: String
  /// The number of the key file before the log was copied.
  private let number: [UInt8]

  /// Begins a copy of the keys in a directory.
  package init(of directory: String) throws(KeyError) {
    self.directory = directory
    number = try Self.number(in: directory)
  }

  /// Copies the key file into a directory, durably but for its entry; throws if it was replaced since the beginning.
  package func finish(in other: String) throws(KeyError) {
    let (path, copy) = (directory + "/" + KeyFile.name, other + "/" + KeyFile.name)
    do throws(FileError) {
      try FileSystem.copy(path, to: copy)
      try FileSystem.sync(copy)
    } catch {
      throw .storage(path: path, reason: error.description)
    }
    guard try Self.number(in: other) == number else { throw .destroyed(path: path) }
  }

  private static func number(in directory: String) throws(KeyError) -> [UInt8] {
    var head: [UInt8]?
    do throws(FileError) {
      _ = try RecordFile(KeyFile.name, in: directory).forEach(check: KeyFile.check) { head = head ?? Array($0) }
    } catch {
      throw .storage(path: directory + "/" + KeyFile.name, reason: error.description)
    }
    guard KeyFile(in: directory).isThere else { throw .noFile(path: directory + "/" + KeyFile.name) }
    guard let number = head.flatMap({ KeyFile.number(in: $0) }) else {
      throw .notAKeyFile(path: directory + "/" + KeyFile.name)
    }
    return number
  }
}
