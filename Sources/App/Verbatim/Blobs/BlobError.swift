// The errors of a blob store.
public import Chat
internal import EventLogPostgres

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
  /// The key in the blob's URL is not the one with which it was encrypted.
  case undecryptable(Blob.ID, path: String)
  /// The content could not be copied to a file.
  case notCopied(path: String, reason: String)
  /// The disk or the system failed.
  case storage(path: String, reason: String)
}

extension BlobError: CustomStringConvertible {
  /// One sentence: what failed, on what, what to do.
  public var description: String {
    switch self {
    case .noFile(let path):
      "There is no file at \(path.debugDescription): nothing was added; add an existing file, and keep it there "
        + "meanwhile."
    case .notAFile(let path):
      "\(path) is not a regular file: nothing was added; add a regular file, such as a copy."
    case .unreadable(let path, let reason):
      "The file at \(path) could not be read (\(reason)): nothing was added; make it readable, and add it again."
    case .changed(let path):
      "The file at \(path) changed while it was copied: nothing was added; add it again when no process writes to it."
    case .full(let path):
      "The disk of \(path) has no space for it beyond the reserve: nothing was added; free space and add it "
        + "again."
    case .cancelled:
      "The task was cancelled before the blob was added or read: try again."
    case .notHere(let id, let path):
      "The blob \(id) is not in \(path): add its content there, or read it where it was added."
    case .damaged(let id, let path):
      "The blob \(id) is damaged, since the bytes at \(path) do not match its hash: "
        + (PostgresAddress.isAddress(path)
          ? "restore its rows in verbatim.blobs from a backup of the server."
          : "add its content again, which repairs it.")
    case .undecryptable(let id, let path):
      "The blob \(id) at \(path) was not encrypted with the key in this URL: read it with the URL that its message has."
    case .notCopied(let path, let reason):
      "The file \(path.debugDescription) could not be written (\(reason)): name a new file in an existing directory."
    case .storage(let path, let reason):
      "The blobs at \(path) could not be read or written (\(reason)): correct that, and try again."
    }
  }
}

extension BlobError: CodedError {
  /// The code under which the failure of an upload is recorded.
  public var code: RecordedFailure.Code {
    switch self {
    case .noFile: "noFile"
    case .notAFile: "notAFile"
    case .unreadable: "unreadableFile"
    case .changed: "changedFile"
    case .full: "fullDisk"
    case .cancelled: "cancelledUpload"
    case .notHere: "missingBlob"
    case .damaged: "damagedBlob"
    case .undecryptable: "undecryptableBlob"
    case .notCopied: "notCopiedBlob"
    case .storage: "blobStorage"
    }
  }

  /// The associated values of the error, and its description as `reason`; the system's own reason is `detail`.
  public var values: Extra {
    var values: Extra = ["reason": .text(UserText(description))]
    switch self {
    case .noFile(let path), .notAFile(let path), .changed(let path), .full(let path):
      values["path"] = .text(UserText(path))
    case .unreadable(let path, let reason), .notCopied(let path, let reason), .storage(let path, let reason):
      (values["path"], values["detail"]) = (.text(UserText(path)), .text(UserText(reason)))
    case .cancelled: break
    case .notHere(let id, let path), .damaged(let id, let path), .undecryptable(let id, let path):
      (values["blob"], values["path"]) = (.text(UserText("\(id)")), .text(UserText(path)))
    }
    return values
  }
}
