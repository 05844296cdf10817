// What an append came of, in eight bytes.
internal import Digests

/// A hash of what was wanted, where the events of an append are what it came to.
///
/// The same wish comes to other events at another time. So an append that names its proposal is the same as another
/// with its id when their proposals are, whatever their events.
public struct ProposalHash: RawRepresentable, Hashable, Sendable {
  /// The eight bytes as a number; never 0.
  public let rawValue: UInt64

  /// The hash with a number; nil for 0, which is none.
  public init?(rawValue: UInt64) {
    guard rawValue != 0 else { return nil }
    self.rawValue = rawValue
  }

  /// The hash of bytes that say what was wanted: their XXH3-64, or 1 where that is 0.
  public init(of bytes: RawSpan) { rawValue = max(1, bytes.withUnsafeBytes { quickHash($0) }) }
}

extension ProposalHash: LosslessStringConvertible {
  /// Sixteen hexadecimal digits.
  public var description: String {
    let digits = String(rawValue, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// The hash that sixteen hexadecimal digits are; nil when they are none.
  public init?(_ text: String) {
    guard text.utf8.count == 16, !text.utf8.contains(UInt8(ascii: "+")), let value = UInt64(text, radix: 16) else {
      return nil
    }
    self.init(rawValue: value)
  }
}
