// Messages in their order with their rows: what a change touches, and how the rows differ then.
#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The entries of a list in their order, and the rows between them.
struct LayoutState {
  var rules: LayoutRules
  var days: Days
  var chunks = ChunkedList()
  /// From where on nothing was read.
  var unread: UnreadMark?
  var typing: [String] = []
  var hasNewer = false
  var olderFailed = false
  /// Rows that belong to no message, as they are now.
  var edges = EdgeRows()
  /// How many rows were made.
  var derived = DerivedRows()
  /// Ids that several messages had which came in at once.
  var duplicates: Set<String> = []
}

/// What a change touches.
struct ChangedEntries {
  /// Rows as they were, with the message that they belonged to and their number there.
  var old: [(place: MessageSortKey, number: Int, row: MessageRow)] = []
  /// Places at which something came or went.
  var places: [MessageSortKey] = []
  /// Whether all that there is came with the change.
  var isAll = false

  mutating func note(_ rows: [MessageRow], at place: MessageSortKey) {
    for (number, row) in rows.enumerated() { old.append((place, number, row)) }
  }

  /// The rows as they were, from the top down.
  var oldRows: [MessageRow] {
    old.sorted { $0.place == $1.place ? $0.number < $1.number : $0.place < $1.place }.map(\.row)
  }
}

// MARK: Changing

extension LayoutState {
  /// Says whether there are earlier messages.
  mutating func setHasOlder(_ hasOlder: Bool, _ touched: inout ChangedEntries) {
    if hasOlder == rules.hasOlder { return }
    rules.hasOlder = hasOlder
    // In a thread it is told above the first reply, which need not be the second message.
    touched.places += [chunks.first, firstReply].compactMap { $0.map { chunks[$0].place } }
  }

  /// When the day of an instant begins.
  mutating func day(of instant: Date) -> Date {
    let known = days.count
    let day = days.start(of: instant)
    derived.separators += days.count - known
    return day
  }

  /// Takes entries in, each in place of those of the same message; among others, only one of each row.
  mutating func put(_ entries: [Entry], _ touched: inout ChangedEntries) {
    derived.messages += entries.count
    if chunks.count == 0 { return putFirst(entries, &touched) }
    for entry in entries {
      touched.places.append(entry.place)
      // A message that was acknowledged may have another id now, and is still the same row.
      for row in [chunks.row(of: entry.place.id), entry.row.id] {
        if let row { takeOut(row, &touched) }
      }
    }
    // Where much comes in, all are put up anew.
    if entries.count > 8, entries.count * 8 > chunks.count {
      chunks.merge(entries.inOrder)
    } else {
      for entry in entries { chunks.insert(entry) }
    }
  }

  /// Takes in what is all that there is. That a message came twice is found out by putting it up.
  private mutating func putFirst(_ entries: [Entry], _ touched: inout ChangedEntries) {
    touched.isAll = true
    if chunks.fill(with: entries.inOrder) { return }
    let messages = entries.lastOfEach(\.place.id, noting: &duplicates)
    chunks.fill(with: messages.lastOfEach(\.row.id).inOrder)
  }

  /// Takes messages out.
  mutating func remove(_ messages: [String], _ touched: inout ChangedEntries) {
    for id in messages { if let row = chunks.row(of: id) { takeOut(row, &touched) } }
  }

  private mutating func takeOut(_ row: MessageRow.ID, _ touched: inout ChangedEntries) {
    guard let slot = chunks.slot(of: row) else { return }
    touched.places.append(chunks[slot].place)
    touched.note(rows(at: slot), at: chunks[slot].place)
    _ = chunks.remove(at: slot)
  }

  /// Gives all that was touched the rows that it has now.
  mutating func settle(_ touched: consuming ChangedEntries, tellsDiff: Bool) -> RowDiff {
    let before = edges
    moveUnread(&touched)
    moveThread(&touched)
    let slots = touchedSlots(touched)
    // What is as it was is noted before anything is settled, by the separators as they were.
    if tellsDiff {
      for slot in slots where !chunks[slot].isNew {
        touched.note(rows(at: slot, edges: before), at: chunks[slot].place)
      }
    }
    for slot in slots { settle(slot) }
    chunks.countRows()
    settleEdges()
    let rows = tellsDiff ? placedRows(at: slots) : []
    for slot in slots where chunks[slot].isNew { chunks[slot].isNew = false }
    return tellsDiff ? RowDiff(from: before.head + touched.oldRows + before.tail, to: rows) : RowDiff()
  }

  /// The rows of some messages and those at the edges, from the top down.
  private func placedRows(at slots: [Slot]) -> [PositionedRow] {
    var placed = edges.head.enumerated().map { PositionedRow(index: $0, row: $1, isFixed: false) }
    for slot in slots {
      let start = index(of: slot, 0)
      for (number, row) in rows(at: slot).enumerated() {
        let isFixed = row.isOfMessage && !chunks[slot].isNew
        placed.append(PositionedRow(index: start + number, row: row, isFixed: isFixed))
      }
    }
    let end = edges.head.count + chunks.rowCount
    return placed + edges.tail.enumerated().map { PositionedRow(index: end + $0, row: $1, isFixed: false) }
  }
}

extension [Entry] {
  /// The entries from the top down.
  fileprivate var inOrder: [Entry] {
    let isInOrder = zip(self, dropFirst()).allSatisfy { $0.place < $1.place }
    return isInOrder ? self : sorted { $0.place < $1.place }
  }
}
