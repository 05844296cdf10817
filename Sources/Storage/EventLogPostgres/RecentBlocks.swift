// The blocks that this machine appended last, in a file.
internal import CPostgres
internal import EventLog
internal import Files

/// The file `recent`: the blocks of the last acknowledged appends of this machine's processes.
///
/// They are what remains of the appends that a server loses, if it is restored from a backup or promoted without its
/// last commits. The file is not synced, since a crash of this machine costs no event.
///
/// It is a ring of 8 MiB, which every process has mapped: a call to the system for each append would cost a twentieth
/// of it. A number at the beginning counts the bytes that were ever added, modulo the size it is where the next block
/// begins, and is increased by an atomic addition. Blocks follow each other without anything in between: each has its
/// length and a checksum, by which a block that is overwritten in part is recognized.
internal final class RecentBlocks: Sendable {
  private static let (headCount, ringCount) = (4096, 8 << 20)
  private static let name = "/recent"

  /// A block of the file.
  struct Block {
    let first: Position
    let head: Head
    let bytes: [UInt8]
  }

  private let file: MappedFile

  /// Opens the file in a directory; creates it if it is missing.
  init(in directory: String) throws(FileError) {
    file = try MappedFile(directory + Self.name, byteCount: Self.headCount + Self.ringCount)
  }

  /// Adds a block; one that would fill more than half of the file is left out.
  func add(_ block: UnsafeRawBufferPointer) {
    guard block.count <= Self.ringCount / 2, let start = file.bytes?.baseAddress, let bytes = block.baseAddress else {
      return
    }
    let end = verbatim_fetch_add(start.assumingMemoryBound(to: UInt64.self), UInt64(block.count))
    let place = Int(end % UInt64(Self.ringCount))
    let fitting = min(block.count, Self.ringCount - place)
    let ring = start + Self.headCount
    (ring + place).copyMemory(from: bytes, byteCount: fitting)
    ring.copyMemory(from: bytes + fitting, byteCount: block.count - fitting)
  }

  /// Returns the whole blocks in ascending order of their positions.
  static func all(in directory: String) throws(FileError) -> [Block] {
    let path = directory + name
    guard try FileSystem.isFile(at: path) else { return [] }
    let ring = try FileSystem.bytes(of: path).dropFirst(headCount)
    // A block that begins at the end of the ring goes on at its beginning.
    let bytes = Array(ring + ring.prefix(ringCount / 2))
    var found: [Head: Block] = [:]
    var start = 0
    while start + Frame.headCount <= bytes.count {
      let length = bytes.withUnsafeBytes { Frame.length(at: $0, start) }
      guard let length, start + length <= bytes.count, let block = Block(Array(bytes[start..<start + length])) else {
        start += 1
        continue
      }
      found[block.head] = block
      start += length
    }
    return found.values.sorted { $0.head.position < $1.head.position }
  }

  /// Removes all blocks.
  func removeAll() {
    guard let bytes = file.bytes else { return }
    UnsafeMutableRawBufferPointer(rebasing: bytes[Self.headCount...]).initializeMemory(as: UInt8.self, repeating: 0)
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
