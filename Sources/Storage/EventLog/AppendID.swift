// What an append is called, so that asking for it twice does it once.

/// The identity of an append: 16 bytes, unlike any other's.
///
/// The log keeps it for life: an append whose id it has seen gets the first one's receipt.
public struct AppendID: Hashable, Sendable {
  /// How many bytes an id has.
  public static let byteCount = 16

  private let high: UInt64
  private let low: UInt64

  /// The id that is written as 16 bytes; nil when there are not 16.
  public init?(bytes: RawSpan) {
    guard bytes.byteCount == Self.byteCount else { return nil }
    high = UInt64(bigEndian: bytes.unsafeLoadUnaligned(as: UInt64.self))
    low = UInt64(bigEndian: bytes.unsafeLoadUnaligned(fromByteOffset: 8, as: UInt64.self))
  }

  /// An id of two halves, the first bytes in `high`.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// A new id that sorts by time: a UUID of version 7, with microseconds in the place that its standard leaves for
  /// fractions.
  ///
  /// Ids that rise with time are several times cheaper to index than random ones.
  public static func timeOrdered(at instant: Timestamp, random: UInt64 = .random(in: 0 ... .max)) -> AppendID {
    let microseconds = UInt64(max(0, instant.rawValue))
    let fraction = microseconds % 1000 * 4096 / 1000
    return AppendID(
      high: (microseconds / 1000) << 16 | 0x7000 | fraction,
      low: random >> 2 | 0x8000_0000_0000_0000)
  }

  /// Lends the 16 bytes.
  public func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    withUnsafeBytes(of: (high.bigEndian, low.bigEndian), body)
  }
}

extension AppendID: LosslessStringConvertible {
  /// The id as UUIDs are written: `018f2c6a-…`, in lower case.
  public var description: String {
    let digits = hexadecimal(high) + hexadecimal(low)
    var text = ""
    for (index, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(index) { text.append("-") }
      text.append(digit)
    }
    return text
  }

  /// The id that a UUID's text is; nil when it is none.
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
