// How a row is stored: as it was encoded, with a checksum behind.
internal import Bytes
internal import Digests

/// A row as it lies in a table: what was encoded, then the low 32 bits of its hash.
///
/// The hash covers the key and the table, too: a row is refused that was damaged, or is found where it does not belong.
internal enum StoredRow {
  private static let checksumByteCount = 4

  /// Writes the checksum behind a value, which is all that the writer holds; answers the row's hash.
  static func seal(_ writer: inout ByteWriter, key: UnsafeRawBufferPointer, seed: UInt64) -> RowHash {
    let hash = writer.withBytes { RowHash(key: key, value: $0, seed: seed) }
    writer.fixed32(hash.checksum)
    return hash
  }

  /// The hash of a row, which was counted when it was written; whether it is whole is not looked at.
  static func hash(of stored: RawSpan, key: UnsafeRawBufferPointer, seed: UInt64) -> RowHash {
    stored.extracting(droppingLast: checksumByteCount).withUnsafeBytes { RowHash(key: key, value: $0, seed: seed) }
  }

  /// What was encoded; nil when it is not what was written under this key in this table.
  @_lifetime(copy stored)
  static func value(of stored: RawSpan, key: UnsafeRawBufferPointer, seed: UInt64) -> RawSpan? {
    wholeHash(of: stored, key: key, seed: seed) == nil ? nil : encoded(in: stored)
  }

  /// What was encoded; whether it is whole is not looked at.
  @_lifetime(copy stored)
  static func encoded(in stored: RawSpan) -> RawSpan { stored.extracting(droppingLast: checksumByteCount) }

  /// The hash of a row; nil when it is not what was written under this key in this table.
  @inline(__always)
  static func wholeHash(of stored: RawSpan, key: UnsafeRawBufferPointer, seed: UInt64) -> RowHash? {
    guard stored.byteCount >= checksumByteCount else { return nil }
    let place = stored.byteCount - checksumByteCount
    let checksum = UInt32(littleEndian: stored.unsafeLoadUnaligned(fromByteOffset: place, as: UInt32.self))
    let hash = hash(of: stored, key: key, seed: seed)
    return checksum == hash.checksum ? hash : nil
  }
}

extension TableRow {
  /// Reads what is stored under a key; nil when it is not what was written there.
  init?(stored: RawSpan, key: UnsafeRawBufferPointer, seed: UInt64) {
    guard let value = StoredRow.value(of: stored, key: key, seed: seed) else { return nil }
    self.init(decoding: value, of: key.bytes)
  }
}

/// What a row's hash knows its table by.
public enum RowHashSeed: Hashable, Sendable {
  /// The table's number in its folder.
  case number
  /// The table's name: then equal rows have equal digests in whatever folder.
  case name

  internal func seeds(of names: [String]) -> [UInt64] {
    names.enumerated().map { number, name in
      guard self == .name else { return UInt64(number) }
      var name = name
      return name.withUTF8 { quickHash(UnsafeRawBufferPointer($0)) }
    }
  }
}
