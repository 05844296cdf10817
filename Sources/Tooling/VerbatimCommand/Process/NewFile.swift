// Files that a command creates and reads.
internal import Files
internal import Foundation

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

  /// Writes a text.
  func write(_ text: String) throws(Failure) {
    var output = Output(descriptor)
    try output.write(Array(text.utf8))
    try output.flush()
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

/// A file or descriptor that is read.
struct InputFile: ~Copyable {
  let descriptor: Int32
  private let isOwn: Bool

  /// Opens a file.
  init(file path: String) throws(Failure) {
    (descriptor, isOwn) = (open(path, O_RDONLY | O_CLOEXEC), true)
    guard descriptor >= 0 else {
      throw Failure(.unable, "\(path) cannot be read (\(FileError(rawValue: errno))): check the path.")
    }
  }

  /// Creates the input of a descriptor, which the caller closes.
  init(_ descriptor: Int32) { (self.descriptor, isOwn) = (descriptor, false) }

  deinit { if isOwn { close(descriptor) } }
}

/// Returns a file without a name, beside a path or, where no file can be created there, in the directory for temporary
/// files.
func namelessFile(beside path: String? = nil) throws(Failure) -> Int32 {
  let names = [path, FileManager.default.temporaryDirectory.path + "/verbatim"].compactMap(\.self)
  for name in names {
    var name = Array((name + ".XXXXXX").utf8CString)
    let descriptor = mkstemp(&name)
    if descriptor < 0 { continue }
    unlink(name)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return descriptor
  }
  throw Failure(.unable, "No temporary file can be created (\(FileError(rawValue: errno))): free space for one.")
}

/// A newly created directory, which is removed again with its files unless it is finished.
struct NewDirectory: ~Copyable {
  let path: String
  private var isFinished = false

  /// Creates the directory, accessible to its owner only.
  init(at path: String) throws(Failure) {
    self.path = path
    guard mkdir(path, 0o700) == 0 else {
      let code = errno
      isFinished = true
      throw Failure(.unable, "\(path) cannot be created (\(FileError(rawValue: code))): name a new directory.")
    }
  }

  /// Creates a directory in it.
  func makeDirectory(_ name: String) throws(Failure) {
    try filing { () throws(FileError) in try FileSystem.makeDirectory(path + "/" + name) }
  }

  /// Writes a file in it.
  func write(_ text: String, to name: String) throws(Failure) {
    var file = try NewFile(at: path + "/" + name)
    try file.write(text)
    try file.finish()
  }

  /// Syncs the directory.
  consuming func finish() throws(Failure) {
    try filing { () throws(FileError) in try FileSystem.sync(path) }
    isFinished = true
  }

  private func filing(_ body: () throws(FileError) -> Void) throws(Failure) {
    do throws(FileError) { try body() } catch {
      throw Failure(.unable, "\(path) cannot be written (\(error)): free space, or write it elsewhere.")
    }
  }

  deinit { if !isFinished { try? FileSystem.removeTree(path) } }
}
