// The log point of a table store: a position in a chain of blocks.
public import Digests

/// The last position that tables were folded up to, and the chain hash there.
public struct LogPoint: Hashable, Sendable {
  /// The position; 0 before the first event.
  public let position: UInt64
  /// The hash of the block that ends at the position.
  public let hash: ChainHash

  /// Creates a log point.
  public init(position: UInt64, hash: ChainHash) {
    self.position = position
    self.hash = hash
  }
}

/// An error of opening, reading or writing tables.
public enum TablesError: Error, Sendable {
  /// The environment cannot be opened.
  case cannotOpen(EnvironmentFailure)
  /// Another process is opening or closing the table store and did not finish in time.
  case busy(path: String)
  /// The table store does not belong to the chain, and another process uses it.
  case foreign(path: String)
  /// The table store is past the position that it was to be read at.
  case ahead(LogPoint)
  /// The disk or the user's quota is full; the tables are unchanged.
  case noSpace(path: String)
  /// The tables or their directory cannot be written by this user, or are on a read-only filesystem.
  case notWritable(path: String, reason: String)
  /// The disk or LMDB returned an error.
  case failed(path: String, reason: String)
  /// The file is damaged; the reason.
  case damaged(path: String, reason: String)
  /// A row is damaged, stored under another key, or does not decode.
  case malformed(path: String, table: String)

  /// The description of an environment's error, in one sentence.
  public struct EnvironmentFailure: Hashable, Sendable, CustomStringConvertible {
    /// The error in one sentence.
    public let description: String
  }
}

extension TablesError: CustomStringConvertible {
  /// One sentence: what failed, on what, what to do.
  public var description: String {
    switch self {
    case .cannotOpen(let failure): failure.description
    case .busy(let path):
      "\(path) is being opened or closed by another process that does not finish: let it finish or end it."
    case .foreign(let path):
      "\(path) does not belong to this log and is in use: close the other process, then open again."
    case .ahead(let logPoint):
      "The tables are at position \(logPoint.position), after the requested one: read the log up to there first."
    case .noSpace(let path):
      "The disk of \(path) is full, so the tables derived from the log cannot be written: free space and try again."
    case .notWritable(let path, let reason):
      "The tables in \(path) cannot be written (\(reason)): check the permissions of the directory and its files."
    case .failed(let path, let reason):
      "The tables in \(path) cannot be read or written (\(reason)): check the disk, the permissions and the limits of "
        + "the process, then try again."
    case .damaged(let path, let reason):
      "The tables in \(path) are damaged (\(reason)): check the disk, then rebuild the workspace, or delete the "
        + "directory while no process has the log open; it is derived from the log."
    case .malformed(let path, let table):
      "The table \(table) in \(path) has a damaged or misplaced row: rebuild the workspace, or "
        + "delete the directory while no process has the log open; it is derived from the log."
    }
  }
}
