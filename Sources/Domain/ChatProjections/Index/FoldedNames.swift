// How names match what was typed of them.
internal import Chat
internal import TextFolding

extension FoldedText {
  /// A name as it is compared and put in order.
  init(_ name: UserText) { self.init(name.string) }

  /// An id as it is compared with what was typed.
  init(_ id: User.ID) { self.init(id.text) }
}

/// What was typed of a name.
struct NameQuery: Hashable, Sendable {
  /// What was typed, folded.
  let folded: FoldedText

  init(_ typed: UserText) { folded = FoldedText(typed) }

  /// Whether all match.
  var isEmpty: Bool { folded.bytes.isEmpty }

  /// Whether a name begins with what was typed, or does so from one of its words on.
  func matches(_ name: UserText) -> Bool {
    let name = FoldedText(name)
    return name.starts(with: folded) || name.hasWord(startingWith: folded)
  }

  /// How well a user matches; nil when they do not, or are deactivated. All do as well when nothing was typed.
  func grade(of user: User) -> NameGrade? {
    if user.isDeactivated { return nil }
    if isEmpty { return .name }
    let (name, id) = (FoldedText(user.profile.name), FoldedText(user.id))
    if name == folded || id == folded { return .exact }
    if name.starts(with: folded) { return .name }
    if name.hasWord(startingWith: folded) { return .word }
    return id.starts(with: folded) ? .id : nil
  }
}

extension NameQuery {
  /// Whether a user matches so well, of whom it is known that they match no better.
  func isMatched(_ grade: NameGrade, by user: User) -> Bool {
    if user.isDeactivated { return false }
    switch grade {
    case .exact: return FoldedText(user.profile.name) == folded || FoldedText(user.id) == folded
    case .name: return isEmpty || FoldedText(user.profile.name).starts(with: folded)
    case .word: return FoldedText(user.profile.name).hasWord(startingWith: folded)
    case .id: return FoldedText(user.id).starts(with: folded)
    }
  }
}

/// How well somebody matches what was typed; the best grade comes first.
enum NameGrade: Int, CaseIterable, Hashable, Sendable {
  /// Their id or name is what was typed.
  case exact
  /// Their name begins with it.
  case name
  /// Their name does so from one of its words on.
  case word
  /// Their id begins with it.
  case id
}
