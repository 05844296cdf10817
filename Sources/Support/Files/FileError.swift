// Errors of the system for operations on files.

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// An `errno` that the system returned for an operation on a file.
///
/// It is open over the C code, like `Errno`: a code that has no name here is still carried and described. Where a file
/// of an unexpected type was found, it records the type and the path.
package struct FileError: RawRepresentable, Error, Hashable, Sendable {
  /// The C code.
  package let rawValue: CInt
  /// The file found instead of an expected file or directory; nil for every other error.
  package let unexpectedFile: UnexpectedFileType?

  /// Creates an error from an `errno`.
  package init(rawValue: CInt) { (self.rawValue, unexpectedFile) = (rawValue, nil) }

  /// Creates an error from an unexpected file.
  internal init(_ entry: UnexpectedFileType) { (rawValue, unexpectedFile) = (entry.code, entry) }
}

extension FileError {
  /// The file or directory does not exist.
  package static var noSuchFile: Self { .init(rawValue: ENOENT) }
  /// The disk failed.
  package static var inputOutput: Self { .init(rawValue: EIO) }
  /// The disk is full.
  package static var noSpace: Self { .init(rawValue: ENOSPC) }
}

extension FileError {
  /// Whether space has run out: on the disk, or in the user's quota.
  package var isNoSpace: Bool { rawValue == ENOSPC || rawValue == EDQUOT }

  /// Whether this user must not write the file or its directory, or it is on a read-only filesystem.
  package var isReadOnly: Bool { rawValue == EROFS || isPermission }

  /// Whether this user lacks a permission.
  package var isPermission: Bool { rawValue == EACCES || rawValue == EPERM }
}

extension FileError {
  /// The remedy for a limit of the process or the system that was reached; nil for every other error.
  package var limitRemedy: String? {
    switch rawValue {
    case EMFILE, ENFILE: "close other files, or raise the limit of open files"
    case ENOMEM: "raise the limit of the process's memory and addresses"
    case EFBIG: "raise the limit of the process for the size of files"
    default: nil
    }
  }
}

extension FileError {
  /// Returns the value of an expression; nil when the file that it uses does not exist.
  package static func ifFound<R>(_ body: @autoclosure () throws(FileError) -> R) throws(FileError) -> R? {
    do throws(FileError) { return try body() } catch .noSuchFile { return nil }
  }
}

extension FileError: CustomStringConvertible {
  /// The system's message for the code, or the reason for which the file was not expected.
  ///
  /// The corresponding C function is `strerror`.
  package var description: String { unexpectedFile?.reason ?? String(cString: strerror(rawValue)) }
}
