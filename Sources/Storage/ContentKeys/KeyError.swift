// The errors of keys.
public import EventLog

/// An error of the keys of an erasable workspace. Nothing is created in place of a missing key.
public enum KeyError: Error, Sendable {
  /// The master key cannot be had; the text says why.
  case master(String)
  /// The key file is missing.
  case noFile(path: String)
  /// The master key is another than that with which the key file was written.
  case otherMaster(path: String)
  /// The key file is not one.
  case notAKeyFile(path: String)
  /// Keys are not in the key file, and no erasure destroyed them.
  case missing(KeyHolder)
  /// Keys were destroyed while the key file was copied with the log.
  case destroyed(path: String)
  /// A file with keys, or with the master key, could not be read or written.
  case storage(path: String, reason: String)
  /// The log could not be read, which shows whether keys are missing.
  case log(LogError)
}

extension KeyError: CustomStringConvertible {
  /// One sentence: what failed, on what, what to do.
  public var description: String {
    switch self {
    case .master(let reason):
      "The master key cannot be had (\(reason)): give the key with which the keys of the workspace were written last, "
        + "or a new one of 64 hexadecimal digits to replace it."
    case .noFile(let path):
      "The keys of the workspace are missing (\(path)): copy the file from where the workspace was, or from a backup "
        + "with keys."
    case .otherMaster(let path):
      "The key file \(path) was written with another master key: give the key with which it was written last."
    case .notAKeyFile(let path):
      "\(path) is not a key file, or its beginning is damaged: copy it from a backup with keys."
    case .missing(let holder):
      "The keys of \(holder) are missing, and no erasure destroyed them: copy the key file from a backup with keys."
    case .destroyed(let path):
      "Keys in \(path) were destroyed by an erasure while they were copied: make the copy again."
    case .storage(let path, let reason):
      "The file of keys \(path) could not be read or written (\(reason)): correct that, then try again."
    case .log(let error): error.description
    }
  }
}

extension LogError {
  internal init(_ error: KeyError) {
    if case .log(let error) = error { self = error } else { self = .storage(StorageFailure(of: error)) }
  }
}
