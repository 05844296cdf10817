// The few things that modules above need of files and the system, so that they need no C of their own.

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Files, directories and the machine, as far as logs and tables need them.
package enum Files {
  /// What stands at a path.
  package enum Kind { case nothing, directory, other }

  package static func kind(at path: String) -> Kind {
    var status = stat()
    guard stat(path, &status) == 0 else { return .nothing }
    return status.st_mode & S_IFMT == S_IFDIR ? .directory : .other
  }

  /// The names in a directory, without `.` and `..`; empty when it cannot be read.
  package static func names(in directory: String) -> [String] {
    guard let stream = opendir(directory) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// The path from the root that a path means now, whatever the working directory will be later.
  static func absolute(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    guard let working = getcwd(nil, 0) else { return path }
    defer { free(working) }
    return String(cString: working) + "/" + path
  }

  /// Makes a directory for its owner alone, unless it is there.
  package static func makeDirectory(_ path: String) throws(LMDBError) {
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw LMDBError(rawValue: errno) }
  }

  /// Makes a directory for its owner alone, and those above it that are not there.
  package static func makeDirectories(_ path: String) throws(LMDBError) {
    if let slash = path.lastIndex(of: "/"), slash > path.startIndex, kind(at: path) == .nothing {
      try makeDirectories(String(path[..<slash]))
    }
    try makeDirectory(path)
  }

  /// Makes a directory of its own for what is needed for a while; nil when there is no place for it.
  package static func makeTemporaryDirectory() -> String? {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array((parent + "/verbatim-XXXXXX").utf8CString)
    return template.withUnsafeMutableBufferPointer { buffer in mkdtemp(buffer.baseAddress!).map { String(cString: $0) }
    }
  }

  /// Directories of this user alone for what is needed for a while, in memory first; those that can be made.
  package static var temporaryParents: [String] {
    let temporary = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    return ["/dev/shm", temporary].compactMap { parent in
      let path = "\(parent)/verbatim-\(geteuid())"
      guard kind(at: parent) == .directory, mkdir(path, 0o700) == 0 || errno == EEXIST else { return nil }
      var status = stat()
      // Others may write beside it, and may have made it before.
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(),
        status.st_mode & 0o077 == 0
      else { return nil }
      return path
    }
  }

  /// Removes a directory and the files in it.
  package static func removeDirectory(_ path: String) {
    for name in names(in: path) { unlink(path + "/" + name) }
    rmdir(path)
  }

  /// Removes a directory and all that is in it.
  package static func removeTree(_ path: String) {
    for name in names(in: path) where kind(at: path + "/" + name) == .directory { removeTree(path + "/" + name) }
    removeDirectory(path)
  }

  /// Removes a file; that it is not there is no error.
  package static func remove(_ path: String) throws(LMDBError) {
    guard unlink(path) == 0 || errno == ENOENT else { throw LMDBError(rawValue: errno) }
  }

  /// Gives a file or directory another name, in one step.
  package static func rename(_ path: String, to other: String) throws(LMDBError) {
    #if canImport(Glibc)
      let code = Glibc.rename(path, other)
    #else
      let code = Darwin.rename(path, other)
    #endif
    guard code == 0 else { throw LMDBError(rawValue: errno) }
  }

  /// Copies a file's content into a new one; nothing is synced.
  package static func copy(_ path: String, to other: String) throws(LMDBError) {
    let source = open(path, O_RDONLY | O_CLOEXEC)
    guard source >= 0 else { throw LMDBError(rawValue: errno) }
    defer { close(source) }
    let target = open(other, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard target >= 0 else { throw LMDBError(rawValue: errno) }
    defer { close(target) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = read(source, &bytes, bytes.count)
      guard count >= 0 else { throw LMDBError(rawValue: errno) }
      if count == 0 { return }
      // What is cut short is cut short by a full disk.
      let written = write(target, bytes, count)
      guard written == count else { throw LMDBError(rawValue: written < 0 ? errno : ENOSPC) }
    }
  }

  /// Sees to it that a file can be read and written by its owner alone.
  package static func makePrivate(_ path: String) throws(LMDBError) {
    guard chmod(path, 0o600) == 0 else { throw LMDBError(rawValue: errno) }
  }

  /// What changes when a file is replaced or written; nil when there is none.
  package static func identity(of path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    #if canImport(Glibc)
      let changed = status.st_ctim
    #else
      let changed = status.st_ctimespec
    #endif
    return "\(status.st_dev) \(status.st_ino) \(status.st_size) \(changed.tv_sec) \(changed.tv_nsec)"
  }

  /// Notes that a file was used now.
  package static func touch(_ path: String) { utimes(path, nil) }

  /// How many seconds ago a file was last written or touched; 0 when there is none.
  package static func secondsSinceChange(of path: String) -> Int {
    var status = stat()
    guard stat(path, &status) == 0 else { return 0 }
    #if canImport(Glibc)
      return time(nil) - status.st_mtim.tv_sec
    #else
      return time(nil) - status.st_mtimespec.tv_sec
    #endif
  }

  /// How many bytes a file takes on the disk; 0 when there is none.
  package static func byteCount(of path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_blocks) * 512 : 0
  }

  /// How many bytes a file has; 0 when there is none.
  package static func size(of path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Whether a process is there.
  package static func isAlive(process: Int32) -> Bool { kill(process, 0) == 0 || errno != ESRCH }

  /// The content of a small file; nil when there is none.
  package static func contents(of path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var contents: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 1 << 14)
    while true {
      let count = read(descriptor, &bytes, bytes.count)
      if count < 0 { return nil }
      if count == 0 { return String(decoding: contents, as: UTF8.self) }
      contents += bytes[..<count]
    }
  }

  /// How many bytes of addresses can be had in one piece, by halving what is wanted until it is granted.
  static func addressesLeft(upTo wanted: Int) -> Int {
    var size = wanted
    while size > 0 {
      // Safe because nothing is ever read or written there: it is given back at once.
      if let start = mmap(nil, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | noReserve, -1, 0), start != MAP_FAILED {
        munmap(start, size)
        return size
      }
      size /= 2
    }
    return 0
  }

  #if canImport(Glibc)
    private static let noReserve = MAP_NORESERVE
  #else
    private static let noReserve: CInt = 0
  #endif

  /// The address that the beginning of a file is mapped to, of so many bytes; nil when the system does not tell.
  static func mapStart(device: UInt64, inode: UInt64, byteCount: Int) -> UInt? {
    #if canImport(Glibc)
      // Each line: start-end permissions offset device inode path.
      for line in contents(of: "/proc/self/maps")?.split(separator: "\n") ?? [] {
        let columns = line.split(separator: " ", maxSplits: 5)
        guard columns.count >= 5, columns[4] == String(inode) else { continue }
        let numbers = columns[3].split(separator: ":").compactMap { UInt64($0, radix: 16) }
        // As `gnu_dev_major` and `gnu_dev_minor`, which Swift does not see, take the number apart.
        let major = device >> 8 & 0xFFF | device >> 32 & ~0xFFF
        let minor = device & 0xFF | device >> 12 & ~0xFF
        guard numbers == [major, minor] else { continue }
        let ends = columns[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
        if ends.count == 2, ends[1] - ends[0] == UInt(byteCount) { return ends[0] }
      }
    #endif
    return nil
  }

  /// Writes a small file and makes sure that it, and its entry in the directory, are on the disk.
  package static func writeDurably(_ text: String, to path: String, in directory: String) throws(LMDBError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw LMDBError(rawValue: errno) }
    defer { close(descriptor) }
    var text = text
    let written = text.withUTF8 { write(descriptor, $0.baseAddress, $0.count) - $0.count }
    // What is cut short is cut short by a full disk.
    guard written == 0 else { throw LMDBError(rawValue: written < -text.utf8.count ? errno : ENOSPC) }
    guard fsync(descriptor) == 0 else { throw LMDBError(rawValue: errno) }
    try sync(directory)
  }

  /// Writes something behind a small file; nothing is synced.
  package static func append(_ text: String, to path: String) throws(LMDBError) {
    let descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
    guard descriptor >= 0 else { throw LMDBError(rawValue: errno) }
    defer { close(descriptor) }
    var text = text
    let written = text.withUTF8 { write(descriptor, $0.baseAddress, $0.count) - $0.count }
    guard written == 0 else { throw LMDBError(rawValue: written < -text.utf8.count ? errno : ENOSPC) }
  }

  /// Makes sure that what was written to a file, or into a directory's entries, is on the disk.
  package static func sync(_ path: String) throws(LMDBError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw LMDBError(rawValue: errno) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw LMDBError(rawValue: errno) }
  }

  /// The bytes that are free for this user on the filesystem of a path; nil when the system does not tell.
  package static func freeByteCount(at path: String) -> Int? {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return nil }
    return Int(clamping: UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue)
  }

  /// What must be the same for unsynced writes of an earlier process to be still there: this run of the system and
  /// this mount of the filesystem.
  package static func bootAndMount(of directory: String) -> String {
    #if canImport(Glibc)
      let boot = contents(of: "/proc/sys/kernel/random/boot_id") ?? ""
      let descriptor = open(directory, O_RDONLY | O_CLOEXEC)
      defer { if descriptor >= 0 { close(descriptor) } }
      let facts = contents(of: "/proc/self/fdinfo/\(descriptor)") ?? ""
      let mount = facts.split(separator: "\n").first { $0.hasPrefix("mnt_id:") } ?? ""
      // Without an answer no two runs are the same.
      return boot.isEmpty || mount.isEmpty ? "unknown \(getpid()) \(Int(time(nil)))\n" : "\(boot)\(mount)\n"
    #else
      var boot = [UInt8](repeating: 0, count: 64)
      var count = boot.count
      sysctlbyname("kern.bootsessionuuid", &boot, &count, nil, 0)
      return String(decoding: boot.prefix { $0 != 0 }, as: UTF8.self) + "\n"
    #endif
  }

  /// A process by its number and what can be said of it, for somebody who waits for it.
  package static func describe(process: Int32) -> String {
    #if canImport(Glibc)
      // After the name in parentheses, the second field is the state.
      guard let line = contents(of: "/proc/\(process)/stat"), let open = line.firstIndex(of: "("),
        let close = line.lastIndex(of: ")")
      else { return "\(process)" }
      let name = line[line.index(after: open)..<close]
      let isStopped = line[close...].dropFirst(2).first.map { "Tt".contains($0) } ?? false
      return isStopped ? "\(process) (\(name), stopped)" : "\(process) (\(name))"
    #else
      return "\(process)"
    #endif
  }
}
