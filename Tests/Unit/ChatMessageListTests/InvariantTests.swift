// Tests of invariants that hold for every list.
import ChatMessageList
import Foundation
import SeededRandom
import Testing

struct Invariants {
  @Test func `groups have one of each slot, separators have rows below them, and row ids are unique`() {
    var random = SeededRandom.printingSeed()
    for _ in 0..<120 {
      var list = RandomList(SeededRandom(seed: random.next()))
      list.options.grouping = [.collapseEnclosingViews, .collapseTimestamps(.bottom), .collapseProfilePicture]
      for _ in 0..<25 { _ = list.change() }
      let layout = list.fresh()
      let defects = groupDefects(layout) + separatorDefects(layout.rows.map(\.kind)) + nameDefects(layout)
      if !defects.isEmpty {
        Issue.record("seed \(list.random.seed): \(defects)")
        return
      }
    }
  }

  @Test func `rows are independent of arrival order, and earlier messages change no row id`() {
    var random = SeededRandom.printingSeed()
    for _ in 0..<60 {
      var list = RandomList(SeededRandom(seed: random.next()))
      for _ in 0..<25 { _ = list.change() }
      var messages = list.messages.values.sorted { $0.messageID < $1.messageID }
      let rows = Array(MessageLayout(messages, options: list.options).rows)
      messages.shuffle(using: &random)
      #expect(Array(MessageLayout(messages, options: list.options).rows) == rows, "seed \(list.random.seed)")
      var layout = MessageLayout([Said](), options: list.options)
      while !messages.isEmpty {
        let page = Array(messages.prefix(1 + random.below(9)))
        messages.removeFirst(page.count)
        layout.apply(.put(page))
      }
      #expect(Array(layout.rows) == rows, "seed \(list.random.seed)")
      let first = list.messages.values.map(\.timestamp).min() ?? Date(timeIntervalSince1970: 0)
      let names = Set(layout.rows.filter { $0.messageID != nil }.map(\.id))
      layout.apply(.prepend([Said("older", by: "old", at: first.timeIntervalSince1970 - 1)], hasOlder: false))
      #expect(names.isSubset(of: layout.rows.map(\.id)), "seed \(list.random.seed)")
    }
  }

  // MARK: Groups

  /// Returns violations in groups: single | first middle* last, one header at the start, the rest at the end.
  private func groupDefects(_ layout: MessageLayout<Said>) -> [String] {
    var defects: [String] = []
    var open = false
    for row in layout.rows where row.isBubble {
      let starts = row.position == .single || row.position == .first
      let ends = row.position == .single || row.position == .last
      if starts == open { defects.append("\(row.id) is \(row.position) \(open ? "in" : "outside") a group") }
      if row.header != starts || row.groupStart != starts { defects.append("\(row.id): header") }
      if row.footer != ends || row.groupEnd != ends { defects.append("\(row.id): footer") }
      if row.avatar != (ends ? .shown : .spacer) { defects.append("\(row.id): avatar") }
      if row.timestamp != (ends ? .bottom : .hidden) { defects.append("\(row.id): time") }
      open = !ends
    }
    for row in layout.rows where !row.isBubble {
      if row.header || row.footer || row.avatar != .none || row.timestamp != .hidden || row.position != .single {
        defects.append("\(row.id) carries what a message does")
      }
    }
    return open ? defects + ["the last group does not end"] : defects
  }

  // MARK: Separators

  /// Returns violations in separators: two of one kind together, or one without a row below it.
  private func separatorDefects(_ kinds: [MessageRow.Kind]) -> [String] {
    let separators: Set<MessageRow.Kind> = [.dateSeparator, .unreadSeparator, .threadSeparator]
    var defects: [String] = []
    for (kind, next) in zip(kinds, kinds.dropFirst()) where separators.contains(kind) {
      if kind == next { defects.append("two of \(kind)") }
      if kind == .unreadSeparator, next == .dateSeparator { defects.append("a day below what was not read") }
      if ![.dateSeparator, .unreadSeparator, .message, .system, .notice].contains(next) {
        defects.append("\(next) below \(kind)")
      }
    }
    if let last = kinds.last, separators.contains(last) { defects.append("\(last) stands last") }
    if kinds.filter({ $0 == .unreadSeparator }).count > 1 { defects.append("several of what was not read") }
    return defects
  }

  // MARK: Names

  private func nameDefects(_ layout: MessageLayout<Said>) -> [String] {
    var defects: [String] = []
    let rows = Array(layout.rows)
    if Set(rows.map(\.id)).count != rows.count { defects.append("two rows of one name") }
    for (index, row) in rows.enumerated() {
      if layout.index(ofRow: row.id) != index { defects.append("\(row.id) is not found at \(index)") }
      if layout.rows[index] != row { defects.append("\(row.id) is another at \(index)") }
      if let message = row.messageID, row.kind != .notice, layout.index(ofMessage: message) != index {
        defects.append("\(message) is not found at \(index)")
      }
    }
    return defects
  }
}
