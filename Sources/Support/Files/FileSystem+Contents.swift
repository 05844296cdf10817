// File contents: reading, writing, copying, syncing and the identity of a file.

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

extension FileSystem {
  /// Opens a regular file with the flags of `open`; a created file has mode 0600.
  package static func openFile(_ path: String, _ flags: CInt) throws(FileError) -> CInt {
    try PathEntry(path).openFile(flags)
  }

  /// Returns the beginning of a small file; nil when there is none.
  package static func contents(of path: String, atMost count: Int = 4096) throws(FileError) -> String? {
    try FileError.ifFound(bytes(of: path, atMost: count)).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the content of a file, or a part of it.
  package static func bytes(
    of path: String, from offset: Int = 0, atMost count: Int = .max
  ) throws(FileError) -> [UInt8] {
    let descriptor = try openFile(path, O_RDONLY)
    defer { close(descriptor) }
    if offset > 0, lseek(descriptor, off_t(offset), SEEK_SET) < 0 { throw FileError(rawValue: errno) }
    return try bytes(of: descriptor, atMost: count)
  }

  static func bytes(of descriptor: CInt, atMost count: Int) throws(FileError) -> [UInt8] {
    var contents: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 14)
    while contents.count < count {
      let count = read(descriptor, &piece, min(piece.count, count - contents.count))
      if count < 0 { throw FileError(rawValue: errno) }
      if count == 0 { break }
      contents += piece[..<count]
    }
    return contents
  }

  /// Copies a file's content into a new one, without syncing it.
  package static func copy(_ path: String, to other: String) throws(FileError) {
    let source = try openFile(path, O_RDONLY)
    defer { close(source) }
    let target = try openFile(other, O_WRONLY | O_CREAT | O_EXCL)
    defer { close(target) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = read(source, &bytes, bytes.count)
      guard count >= 0 else { throw FileError(rawValue: errno) }
      if count == 0 { return }
      // A short write means that the disk is full.
      let written = write(target, bytes, count)
      guard written == count else { throw FileError(rawValue: written < 0 ? errno : ENOSPC) }
    }
  }

  /// Writes a small file whose existence is durable when this returns: the directory is synced, and not the content.
  package static func mark(_ path: String, with text: String, in directory: String) throws(FileError) {
    let descriptor = try openFile(path, O_WRONLY | O_CREAT | O_TRUNC)
    defer { close(descriptor) }
    try writeAll(text, to: descriptor)
    try sync(directory)
  }

  /// Appends text to a small file, without syncing it.
  package static func append(_ text: String, to path: String) throws(FileError) {
    let descriptor = try openFile(path, O_WRONLY | O_APPEND)
    defer { close(descriptor) }
    try writeAll(text, to: descriptor)
  }

  /// Overwrites bytes of a file, durably.
  package static func overwrite(_ path: String, _ bytes: [UInt8], at offset: Int) throws(FileError) {
    let descriptor = try openFile(path, O_RDWR)
    defer { close(descriptor) }
    let count = pwrite(descriptor, bytes, bytes.count, off_t(offset))
    guard count == bytes.count else { throw FileError(rawValue: count < 0 ? errno : ENOSPC) }
    guard fsync(descriptor) == 0 else { throw FileError(rawValue: errno) }
  }

  /// Creates a file of mode 0600 as a whole, durably but for its entry in the directory; it must not exist.
  package static func create(_ path: String, with text: String) throws(FileError) {
    try writing(text, beside: path) { unfinished throws(FileError) in
      let from = try PathEntry(unfinished)
      let to = try PathEntry(path)
      guard linkat(from.directory, from.name, to.directory, to.name, 0) == 0 else { throw FileError(rawValue: errno) }
    }
  }

  /// Removes what a killed process has left of ``create(_:with:)``: a second name of the file beside it.
  package static func removeSecondNames(of path: String) throws(FileError) {
    guard let identity = FileIdentity(at: path) else { return }
    let (directory, prefix) = (parent(of: path), PathEntry.split(path).name + ".")
    for name in try names(in: directory) where name.utf8.starts(with: prefix.utf8) {
      let other = directory + "/" + name
      if FileIdentity(at: other) == identity { try remove(other) }
    }
  }

