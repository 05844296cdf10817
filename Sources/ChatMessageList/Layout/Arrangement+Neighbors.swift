// Which rows a change touches, and what neighbors leave a row.
#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

// MARK: Neighbors

extension Arrangement {
  /// The messages whose rows may be others now, from the top down.
  func touchedSlots(_ touched: Touched) -> [Slot] {
    if touched.isAll || touched.places.count * 2 > shelves.count {
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
  mutating func settle(_ slot: Slot) {
    switch shelves[slot].shape {
    case .hidden: return
    case .collapsed: settleNotice(slot)
    case .system:
      var placement = MessageRow.Placement()
      placement.isFirstUnread = rules.isFirstUnread(shelves[slot].place)
      place(placement, at: slot)
      show(shelves[slot].row, at: slot, leadsOf: slot)
    case .bubble:
      let (above, below) = (shelves.bubble(before: slot), shelves.bubble(after: slot))
      let isCutAbove = rules.systemEndsGroup && above != shelves.visible(before: slot)
      let isCutBelow = rules.systemEndsGroup && below != shelves.visible(after: slot)
      let start = isCutAbove || above.map { rules.parts(shelves[$0], shelves[slot]) } ?? true
      let end = isCutBelow || below.map { rules.parts(shelves[slot], shelves[$0]) } ?? true
      var placement = rules.placement(of: shelves[slot], groupStart: start, groupEnd: end)
      placement.isFirstUnread = rules.isFirstUnread(shelves[slot].place)
      place(placement, at: slot)
      show(shelves[slot].row, at: slot, leadsOf: slot)
    }
  }

  private mutating func place(_ placement: MessageRow.Placement, at slot: Slot) {
    if placement == shelves[slot].row.placement { return }
    shelves.place(placement, at: slot)
    if !shelves[slot].isNew { derived.messages += 1 }
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
