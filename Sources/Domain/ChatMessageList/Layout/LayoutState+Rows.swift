// Read access to a layout state: rows and their indices.
#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The rows that belong to no message, and the counted separators above messages.
struct EdgeRows: Equatable {
  /// The rows above all messages.
  var head: [MessageRow] = []
  /// The rows below all messages.
  var tail: [MessageRow] = []
  var unread: MessageRow?
  var thread: MessageRow?
}

extension LayoutState {
  /// Returns the rows of a message, in order.
  func rows(at slot: Slot, edges: EdgeRows? = nil) -> [MessageRow] {
    let edges = edges ?? self.edges
    var rows = chunks[slot].leads.elements.map { row(of: $0, at: slot, edges) }
    if chunks[slot].isShown { rows.append(chunks[slot].row) }
    return rows
  }

  /// Returns one of the rows of a message.
  private func row(_ number: Int, at slot: Slot) -> MessageRow {
    let leads = chunks[slot].leads
    return number == leads.count ? chunks[slot].row : row(of: leads.elements[number], at: slot, edges)
  }

  private func row(of lead: LeadingRows, at slot: Slot, _ edges: EdgeRows) -> MessageRow {
    switch lead {
    case .threadSeparator: edges.thread ?? .threadSeparator
    case .loadOlder: .loadOlder
    case .unreadSeparator: edges.unread ?? .unreadSeparator
    default: days.day(from: chunks[slot].day).separator
    }
  }
}

extension MessageRow {
  static let threadSeparator = MessageRow("thread", .threadSeparator)
  static let loadOlder = MessageRow("older", .loadOlder)
  static let loadNewer = MessageRow("newer", .loadNewer)
  static let conversationStart = MessageRow("start", .conversationStart)
  static let olderFailed = MessageRow("notice:older", .notice)
  static let unreadSeparator = MessageRow("unread", .unreadSeparator)
}

// MARK: Lookup

extension LayoutState {
  /// The number of rows.
  var rowCount: Int { edges.head.count + chunks.rowCount + edges.tail.count }

  /// Returns the row at an index.
  func row(at index: Int) -> MessageRow {
    if index < edges.head.count { return edges.head[index] }
    let inner = index - edges.head.count
    if inner >= chunks.rowCount { return edges.tail[inner - chunks.rowCount] }
    let (slot, row) = chunks.entry(ofRow: inner)
    return self.row(row, at: slot)
  }

  /// Returns the slot of a message.
  func slot(ofMessage id: String) -> Slot? { chunks.row(of: id).flatMap { chunks.slot(of: $0) } }

  /// Returns the index of a row; nil if the row does not exist.
  func index(ofRow id: MessageRow.ID) -> Int? {
    if let slot = chunks.slot(of: id) {
      return chunks[slot].isShown ? index(of: slot, chunks[slot].leads.count) : nil
    }
    if let index = edges.head.firstIndex(where: { $0.id == id }) { return index }
    if let index = edges.tail.firstIndex(where: { $0.id == id }) {
      return edges.head.count + chunks.rowCount + index
    }
    return lead(id).flatMap { slot, lead in
      chunks[slot].leads.elements.firstIndex(of: lead).map { index(of: slot, $0) }
    }
  }

  /// Returns the id of the group of a row, which is the id of its first row; nil for a row without a group.
  ///
  /// It is not stored in rows, since one message can split a group of any length and would change half of its rows.
  func groupID(ofRow id: MessageRow.ID) -> MessageRow.ID? {
    guard var slot = chunks.slot(of: id), chunks[slot].shape == .bubble else { return nil }
    while !chunks[slot].row.groupStart, let before = chunks.bubble(before: slot) { slot = before }
    return chunks[slot].row.id
  }

  /// Whether a date separator above a row shows its day.
  func isInSection(_ row: MessageRow) -> Bool {
    guard let slot = chunks.slot(of: row.id), let first = shown(from: MessageSortKey(chunks[slot].day, ""))
    else { return false }
    return chunks[first].leads.contains(.dateSeparator)
  }

  /// Returns the first message at or after a sort key that has a row.
  func shown(from sortKey: MessageSortKey) -> Slot? {
    let slot = chunks.slot(notBefore: sortKey)
    var next = slot == chunks.end ? nil : chunks[slot].shape == .hidden ? chunks.visible(after: slot) : slot
    while let slot = next, !chunks[slot].isShown { next = chunks.visible(after: slot) }
    return next
  }

  /// The first reply that has a row, in a thread whose parent is in the list.
  var firstReply: Slot? {
    threadParent.flatMap { chunks.slot(after: $0) }.flatMap { shown(from: chunks[$0].sortKey) }
  }

  /// The slot of the parent message of the thread.
  var threadParent: Slot? { rules.threadParent.flatMap { slot(ofMessage: $0) } }

  /// Returns the sort key of an existing row, with which the nearest remaining row is found after its removal.
  func sortKey(ofRow id: MessageRow.ID) -> MessageSortKey {
    if let slot = chunks.slot(of: id) ?? lead(id)?.0 { return chunks[slot].sortKey }
    return edges.head.contains { $0.id == id } ? MessageSortKey(.distantPast, "") : MessageSortKey(.distantFuture, "")
  }

  /// Returns the first row of a message at or after a sort key, or else the last one.
  func row(nearest sortKey: MessageSortKey) -> MessageRow.ID? {
    if let slot = shown(from: sortKey) { return chunks[slot].row.id }
    // The last message of a notice shows it, so the last message that is not hidden has a row.
    return chunks.visible(before: chunks.end).map { chunks[$0].row.id }
  }

  func index(of slot: Slot, _ row: Int) -> Int { edges.head.count + chunks.rowCount(before: slot) + row }

  /// Returns the message above which a separator is shown.
  private func lead(_ id: MessageRow.ID) -> (Slot, LeadingRows)? {
    switch id {
    case MessageRow.unreadSeparator.id: rules.firstUnread.flatMap { shown(from: $0) }.map { ($0, .unreadSeparator) }
    case MessageRow.threadSeparator.id: firstReply.map { ($0, .threadSeparator) }
    case MessageRow.loadOlder.id: firstReply.map { ($0, .loadOlder) }
    default:
      days.day(separatedBy: id).flatMap { day in
        shown(from: MessageSortKey(day.start, "")).flatMap { slot in
          chunks[slot].day == day.start ? (slot, .dateSeparator) : nil
        }
      }
    }
  }
}
