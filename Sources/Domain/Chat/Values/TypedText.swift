// Text as it is typed: UTF-16 units, in which text views on every platform count.

/// A place in a text, in UTF-16 units from its start.
public struct UTF16Offset: RawRepresentable, Hashable, Comparable, Sendable {
  /// How many units stand before it.
  public let rawValue: Int

  /// The place behind so many units.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Before the first unit.
  public static let start = UTF16Offset(rawValue: 0)

  /// Whether one stands before the other.
  public static func < (a: UTF16Offset, b: UTF16Offset) -> Bool { a.rawValue < b.rawValue }
}

extension UTF16Offset: CustomStringConvertible {
  /// The number.
  public var description: String { String(rawValue) }
}

extension UTF16Offset: ExpressibleByIntegerLiteral {
  /// A place written in the program.
  public init(integerLiteral value: Int) { self.init(rawValue: value) }
}

/// A run of text, from one place up to another; an empty one is a caret.
public typealias UTF16Range = Range<UTF16Offset>

/// A text while somebody writes it; changing a part costs what that part costs.
///
/// It never holds half a pair of surrogates, so that it is stored and read back as what it is.
public struct TypedText: Hashable, Sendable {
  /// The UTF-16 units.
  public private(set) var units: [UInt16]

  /// A text with these units; half a pair of surrogates becomes U+FFFD.
  public init(units: [UInt16]) { self.units = Array(String(decoding: units, as: UTF16.self).utf16) }

  /// A text.
  public init(_ text: UserText) { units = Array(text.string.utf16) }

  /// No text.
  public init() { units = [] }

  /// Whether there is none.
  public var isEmpty: Bool { units.isEmpty }

  /// The place behind the last unit.
  public var end: UTF16Offset { UTF16Offset(rawValue: units.count) }

  /// The text.
  public var userText: UserText {
    UserText(String(unsafeUninitializedCapacity: 3 * units.count) { units.write(asUTF8: $0) })
  }

  /// Whether a place lies within the text and not within a pair of surrogates.
  public func allows(_ place: UTF16Offset) -> Bool {
    let index = place.rawValue
    guard 0 <= index, index <= units.count else { return false }
    guard 0 < index, index < units.count else { return true }
    return !(UTF16.isTrailSurrogate(units[index]) && UTF16.isLeadSurrogate(units[index - 1]))
  }

  /// Whether a range lies within the text and cuts no pair of surrogates.
  public func allows(_ range: UTF16Range) -> Bool { allows(range.lowerBound) && allows(range.upperBound) }

  /// The range as far as it lies within the text.
  public func clamp(_ range: UTF16Range) -> UTF16Range { range.clamped(to: .start..<end) }

  /// What goes when a range is replaced: as far as it lies within the text, with the pairs of surrogates it cuts; a
  /// caret within one stands before it.
  func whole(_ range: UTF16Range) -> UTF16Range {
    let range = clamp(range)
    let (start, end) = (range.lowerBound, range.upperBound)
    let wholeStart = allows(start) ? start : UTF16Offset(rawValue: start.rawValue - 1)
    if range.isEmpty { return wholeStart..<wholeStart }
    return wholeStart..<(allows(end) ? end : UTF16Offset(rawValue: end.rawValue + 1))
  }

  /// Makes a change, as far as it lies within the text; what it leaves of a pair of surrogates goes too.
  public mutating func apply(_ splice: Splice) {
    let range = whole(splice.range)
    units.replaceSubrange(
      range.lowerBound.rawValue..<range.upperBound.rawValue, with: splice.text.string.utf16)
  }
}

extension [UInt16] {
  /// Writes UTF-16 without halves of pairs as UTF-8, and answers how many bytes it took: three for a unit at most.
  ///
  /// The standard library can do so too, and takes ten times as long.
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
  /// A text written in the program.
  public init(stringLiteral text: String) { self.init(UserText(text)) }
}

/// A change of a text: a range and what stands there instead.
public struct Splice: Hashable, Sendable {
  /// What goes; empty where something is only put in.
  public var range: UTF16Range
  /// What comes in its place.
  public var text: UserText

  /// A change of a range to a text.
  public init(_ range: UTF16Range, to text: UserText) { (self.range, self.text) = (range, text) }

  /// Whether a range, as it stands after the change, lies within what came.
  func covers(_ other: UTF16Range) -> Bool {
    range.lowerBound <= other.lowerBound
      && other.upperBound <= range.lowerBound.moved(by: text.string.utf16.count)
  }

  /// Where a range stands after the change; nil when the change touched its inside.
  ///
  /// A change that only meets an end of the range leaves it whole: it moves along with what it covers.
  public func shift(_ other: UTF16Range) -> UTF16Range? {
    if range.lowerBound >= other.upperBound { return other }
    guard range.upperBound <= other.lowerBound else { return nil }
    let gone = max(.start, range.upperBound).rawValue - max(.start, range.lowerBound).rawValue
    let grown = text.string.utf16.count - gone
    return other.lowerBound.moved(by: grown)..<other.upperBound.moved(by: grown)
  }
}

extension UTF16Offset {
  /// So many units further on, or the last place that can be counted: what was recorded may name any place.
  fileprivate func moved(by count: Int) -> UTF16Offset {
    let (place, overflow) = rawValue.addingReportingOverflow(count)
    return UTF16Offset(rawValue: overflow ? .max : place)
  }
}
