// A text with the line ends of a text field in a browser.

/// A text as a `textarea` has it, with LF in the place of CR LF and CR, and its offsets in the original text.
struct FieldText {
  /// The UTF-16 units of the field.
  let units: [UInt16]
  private let originalUnits: [UInt16]
  /// The offset of each unit in the original text, and that of its end.
  private let offsets: [Int]

  init(_ text: String) {
    let (lineFeed, carriageReturn): (UInt16, UInt16) = (0x0A, 0x0D)
    let original = Array(text.utf16)
    let kept = original.indices.filter { index in
      original[index] != lineFeed || index == 0 || original[index - 1] != carriageReturn
    }
    units = kept.map { original[$0] == carriageReturn ? lineFeed : original[$0] }
    offsets = kept + [original.count]
    originalUnits = original
  }

  /// The text of the field.
  var string: String { String(decoding: units, as: UTF16.self) }

  /// Returns the offset in the field of an offset in the original text.
  func fieldOffset(of offset: Int) -> Int { offsets.firstIndex { $0 >= offset } ?? units.count }

  /// Returns the range in the original text of a range of the field.
  func originalRange(of range: Range<Int>) -> Range<Int> { offsets[range.lowerBound]..<offsets[range.upperBound] }

  /// Returns the original text after the field's text was set; the line ends of unchanged parts stay as they are.
  func original(afterSetting text: String) -> String {
    let fresh = Array(text.utf16)
    let start = zip(units, fresh).prefix { $0 == $1 }.count
    let rest = min(units.count, fresh.count) - start
    let end = zip(units.reversed(), fresh.reversed()).prefix(rest).prefix { $0 == $1 }.count
    var result = originalUnits
    result.replaceSubrange(originalRange(of: start..<units.count - end), with: fresh[start..<fresh.count - end])
    return String(decoding: result, as: UTF16.self)
  }
}
