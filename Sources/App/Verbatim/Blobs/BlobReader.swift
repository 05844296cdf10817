// A file that is read from its beginning, a piece at a time.
internal import LMDB

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// An open file, of which one piece at a time is in memory.
internal struct BlobReader: ~Copyable {
  private let descriptor: CInt
  private let buffer: UnsafeMutableRawBufferPointer
  /// How many bytes it had when it was opened; nil for what is no file.
  let byteCount: Int?

  /// How many bytes a piece has at most.
  static let pieceCount = 1 << 20

  /// Opens a file of the store's own, to which no link may lead.
  init(stored path: String) throws(LMDBError) { try self.init(Files.openFile(path, O_RDONLY)) }

  /// Opens what a user has named; it never waits, as opening a FIFO would.
  init(named path: String) throws(LMDBError) {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw LMDBError(rawValue: errno) }
    try self.init(descriptor)
  }

  private init(_ descriptor: CInt) throws(LMDBError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      let code = errno
      close(descriptor)
      throw LMDBError(rawValue: code)
    }
    self.descriptor = descriptor
    byteCount = status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : nil
    buffer = .allocate(byteCount: Self.pieceCount, alignment: 1)
  }

  deinit {
    close(descriptor)
    buffer.deallocate()
  }

  /// The next piece, which is there until one asks for another; nil at the end.
  mutating func next() throws(LMDBError) -> UnsafeRawBufferPointer? {
    while true {
      let count = read(descriptor, buffer.baseAddress, buffer.count)
      if count > 0 { return UnsafeRawBufferPointer(rebasing: buffer[..<count]) }
      if count == 0 { return nil }
      if errno != EINTR { throw LMDBError(rawValue: errno) }
    }
  }
}

extension BlobError {
  /// What a failure to open or read a file that is to be added means.
  init(_ error: LMDBError, reading path: String) {
    switch error.rawValue {
    case ENOENT, ENOTDIR: self = .noFile(path: path)
    // So are sockets, and devices that nobody serves.
    case ENXIO: self = .notAFile(path: path)
    default: self = .unreadable(path: path, reason: error.description)
    }
  }

  /// What a failure of the store's own disk means.
  init(_ error: LMDBError, storingIn path: String) {
    switch error.rawValue {
    case ENOSPC, EDQUOT: self = .full(path: path)
    default: self = .storage(path: path, reason: error.description)
    }
  }
}
