// Taking changes: what a change touches, and how the rows differ then.
#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// What a change touches.
private struct Touched {
  /// Rows as they were, with the message that they belonged to and their number there.
  var old: [(place: MessagePlace, number: Int, row: MessageRow)] = []
  /// Places at which something came or went.
  var places: [MessagePlace] = []
  /// Rows of messages that the change names.
  var named: Set<MessageRow.ID> = []

  mutating func note(_ rows: [MessageRow], at place: MessagePlace) {
    for (number, row) in rows.enumerated() { old.append((place, number, row)) }
  }

  /// The rows as they were, from the top down.
  var oldRows: [MessageRow] {
    old.sorted { $0.place == $1.place ? $0.number < $1.number : $0.place < $1.place }.map(\.row)
  }
}

extension MessageLayout {
  mutating func apply(_ change: MessageChange<Message>, tellsDiff: Bool) -> RowDiff {
    let edgesBefore = edges
    var touched = Touched()
    take(change, &touched)
    moveUnread(&touched)
    moveThread(&touched)
    let slots = touchedSlots(touched)
    // What is as it was is noted before anything is settled, by the separators as they were.
    if tellsDiff {
      for slot in slots where !touched.named.contains(shelves[slot].row.id) {
        touched.note(rows(at: slot, edges: edgesBefore), at: shelves[slot].place)
      }
    }
    for slot in slots { settle(slot, isNew: touched.named.contains(shelves[slot].row.id)) }
    settleEdges()
    if !tellsDiff { return RowDiff() }
    return RowDiff(
      from: edgesBefore.head + touched.oldRows + edgesBefore.tail, to: placedRows(at: slots, besides: touched.named))
  }

  /// The rows of some messages and those at the edges, from the top down.
  private func placedRows(at slots: [Slot], besides named: Set<MessageRow.ID>) -> [PlacedRow] {
    var placed = edges.head.enumerated().map { PlacedRow(index: $0, row: $1, isFixed: false) }
    for slot in slots {
      let start = index(of: slot, 0)
      for (number, row) in rows(at: slot).enumerated() {
        let isFixed = row.isOfMessage && !named.contains(row.id)
        placed.append(PlacedRow(index: start + number, row: row, isFixed: isFixed))
      }
    }
    let end = edges.head.count + shelves.rowCount
    return placed + edges.tail.enumerated().map { PlacedRow(index: end + $0, row: $1, isFixed: false) }
  }
}

// MARK: Messages

extension MessageLayout {
  private mutating func take(_ change: MessageChange<Message>, _ touched: inout Touched) {
    for id in change.remove { if let row = shelves.row(of: id) { takeOut(row, &touched) } }
    if let unread = change.unread { self.unread = unread }
    if let typing = change.typing { self.typing = typing.unique }
    if let hasNewer = change.hasNewer { self.hasNewer = hasNewer }
    if let failed = change.olderFailed { olderFailed = failed }
    if let hasOlder = change.hasOlder, hasOlder != rules.hasOlder {
      rules.hasOlder = hasOlder
      if let first = shelves.first.map({ shelves[$0].place }) { touched.places.append(first) }
    }
    put(change.put, &touched)
  }

  private mutating func put(_ messages: [Message], _ touched: inout Touched) {
    var entries: [Entry<Message>] = []
    entries.reserveCapacity(messages.count)
    for message in messages.lastOfEachID(noting: &duplicates) {
      let entry = entry(for: message)
      if let known = shelves.slot(of: entry.row.id), shelves[known].message == message { continue }
      // A message that was acknowledged may have another id now, and is still the same row.
      for row in [shelves.row(of: message.messageID), entry.row.id] {
        if let row, shelves.slot(of: row) != nil { takeOut(row, &touched) }
      }
      touched.named.insert(entry.row.id)
      touched.places.append(entry.place)
      entries.append(entry)
    }
    // Where much comes in, all are put up anew.
    if entries.count > 8, entries.count * 8 > shelves.count {
      entries.sort { $0.place < $1.place }
      shelves.merge(entries)
    } else {
      for entry in entries { shelves.insert(entry) }
    }
  }

