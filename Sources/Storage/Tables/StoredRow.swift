// The stored form of a row: its encoding followed by a checksum.
internal import Bytes
internal import Digests

/// The stored form of a row: its encoding, then the low 32 bits of its hash.
///
/// The hash also covers the key and the table: a row that is damaged or stored under another key is rejected.
internal enum StoredRow {
  private static let checksumByteCount = 4

  /// Appends the checksum to a value, which is all that the writer contains; returns the row's hash.
  static func seal(_ writer: inout ByteWriter, key: UnsafeRawBufferPointer, seed: UInt64) -> RowHash {
    let hash = writer.withBytes { RowHash(key: key, value: $0, seed: seed) }
    writer.fixed32(hash.checksum)
    return hash
  }

  /// Returns the hash of a row without verifying its checksum.
  static func hash(of stored: RawSpan, key: UnsafeRawBufferPointer, seed: UInt64) -> RowHash {
    stored.extracting(droppingLast: checksumByteCount).withUnsafeBytes { RowHash(key: key, value: $0, seed: seed) }
  }

  /// Returns the encoded value; nil when it is not the one written under this key in this table.
  @_lifetime(copy stored)
  static func value(of stored: RawSpan, key: UnsafeRawBufferPointer, seed: UInt64) -> RawSpan? {
    wholeHash(of: stored, key: key, seed: seed) == nil ? nil : encoded(in: stored)
  }

  /// Returns the encoded value without verifying its checksum.
  @_lifetime(copy stored)
  static func encoded(in stored: RawSpan) -> RawSpan { stored.extracting(droppingLast: checksumByteCount) }

  /// Returns the hash of a row; nil when it is not the one written under this key in this table.
  @inline(__always)
  static func wholeHash(of stored: RawSpan, key: UnsafeRawBufferPointer, seed: UInt64) -> RowHash? {
    guard stored.byteCount >= checksumByteCount else { return nil }
    let offset = stored.byteCount - checksumByteCount
    let checksum = UInt32(littleEndian: stored.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self))
    let hash = hash(of: stored, key: key, seed: seed)
    return checksum == hash.checksum ? hash : nil
  }
}

extension BinaryRow {
  /// Decodes the row stored under a key; nil when it is not the one written there.
  init?(stored: RawSpan, key: UnsafeRawBufferPointer, seed: UInt64) {
    guard let value = StoredRow.value(of: stored, key: key, seed: seed) else { return nil }
    self.init(decoding: value, of: key.bytes)
  }
}

/// The kind of seed that distinguishes tables in row hashes.
public enum RowHashSeed: Hashable, Sendable {
  /// The seed is the table's number in its table store.
  case number
  /// The seed is the table's name: equal rows have equal digests in every table store.
  case name

  internal func seeds(of names: [String]) -> [UInt64] {
    names.enumerated().map { number, name in
      guard self == .name else { return UInt64(number) }
      var name = name
      return name.withUTF8 { quickHash(UnsafeRawBufferPointer($0)) }
    }
  }
}
