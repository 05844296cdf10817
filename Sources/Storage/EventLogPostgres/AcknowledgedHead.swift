// The last head that was acknowledged to this machine, in a file.
internal import Bytes
internal import Digests
internal import EventLog
internal import Files
internal import Locks

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The file `acknowledged`: position and hash of the newest block that a process of this machine appended.
///
/// It is evidence against a server that lost commits. It is not synced: a machine that crashes loses the evidence, and
/// no event.
internal final class AcknowledgedHead: Sendable {
  /// The path of the file.
  let path: String
  private let descriptor: Locked<CInt>

  /// Opens the file in a directory; creates it if it is missing.
  init(in directory: String) throws(FileError) {
    path = directory + "/acknowledged"
    descriptor = Locked(try FileSystem.openFile(path, O_RDWR | O_CREAT))
  }

  deinit { descriptor.withLock { _ = Self.close($0) } }

  private static func close(_ descriptor: CInt) -> CInt {
    #if canImport(Glibc)
      Glibc.close(descriptor)
    #else
      Darwin.close(descriptor)
    #endif
  }

  /// The acknowledged position and hash; nil for none, and for a record that a crash left damaged.
  var head: (position: Position, hash: ChainHash)? {
    descriptor.withLock { Self.read($0) }
  }

  /// Records a head, unless a later one is recorded.
  func record(_ head: Head) {
    descriptor.withLock { descriptor in
      guard flock(descriptor, LOCK_EX) == 0 else { return }
      defer { flock(descriptor, LOCK_UN) }
      if let earlier = Self.read(descriptor), earlier.position >= head.position { return }
      var bytes = withUnsafeBytes(of: head.position.rawValue.littleEndian) { Array($0) }
      head.hash.withBytes { bytes += $0 }
      let sum = bytes.withUnsafeBytes { quickHash($0) }
      withUnsafeBytes(of: sum.littleEndian) { bytes += $0 }
      _ = pwrite(descriptor, bytes, bytes.count, 0)
    }
  }

  private static let byteCount = 8 + ChainHash.byteCount + 8

  private static func read(_ descriptor: CInt) -> (position: Position, hash: ChainHash)? {
    withUnsafeTemporaryAllocation(byteCount: byteCount, alignment: 8) { bytes in
      guard pread(descriptor, bytes.baseAddress, byteCount, 0) == byteCount else { return nil }
      let bytes = UnsafeRawBufferPointer(bytes)
      let content = UnsafeRawBufferPointer(rebasing: bytes[..<(byteCount - 8)])
      let sum = UInt64(littleEndian: bytes.load(fromByteOffset: byteCount - 8, as: UInt64.self))
      guard sum == quickHash(content), let hash = ChainHash(bytes: UnsafeRawBufferPointer(rebasing: content[8...]))
      else { return nil }
      return (Position(rawValue: UInt64(littleEndian: bytes.load(as: UInt64.self))), hash)
    }
  }
}
