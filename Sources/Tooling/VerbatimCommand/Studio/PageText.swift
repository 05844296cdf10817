// The text of a composer as a page has it.

/// The text of a composer as a page has it, by which the ranges of the page's edits are found in the composer's text.
///
/// A composer changes its text by itself: a command takes its word out, a send takes the text. Edits that a page made
/// before it saw that are of the earlier text.
struct PageText {
  /// The number of sent texts that are kept.
  private static let keptMax = 64

  private var version: UInt64 = 0
  private var sentTexts: [(version: UInt64, text: [UInt16])] = []
  private var seen: UInt64 = 0
  private var text: [UInt16] = []

  /// Adds a text that is sent to the page; returns its version.
  mutating func sent(_ text: String) -> UInt64 {
    version += 1
    sentTexts.append((version, Array(text.utf16)))
    if sentTexts.count > Self.keptMax { sentTexts.removeFirst() }
    return version
  }

  /// The page sets the whole text.
  mutating func set(_ text: String) { self.text = Array(text.utf16) }

  /// The page has replaced a range of its text, which was last that of a version; returns the range in the composer's
  /// text. Nil when the page's text has no such range.
  mutating func edit(
    _ range: Range<Int>, _ replacement: String, seen: UInt64, in composerText: String
  ) -> Range<Int>? {
    let actual = Array(composerText.utf16)
    if seen != self.seen {
      self.seen = seen
      text = sentTexts.first { $0.version == seen }?.text ?? actual
    }
    guard range.upperBound <= text.count else { return nil }
    let common = zip(text, actual).prefix { $0 == $1 }.count
    let rest = min(text.count, actual.count) - common
    let commonEnd = zip(text.reversed(), actual.reversed()).prefix(rest).prefix { $0 == $1 }.count
    let (count, shift) = (text.count, actual.count - text.count)
    func place(_ offset: Int) -> Int {
      if offset >= count - commonEnd { return offset + shift }
      return min(offset, common)
    }
    let found = place(range.lowerBound)..<max(place(range.lowerBound), place(range.upperBound))
    text.replaceSubrange(range, with: Array(replacement.utf16))
    return found
  }
}
