// The error of opening a log.

/// An error of opening a log.
public enum OpenError: Error, Sendable {
  /// The path does not exist, and creating a log was not requested.
  case missing(path: String)
  /// The path is not a log.
  case notALog(path: String, reason: String)
  /// The log was written by a newer program.
  case newerFormat(path: String, format: UInt8)
  /// The database has the tables of an earlier program.
  case olderTables(path: String, version: Int)
  /// The log's file is damaged.
  case damaged(path: String, reason: String)
  /// Data derived from the log holds more events than the log.
  case tailMissing(MissingTail)
  /// The disk or the user's quota is full.
  case noSpace(StorageFailure)
  /// The disk or the operating system reported an error.
  case storage(StorageFailure)
}

extension OpenError: CustomStringConvertible {
  /// The error in one sentence: what failed, on what, what to do.
  public var description: String {
    switch self {
    case .missing(let path): "There is no log at \(path): check the path, or create a log there."
    case .notALog(let path, let reason): "\(path) is not a log (\(reason)): check the path."
    case .newerFormat(let path, let format):
      "The log at \(path) was written in format \(format) by a newer program: open it with that program."
    case .olderTables(let path, let version):
      "The tables of the log at \(path) are those of an earlier program (version \(version)): `verbatim init` with "
        + "this address, by the user who owns them, brings them up to date."
    case .damaged(let path, let reason):
      "The file of the log at \(path) is damaged (\(reason)): verify it, salvage the intact blocks, or restore a "
        + "backup."
    case .tailMissing(let missing): missing.description
    case .noSpace(let failure), .storage(let failure): failure.description
    }
  }
}

extension OpenError {
  /// Creates the error of opening a log that is caused by an error of the log or of its index.
  package init(_ error: LogError) {
    switch error {
    case .tailMissing(let missing): self = .tailMissing(missing)
    case .noSpace(let failure): self = .noSpace(failure)
    default: self = .storage(StorageFailure(of: error))
    }
  }
}
