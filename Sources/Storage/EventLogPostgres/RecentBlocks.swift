// The blocks that this machine appended last, in two files.
internal import EventLog
internal import Files
internal import Locks

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The files `recent` and `recent.old`: the blocks of the last acknowledged appends of this machine's processes.
///
/// They are what remains of the appends that a server loses, if it is restored from a backup or promoted without its
/// last commits. They are not synced, since a crash of this machine costs no event. Blocks follow each other without
/// anything in between: each has its length and a checksum. A file that is full replaces the older one.
internal final class RecentBlocks: Sendable {
  /// The size from which on a file is replaced.
  private static let byteCountMax = 8 << 20
  /// The number of bytes that a process appends before it looks at the size of the file.
  private static let checkDistance = 256 << 10

  /// A block of the files.
  struct Block {
    let first: Position
    let head: Head
    let bytes: [UInt8]
  }

  private struct Current {
    var descriptor: CInt
    /// The number of bytes appended since the size of the file was looked at.
    var unchecked = 0
  }

  private let path: String
  private let current: Locked<Current>

  /// Opens the file in a directory; creates it if it is missing.
  init(in directory: String) throws(FileError) {
    path = directory + "/recent"
    current = Locked(Current(descriptor: try Self.open(path)))
  }

  deinit { current.withLock { _ = close($0.descriptor) } }

  private static func open(_ path: String) throws(FileError) -> CInt {
    try FileSystem.openFile(path, O_WRONLY | O_CREAT | O_APPEND)
  }

  /// Adds a block; a block for which there is no space is left out.
  func add(_ block: UnsafeRawBufferPointer) {
    current.withLock { current in
      // One call, so that blocks of several processes are not mixed.
      _ = write(current.descriptor, block.baseAddress, block.count)
      current.unchecked += block.count
      if current.unchecked >= Self.checkDistance { check(&current) }
    }
  }

  /// Replaces the file if it is full, and follows another process that did.
  private func check(_ current: inout Current) {
    current.unchecked = 0
    guard let size = Self.size(of: current.descriptor) else { return }
    if size > Self.byteCountMax, flock(current.descriptor, LOCK_EX) == 0 {
      if isInPlace(current.descriptor) { try? FileSystem.rename(path, to: path + ".old") }
      flock(current.descriptor, LOCK_UN)
    }
    guard !isInPlace(current.descriptor), let next = try? Self.open(path) else { return }
    close(current.descriptor)
    current.descriptor = next
  }

  /// Returns whether a descriptor is that of the file with the path.
  private func isInPlace(_ descriptor: CInt) -> Bool {
    var (own, found) = (stat(), stat())
    return fstat(descriptor, &own) == 0 && stat(path, &found) == 0 && own.st_ino == found.st_ino
      && own.st_dev == found.st_dev
  }

  private static func size(of descriptor: CInt) -> Int? {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? Int(status.st_size) : nil
  }

  /// Returns the undamaged blocks in ascending order of their positions; of equal blocks one.
  static func all(in directory: String) throws(FileError) -> [Block] {
    var found: [Head: Block] = [:]
    for name in ["recent.old", "recent"] {
      let path = directory + "/" + name
      guard try FileSystem.isFile(at: path) else { continue }
      for block in blocks(in: try FileSystem.bytes(of: path)) { found[block.head] = block }
    }
    return found.values.sorted { $0.head.position < $1.head.position }
  }

  /// Returns the undamaged blocks in bytes; damaged ones, and those that were written in part, are skipped.
  private static func blocks(in bytes: [UInt8]) -> [Block] {
    var blocks: [Block] = []
    var (bytes, start) = (bytes, 0)
    while start + Frame.headCount <= bytes.count {
      let length = bytes.withUnsafeMutableBytes { Frame.length(at: $0, start) }
      guard let length, start + length <= bytes.count, let block = Block(Array(bytes[start..<start + length])) else {
        start += 1
        continue
      }
      blocks.append(block)
      start += length
    }
    return blocks
  }

  /// Removes the files.
  static func remove(in directory: String) throws(FileError) {
    for name in ["recent.old", "recent"] where try FileSystem.isFile(at: directory + "/" + name) {
      try FileSystem.remove(directory + "/" + name)
    }
  }
}

extension RecentBlocks.Block {
  /// Creates a block from its bytes; nil when they are damaged.
  fileprivate init?(_ bytes: [UInt8]) {
    guard let block = try? BlockView(bytes.span.bytes), (try? block.validate()) != nil else { return nil }
    (first, head) = (block.first, block.head)
    self.bytes = bytes
  }
}
