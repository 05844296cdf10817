// The digest of a table: a sum over its rows that does not depend on their order.
internal import CXXHash

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
  public mutating func add(
    key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer, seed: UInt64
  ) {
    sum &+= rowHash(key: key, value: value, seed: seed)
  }

  /// Takes back a row that was counted.
  public mutating func remove(
    key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer, seed: UInt64
  ) {
    sum &-= rowHash(key: key, value: value, seed: seed)
  }
}

extension TableDigest: CustomStringConvertible {
  /// The sum as 32 hexadecimal digits.
  public var description: String {
    let digits = String(sum, radix: 16)
    return String(repeating: "0", count: 32 - digits.count) + digits
  }
}

/// XXH3-128 of the value, seeded with XXH3-64 of the key, seeded with the table's: key and value each stand whole in
/// a hash of their own, so that a byte cannot wander from one to the other unseen.
private func rowHash(
  key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer, seed: UInt64
) -> UInt128 {
  let keyed = verbatim_xxh3_64(key.baseAddress, key.count, seed)
  let hash = verbatim_xxh3_128(value.baseAddress, value.count, keyed)
  return UInt128(hash.high) << 64 | UInt128(hash.low)
}

/// XXH3-64 of bytes: quick, and good against accidents.
public func quickHash(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
  verbatim_xxh3_64(bytes.baseAddress, bytes.count, seed)
}
