// The selected suggestion.
internal import Chat
internal import ChatComposer
internal import Verbatim

/// The selected suggestion: the first one, until a key selects another or none.
struct Choice {
  private var listed: [Suggestion.ID] = []
  private var index: Int?
  /// The start of the typed text whose suggestions were closed.
  private var closed: UTF16Offset?

  /// Updates the selection for a new list; returns the list to show, nil for none.
  mutating func meet(_ list: SuggestionList?) -> SuggestionList? {
    guard let list, list.range.lowerBound != closed else {
      if list == nil { closed = nil }
      (listed, index) = ([], nil)
      return nil
    }
    closed = nil
    let ids = list.items.map(\.id)
    if !list.isLoading, ids != listed { (listed, index) = (ids, ids.isEmpty ? nil : 0) }
    return list
  }

  /// Hides the suggestions for the text that is being typed.
  mutating func close(_ list: SuggestionList) { closed = list.range.lowerBound }

  /// Shows the suggestions again.
  mutating func reopen() { closed = nil }

  /// Selects the next or the previous suggestion; between the last and the first, none is selected.
  mutating func move(by step: Int) {
    let count = listed.count + 1
    let moved = (index.map { $0 + 1 } ?? 0) + step
    let next = (moved % count + count) % count
    index = next == 0 ? nil : next - 1
  }

  /// Returns the selected suggestion.
  func chosen(in list: SuggestionList) -> Suggestion? {
    index.flatMap { list.items.indices.contains($0) ? list.items[$0] : nil }
  }
}
