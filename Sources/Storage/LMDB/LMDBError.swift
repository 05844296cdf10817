// Errors of LMDB and of the system below it.
internal import CLMDB
internal import Errors
package import Files

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// An error code that LMDB returned: one of its own (below -30700) or an `errno`.
///
/// It is open over the C code, like `Errno`: a code that has no name here is still carried and described. Where a file
/// of an unexpected type was found, it records the type and the path.
public struct LMDBError: RawRepresentable, Error, Hashable, Sendable {
  /// The C code.
  public let rawValue: CInt
  /// The file found instead of an expected file or directory; nil for every other error.
  package let unexpectedFile: UnexpectedFileType?

  /// Creates an error from a C code.
  public init(rawValue: CInt) { (self.rawValue, unexpectedFile) = (rawValue, nil) }

  /// Creates the error for one of the file system.
  package init(_ error: FileError) { (rawValue, unexpectedFile) = (error.rawValue, error.unexpectedFile) }

  /// Runs operations on files, and throws their errors as those of LMDB.
  package static func mapping<R: ~Copyable>(_ body: () throws(FileError) -> R) throws(LMDBError) -> R {
    try rethrow(body(), as: LMDBError.init(_:))
  }

  /// Throws unless the code is 0.
  @usableFromInline
  internal static func check(_ code: CInt) throws(LMDBError) {
    if code != 0 { throw LMDBError(rawValue: code) }
  }
}

extension LMDBError {
  /// The key exists already; with an appending put: the key is not greater than the last one.
  public static var keyExists: Self { .init(rawValue: MDB_KEYEXIST) }
  /// The key or table does not exist.
  public static var notFound: Self { .init(rawValue: MDB_NOTFOUND) }
  /// The tree refers to a page that is not in the file: the file is damaged or cut short.
  public static var pageNotFound: Self { .init(rawValue: MDB_PAGE_NOTFOUND) }
  /// A page has the wrong type, or a value is outside the file: the file is damaged.
  public static var corrupted: Self { .init(rawValue: MDB_CORRUPTED) }
  /// A write of a meta page failed; the environment must be closed and opened again.
  public static var panic: Self { .init(rawValue: MDB_PANIC) }
  /// The file has the format of another version of LMDB.
  public static var versionMismatch: Self { .init(rawValue: MDB_VERSION_MISMATCH) }
  /// The file is not an LMDB file, or its newest meta page is damaged.
  public static var invalid: Self { .init(rawValue: MDB_INVALID) }
  /// The reserved map is full.
  public static var mapFull: Self { .init(rawValue: MDB_MAP_FULL) }
  /// All reader slots are taken.
  public static var readersFull: Self { .init(rawValue: MDB_READERS_FULL) }
  /// A key is empty or longer than 511 bytes, or a value is too large.
  public static var badValueSize: Self { .init(rawValue: MDB_BAD_VALSIZE) }
  /// The file or directory does not exist.
  public static var noSuchFile: Self { .init(rawValue: ENOENT) }
  /// The disk is full.
  public static var noSpace: Self { .init(rawValue: ENOSPC) }
  /// The device failed to read or write.
  public static var inputOutput: Self { .init(rawValue: EIO) }
}

extension LMDBError {
  /// Whether the file itself is damaged, rather than the request or the machine at fault.
  public var isDamage: Bool {
    self == .pageNotFound || self == .corrupted || self == .invalid || self == .versionMismatch
  }

  /// Whether space has run out: on the disk, in the user's quota, or in the reserved map.
  public var isNoSpace: Bool { self == .mapFull || fileError.isNoSpace }

  /// Whether this user must not write the file or its directory, or it is on a read-only filesystem.
  public var isReadOnly: Bool { fileError.isReadOnly }

  /// Whether this user lacks a permission.
  public var isPermission: Bool { fileError.isPermission }

  /// The remedy for a limit of the process or the system that was reached; nil for every other error.
  package var limitRemedy: String? { fileError.limitRemedy }

  /// The code as an `errno`.
  private var fileError: FileError { FileError(rawValue: rawValue) }
}

extension LMDBError: CustomStringConvertible {
  /// The C library's message for the code.
  ///
  /// The corresponding C function is `mdb_strerror`.
  public var description: String { unexpectedFile?.reason ?? String(cString: mdb_strerror(rawValue)) }
}
