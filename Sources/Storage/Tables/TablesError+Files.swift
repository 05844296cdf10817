// The mapping of file and LMDB errors to errors of tables.
internal import Errors
internal import Files
internal import LMDB

extension TablesError {
  /// Creates the error of tables whose environment cannot be opened.
  internal init(_ error: EnvironmentError) {
    if case .failed(let path, let code) = error, code.isNoSpace || code.isReadOnly || code.isDamage {
      self.init(code, at: path)
    } else {
      self = .cannotOpen(EnvironmentFailure(description: error.description))
    }
  }

  /// Creates an error from one of the disk in a directory.
  internal init(_ error: FileError, at path: String) { self.init(LMDBError(error), at: path) }

  /// Runs operations on files in a directory, and throws their errors as those of tables.
  internal static func mapping<R: ~Copyable>(
    at path: String, _ body: () throws(FileError) -> R
  ) throws(TablesError) -> R {
    try rethrow(body(), as: { (error: FileError) in TablesError(error, at: path) })
  }

  /// Creates an error from one of the disk or LMDB in a directory; for a file of an unexpected type it is `cannotOpen`,
  /// since rebuilding the tables does not help then.
  internal init(_ error: LMDBError, at path: String) {
    if let entry = error.unexpectedFile {
      self = .cannotOpen(EnvironmentFailure(description: entry.description))
    } else {
      let reason = error.description
      self =
        error.isNoSpace
        ? .noSpace(path: path)
        : error.isReadOnly
          ? .notWritable(path: path, reason: reason)
          : error.isDamage ? .damaged(path: path, reason: reason) : .failed(path: path, reason: reason)
    }
  }
}