  private mutating func takeOut(_ row: MessageRow.ID, _ touched: inout Touched) {
    guard let slot = shelves.slot(of: row) else { return }
    touched.places.append(shelves[slot].place)
    touched.note(rows(at: slot), at: shelves[slot].place)
    _ = shelves.remove(at: slot)
  }

  private mutating func entry(for message: Message) -> Entry<Message> {
    derived.messages += 1
    let known = days.count
    let day = days.start(of: MessagePlace(message).timestamp)
    derived.separators += days.count - known
    return rules.entry(for: message, day: day)
  }
}

extension [String] {
  /// Each once, where it comes first.
  fileprivate var unique: [String] {
    var seen: Set<String> = []
    return filter { seen.insert($0).inserted }
  }
}

extension Array where Element: MessageType {
  /// The messages, of those with one id the last.
  fileprivate func lastOfEachID(noting duplicates: inout Set<String>) -> [Element] {
    if count < 2 { return self }
    var seen: Set<String> = []
    seen.reserveCapacity(count)
    let repeated = filter { !seen.insert($0.messageID).inserted }.map(\.messageID)
    if repeated.isEmpty { return self }
    duplicates.formUnion(repeated)
    seen = []
    return reversed().filter { seen.insert($0.messageID).inserted }.reversed()
  }
}

// MARK: Separators

extension MessageLayout {
  /// Finds where the separator above what was not read stands now.
  private mutating func moveUnread(_ touched: inout Touched) {
    var row: MessageRow?
    if let unread, options.threadParent == nil {
      row = edges.unread?.count == unread.count ? edges.unread : .unread(unread.count, &derived)
    }
    let place = row.flatMap { _ in firstUnread }
    if place != rules.firstUnread || row != edges.unread {
      touched.places += [rules.firstUnread, place].compactMap(\.self)
    }
    (rules.firstUnread, edges.unread) = (place, row)
  }

  /// The first message from the mark on that is somebody else's and has a row; nil where the mark is not loaded yet.
  private var firstUnread: MessagePlace? {
    guard let unread else { return nil }
    var next = shelves.slot(notBefore: unread.first)
    if next == shelves.end { return nil }
    if next == shelves.first, rules.hasOlder, unread.first < shelves[next].place { return nil }
    while shelves[next].shape == .hidden || shelves[next].row.isOwn {
      guard let slot = shelves.visible(after: next) else { return nil }
      next = slot
    }
    return shelves[next].place
  }

  /// Says anew how many replies there are to what a thread is about.
  private mutating func moveThread(_ touched: inout Touched) {
    guard options.threadParent != nil else { return }
    let count = threadParent.flatMap { shelves[$0].row.thread?.replyCount }
    if edges.thread != nil, edges.thread?.count == count { return }
    var row = MessageRow.threadSeparator
    row.count = count
    derived.separators += 1
    edges.thread = row
    if let reply = firstReply { touched.places.append(shelves[reply].place) }
  }

  private mutating func settleEdges() {
    edges.head = []
    edges.tail = []
    let isThread = options.threadParent != nil
    if olderFailed { edges.head.append(.olderFailed) }
    if !isThread, rules.hasOlder { edges.head.append(.loadOlder) }
    if !isThread, !rules.hasOlder, options.showsConversationStart, shelves.rowCount > 0 {
      edges.head.append(.conversationStart)
    }
    if isThread, rules.hasOlder, firstReply == nil { edges.tail.append(.loadOlder) }
    edges.tail += hasNewer ? [.loadNewer] : typing.map { .typing($0) }
  }
}

extension MessageRow {
  fileprivate static func unread(_ count: Int, _ derived: inout DerivedRows) -> MessageRow {
    var row = unreadSeparator
    row.count = count
    derived.separators += 1
    return row
  }

