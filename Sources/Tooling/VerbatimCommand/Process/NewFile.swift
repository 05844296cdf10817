// Files that a command creates, and input that it reads twice.
internal import Files

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A newly created file, which is removed again unless it is finished.
struct NewFile: ~Copyable {
  let descriptor: Int32
  private let path: String
  private var isFinished = false

  /// Creates the file, readable by its owner only.
  init(at path: String) throws(Failure) {
    descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    self.path = path
    guard descriptor >= 0 else {
      let code = errno
      // An existing file belongs to another process.
      isFinished = true
      throw Failure(.unable, "\(path) cannot be created (\(FileError(rawValue: code))): name a new file.")
    }
  }

  /// Syncs the file to disk.
  mutating func finish() throws(Failure) {
    guard fsync(descriptor) == 0 else {
      throw Failure(
        .unable, "\(path) cannot be written (\(FileError(rawValue: errno))): free space, or write it elsewhere.")
    }
    isFinished = true
  }

  deinit {
    close(descriptor)
    if !isFinished { unlink(path) }
  }
}

/// Input that can be read more than once: a file, or a copy of a pipe's content, deleted after its last use.
struct RewindableInput: ~Copyable {
  let descriptor: Int32
  /// The number of bytes from the start on.
  let byteCount: Int
  private let start: off_t
  private let isOwn: Bool

  /// Opens a file.
  init(file path: String) throws(Failure) {
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw Failure(.unable, "\(path) cannot be read (\(FileError(rawValue: errno))): check the path.")
    }
    (isOwn, start) = (true, 0)
    byteCount = Self.size(of: descriptor)
  }

  /// Creates the input of a descriptor; a pipe's content is copied to an unlinked file beside a path.
  init(_ descriptor: Int32, keptBeside path: String) throws(Failure) {
    let offset = lseek(descriptor, 0, SEEK_CUR)
    if offset >= 0 {
      (self.descriptor, isOwn, start) = (descriptor, false, offset)
    } else {
      (self.descriptor, isOwn, start) = (try Self.copy(of: descriptor, beside: path), true, 0)
    }
    byteCount = Self.size(of: self.descriptor) - Int(start)
  }

  /// Seeks back to the start.
  func rewind() { lseek(descriptor, start, SEEK_SET) }

  private static func size(of descriptor: Int32) -> Int {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
  }

  private static func copy(of descriptor: Int32, beside path: String) throws(Failure) -> Int32 {
    var name = Array((path + ".XXXXXX").utf8CString)
    let copy = mkstemp(&name)
    guard copy >= 0 else {
      throw Failure(
        .unable, "The input cannot be buffered beside \(path) (\(FileError(rawValue: errno))): check the path.")
    }
    unlink(name)
    var bytes: [UInt8] = []
    do throws(FileError) {
      while try Descriptor(descriptor).receive(into: &bytes, atMost: 1 << 20) > 0 {
        var rest = bytes[...]
        while !rest.isEmpty { rest = rest.dropFirst(try Descriptor(copy).send(rest)) }
        bytes.removeAll(keepingCapacity: true)
      }
    } catch {
      close(copy)
      throw Failure(.unable, "The input cannot be buffered beside \(path) (\(error)): free space, or import a file.")
    }
    return copy
  }

  deinit { if isOwn { close(descriptor) } }
}
