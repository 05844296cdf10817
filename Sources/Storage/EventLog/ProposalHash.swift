// The hash of the intent behind an append, in eight bytes.
internal import Digests

/// A hash of the intent (command) whose decision produced the events of an append.
///
/// The same intent produces other events at another time. So two appends with one id and a proposal hash are the same
/// if their hashes are equal, whatever their events.
public struct ProposalHash: RawRepresentable, Hashable, Sendable {
  /// The eight bytes as a number; never 0.
  public let rawValue: UInt64

  /// Creates a hash from a number; nil for 0, which means none.
  public init?(rawValue: UInt64) {
    guard rawValue != 0 else { return nil }
    self.rawValue = rawValue
  }

  /// Hashes the encoded intent: its XXH3-64, or 1 where that is 0.
  public init(of bytes: RawSpan) { rawValue = max(1, bytes.withUnsafeBytes { quickHash($0) }) }
}

extension ProposalHash: LosslessStringConvertible {
  /// The hash as sixteen hexadecimal digits.
  public var description: String {
    let digits = String(rawValue, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Parses sixteen hexadecimal digits; nil when the text is anything else.
  public init?(_ text: String) {
    guard text.utf8.count == 16, !text.utf8.contains(UInt8(ascii: "+")), let value = UInt64(text, radix: 16) else {
      return nil
    }
    self.init(rawValue: value)
  }
}
