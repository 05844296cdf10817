// The hash of a table's row, and the digest of a table: the sum of its rows' hashes.
internal import CXXHash

/// What is known a row by: a hash of its key and its value, each table having its own.
///
/// It finds accidents, as a ``TableDigest`` does, and no malice.
public struct RowHash: Hashable, Sendable {
  internal let number: UInt128

  /// XXH3-128 of the value, seeded with XXH3-64 of the key, seeded with the table's: key and value each stand whole in
  /// a hash of their own, so that a byte cannot wander from one to the other unseen.
  public init(key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer, seed: UInt64) {
    let keyed = verbatim_xxh3_64(key.baseAddress, key.count, seed)
    let hash = verbatim_xxh3_128(value.baseAddress, value.count, keyed)
    number = UInt128(hash.high) << 64 | UInt128(hash.low)
  }

  /// The low 32 bits, which are stored with the row.
  public var checksum: UInt32 { UInt32(truncatingIfNeeded: number) }
}

/// The sum, modulo 2^128, of the hashes of a table's rows.
///
/// Rows can be added and taken away one at a time, in any order, and the sum of none is zero. It finds accidents:
/// somebody who wants to can make two tables with the same digest.
public struct TableDigest: Hashable, Sendable {
  /// How many bytes a digest has when stored.
  public static let byteCount = 16

  /// The sum.
  public private(set) var sum: UInt128

  /// A digest with a sum; of no rows without one.
  public init(sum: UInt128 = 0) { self.sum = sum }

  /// Counts a row.
  public mutating func add(_ row: RowHash) { sum &+= row.number }

  /// Takes back a row that was counted.
  public mutating func remove(_ row: RowHash) { sum &-= row.number }
}

extension TableDigest: CustomStringConvertible {
  /// The sum as 32 hexadecimal digits.
  public var description: String {
    let digits = String(sum, radix: 16)
    return String(repeating: "0", count: 32 - digits.count) + digits
  }
}

/// XXH3-64 of bytes: quick, and good against accidents.
public func quickHash(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
  verbatim_xxh3_64(bytes.baseAddress, bytes.count, seed)
}
