// Files that a command makes, and those it reads twice.

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A file that was not there before, and goes again unless it is finished.
struct MadeFile: ~Copyable {
  let descriptor: Int32
  private let path: String
  private var isFinished = false

  /// Makes the file, for its owner alone.
  init(at path: String) throws(Failure) {
    descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    self.path = path
    guard descriptor >= 0 else {
      let code = errno
      // Whatever stands there is somebody else's.
      isFinished = true
      throw Failure(.unable, "\(path) cannot be made (\(SystemError(code: code))): name a file that is new.")
    }
  }

  /// Sees to it that what was written is on the disk.
  mutating func finish() throws(Failure) {
    guard fsync(descriptor) == 0 else {
      throw Failure(
        .unable, "\(path) cannot be written (\(SystemError(code: errno))): make room, or write it elsewhere.")
    }
    isFinished = true
  }

  deinit {
    close(descriptor)
    if !isFinished { unlink(path) }
  }
}

/// Input that can be read more than once: a file, or a copy of what a pipe brought, which goes with its last use.
struct RewindableInput: ~Copyable {
  let descriptor: Int32
  /// How many bytes there are from the start on.
  let byteCount: Int
  private let start: off_t
  private let isOwn: Bool

  /// The input of a file.
  init(file path: String) throws(Failure) {
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw Failure(.unable, "\(path) cannot be read (\(SystemError(code: errno))): check the path.")
    }
    (isOwn, start) = (true, 0)
    byteCount = Self.size(of: descriptor)
  }

  /// The input of a descriptor; what comes through a pipe is kept beside a path, under no name.
  init(_ descriptor: Int32, keptBeside path: String) throws(Failure) {
    let place = lseek(descriptor, 0, SEEK_CUR)
    if place >= 0 {
      (self.descriptor, isOwn, start) = (descriptor, false, place)
    } else {
      (self.descriptor, isOwn, start) = (try Self.copy(of: descriptor, beside: path), true, 0)
    }
    byteCount = Self.size(of: self.descriptor) - Int(start)
  }

  /// Goes back to the start.
  func rewind() { lseek(descriptor, start, SEEK_SET) }

  private static func size(of descriptor: Int32) -> Int {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
  }

  private static func copy(of descriptor: Int32, beside path: String) throws(Failure) -> Int32 {
    var name = Array((path + ".XXXXXX").utf8CString)
    let copy = mkstemp(&name)
    guard copy >= 0 else {
      throw Failure(.unable, "The input cannot be kept beside \(path) (\(SystemError(code: errno))): check the path.")
    }
    unlink(name)
    var bytes: [UInt8] = []
    do throws(SystemError) {
      while try Descriptor(descriptor).receive(into: &bytes, atMost: 1 << 20) > 0 {
        var rest = bytes[...]
        while !rest.isEmpty { rest = rest.dropFirst(try Descriptor(copy).send(rest)) }
        bytes.removeAll(keepingCapacity: true)
      }
    } catch {
      close(copy)
      throw Failure(.unable, "The input cannot be kept beside \(path) (\(error)): make room, or import a file.")
    }
    return copy
  }

  deinit { if isOwn { close(descriptor) } }
}
