// What an error of files or of LMDB means for tables.
internal import LMDB

extension TablesError {
  /// The error of tables whose environment cannot be opened.
  internal init(_ error: EnvironmentError) {
    if case .failed(let path, let code) = error, code.isNoSpace || code.isReadOnly {
      self.init(code, at: path)
    } else {
      self = .cannotOpen(EnvironmentFailure(description: error.description))
    }
  }

  /// The disk or LMDB refused something in a directory; or something else was found there than what is kept there:
  /// rebuilding the tables does not help then.
  internal init(_ error: LMDBError, at path: String) {
    if let entry = error.unexpectedFile {
      self = .cannotOpen(EnvironmentFailure(description: entry.description))
    } else {
      let reason = error.description
      self =
        error.isNoSpace
        ? .noSpace(path: path)
        : error.isReadOnly ? .notWritable(path: path, reason: reason) : .failed(path: path, reason: reason)
    }
  }
}
