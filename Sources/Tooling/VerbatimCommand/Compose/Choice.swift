// Which of the suggestions is chosen.
internal import Chat
internal import ChatComposer
internal import Verbatim

/// Which of the suggestions is chosen: the first, until a key chooses another or none.
struct Choice {
  private var listed: [Suggestion.ID] = []
  private var index: Int?
  /// Where what is being typed begins whose suggestions were closed.
  private var closed: UTF16Offset?

  /// Takes note of what is suggested; answers what of it is shown, nil for nothing.
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

  /// Shows no more of what is suggested for what is being typed.
  mutating func close(_ list: SuggestionList) { closed = list.range.lowerBound }

  /// Chooses the next one, or the one before; none lies between the last and the first.
  mutating func move(by step: Int) {
    let count = listed.count + 1
    let place = (index.map { $0 + 1 } ?? 0) + step
    let next = (place % count + count) % count
    index = next == 0 ? nil : next - 1
  }

  /// What is chosen.
  func chosen(in list: SuggestionList) -> Suggestion? {
    index.flatMap { list.items.indices.contains($0) ? list.items[$0] : nil }
  }
}
