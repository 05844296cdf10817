// The requests for suggestions of a live composer.
internal import Chat

/// The requests for suggestions: at most one query is current, and only its result is shown.
struct SuggestionRequests {
  private enum State {
    case idle
    case loading(SuggestionQuery, Task<Void, Never>)
    case loaded(SuggestionQuery, SuggestionList?)
  }

  private var state = State.idle
  private var revision = 0
  /// The last query without matches; queries that extend it are not sent.
  private var unmatched: ComposerCommand?

  /// The current query.
  var query: SuggestionQuery? {
    switch state {
    case .idle: nil
    case .loading(let query, _), .loaded(let query, _): query
    }
  }

  /// The suggestions to show; nil if there are none.
  var list: SuggestionList? {
    switch state {
    case .idle: nil
    case .loading(let query, _):
      SuggestionList(nil, query: query.typing.text, range: query.typing.range, isLoading: true)
    case .loaded(_, let list): list
    }
  }

  /// The request in progress.
  var task: Task<Void, Never>? { if case .loading(_, let task) = state { task } else { nil } }

  /// Returns the query to send for the text being typed; nil if it extends one without matches.
  mutating func queryToSend(_ typed: SuggestionQuery?) -> SuggestionQuery? {
    if typed == nil { unmatched = nil }
    return typed.flatMap { extendsUnmatched($0) ? nil : $0 }
  }

  /// Whether a query is the current one, to handlers of the revision; from now on, that revision is current.
  mutating func isCurrent(_ other: SuggestionQuery?, revision: Int) -> Bool {
    defer { self.revision = revision }
    return revision == self.revision && other?.command == query?.command && other?.handler.id == query?.handler.id
  }

  /// Makes a query the current one, with the task that requests its suggestions.
  mutating func load(_ query: SuggestionQuery, by task: Task<Void, Never>) {
    cancel()
    state = .loading(query, task)
  }

  /// Shows the result of a query, which becomes the current one.
  mutating func show(_ info: SuggestionInfo, for query: SuggestionQuery) {
    cancel()
    unmatched = info.items.isEmpty ? query.command : nil
    let typing = query.typing
    let list = SuggestionList(info.key, query: typing.text, range: typing.range, items: info.items)
    state = .loaded(query, info.items.isEmpty ? nil : list)
  }

  /// Cancels the request in progress; no query is current.
  mutating func cancel() {
    task?.cancel()
    state = .idle
  }

  /// Whether a query extends one without matches; a name can contain spaces only as long as it matches a user.
  private func extendsUnmatched(_ query: SuggestionQuery) -> Bool {
    guard let unmatched, unmatched.id == query.command.id, let last = unmatched.typingSuggestion,
      last.range.lowerBound == query.typing.range.lowerBound
    else { return false }
    let typed = query.typing.text.string
    return typed.utf8.starts(with: last.text.string.utf8)
      && typed.unicodeScalars.contains { TypedText.isWhiteSpace($0) }
  }
}
