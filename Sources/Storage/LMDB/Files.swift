// The few things that modules above need of files and directories, so that they need no C of their own.

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Files and directories, as far as logs and tables need them.
///
/// No function follows a symbolic link, in whatever component of a path it is; only ``resolved(_:)`` does, for a path
/// that a user has named. What is read or written must be a regular file, and opening never waits.
package enum Files {
  /// What is at a path; a link is not followed.
  package enum Kind: Hashable, Sendable {
    case nothing, directory, file
    /// A symbolic link, FIFO, socket or device: nothing that this program makes.
    case special
    /// Not known: a directory on the way may not be searched, is a link, or is no directory.
    case unreachable
  }

  /// The kind of what is at a path.
  package static func kind(at path: String) -> Kind {
    do throws(LMDBError) {
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

  /// Whether there is a file at a path; throws when something else is there, or it is not known.
  package static func isFile(at path: String) throws(LMDBError) -> Bool { try isThere(.file, at: path) }

  /// Whether there is a directory at a path; throws when something else is there, or it is not known.
  package static func isDirectory(at path: String) throws(LMDBError) -> Bool { try isThere(.directory, at: path) }

  private static func isThere(_ type: UnexpectedFileType.FileType, at path: String) throws(LMDBError) -> Bool {
    do throws(LMDBError) { return try PathEntry(path).require(type) } catch .noSuchFile { return false } catch {
      throw error
    }
  }

  /// Throws when one of these names in a directory is not of the type that it should have; what is missing is no error.
  package static func require(
    files: [String], directories: [String] = [], in directory: String
  ) throws(LMDBError) {
    do throws(LMDBError) {
      let entry = try PathEntry(directory + "/-")
      for name in files { try entry.require(.file, at: name) }
      for name in directories { try entry.require(.directory, at: name) }
    } catch .noSuchFile {
      return
    } catch {
      throw error
    }
  }

  /// A path that a user has named, as it is when no component is a link; else the real path of what is there of it, and
  /// the rest behind that. What is below a workspace is never resolved.
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
      // It goes up from something that is not there.
      if parent == head { return path }
      (head, rest) = (parent, "/" + name + rest)
    }
  }

  /// A path whose directory a user has named: that is resolved, and the last component is not.
  package static func resolvedDirectory(of path: String) -> String {
    let parent = parent(of: path)
    let resolved = resolved(parent)
    return resolved == parent ? path : resolved + "/" + PathEntry.split(path).name
  }

  /// The path of the directory that a path's last component is in.
  package static func parent(of path: String) -> String {
    var parent = PathEntry.split(path).parent
    while parent.utf8.count > 1, parent.utf8.last == UInt8(ascii: "/") { parent.removeLast() }
    return parent.isEmpty ? "." : parent
  }

  private static func leadsThroughLink(_ path: String) -> Bool {
    do throws(LMDBError) {
      return try PathEntry(path).status().map { $0.st_mode & S_IFMT == S_IFLNK } ?? false
    } catch {
      return error.unexpectedFile?.found == .link
    }
  }

  /// The names in a directory, without `.` and `..`.
  package static func names(in directory: String) throws(LMDBError) -> [String] {
    var names: [String] = []
    let descriptor = try PathEntry(directory).openDirectory()
    try forEachName(in: descriptor) { name in names.append(String(cString: name)) }
    return names
  }

  /// The path from the root that a path means now, whatever the working directory will be later.
  static func absolute(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    guard let working = getcwd(nil, 0) else { return path }
    defer { free(working) }
    return String(cString: working) + "/" + path
  }

  /// Lends the names in an open directory, which is closed.
  private static func forEachName(in descriptor: CInt, _ body: (UnsafePointer<CChar>) -> Void) throws(LMDBError) {
    guard let stream = fdopendir(descriptor) else {
      let code = errno
      close(descriptor)
      throw LMDBError(rawValue: code)
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
    if errno != 0 { throw LMDBError(rawValue: errno) }
  }

  /// Makes a directory for its owner alone, unless it is there.
  package static func makeDirectory(_ path: String) throws(LMDBError) {
    let entry = try PathEntry(path)
    if mkdirat(entry.directory, entry.name, 0o700) == 0 { return }
    let code = errno
    guard code == EEXIST, try entry.require(.directory) else { throw LMDBError(rawValue: code) }
  }

  /// Makes a directory for its owner alone, and those above it that are not there.
  package static func makeDirectories(_ path: String) throws(LMDBError) {
    if kind(at: path) == .nothing { try makeDirectories(parent(of: path)) }
    try makeDirectory(path)
  }

  /// Makes a directory of its own for what is needed for a while; nil when there is no place for it.
  package static func makeTemporaryDirectory() -> String? {
    let parent = resolved(getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp")
    var template = Array((parent + "/verbatim-XXXXXX").utf8CString)
    return template.withUnsafeMutableBufferPointer { buffer in mkdtemp(buffer.baseAddress!).map { String(cString: $0) }
    }
  }

  /// Removes a directory and the files in it; that it is not there is no error. A directory in it stays, and so does it
  /// then, as does all that cannot be removed.
  ///
  /// Links in it are removed, and what they lead to is not touched; if it is a link itself, or a file, nothing is
  /// removed.
  package static func removeDirectory(_ path: String) throws(LMDBError) { try removeDirectory(path, isDeep: false) }

  /// Removes a directory and all that is in it, as ``removeDirectory(_:)`` does.
  package static func removeTree(_ path: String) throws(LMDBError) { try removeDirectory(path, isDeep: true) }

  private static func removeDirectory(_ path: String, isDeep: Bool) throws(LMDBError) {
    do throws(LMDBError) {
      let entry = try PathEntry(path)
      guard try entry.require(.directory) else { return }
      removeContents(of: try entry.openDirectory(), isDeep: isDeep)
      unlinkat(entry.directory, entry.name, AT_REMOVEDIR)
    } catch {
      if error.unexpectedFile != nil { throw error }
    }
  }

  /// Removes what is in an open directory, which is closed. A name is removed before it is looked at, so that there is
  /// no moment in which a directory could become a link.
  private static func removeContents(of directory: CInt, isDeep: Bool) {
    var names: [[CChar]] = []
    let own = fcntl(directory, F_DUPFD_CLOEXEC, 0)
    try? forEachName(in: directory) { names.append(Array(UnsafeBufferPointer(start: $0, count: strlen($0) + 1))) }
    if own < 0 { return }
    defer { close(own) }
    for name in names where unlinkat(own, name, 0) != 0 && isDeep {
      let below = openat(own, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      if below < 0 { continue }
      removeContents(of: below, isDeep: true)
      unlinkat(own, name, AT_REMOVEDIR)
    }
  }

  /// Directories of this user alone for what is needed for a while, in memory first; those that can be made.
  package static var temporaryParents: [String] {
    let temporary = resolved(getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp")
    return ["/dev/shm", temporary].compactMap { parent in
      let path = "\(parent)/verbatim-\(geteuid())"
      guard kind(at: parent) == .directory, mkdir(path, 0o700) == 0 || errno == EEXIST else { return nil }
      // Others may write beside it, and may have made it before.
      guard let status = status(of: path), status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(),
        status.st_mode & 0o077 == 0
      else { return nil }
      return path
    }
  }

  /// Removes a file; that it is not there is no error.
  package static func remove(_ path: String) throws(LMDBError) {
    do throws(LMDBError) {
      let entry = try PathEntry(path)
      guard try entry.require(.file) else { return }
      guard unlinkat(entry.directory, entry.name, 0) == 0 else { throw LMDBError(rawValue: errno) }
    } catch .noSuchFile {
      return
    } catch {
      throw error
    }
  }

  /// Gives a file or directory another name, in one step.
  package static func rename(_ path: String, to other: String) throws(LMDBError) {
    let from = try PathEntry(path)
    let to = try PathEntry(other)
    guard renameat(from.directory, from.name, to.directory, to.name) == 0 else { throw LMDBError(rawValue: errno) }
  }

  /// Notes that a file was used now.
  package static func touch(_ path: String) {
    guard let entry = try? PathEntry(path) else { return }
    utimensat(entry.directory, entry.name, nil, AT_SYMLINK_NOFOLLOW)
  }
}
