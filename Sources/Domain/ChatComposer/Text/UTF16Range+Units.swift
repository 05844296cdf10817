// Ranges of a text as plain numbers, as apps have them.
internal import Chat

extension UTF16Range {
  /// Creates a range from numbers of UTF-16 units.
  package init(_ units: Range<Int>) {
    self = UTF16Offset(rawValue: units.lowerBound)..<UTF16Offset(rawValue: units.upperBound)
  }

  /// The range in numbers of UTF-16 units.
  package var units: Range<Int> { lowerBound.rawValue..<upperBound.rawValue }
}
