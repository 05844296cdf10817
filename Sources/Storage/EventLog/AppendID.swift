// The idempotency key of an append.

/// The idempotency key of an append: 16 unique bytes.
///
/// The log keeps it forever: an append whose id is already in the log returns the first one's receipt.
public struct AppendID: Hashable, Sendable {
  /// The number of bytes of an id.
  public static let byteCount = 16

  private let high: UInt64
  private let low: UInt64

  /// Creates an id from 16 bytes; nil when there are not 16.
  public init?(bytes: RawSpan) {
    guard bytes.byteCount == Self.byteCount else { return nil }
    high = UInt64(bigEndian: bytes.unsafeLoadUnaligned(as: UInt64.self))
    low = UInt64(bigEndian: bytes.unsafeLoadUnaligned(fromByteOffset: 8, as: UInt64.self))
  }

  /// Creates an id from two halves, the first bytes in `high`.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Returns a new id that sorts by time: a UUID of version 7 with microseconds in the bits that its standard leaves
  /// for fractions.
  ///
  /// Ids in the order of time are several times cheaper to index than random ones.
  public static func timeOrdered(at instant: Timestamp, random: UInt64 = .random(in: 0 ... .max)) -> AppendID {
    let microseconds = UInt64(max(0, instant.rawValue))
    let fraction = microseconds % 1000 * 4096 / 1000
    return AppendID(
      high: (microseconds / 1000) << 16 | 0x7000 | fraction,
      low: random >> 2 | 0x8000_0000_0000_0000)
  }

  /// Passes the 16 bytes to the closure, for whose duration they are valid.
  public func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    withUnsafeBytes(of: (high.bigEndian, low.bigEndian), body)
  }
}

extension AppendID: LosslessStringConvertible {
  /// The id as a UUID: `018f2c6a-…`, in lower case.
  public var description: String {
    let digits = hexadecimal(high) + hexadecimal(low)
    var text = ""
    for (index, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(index) { text.append("-") }
      text.append(digit)
    }
    return text
  }

  /// Creates an id from the text of a UUID; nil when it is invalid.
  public init?(_ text: String) {
    let groups = text.split(separator: "-", omittingEmptySubsequences: false)
    guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12], !text.utf8.contains(UInt8(ascii: "+")),
      let high = UInt64(groups[0...2].joined(), radix: 16), let low = UInt64(groups[3...4].joined(), radix: 16)
    else { return nil }
    self.init(high: high, low: low)
  }
}

private func hexadecimal(_ value: UInt64) -> String {
  let digits = String(value, radix: 16)
  return String(repeating: "0", count: 16 - digits.count) + digits
}
