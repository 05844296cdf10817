// Why a blob was not added or not read.

/// Why a blob was not added or not read. Where an add throws, nothing of it stays behind.
public enum BlobError: Error, Hashable, Sendable {
  /// There is no file to add at the path, or it vanished while it was copied.
  case noFile(path: String)
  /// What is to be added is no file but a folder, a pipe, a device …
  case notAFile(path: String)
  /// The system does not let the file that is to be added be read.
  case unreadable(path: String, reason: String)
  /// Somebody wrote to the file, or put another in its place, while it was copied.
  case changed(path: String)
  /// The disk has no room for it beside what is kept in reserve.
  case full(path: String)
  /// The task was cancelled before it was done.
  case cancelled
  /// The blob is not in this store.
  case notHere(Blob.ID, path: String)
  /// The bytes that lie under the blob's name are not those that were added.
  case damaged(Blob.ID, path: String)
  /// The disk or the system refused what the store needs.
  case storage(path: String, reason: String)
}

extension BlobError: CustomStringConvertible {
  /// One sentence: what happened, to what, what to do.
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
