// The ordered messages of a layout with their rows, and the diff of a change.
#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The entries of a list in order, and the rows between them.
struct LayoutState {
  var rules: LayoutRules
  var days: Days
  var chunks = ChunkedList()
  /// The unread mark: the position from which messages are unread.
  var unread: UnreadMark?
  var typing: [String] = []
  var hasNewer = false
  var olderFailed = false
  /// The current rows that belong to no message.
  var edges = EdgeRows()
  /// The number of rows derived so far.
  var derived = DerivedRows()
  /// The ids shared by several messages of one change.
  var duplicates: Set<String> = []
}

/// The entries that a change touches.
struct ChangedEntries {
  /// The old rows, each with the sort key of its message and its number within the message.
  var old: [(sortKey: MessageSortKey, number: Int, row: MessageRow)] = []
  /// The sort keys at which entries were inserted or removed.
  var sortKeys: [MessageSortKey] = []
  /// Whether the change inserted all entries of the list.
  var isAll = false

  mutating func note(_ rows: [MessageRow], at sortKey: MessageSortKey) {
    for (number, row) in rows.enumerated() { old.append((sortKey, number, row)) }
  }

  /// The old rows, from top to bottom.
  var oldRows: [MessageRow] {
    old.sorted { $0.sortKey == $1.sortKey ? $0.number < $1.number : $0.sortKey < $1.sortKey }.map(\.row)
  }
}

// MARK: Changes

extension LayoutState {
  /// Sets whether earlier messages exist.
  mutating func setHasOlder(_ hasOlder: Bool, _ touched: inout ChangedEntries) {
    if hasOlder == rules.hasOlder { return }
    rules.hasOlder = hasOlder
    // In a thread the control is above the first reply, which need not be the second message.
    touched.sortKeys += [chunks.first, firstReply].compactMap { $0.map { chunks[$0].sortKey } }
  }

  /// Returns the start of the day of an instant.
  mutating func day(of instant: Date) -> Date {
    let known = days.count
    let day = days.start(of: instant)
    derived.separators += days.count - known
    return day
  }

  /// Inserts entries, replacing those of the same messages; in a list that is not empty, rows must be unique in
  /// `entries`.
  mutating func put(_ entries: [Entry], _ touched: inout ChangedEntries) {
    derived.messages += entries.count
    if chunks.count == 0 { return putFirst(entries, &touched) }
    for entry in entries {
      touched.sortKeys.append(entry.sortKey)
      // An acknowledged message can have another id and still be the same row.
      for row in [chunks.row(of: entry.sortKey.id), entry.row.id] {
        if let row { takeOut(row, &touched) }
      }
    }
    // A large change rebuilds all chunks.
    if entries.count > 8, entries.count * 8 > chunks.count {
      chunks.merge(entries.inOrder)
    } else {
      for entry in entries { chunks.insert(entry) }
    }
  }

  /// Fills an empty list. Duplicates are detected while the chunks are filled.
  private mutating func putFirst(_ entries: [Entry], _ touched: inout ChangedEntries) {
    touched.isAll = true
    if chunks.fill(with: entries.inOrder) { return }
    let messages = entries.lastOfEach(\.sortKey.id, noting: &duplicates)
    chunks.fill(with: messages.lastOfEach(\.row.id).inOrder)
  }

  /// Removes messages.
  mutating func remove(_ messages: [String], _ touched: inout ChangedEntries) {
    for id in messages { if let row = chunks.row(of: id) { takeOut(row, &touched) } }
  }

  private mutating func takeOut(_ row: MessageRow.ID, _ touched: inout ChangedEntries) {
    guard let slot = chunks.slot(of: row) else { return }
    touched.sortKeys.append(chunks[slot].sortKey)
    touched.note(rows(at: slot), at: chunks[slot].sortKey)
    _ = chunks.remove(at: slot)
  }

  /// Updates all touched rows and returns the diff.
  mutating func settle(_ touched: consuming ChangedEntries, tellsDiff: Bool) -> RowDiff {
    let before = edges
    moveUnread(&touched)
    moveThread(&touched)
    let slots = touchedSlots(touched)
    // The old rows of existing entries are recorded before any update, with the old separators.
    if tellsDiff {
      for slot in slots where !chunks[slot].isNew {
        touched.note(rows(at: slot, edges: before), at: chunks[slot].sortKey)
      }
    }
    for slot in slots { settle(slot) }
    chunks.countRows()
    settleEdges()
    let rows = tellsDiff ? placedRows(at: slots) : []
    for slot in slots where chunks[slot].isNew { chunks[slot].isNew = false }
    return tellsDiff ? RowDiff(from: before.head + touched.oldRows + before.tail, to: rows) : RowDiff()
  }

  /// Returns the rows of some messages and the edge rows with their indices, from top to bottom.
  private func placedRows(at slots: [Slot]) -> [PositionedRow] {
    var placed = edges.head.enumerated().map { PositionedRow(index: $0, row: $1, isFixed: false) }
    for slot in slots {
      let start = index(of: slot, 0)
      for (number, row) in rows(at: slot).enumerated() {
        let isNamed = row.isOfMessage && chunks[slot].isNew
        let isFixed = row.isOfMessage && !chunks[slot].isNew
        placed.append(PositionedRow(index: start + number, row: row, isFixed: isFixed, isNamed: isNamed))
      }
    }
    let end = edges.head.count + chunks.rowCount
    return placed + edges.tail.enumerated().map { PositionedRow(index: end + $0, row: $1, isFixed: false) }
  }
}

extension [Entry] {
  /// The entries from top to bottom.
  fileprivate var inOrder: [Entry] {
    let isInOrder = zip(self, dropFirst()).allSatisfy { $0.sortKey < $1.sortKey }
    return isInOrder ? self : sorted { $0.sortKey < $1.sortKey }
  }
}
