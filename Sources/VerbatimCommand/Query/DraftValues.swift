// The orders and pages of lists as arguments.
internal import ChatViews

extension DraftSort: ArgumentValue {
  init(argument text: String) throws(ValueDefect) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let key = Key.allCases.first(where: { $0.word == parts[0] }),
      parts.count == 1 || parts[1] == "asc" || parts[1] == "desc"
    else { throw ValueDefect(expected: "created, updated or channel, or one of these with :asc or :desc behind it") }
    self.init(key: key, isAscending: parts.last != "desc")
  }

  /// The order as an argument.
  var word: String { key.word + (isAscending ? "" : ":desc") }
}

extension DraftSort.Key {
  /// What it is called among arguments.
  var word: String {
    switch self {
    case .createdAt: "created"
    case .updatedAt: "updated"
    case .channel: "channel"
    }
  }
}

extension DraftCursor: ArgumentValue {
  init(argument text: String) throws(ValueDefect) {
    guard let cursor = DraftCursor(text) else {
      throw ValueDefect(expected: "a token of a page, as the page before shows it")
    }
    self = cursor
  }
}
