// The text of a composer as a page has it.
internal import EventLog

/// The text of a composer as a page has it, by which the ranges of the page's edits are found in the composer's text.
///
/// A composer changes its text by itself: a command takes its word out, a send takes the text. Edits that a page made
/// before it saw that are of the earlier text. The page's text has the line ends of its field (``FieldText``).
struct PageText {
  /// The number of sent texts that are kept.
  private static let keptMax = 64

  /// The last version; those of another process, which a page may still show, are smaller.
  private var version: UInt64
  private var sentTexts: [(version: UInt64, text: [UInt16])] = []
  private var seen: UInt64 = 0
  private var text: [UInt16] = []
  /// The last version that was sent before the page set or emptied its text by itself, and which it no longer shows.
  private var replaced: UInt64 = 0
  /// Whether the composer had a text when the page was connected, such as a draft, that the page has not replaced.
  private var beganWithText = false

  init() { version = UInt64(clamping: Timestamp.now.rawValue) }

  /// Adds a text that is sent to the page; returns its version.
  mutating func sent(_ text: String) -> UInt64 {
    if sentTexts.isEmpty { beganWithText = !text.isEmpty }
    version += 1
    sentTexts.append((version, Array(text.utf16)))
    if sentTexts.count > Self.keptMax { sentTexts.removeFirst() }
    return version
  }

  /// The page sets the whole text.
  mutating func set(_ text: String) {
    replace(text)
    beganWithText = false
  }

  /// The page empties its text when it sends it.
  mutating func clear() { replace("") }

  private mutating func replace(_ text: String) { (self.text, replaced) = (Array(text.utf16), version) }

  /// Returns whether the composer has a text that its user has not seen; a page has seen version 0 before it shows any.
  func hasUnseenText(seen: UInt64?) -> Bool { seen == 0 && beganWithText }

  /// The page has replaced a range of its text; returns the range in the composer's text as `find` does.
  mutating func edit(
    _ range: Range<Int>, _ replacement: String, seen: UInt64, in composerText: String
  ) -> Range<Int>? {
    let found = find(range, seen: seen, in: composerText)
    if found != nil { text.replaceSubrange(range, with: Array(replacement.utf16)) }
    return found
  }

  /// Returns the range in the composer's text of a range in the page's, which was last that of a version. Nil when the
  /// page's text has no such range.
  mutating func find(_ range: Range<Int>, seen: UInt64, in composerText: String) -> Range<Int>? {
    let field = FieldText(composerText)
    let actual = field.units
    if seen != self.seen {
      self.seen = seen
      if seen > replaced { text = sentTexts.first { $0.version == seen }?.text ?? actual }
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
    let start = place(range.lowerBound)
    return field.originalRange(of: start..<max(start, place(range.upperBound)))
  }
}