  /// Writes a file in place of one that may exist, as a whole, durably but for its entry in the directory.
  package static func replace(_ path: String, with text: String) throws(FileError) {
    try writing(text, beside: path) { unfinished throws(FileError) in try rename(unfinished, to: path) }
  }

  /// Calls the closure with the path of a synced file of mode 0600, which is removed if it is still there at the end.
  private static func writing(
    _ text: String, beside path: String, _ body: (String) throws(FileError) -> Void
  ) throws(FileError) {
    let unfinished = path + "." + String(UInt64.random(in: 0 ... .max), radix: 16)
    let descriptor = try openFile(unfinished, O_WRONLY | O_CREAT | O_EXCL)
    defer {
      close(descriptor)
      try? remove(unfinished)
    }
    try writeAll(text, to: descriptor)
    guard fsync(descriptor) == 0 else { throw FileError(rawValue: errno) }
    try body(unfinished)
  }

  /// Returns whether another user than the owner can read or write a file.
  package static func isReadableByOthers(_ path: String) -> Bool {
    status(of: path).map { $0.st_mode & 0o066 != 0 } ?? false
  }

  private static func writeAll(_ text: String, to descriptor: CInt) throws(FileError) {
    var text = text
    let (written, count) = text.withUTF8 { (write(descriptor, $0.baseAddress, $0.count), $0.count) }
    // A short write means that the disk is full.
    guard written == count else { throw FileError(rawValue: written < 0 ? errno : ENOSPC) }
  }

  /// Syncs a file, or the entries of a directory.
  package static func sync(_ path: String) throws(FileError) {
    let entry = try PathEntry(path)
    guard let status = try entry.status() else { throw .noSuchFile }
    let isDirectory = status.st_mode & S_IFMT == S_IFDIR
    let descriptor = isDirectory ? try entry.openDirectory() : try entry.openFile(O_RDONLY)
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw FileError(rawValue: errno) }
  }

  /// Syncs a directory and all directories above it, so that the path to its files is durable.
  ///
  /// Whether a directory exists does not show whether its entry is durable: the process that created it may have died
  /// before its fsync. A directory above that cannot be read is left out: its durability is up to its owner.
  package static func syncPath(to directory: String) throws(FileError) {
    try sync(directory)
    var path = absolute(directory)
    while path != parent(of: path) {
      path = parent(of: path)
      try syncAbove(path)
    }
  }

  /// Syncs a directory that another owner may have: one that cannot be read, or that has no sync, is left out.
  package static func syncAbove(_ directory: String) throws(FileError) {
    do throws(FileError) { try sync(directory) } catch {
      if !error.isReadOnly, error.rawValue != EINVAL { throw error }
    }
  }
}

extension FileSystem {
  /// Returns a string that changes when the file is replaced or written; nil when there is none.
  package static func identity(of path: String) -> String? { status(of: path).map(identity) }

  /// Returns the identity of a file that a user has named, following links.
  package static func identity(ofFileNamed path: String) -> String? {
    var status = stat()
    return stat(path, &status) == 0 ? identity(status) : nil
  }

  private static func identity(_ status: stat) -> String {
    #if canImport(Glibc)
      let changed = status.st_ctim
    #else
      let changed = status.st_ctimespec
    #endif
    return "\(status.st_dev) \(status.st_ino) \(status.st_size) \(changed.tv_sec) \(changed.tv_nsec)"
  }

  /// Returns the seconds since a file was last written or touched; 0 when there is none.
  package static func secondsSinceChange(of path: String) -> Int {
    guard let status = status(of: path) else { return 0 }
    #if canImport(Glibc)
      return max(0, time(nil) - status.st_mtim.tv_sec)
    #else
      return max(0, time(nil) - status.st_mtimespec.tv_sec)
    #endif
  }

  /// Returns the disk space of a file in bytes; 0 when there is none.
  package static func byteCount(of path: String) -> Int { status(of: path).map { Int($0.st_blocks) * 512 } ?? 0 }

  /// Returns the size of a file in bytes; 0 when there is none.
  package static func size(of path: String) -> Int { status(of: path).map { Int($0.st_size) } ?? 0 }

  static func status(of path: String) -> stat? { (try? PathEntry(path).status()) ?? nil }
}
