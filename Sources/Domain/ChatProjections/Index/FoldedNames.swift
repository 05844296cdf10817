// The matching of names with typed text.
internal import Chat
internal import TextFolding

extension FoldedText {
  /// Folds a name for comparing and sorting.
  init(_ name: UserText) { self.init(name.string) }

  /// Folds an id for comparing with typed text.
  init(_ id: User.ID) { self.init(id.text) }
}

/// The typed text by which names are searched.
struct NameQuery: Hashable, Sendable {
  /// The typed text, folded.
  let folded: FoldedText

  init(_ typed: UserText) { folded = FoldedText(typed) }

  /// Whether the query is empty, so that all names match.
  var isEmpty: Bool { folded.bytes.isEmpty }

  /// Returns whether a name, or a word suffix of it, begins with the typed text.
  func matches(_ name: UserText) -> Bool {
    let name = FoldedText(name)
    return name.starts(with: folded) || name.hasWord(startingWith: folded)
  }

  /// Returns how well a user matches; nil for a mismatch or a deactivated user. An empty query matches all equally.
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
  /// Returns whether a user with an id and a name matches with a grade, given that they match with no better one.
  func isMatched(_ grade: NameGrade, by id: RawSpan, _ name: FoldedText) -> Bool {
    switch grade {
    case .exact: name == folded || foldedID(id) == folded
    case .name: isEmpty || name.starts(with: folded)
    case .word: name.hasWord(startingWith: folded)
    case .id: foldedID(id).starts(with: folded)
    }
  }

  private func foldedID(_ id: RawSpan) -> FoldedText { id.withUnsafeBytes { FoldedText(utf8: $0) } }
}

/// The grade of a user's match with the typed text; the best grade is first.
enum NameGrade: Int, CaseIterable, Hashable, Sendable {
  /// The id or the name equals the typed text.
  case exact
  /// The name begins with the typed text.
  case name
  /// The name, from one of its later words on, begins with the typed text.
  case word
  /// The id begins with the typed text.
  case id
}
