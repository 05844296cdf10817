// Errors of reading a data file.
internal import Files

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// An error of reading a data file or a table in it.
public enum DataFileError: Error, Hashable, Sendable {
  /// The file cannot be opened: usually the path is wrong, or the permission to read it is missing.
  case cannotOpen(path: String, errno: Int32)
  /// The path is a directory, a pipe or a device: usually the log's directory instead of its `data.mdb`.
  case notAFile(path: String)
  /// The disk failed, or the offset was negative.
  case cannotRead(path: String, offset: Int, errno: Int32)
  /// Neither meta page can be used: the file is empty, not an LMDB file, or lost its first two pages.
  case noMetaPage(path: String, PageDamage, PageDamage)
  /// The meta page has no table of this name.
  case noSuchTable(String)
  /// The walk found damage; every pair before it has been passed on.
  case damaged(PageDamage)
  /// Memory for a large value, or for the set of visited pages, was refused.
  case outOfMemory(bytes: Int)
}

extension DataFileError {
  /// Whether the file could not be read, so that nothing is known about its content.
  package var isOfReading: Bool {
    switch self {
    case .cannotOpen, .notAFile, .cannotRead, .outOfMemory: true
    case .noMetaPage, .noSuchTable, .damaged: false
    }
  }

  /// Whether there is no such file.
  package var isMissingFile: Bool {
    if case .cannotOpen(_, let code) = self { FileError(rawValue: code) == .noSuchFile } else { false }
  }
}

extension DataFileError: CustomStringConvertible {
  /// One sentence: what failed, on what, what to do.
  public var description: String {
    switch self {
    case .cannotOpen(let path, let code):
      "\(path) cannot be opened (\(systemMessage(code))); check the path and the permissions."
    case .notAFile(let path):
      "\(path) is not a regular file; give the path of the data.mdb in the log's directory."
    case .cannotRead(let path, let offset, let code):
      "\(path) cannot be read at byte \(offset) (\(systemMessage(code))); copy the file off this disk first."
    case .noMetaPage(let path, let first, let second):
      "\(path) has no meta page to start from (\(first) \(second)); its values can only be found by scanning."
    case .noSuchTable(let name):
      "There is no table named “\(name)”; check the name, or try the other meta page."
    case .damaged(let damage):
      "The tree is damaged: \(damage) Salvage the readable blocks, or restore a backup."
    case .outOfMemory(let bytes):
      "\(bytes) bytes of memory could not be allocated; try again with more free memory."
    }
  }
}

private func systemMessage(_ code: Int32) -> String { String(cString: strerror(code)) }
