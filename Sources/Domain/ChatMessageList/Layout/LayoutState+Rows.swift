// Reading an arrangement: rows, and where things are.
#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Rows that belong to no message, or that stand above one.
struct EdgeRows: Equatable {
  /// Above all messages.
  var head: [MessageRow] = []
  /// Below all messages.
  var tail: [MessageRow] = []
  var unread: MessageRow?
  var thread: MessageRow?
}

extension LayoutState {
  /// The rows of a message, in their order.
  func rows(at slot: Slot, edges: EdgeRows? = nil) -> [MessageRow] {
    let edges = edges ?? self.edges
    var rows = chunks[slot].leads.elements.map { row(of: $0, at: slot, edges) }
    if chunks[slot].isShown { rows.append(chunks[slot].row) }
    return rows
  }

  /// One of the rows of a message.
  private func row(_ number: Int, at slot: Slot) -> MessageRow {
    let leads = chunks[slot].leads
    return number == leads.count ? chunks[slot].row : row(of: leads.elements[number], at: slot, edges)
  }

  private func row(of lead: Leads, at slot: Slot, _ edges: EdgeRows) -> MessageRow {
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

// MARK: Finding

extension LayoutState {
  /// How many rows there are.
  var rowCount: Int { edges.head.count + chunks.rowCount + edges.tail.count }

  /// The row at a place.
  func row(at index: Int) -> MessageRow {
    if index < edges.head.count { return edges.head[index] }
    let inner = index - edges.head.count
    if inner >= chunks.rowCount { return edges.tail[inner - chunks.rowCount] }
    let (slot, row) = chunks.entry(ofRow: inner)
    return self.row(row, at: slot)
  }

  /// The entry of a message.
  func slot(ofMessage id: String) -> Slot? { chunks.row(of: id).flatMap { chunks.slot(of: $0) } }

  /// Where a row is; nil when it is not there.
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

  /// What the group of a row is called: as its first row. Nil for a row that has no group.
  ///
  /// It is not in the row, since one message can part a group of any length, and would change the rows of its half.
  func groupID(ofRow id: MessageRow.ID) -> MessageRow.ID? {
    guard var slot = chunks.slot(of: id), chunks[slot].shape == .bubble else { return nil }
    while !chunks[slot].row.groupStart, let before = chunks.bubble(before: slot) { slot = before }
    return chunks[slot].row.id
  }

  /// Whether the day of a row is told by a separator above it.
  func isInSection(_ row: MessageRow) -> Bool {
    guard let slot = chunks.slot(of: row.id), let first = shown(from: MessageSortKey(chunks[slot].day, ""))
    else { return false }
    return chunks[first].leads.contains(.dateSeparator)
  }

  /// The first message that has a row, from a place on.
  func shown(from place: MessageSortKey) -> Slot? {
    let slot = chunks.slot(notBefore: place)
    var next = slot == chunks.end ? nil : chunks[slot].shape == .hidden ? chunks.visible(after: slot) : slot
    while let slot = next, !chunks[slot].isShown { next = chunks.visible(after: slot) }
    return next
  }

  /// The first reply that has a row, in a thread whose parent is there.
  var firstReply: Slot? {
    threadParent.flatMap { chunks.slot(after: $0) }.flatMap { shown(from: chunks[$0].place) }
  }

  /// The message that the list is the thread of.
  var threadParent: Slot? { rules.threadParent.flatMap { slot(ofMessage: $0) } }

  /// Where a row stands that is there, so that what is left near it can be found when it is gone.
  func place(ofRow id: MessageRow.ID) -> MessageSortKey? {
    if let slot = chunks.slot(of: id) ?? lead(id)?.0 { return chunks[slot].place }
    return edges.head.contains { $0.id == id } ? MessageSortKey(.distantPast, "") : MessageSortKey(.distantFuture, "")
  }

  /// The row of a message at a place, or the next below that has one, or else the last.
  func row(nearest place: MessageSortKey) -> MessageRow.ID? {
    if let slot = shown(from: place) { return chunks[slot].row.id }
    // The last of those that share a notice shows it: so the last that is not hidden is shown.
    return chunks.visible(before: chunks.end).map { chunks[$0].row.id }
  }

  func index(of slot: Slot, _ row: Int) -> Int { edges.head.count + chunks.rowCount(before: slot) + row }

  /// The message above which a separator stands.
  private func lead(_ id: MessageRow.ID) -> (Slot, Leads)? {
    switch id {
    case MessageRow.unreadSeparator.id: rules.firstUnread.flatMap { shown(from: $0) }.map { ($0, .unreadSeparator) }
    case MessageRow.threadSeparator.id: firstReply.map { ($0, .threadSeparator) }
    case MessageRow.loadOlder.id: firstReply.map { ($0, .loadOlder) }
    default:
      days.day(separatedBy: id).flatMap { shown(from: MessageSortKey($0.start, "")) }.map { ($0, .dateSeparator) }
    }
  }
}
