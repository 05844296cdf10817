// A reader of a file in pieces.
internal import Errors
internal import Files

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// An open file that is read in pieces, one in memory at a time.
internal struct BlobReader: ~Copyable {
  private let descriptor: CInt
  private let buffer: UnsafeMutableRawBufferPointer
  /// The size of the file when it was opened; nil if it is not a regular file.
  let byteCount: Int?

  /// The maximal size of a piece in bytes.
  static let pieceCount = 1 << 20

  /// Opens a file of the store; a symbolic link is refused.
  init(stored path: String) throws(FileError) { try self.init(FileSystem.openFile(path, O_RDONLY)) }

  /// Opens a path that the user named; never blocks, as opening a FIFO would.
  init(named path: String) throws(FileError) {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileError(rawValue: errno) }
    try self.init(descriptor)
  }

  private init(_ descriptor: CInt) throws(FileError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      let code = errno
      close(descriptor)
      throw FileError(rawValue: code)
    }
    self.descriptor = descriptor
    byteCount = status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : nil
    buffer = .allocate(byteCount: Self.pieceCount, alignment: 1)
  }

  deinit {
    close(descriptor)
    buffer.deallocate()
  }

  /// Returns the next piece, valid until the next call; nil at the end.
  mutating func next() throws(FileError) -> UnsafeRawBufferPointer? {
    while true {
      let count = read(descriptor, buffer.baseAddress, buffer.count)
      if count > 0 { return UnsafeRawBufferPointer(rebasing: buffer[..<count]) }
      if count == 0 { return nil }
      if errno != EINTR { throw FileError(rawValue: errno) }
    }
  }

  /// Returns the next piece of a file of the store at a path, as ``next()`` does.
  mutating func next(storedIn path: String) throws(BlobError) -> UnsafeRawBufferPointer? {
    try rethrow(next(), as: BlobError.reading(in: path))
  }
}

extension BlobError {
  /// Creates the error for a failure to open or read a file that is added.
  init(_ error: FileError, reading path: String) {
    switch error.rawValue {
    case ENOENT, ENOTDIR: self = .noFile(path: path)
    // Sockets, and devices without a driver.
    case ENXIO: self = .notAFile(path: path)
    default: self = .unreadable(path: path, reason: error.description)
    }
  }

  /// Creates the error for a failure of the store's own disk.
  init(_ error: FileError, storingIn path: String) {
    switch error.rawValue {
    case ENOSPC, EDQUOT: self = .full(path: path)
    default: self = .storage(path: path, reason: error.description)
    }
  }

  /// Returns the conversion of failures to read what a store at a path has.
  static func reading(in path: String) -> (FileError) -> BlobError {
    { .storage(path: path, reason: $0.description) }
  }

  /// Returns the conversion of failures to write a copy of a blob.
  static func writing(_ path: String) -> (FileError) -> BlobError {
    { .notCopied(path: path, reason: $0.description) }
  }

  /// Runs operations on the store's files, and throws their errors as those of blobs.
  static func storing<R: ~Copyable>(in path: String, _ body: () throws(FileError) -> R) throws(BlobError) -> R {
    try rethrow(body(), as: { (error: FileError) in BlobError(error, storingIn: path) })
  }
}
