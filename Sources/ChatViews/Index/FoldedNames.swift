// Names without what one does not type when one looks for somebody, and how they match what was typed.
internal import Chat

/// A name as it is compared and put in order: without the difference between capital and small letters.
func foldedName(_ name: Wording) -> [UInt8] { name.string.utf8.map { $0.folded } }

/// The words of a name, each folded.
func foldedWords(_ name: Wording) -> [[UInt8]] {
  foldedName(name).split { $0.isBetweenWords }.map { Array($0) }
}

extension UInt8 {
  fileprivate var folded: UInt8 { 0x41 <= self && self <= 0x5A ? self | 0x20 : self }

  /// Whether it is ASCII, and neither a letter nor a digit.
  fileprivate var isBetweenWords: Bool {
    self < 0x80 && !(0x30 <= self && self <= 0x39) && !(0x61 <= self && self <= 0x7A)
  }
}

// MARK: Matching

/// What was typed of a name.
struct NameQuery: Hashable, Sendable {
  /// What was typed, folded.
  let folded: [UInt8]

  init(_ typed: Wording) { folded = foldedName(typed) }

  /// Whether all match.
  var isEmpty: Bool { folded.isEmpty }

  /// Whether a name, or a word of it, begins with what was typed.
  func matches(_ name: Wording) -> Bool {
    foldedName(name).starts(with: folded) || foldedWords(name).contains { $0.starts(with: folded) }
  }

  /// How well a user matches; nil when they do not, or are deactivated. All do as well when nothing was typed.
  func grade(of user: User) -> NameGrade? {
    if user.isDeactivated { return nil }
    if isEmpty { return .name }
    let (name, id) = (foldedName(user.profile.name), foldedName(Wording(user.id.text)))
    if name == folded || id == folded { return .exact }
    if name.starts(with: folded) { return .name }
    if foldedWords(user.profile.name).contains(where: { $0.starts(with: folded) }) { return .word }
    return id.starts(with: folded) ? .id : nil
  }
}

/// How well somebody matches what was typed; the best grade comes first.
enum NameGrade: Int, CaseIterable, Hashable, Sendable {
  /// Their id or name is what was typed.
  case exact
  /// Their name begins with it.
  case name
  /// A word of their name does.
  case word
  /// Their id does.
  case id
}
