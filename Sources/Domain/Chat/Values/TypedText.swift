// Text as it is typed, in UTF-16 units as in text views on every platform.

/// An offset in a text, in UTF-16 units from its start.
public struct UTF16Offset: RawRepresentable, Hashable, Comparable, Sendable {
  /// The number of units before the offset.
  public let rawValue: Int

  /// Creates an offset after this number of units.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The offset of the first unit.
  public static let start = UTF16Offset(rawValue: 0)

  /// Returns whether the first offset precedes.
  public static func < (a: UTF16Offset, b: UTF16Offset) -> Bool { a.rawValue < b.rawValue }
}

extension UTF16Offset: CustomStringConvertible {
  /// The offset as a decimal number.
  public var description: String { String(rawValue) }
}

extension UTF16Offset: ExpressibleByIntegerLiteral {
  /// Creates an offset from a literal.
  public init(integerLiteral value: Int) { self.init(rawValue: value) }
}

/// A range of text between two offsets; an empty one is a caret.
public typealias UTF16Range = Range<UTF16Offset>

/// A text being edited: a splice costs time proportional to the units it replaces and moves.
///
/// It never contains an unpaired surrogate, so that it round-trips through UTF-8.
public struct TypedText: Hashable, Sendable {
  /// The UTF-16 units.
  public private(set) var units: [UInt16]

  /// Creates a text from units; unpaired surrogates become U+FFFD.
  public init(units: [UInt16]) { self.units = Array(String(decoding: units, as: UTF16.self).utf16) }

  /// Creates a typed text from a user text.
  public init(_ text: UserText) { self.init(text.string) }

  /// Creates a typed text from a string.
  public init(_ text: String) { units = Array(text.utf16) }

  /// Creates an empty text.
  public init() { units = [] }

  /// Whether the text is empty.
  public var isEmpty: Bool { units.isEmpty }

  /// The offset after the last unit.
  public var end: UTF16Offset { UTF16Offset(rawValue: units.count) }

  /// The text as a user text.
  public var userText: UserText {
    UserText(String(unsafeUninitializedCapacity: 3 * units.count) { units.write(asUTF8: $0) })
  }

  /// Returns whether an offset is within the text and not within a surrogate pair.
  public func allows(_ offset: UTF16Offset) -> Bool {
    let index = offset.rawValue
    guard 0 <= index, index <= units.count else { return false }
    guard 0 < index, index < units.count else { return true }
    return !(UTF16.isTrailSurrogate(units[index]) && UTF16.isLeadSurrogate(units[index - 1]))
  }

  /// Returns whether a range is within the text and splits no surrogate pair.
  public func allows(_ range: UTF16Range) -> Bool { allows(range.lowerBound) && allows(range.upperBound) }

  /// Returns the range clamped to the text.
  public func clamp(_ range: UTF16Range) -> UTF16Range { range.clamped(to: .start..<end) }

  /// Returns the range clamped to the text and extended to whole surrogate pairs; a caret within a pair moves before
  /// it.
  func whole(_ range: UTF16Range) -> UTF16Range {
    let range = clamp(range)
    let (start, end) = (range.lowerBound, range.upperBound)
    let wholeStart = allows(start) ? start : UTF16Offset(rawValue: start.rawValue - 1)
    if range.isEmpty { return wholeStart..<wholeStart }
    return wholeStart..<(allows(end) ? end : UTF16Offset(rawValue: end.rawValue + 1))
  }

  /// Applies a splice, clamped to the text; surrogate pairs that it splits are removed whole.
  public mutating func apply(_ splice: Splice) {
    let range = whole(splice.range)
    units.replaceSubrange(
      range.lowerBound.rawValue..<range.upperBound.rawValue, with: splice.text.string.utf16)
  }
}

extension [UInt16] {
  /// Writes UTF-16 without unpaired surrogates as UTF-8 and returns the number of bytes: at most three per unit.
  ///
  /// The standard library's conversion takes ten times as long.
  fileprivate func write(asUTF8 bytes: UnsafeMutableBufferPointer<UInt8>) -> Int {
    var count = 0
    func put(_ byte: UInt32) {
      bytes[count] = UInt8(truncatingIfNeeded: byte)
      count += 1
    }
    var lead: UInt32 = 0
    for unit in self {
      let value = UInt32(unit)
      switch value {
      case ..<0x80: put(value)
      case ..<0x800:
        put(0xC0 | value >> 6)
        put(0x80 | value & 0x3F)
      case 0xD800..<0xDC00: lead = value
      case 0xDC00..<0xE000:
        let scalar = 0x10000 + (lead - 0xD800) << 10 + (value - 0xDC00)
        put(0xF0 | scalar >> 18)
        put(0x80 | scalar >> 12 & 0x3F)
        put(0x80 | scalar >> 6 & 0x3F)
        put(0x80 | scalar & 0x3F)
      default:
        put(0xE0 | value >> 12)
        put(0x80 | value >> 6 & 0x3F)
        put(0x80 | value & 0x3F)
      }
    }
    return count
  }
}

extension TypedText: ExpressibleByStringLiteral {
  /// Creates a text from a literal.
  public init(stringLiteral text: String) { self.init(UserText(text)) }
}

/// A change of a text: a range and its replacement.
public struct Splice: Hashable, Sendable {
  /// The replaced range; empty for an insertion.
  public var range: UTF16Range
  /// The inserted text.
  public var text: UserText

  /// Creates a replacement of a range by a text.
  public init(_ range: UTF16Range, to text: UserText) { (self.range, self.text) = (range, text) }

  /// Returns whether a range, after the change, is within the inserted text.
  package func covers(_ other: UTF16Range) -> Bool {
    range.lowerBound <= other.lowerBound
      && other.upperBound <= range.lowerBound.moved(by: text.string.utf16.count)
  }

  /// Returns a range after the change; nil when the change alters its inside.
  ///
  /// A change that only touches an end of the range leaves it whole: the range moves along with its text.
  public func shift(_ other: UTF16Range) -> UTF16Range? {
    if range.lowerBound >= other.upperBound { return other }
    guard range.upperBound <= other.lowerBound else { return nil }
    let gone = max(.start, range.upperBound).rawValue - max(.start, range.lowerBound).rawValue
    let grown = text.string.utf16.count - gone
    return other.lowerBound.moved(by: grown)..<other.upperBound.moved(by: grown)
  }
}

extension UTF16Offset {
  /// Returns the offset moved by a count, clamped to `Int.max`: recorded offsets can have any value.
  fileprivate func moved(by count: Int) -> UTF16Offset {
    let (sum, overflow) = rawValue.addingReportingOverflow(count)
    return UTF16Offset(rawValue: overflow ? .max : sum)
  }
}
