// The file operations that the modules above need, so that they need no C of their own.

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// File and directory operations for logs and tables.
///
/// No function follows a symbolic link in any component of a path, except ``resolved(_:)``, for a path that a user has
/// named. Files that are read or written must be regular files, and opening never blocks.
package enum FileSystem {
  /// The type of a path, without following a link.
  package enum Kind: Hashable, Sendable {
    case nothing, directory, file
    /// A symbolic link, FIFO, socket or device, which this program never creates.
    case special
    /// The type is unknown: a directory on the path cannot be searched, is a link, or is not a directory.
    case unreachable
  }

  /// Returns the type of a path.
  package static func kind(at path: String) -> Kind {
    do throws(FileError) {
      guard let status = try PathEntry(path).status() else { return .nothing }
      switch UnexpectedFileType.FileType(status.st_mode) {
      case .file: return .file
      case .directory: return .directory
      case .link, .fifo, .socket, .device, .unknown: return .special
      }
    } catch {
      return error == .noSuchFile ? .nothing : .unreachable
    }
  }

  /// Returns whether a path is a file; throws when it is of another type or cannot be examined.
  package static func isFile(at path: String) throws(FileError) -> Bool { try isThere(.file, at: path) }

  /// Returns whether a path is a directory; throws when it is of another type or cannot be examined.
  package static func isDirectory(at path: String) throws(FileError) -> Bool { try isThere(.directory, at: path) }

  private static func isThere(_ type: UnexpectedFileType.FileType, at path: String) throws(FileError) -> Bool {
    try FileError.ifFound(PathEntry(path).require(type)) ?? false
  }

  /// Throws when one of these names in a directory has an unexpected type; a missing name is no error.
  package static func require(
    files: [String], directories: [String] = [], in directory: String
  ) throws(FileError) {
    do throws(FileError) {
      let entry = try PathEntry(directory + "/-")
      for name in files { try entry.require(.file, at: name) }
      for name in directories { try entry.require(.directory, at: name) }
    } catch .noSuchFile {
      return
    }
  }

  /// Resolves the links in a path that a user has named: unchanged when no component is a link, else the real path of
  /// its existing part followed by the rest. Paths below a workspace are never resolved.
  package static func resolved(_ path: String) -> String {
    guard leadsThroughLink(path) else { return path }
    var (head, rest) = (path, "")
    while true {
      if let real = realpath(head, nil) {
        defer { free(real) }
        let start = String(cString: real)
        return rest.isEmpty || start != "/" ? start + rest : rest
      }
      let (parent, name) = (parent(of: head), PathEntry.split(head).name)
      // The head does not exist: continue with its parent.
      if parent == head { return path }
      (head, rest) = (parent, "/" + name + rest)
    }
  }

  /// Resolves the links of a path's directory, which a user has named, but not its last component.
  package static func resolvedDirectory(of path: String) -> String {
    let parent = parent(of: path)
    let resolved = resolved(parent)
    return resolved == parent ? path : resolved + "/" + PathEntry.split(path).name
  }

  /// Returns the path of the directory that holds the last component.
  package static func parent(of path: String) -> String {
    var parent = PathEntry.split(path).parent
    while parent.utf8.count > 1, parent.utf8.last == UInt8(ascii: "/") { parent.removeLast() }
    return parent.isEmpty ? "." : parent
  }

  private static func leadsThroughLink(_ path: String) -> Bool {
    do throws(FileError) {
      return try PathEntry(path).status().map { $0.st_mode & S_IFMT == S_IFLNK } ?? false
    } catch {
      return error.unexpectedFile?.found == .link
    }
  }

  /// Returns the names in a directory, without `.` and `..`.
  package static func names(in directory: String) throws(FileError) -> [String] {
    var names: [String] = []
    let descriptor = try PathEntry(directory).openDirectory()
    try forEachName(in: descriptor) { name in names.append(String(cString: name)) }
    return names
  }

  /// Returns the absolute path by the current working directory.
  package static func absolute(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    guard let working = getcwd(nil, 0) else { return path }
    defer { free(working) }
    return String(cString: working) + "/" + path
  }

  /// Calls the closure with each name in an open directory, which is closed afterwards.
  private static func forEachName(in descriptor: CInt, _ body: (UnsafePointer<CChar>) -> Void) throws(FileError) {
    guard let stream = fdopendir(descriptor) else {
      let code = errno
      close(descriptor)
      throw FileError(rawValue: code)
    }
    defer { closedir(stream) }
    while true {
      errno = 0
      guard let entry = readdir(stream) else { break }
      withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: name.pointee)) { name in
          if strcmp(name, ".") != 0, strcmp(name, "..") != 0 { body(name) }
        }
      }
    }
    if errno != 0 { throw FileError(rawValue: errno) }
  }

  /// Creates a directory with mode 0700 unless it exists.
  package static func makeDirectory(_ path: String) throws(FileError) {
    let entry = try PathEntry(path)
    // Another process may remove it after it was found to exist: then it is created again.
    repeat {
      if mkdirat(entry.directory, entry.name, 0o700) == 0 { return }
      if errno != EEXIST { throw FileError(rawValue: errno) }
    } while try !entry.require(.directory)
  }

  /// Creates a directory with mode 0700; returns false if the path exists.
  package static func makeNewDirectory(_ path: String) throws(FileError) -> Bool {
    let entry = try PathEntry(path)
    if mkdirat(entry.directory, entry.name, 0o700) == 0 { return true }
    guard errno == EEXIST else { throw FileError(rawValue: errno) }
    return false
  }

  /// Creates a directory with mode 0700, and its missing parents.
  package static func makeDirectories(_ path: String) throws(FileError) {
    do { try makeDirectory(path) } catch {
      let parent = parent(of: path)
      guard error == .noSuchFile, parent != path else { throw error }
      try makeDirectories(parent)
      try makeDirectory(path)
    }
  }

  /// Creates a new temporary directory; nil when that is impossible.
  package static func makeTemporaryDirectory() -> String? {
    let parent = resolved(getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp")
    var template = Array((parent + "/verbatim-XXXXXX").utf8CString)
    return template.withUnsafeMutableBufferPointer { buffer in mkdtemp(buffer.baseAddress!).map { String(cString: $0) }
    }
  }

  /// Removes a directory and the files in it; a missing one is no error. Directories in it and files that cannot be
  /// removed remain, and so does the directory then.
  ///
  /// Links in it are removed, and their targets are not touched; if it is a link itself, or a file, nothing is removed.
  package static func removeDirectory(_ path: String) throws(FileError) {
    do throws(FileError) { try removeDirectory(path, isDeep: false) } catch {
      if error.unexpectedFile != nil { throw error }
    }
  }

  /// Removes a directory and everything in it, as ``removeDirectory(_:)`` does; throws the first error if anything
  /// remains.
  package static func removeTree(_ path: String) throws(FileError) {
    do throws(FileError) { try removeDirectory(path, isDeep: true) } catch .noSuchFile { return }
  }

  private static func removeDirectory(_ path: String, isDeep: Bool) throws(FileError) {
    let entry = try PathEntry(path)
    guard try entry.require(.directory) else { return }
    let failure = removeContents(of: try entry.openDirectory(), isDeep: isDeep)
    if unlinkat(entry.directory, entry.name, AT_REMOVEDIR) == 0 || errno == ENOENT { return }
    throw failure ?? FileError(rawValue: errno)
  }

  /// Removes the entries of an open directory, which is closed; returns the first error. A name is unlinked before it
  /// is opened as a directory, so there is no moment in which a directory could become a link.
  private static func removeContents(of directory: CInt, isDeep: Bool) -> FileError? {
    var names: [[CChar]] = []
    let own = fcntl(directory, F_DUPFD_CLOEXEC, 0)
    var failure = own < 0 ? FileError(rawValue: errno) : nil
    do throws(FileError) {
      try forEachName(in: directory) { names.append(Array(UnsafeBufferPointer(start: $0, count: strlen($0) + 1))) }
    } catch { failure = failure ?? error }
    if own < 0 { return failure }
    defer { close(own) }
    for name in names where unlinkat(own, name, 0) != 0 {
      var code = errno
      let below = isDeep ? openat(own, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1
      if below >= 0 {
        let error = removeContents(of: below, isDeep: true)
        if unlinkat(own, name, AT_REMOVEDIR) == 0 { continue }
        code = error?.rawValue ?? errno
      } else if isDeep, errno != ENOTDIR {
        code = errno
      }
      // Another process may have removed it.
      if failure == nil, code != ENOENT { failure = FileError(rawValue: code) }
    }
    return failure
  }

  /// Private directories of this user for temporary files, in memory first; only those that can be created.
  package static var temporaryParents: [String] {
    let temporary = resolved(getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp")
    return ["/dev/shm", temporary].compactMap { parent in
      let path = "\(parent)/verbatim-\(geteuid())"
      guard kind(at: parent) == .directory, mkdir(path, 0o700) == 0 || errno == EEXIST else { return nil }
      // Other users can write to the parent, and may have created the directory before.
      guard let status = status(of: path), status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(),
        status.st_mode & 0o077 == 0
      else { return nil }
      return path
    }
  }

  /// Removes a file; a missing one is no error.
  package static func remove(_ path: String) throws(FileError) {
    do throws(FileError) {
      let entry = try PathEntry(path)
      guard try entry.require(.file) else { return }
      guard unlinkat(entry.directory, entry.name, 0) == 0 else { throw FileError(rawValue: errno) }
    } catch .noSuchFile {
      return
    }
  }

  /// Renames a file or directory atomically.
  package static func rename(_ path: String, to other: String) throws(FileError) {
    let from = try PathEntry(path)
    let to = try PathEntry(other)
    guard renameat(from.directory, from.name, to.directory, to.name) == 0 else { throw FileError(rawValue: errno) }
  }

  /// Sets a file's times to now, which marks it as used.
  package static func touch(_ path: String) {
    guard let entry = try? PathEntry(path) else { return }
    utimensat(entry.directory, entry.name, nil, AT_SYMLINK_NOFOLLOW)
  }
}
