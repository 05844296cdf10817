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
    String(unsafeUninitializedCapacity: Self.textCount) { text in
      var offset = 0
      for index in 0..<2 * Self.byteCount {
        if Self.isHyphen(offset) {
          text[offset] = UInt8(ascii: "-")
          offset += 1
        }
        let digit = UInt8(truncatingIfNeeded: (index < 16 ? high : low) >> UInt64(60 - index % 16 * 4) & 15)
        text[offset] = digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
        offset += 1
      }
      return Self.textCount
    }
  }

  /// Creates an id from the text of a UUID; nil when it is invalid.
  public init?(_ text: String) {
    guard text.utf8.count == Self.textCount else { return nil }
    var (high, low) = (UInt64(0), UInt64(0))
    for (offset, byte) in text.utf8.enumerated() {
      if Self.isHyphen(offset) {
        guard byte == UInt8(ascii: "-") else { return nil }
        continue
      }
      guard let digit = hexadecimalValue(byte) else { return nil }
      high = high << 4 | low >> 60
      low = low << 4 | digit
    }
    self.init(high: high, low: low)
  }

  private static let textCount = 36

  /// Returns whether the character at an offset is a hyphen.
  private static func isHyphen(_ offset: Int) -> Bool { offset == 8 || offset == 13 || offset == 18 || offset == 23 }
}

/// Returns the value of a hexadecimal digit; nil for another byte.
internal func hexadecimalValue(_ digit: UInt8) -> UInt64? {
  switch digit {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(digit - UInt8(ascii: "0"))
  case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(digit - UInt8(ascii: "a") + 10)
  case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(digit - UInt8(ascii: "A") + 10)
  default: nil
  }
}
