// The errors of a blob store.

/// The error of adding or reading a blob. An add that throws leaves nothing behind.
public enum BlobError: Error, Hashable, Sendable {
  /// There is no file at the path, or it vanished while it was copied.
  case noFile(path: String)
  /// The path is not a file but a directory, a pipe, a device …
  case notAFile(path: String)
  /// The system denied reading the file.
  case unreadable(path: String, reason: String)
  /// The file was changed or replaced while it was copied.
  case changed(path: String)
  /// The disk is full, except for the reserve.
  case full(path: String)
  /// The task was cancelled before the operation completed.
  case cancelled
  /// The blob is not in this store.
  case notHere(Blob.ID, path: String)
  /// The stored bytes differ from those that were added.
  case damaged(Blob.ID, path: String)
  /// The disk or the system failed.
  case storage(path: String, reason: String)
}

extension BlobError: CustomStringConvertible {
  /// One sentence: what failed, on what, what to do.
  public var description: String {
    switch self {
    case .noFile(let path):
      "There is no file at \(path.debugDescription), or none any more: nothing was added; add one that stays there "
        + "meanwhile."
    case .notAFile(let path):
      "What is at \(path) is no file: nothing was added; add the files in it one by one, or a copy."
    case .unreadable(let path, let reason):
      "The file at \(path) could not be read (\(reason)): nothing was added; mend that, and add it again."
    case .changed(let path):
      "The file at \(path) was changed while it was copied: nothing was added; add it again when nobody writes to it."
    case .full(let path):
      "The disk of \(path) has no room for it beside what is kept in reserve: nothing was added; make room and add it "
        + "again."
    case .cancelled:
      "The task was cancelled before it was done with the blob: nothing was added or read; ask again if it is wanted."
    case .notHere(let id, let path):
      "The blob \(id) is not in \(path): add its content there, or ask where it was added."
    case .damaged(let id, let path):
      "The blob \(id) is damaged, for the bytes at \(path) are not those that were added: add its content again, which "
        + "mends it."
    case .storage(let path, let reason):
      "The blobs at \(path) could not be read or written (\(reason)): mend that, and try again."
    }
  }
}
