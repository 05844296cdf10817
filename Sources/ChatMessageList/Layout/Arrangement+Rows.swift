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

extension Arrangement {
  /// The rows of a message, in their order.
  func rows(at slot: Slot, edges: EdgeRows? = nil) -> [MessageRow] {
    let edges = edges ?? self.edges
    var rows = shelves[slot].leads.elements.map { row(of: $0, at: slot, edges) }
    if shelves[slot].isShown { rows.append(shelves[slot].row) }
    return rows
  }

  /// One of the rows of a message.
  private func row(_ number: Int, at slot: Slot) -> MessageRow {
    let leads = shelves[slot].leads
    return number == leads.count ? shelves[slot].row : row(of: leads.elements[number], at: slot, edges)
  }

  private func row(of lead: Leads, at slot: Slot, _ edges: EdgeRows) -> MessageRow {
    switch lead {
    case .threadSeparator: edges.thread ?? .threadSeparator
    case .loadOlder: .loadOlder
    case .unreadSeparator: edges.unread ?? .unreadSeparator
    default: days.day(from: shelves[slot].day).separator
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

extension Arrangement {
  /// How many rows there are.
  var rowCount: Int { edges.head.count + shelves.rowCount + edges.tail.count }

  /// The row at a place.
  func row(at index: Int) -> MessageRow {
    if index < edges.head.count { return edges.head[index] }
    let inner = index - edges.head.count
    if inner >= shelves.rowCount { return edges.tail[inner - shelves.rowCount] }
    let (slot, row) = shelves.entry(ofRow: inner)
    return self.row(row, at: slot)
  }

  /// The entry of a message.
  func slot(ofMessage id: String) -> Slot? { shelves.row(of: id).flatMap { shelves.slot(of: $0) } }

  /// Where a row is; nil when it is not there.
  func index(ofRow id: MessageRow.ID) -> Int? {
    if let slot = shelves.slot(of: id) {
      return shelves[slot].isShown ? index(of: slot, shelves[slot].leads.count) : nil
    }
    if let index = edges.head.firstIndex(where: { $0.id == id }) { return index }
    if let index = edges.tail.firstIndex(where: { $0.id == id }) {
      return edges.head.count + shelves.rowCount + index
    }
    return lead(id).flatMap { slot, lead in
      shelves[slot].leads.elements.firstIndex(of: lead).map { index(of: slot, $0) }
    }
  }

  /// What the group of a row is called: as its first row. Nil for a row that has no group.
  ///
  /// It is not in the row, since one message can part a group of any length, and would change the rows of its half.
  func groupID(ofRow id: MessageRow.ID) -> MessageRow.ID? {
    guard var slot = shelves.slot(of: id), shelves[slot].shape == .bubble else { return nil }
    while !shelves[slot].row.groupStart, let before = shelves.bubble(before: slot) { slot = before }
    return shelves[slot].row.id
  }

  /// Whether the day of a row is told by a separator above it.
  func isInSection(_ row: MessageRow) -> Bool {
    guard let slot = shelves.slot(of: row.id), let first = shown(from: MessagePlace(shelves[slot].day, ""))
    else { return false }
    return shelves[first].leads.contains(.dateSeparator)
  }

  /// The first message that has a row, from a place on.
  func shown(from place: MessagePlace) -> Slot? {
    let slot = shelves.slot(notBefore: place)
    var next = slot == shelves.end ? nil : shelves[slot].shape == .hidden ? shelves.visible(after: slot) : slot
    while let slot = next, !shelves[slot].isShown { next = shelves.visible(after: slot) }
    return next
  }

  /// The first reply that has a row, in a thread whose parent is there.
  var firstReply: Slot? {
    threadParent.flatMap { shelves.slot(after: $0) }.flatMap { shown(from: shelves[$0].place) }
  }

  /// The message that the list is the thread of.
  var threadParent: Slot? { rules.threadParent.flatMap { slot(ofMessage: $0) } }

  /// Where a row stands that is there, so that what is left near it can be found when it is gone.
  func place(ofRow id: MessageRow.ID) -> MessagePlace? {
    if let slot = shelves.slot(of: id) ?? lead(id)?.0 { return shelves[slot].place }
    return edges.head.contains { $0.id == id } ? MessagePlace(.distantPast, "") : MessagePlace(.distantFuture, "")
  }

  /// The row of a message at a place, or the next below that has one, or else the last.
  func row(nearest place: MessagePlace) -> MessageRow.ID? {
    if let slot = shown(from: place) { return shelves[slot].row.id }
    // The last of those that share a notice shows it: so the last that is not hidden is shown.
    return shelves.visible(before: shelves.end).map { shelves[$0].row.id }
  }

  func index(of slot: Slot, _ row: Int) -> Int { edges.head.count + shelves.rowCount(before: slot) + row }

  /// The message above which a separator stands.
  private func lead(_ id: MessageRow.ID) -> (Slot, Leads)? {
    switch id {
    case MessageRow.unreadSeparator.id: rules.firstUnread.flatMap { shown(from: $0) }.map { ($0, .unreadSeparator) }
    case MessageRow.threadSeparator.id: firstReply.map { ($0, .threadSeparator) }
    case MessageRow.loadOlder.id: firstReply.map { ($0, .loadOlder) }
    default:
      days.day(separatedBy: id).flatMap { shown(from: MessagePlace($0.start, "")) }.map { ($0, .dateSeparator) }
    }
  }
}
