// Arrays as parameters of statements.

/// An array of PostgreSQL in binary form.
internal struct BinaryArray {
  /// The bytes of the array.
  private(set) var bytes: [UInt8] = []

  /// Creates an array of the type `bigint[]`.
  init(of integers: [Int64]) {
    begin(type: 20, integers.count, byteCount: 12 * integers.count)
    for integer in integers {
      append(Int32(8))
      append(integer)
    }
  }

  /// Creates an array of the type `bytea[]`.
  init(of elements: [[UInt8]]) {
    begin(type: 17, elements.count, byteCount: elements.reduce(0) { $0 + 4 + $1.count })
    for element in elements {
      append(Int32(element.count))
      bytes += element
    }
  }

  /// Appends the header of an array of one dimension, which begins at 1 and has no NULL.
  private mutating func begin(type: Int32, _ count: Int, byteCount: Int) {
    bytes.reserveCapacity(20 + byteCount)
    for number in [1, 0, type, Int32(count), 1] { append(number) }
  }

  private mutating func append(_ number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
  }
}