  fileprivate static func typing(_ user: String) -> MessageRow {
    var row = MessageRow("typing:" + user, .typing)
    (row.side, row.userID) = (.leading, user)
    return row
  }
}

// MARK: Neighbors

extension MessageLayout {
  /// The messages whose rows may be others now, from the top down.
  private func touchedSlots(_ touched: Touched) -> [Slot] {
    if touched.places.count * 2 > shelves.count {
      return shelves.shelves.indices.flatMap { shelf in
        shelves.shelves[shelf].entries.indices.map { Slot(shelf: shelf, entry: $0) }
      }
    }
    var slots: Set<Slot> = []
    for place in touched.places { addNeighbors(of: place, to: &slots) }
    return slots.sorted()
  }

  private func addNeighbors(of place: MessagePlace, to slots: inout Set<Slot>) {
    let slot = shelves.slot(notBefore: place)
    slots.formUnion([shelves.visible(before: slot), shelves.bubble(before: slot)].compactMap(\.self))
    guard slot != shelves.end else { return }
    slots.insert(slot)
    if let below = shelves.bubble(after: slot) { slots.insert(below) }
    slots.insert(noticeOf(slot))
    if let below = shelves.visible(after: slot) { slots.formUnion([below, noticeOf(below)]) }
  }

  /// The message whose row tells of one that shares a notice with others; itself, where it shares none.
  private func noticeOf(_ slot: Slot) -> Slot {
    var last = slot
    while shelves[last].shape == .collapsed, let next = shelves.visible(after: last),
      rules.collapseTogether(shelves[last], shelves[next])
    {
      last = next
    }
    return last
  }

  /// Gives a message the rows that its neighbors leave it.
  private mutating func settle(_ slot: Slot, isNew: Bool) {
    switch shelves[slot].shape {
    case .hidden: return
    case .collapsed: settleNotice(slot)
    case .system: show(shelves[slot].row, at: slot, leadsOf: slot)
    case .bubble:
      let (above, below) = (shelves.bubble(before: slot), shelves.bubble(after: slot))
      let isCutAbove = options.systemEndsGroup && above != shelves.visible(before: slot)
      let isCutBelow = options.systemEndsGroup && below != shelves.visible(after: slot)
      let start = isCutAbove || above.map { rules.parts(shelves[$0], shelves[slot]) } ?? true
      let end = isCutBelow || below.map { rules.parts(shelves[slot], shelves[$0]) } ?? true
      var placement = rules.placement(of: shelves[slot], groupStart: start, groupEnd: end)
      placement.isFirstUnread = rules.isFirstUnread(shelves[slot].place)
      if placement != shelves[slot].row.placement {
        shelves.place(placement, at: slot)
        if !isNew { derived.messages += 1 }
      }
      show(shelves[slot].row, at: slot, leadsOf: slot)
    }
  }

  private mutating func settleNotice(_ slot: Slot) {
    if let next = shelves.visible(after: slot), rules.collapseTogether(shelves[slot], shelves[next]) {
      shelves.show(shelves[slot].row, leads: [], isShown: false, at: slot)
      return
    }
    var (first, count) = (slot, 1)
    while let before = shelves.visible(before: first), rules.collapseTogether(shelves[before], shelves[first]) {
      (first, count) = (before, count + 1)
    }
    var row = shelves[slot].row
    row.count = count
    row.placement.isFirstUnread = rules.isFirstUnread(shelves[first].place)
    if row != shelves[slot].row { derived.messages += 1 }
    show(row, at: slot, leadsOf: first)
  }

  /// Shows a row, below what stands above the first of the messages that it is for.
  private mutating func show(_ row: MessageRow, at slot: Slot, leadsOf first: Slot) {
    let above = shelves.visible(before: first).map { slot in
      Above(day: shelves[slot].day, isThreadParent: rules.isThreadParent(shelves[slot]))
    }
    let leads = rules.leads(of: shelves[first], below: above)
    shelves.show(row, leads: leads, isShown: true, at: slot)
  }
}
