// Access to a path without following a symbolic link.
internal import CFiles

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A name in an open directory; no component of the path to it is a symbolic link.
///
/// A directory from another person can hold links in place of the program's files, and a call that follows them writes,
/// deletes or copies files outside. So each access opens the directory first, and uses the last name through its
/// descriptor.
internal struct PathEntry: ~Copyable {
  /// The path as given, for messages.
  let path: String
  /// The directory that the name is in.
  let directory: CInt
  /// The last component; `.` where the path ends in none.
  let name: String

  /// Opens the directory of a path; the last component is not examined.
  init(_ path: String) throws(FileError) {
    if path.isEmpty { throw .noSuchFile }
    let (parent, name) = Self.split(path)
    directory = try Self.directory(parent)
    (self.path, self.name) = (path, name)
  }

  deinit { Self.letGo(of: directory) }

  private static func letGo(of directory: CInt) { if directory != AT_FDCWD { close(directory) } }

  /// Returns the path of the directory, and the name in it. Bytes are compared: a letter that combines with the slash
  /// before it forms one character with it.
  static func split(_ path: String) -> (parent: String, name: String) {
    let slash = UInt8(ascii: "/")
    let bytes = path.utf8
    guard let last = bytes.lastIndex(where: { $0 != slash }) else { return (path, ".") }
    let start = bytes[...last].lastIndex(of: slash).map { bytes.index(after: $0) } ?? bytes.startIndex
    let name = String(path[start...last])
    return [".", ".."].contains(name) ? (path, ".") : (String(path[..<start]), name)
  }

  /// Opens a directory; the empty path is the current one.
  private static func directory(_ path: String) throws(FileError) -> CInt {
    #if canImport(Glibc)
      // One call instead of one for each component. On any failure, the walk finds the cause.
      let flags = search | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
      let descriptor = path.isEmpty ? -1 : verbatim_open_without_links(AT_FDCWD, path, flags)
      if descriptor >= 0 { return descriptor }
    #endif
    return try walk(path)
  }

  /// Opens a directory component by component, which works on every system: only Linux has a call that both refuses
  /// links in the whole path and returns a descriptor to continue from.
  static func walk(_ path: String) throws(FileError) -> CInt {
    let slash = UInt8(ascii: "/")
    var (directory, reached) = (AT_FDCWD, "")
    if path.utf8.first == slash {
      directory = openat(AT_FDCWD, "/", search | O_DIRECTORY | O_CLOEXEC)
      guard directory >= 0 else { throw FileError(rawValue: errno) }
      reached = "/"
    }
    for component in path.utf8.split(separator: slash) {
      let name = String(Substring(component))
      if name == "." { continue }
      let next = openat(directory, name, search | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      reached += (reached.isEmpty || reached == "/" ? "" : "/") + name
      if next < 0 {
        let error = error(errno, in: directory, name, path: reached, expected: .directory)
        letGo(of: directory)
        throw error
      }
      letGo(of: directory)
      directory = next
    }
    return directory
  }

  // Traversing a directory requires the right to search it, not to read it. The names are missing from the headers as
  // Swift sees them.
  #if canImport(Glibc)
    private static let search: CInt = 0o10_000_000  // O_PATH
  #else
    private static let search: CInt = 0x4000_0000  // O_EXEC, which makes O_SEARCH of O_DIRECTORY
  #endif

  /// Returns why a name could not be opened: an unexpected type, or the system's error.
  private static func error(
    _ code: CInt, in directory: CInt, _ name: String, path: String, expected: UnexpectedFileType.FileType
  ) -> FileError {
    var status = stat()
    guard code != ENOENT, fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
      return FileError(rawValue: code)
    }
    let found = UnexpectedFileType.FileType(status.st_mode)
    return found == expected
      ? FileError(rawValue: code) : FileError(UnexpectedFileType(path: path, found: found, expected: expected))
  }
}

extension PathEntry {
  /// Returns the status of the path itself without following a link; nil when it does not exist.
  borrowing func status() throws(FileError) -> stat? { try status(of: name) }

  private borrowing func status(of name: String) throws(FileError) -> stat? {
    var status = stat()
    if fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0 { return status }
    guard errno == ENOENT else { throw FileError(rawValue: errno) }
    return nil
  }

  /// Throws unless a name in this directory is missing or has a type; returns whether it exists.
  @discardableResult
  borrowing func require(_ expected: UnexpectedFileType.FileType, at other: String? = nil) throws(FileError) -> Bool {
    guard let status = try status(of: other ?? name) else { return false }
    let found = UnexpectedFileType.FileType(status.st_mode)
    guard found == expected else {
      let path = other.map { Self.split(self.path).parent + $0 } ?? path
      throw FileError(UnexpectedFileType(path: path, found: found, expected: expected))
    }
    return true
  }

  /// Opens a regular file without blocking, as opening a FIFO would.
  borrowing func openFile(_ flags: CInt) throws(FileError) -> CInt {
    let descriptor = openat(directory, name, flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.error(errno, in: directory, name, path: path, expected: .file) }
    return try only(.file, descriptor)
  }

  /// Opens a directory to read its entries.
  borrowing func openDirectory() throws(FileError) -> CInt {
    let descriptor = openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.error(errno, in: directory, name, path: path, expected: .directory) }
    return descriptor
  }

  private borrowing func only(_ expected: UnexpectedFileType.FileType, _ descriptor: CInt) throws(FileError) -> CInt {
    var status = stat()
    let code = fstat(descriptor, &status) == 0 ? 0 : errno
    let found = UnexpectedFileType.FileType(status.st_mode)
    if code == 0, found == expected { return descriptor }
    close(descriptor)
    throw code != 0
      ? FileError(rawValue: code) : FileError(UnexpectedFileType(path: path, found: found, expected: expected))
  }
}
