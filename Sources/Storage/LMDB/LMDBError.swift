// What LMDB or the system below it answered.
internal import CLMDB

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A code that LMDB returned: one of its own (below -30700) or an `errno`.
///
/// It is open over the C code, like `Errno`: a code that has no name here is still carried and described. Where
/// something else was found than a file or directory of the program's own, it says what and where.
public struct LMDBError: RawRepresentable, Error, Hashable, Sendable {
  /// The C code.
  public let rawValue: CInt
  /// What was found instead of a file or directory; nil for every other error.
  package let unexpectedFile: UnexpectedFileType?

  /// Wraps a C code.
  public init(rawValue: CInt) { (self.rawValue, unexpectedFile) = (rawValue, nil) }

  /// Says what was found instead of a file or directory.
  internal init(_ entry: UnexpectedFileType) { (rawValue, unexpectedFile) = (entry.code, entry) }

  /// Throws unless the code says success.
  @usableFromInline
  internal static func check(_ code: CInt) throws(LMDBError) {
    if code != 0 { throw LMDBError(rawValue: code) }
  }
}

extension LMDBError {
  /// The key is already there; with an appending put: the key is not past the last one.
  public static var keyExists: Self { .init(rawValue: MDB_KEYEXIST) }
  /// No such key, or no such table.
  public static var notFound: Self { .init(rawValue: MDB_NOTFOUND) }
  /// The tree points at a page that the file does not have: the file is damaged or cut short.
  public static var pageNotFound: Self { .init(rawValue: MDB_PAGE_NOTFOUND) }
  /// A page is of the wrong kind, or a value lies outside the file: the file is damaged.
  public static var corrupted: Self { .init(rawValue: MDB_CORRUPTED) }
  /// A failed write of a meta page; the environment must be closed and opened again.
  public static var panic: Self { .init(rawValue: MDB_PANIC) }
  /// Written by another version of LMDB's file format.
  public static var versionMismatch: Self { .init(rawValue: MDB_VERSION_MISMATCH) }
  /// Not an LMDB file, or its newest meta page is damaged.
  public static var invalid: Self { .init(rawValue: MDB_INVALID) }
  /// The reserved map is full.
  public static var mapFull: Self { .init(rawValue: MDB_MAP_FULL) }
  /// All reader slots are taken.
  public static var readersFull: Self { .init(rawValue: MDB_READERS_FULL) }
  /// A key is empty or longer than 511 bytes, or a value is too large.
  public static var badValueSize: Self { .init(rawValue: MDB_BAD_VALSIZE) }
  /// There is no such file or directory.
  public static var noSuchFile: Self { .init(rawValue: ENOENT) }
  /// The disk is full.
  public static var noSpace: Self { .init(rawValue: ENOSPC) }
  /// The device failed to read or write.
  public static var inputOutput: Self { .init(rawValue: EIO) }
}

extension LMDBError {
  /// Whether the file itself, not the request or the machine, is at fault.
  public var isDamage: Bool {
    self == .pageNotFound || self == .corrupted || self == .invalid || self == .versionMismatch
  }

  /// Whether there is no room: on the disk, in the user's quota, or in the reserved map.
  public var isNoSpace: Bool { self == .noSpace || rawValue == EDQUOT || self == .mapFull }

  /// Whether the file or its directory must not be written by this user, or lies on a read-only filesystem.
  public var isReadOnly: Bool { rawValue == EROFS || isPermission }

  /// Whether this user lacks a permission.
  public var isPermission: Bool { rawValue == EACCES || rawValue == EPERM }
}

extension LMDBError: CustomStringConvertible {
  /// What the C library says of the code.
  ///
  /// The corresponding C function is `mdb_strerror`.
  public var description: String { unexpectedFile?.reason ?? String(cString: mdb_strerror(rawValue)) }
}
