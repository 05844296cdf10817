// The hash of a table's row, and the digest of a table: the sum of its rows' hashes.
internal import CXXHash

/// The hash of a row: of its key and its value, with a seed for each table.
///
/// It detects accidental changes, as a ``TableDigest`` does, not malicious ones.
public struct RowHash: Hashable, Sendable {
  internal let number: UInt128

  /// Computes the XXH3-128 of the value, seeded with the XXH3-64 of the key, which is seeded with the table's seed: key
  /// and value are hashed separately, so that moving a byte from one to the other changes the hash.
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
/// Rows can be added and removed one at a time, in any order, and the sum of none is zero. It detects accidents: an
/// attacker can make two tables with the same digest.
public struct TableDigest: Hashable, Sendable {
  /// The number of bytes in a stored digest.
  public static let byteCount = 16

  /// The sum.
  public private(set) var sum: UInt128

  /// Creates a digest with a sum; of no rows without one.
  public init(sum: UInt128 = 0) { self.sum = sum }

  /// Adds a row's hash to the sum.
  public mutating func add(_ row: RowHash) { sum &+= row.number }

  /// Subtracts the hash of a row that was added.
  public mutating func remove(_ row: RowHash) { sum &-= row.number }
}

extension TableDigest: CustomStringConvertible {
  /// The sum as 32 hexadecimal digits.
  public var description: String {
    let digits = String(sum, radix: 16)
    return String(repeating: "0", count: 32 - digits.count) + digits
  }
}

/// Returns the XXH3-64 of bytes, which is fast and detects accidental changes.
public func quickHash(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
  verbatim_xxh3_64(bytes.baseAddress, bytes.count, seed)
}
