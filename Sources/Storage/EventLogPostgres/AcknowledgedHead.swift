// The last head that was acknowledged to this machine, in a file.
internal import Digests
internal import EventLog
internal import Files
internal import Locks

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The file `acknowledged`: position and hash of the newest block that each process of this machine appended, or found
/// when it opened the log for the first time or accepted a shorter one. An accepted log without a block has position 0
/// and the hash of its genesis.
///
/// It is evidence against a server that lost commits. It is not synced: a machine that crashes loses the evidence, and
/// no event. A process writes to the slot of its number; two with the same slot leave the evidence of the later one.
internal final class AcknowledgedHead: Sendable {
  /// The path of the file.
  let path: String
  private let file: MappedFile
  private let slot: Int
  /// The last position that this process recorded; nil before it did.
  private let recorded = Locked(Position?.none)

  private static let (slotCount, slotByteCount) = (64, 64)
  /// Position, hash and checksum.
  private static let byteCount = 8 + ChainHash.byteCount + 8

  /// Opens the file in a directory; creates it if it is missing.
  init(in directory: String) throws(FileError) {
    path = directory + "/acknowledged"
    file = try MappedFile(path, byteCount: Self.slotCount * Self.slotByteCount)
    slot = Int(getpid()) % Self.slotCount * Self.slotByteCount
  }

  /// The newest acknowledged position with its hash; nil for none, and for records that a crash left damaged.
  var head: (position: Position, hash: ChainHash)? {
    file.bytes.flatMap { Self.newest(in: UnsafeRawBufferPointer($0)) }
  }

  /// Returns the newest acknowledged position in another directory; nil for none.
  static func read(in directory: String) -> (position: Position, hash: ChainHash)? {
    (try? FileSystem.bytes(of: directory + "/acknowledged"))?.withUnsafeBytes { newest(in: $0) }
  }

  private static func newest(in bytes: UnsafeRawBufferPointer) -> (position: Position, hash: ChainHash)? {
    stride(from: 0, to: bytes.count - byteCount + 1, by: slotByteCount)
      .compactMap { head(in: UnsafeRawBufferPointer(rebasing: bytes[$0..<$0 + byteCount])) }
      .max { $0.position < $1.position }
  }

  /// Records a head, unless this process has recorded a later one.
  func record(_ head: Head) {
    guard let bytes = file.bytes else { return }
    recorded.withLock { recorded in
      if let recorded, head.position <= recorded { return }
      recorded = head.position
      let bytes = UnsafeMutableRawBufferPointer(rebasing: bytes[slot..<slot + Self.byteCount])
      bytes.storeBytes(of: head.position.rawValue.littleEndian, as: UInt64.self)
      head.hash.withBytes { UnsafeMutableRawBufferPointer(rebasing: bytes[8...]).copyMemory(from: $0) }
      let sum = quickHash(UnsafeRawBufferPointer(rebasing: bytes[..<(Self.byteCount - 8)]))
      bytes.storeBytes(of: sum.littleEndian, toByteOffset: Self.byteCount - 8, as: UInt64.self)
    }
  }

  /// Removes all records.
  func forget() {
    file.bytes?.initializeMemory(as: UInt8.self, repeating: 0)
    recorded.withLock { $0 = nil }
  }

  private static func head(in bytes: UnsafeRawBufferPointer) -> (position: Position, hash: ChainHash)? {
    let content = UnsafeRawBufferPointer(rebasing: bytes[..<(byteCount - 8)])
    let sum = UInt64(littleEndian: bytes.load(fromByteOffset: byteCount - 8, as: UInt64.self))
    guard sum == quickHash(content), let hash = ChainHash(bytes: UnsafeRawBufferPointer(rebasing: content[8...]))
    else { return nil }
    return (Position(rawValue: UInt64(littleEndian: bytes.load(as: UInt64.self))), hash)
  }
}
