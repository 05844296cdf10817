// Takes the numbers of random tests from the bytes of an input, so that libFuzzer chooses them.

/// A generator whose numbers come from bytes, two for each; after the last, all are 0.
///
/// It has the interface of the generator of the same name in the tests, whose other files are linked here.
public struct SeededRandom: RandomNumberGenerator, Sendable {
  /// The number of bytes given.
  public let seed: UInt64
  private let bytes: [UInt8]
  private var offset = 0

  /// Creates a generator of the numbers in bytes.
  public init(bytes: [UInt8]) { (self.bytes, seed) = (bytes, UInt64(bytes.count)) }

  /// Creates a generator of the numbers in the bytes of a seed.
  public init(seed: UInt64 = 0) { self.init(bytes: withUnsafeBytes(of: seed) { Array($0) }) }

  /// Whether all bytes were taken.
  public var isAtEnd: Bool { offset >= bytes.count }

  /// Returns the next number: the next two bytes, four times, so that its high and its low bits depend on them.
  public mutating func next() -> UInt64 {
    var number: UInt64 = 0
    for index in offset..<min(offset + 2, bytes.count) { number = number << 8 | UInt64(bytes[index]) }
    offset = min(offset + 2, bytes.count)
    return number * 0x0001_0001_0001_0001
  }
}
