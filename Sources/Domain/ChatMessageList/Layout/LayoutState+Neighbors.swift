// The rows that a change touches, and the effect of neighbors on a row.
#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

// MARK: Neighbors

extension LayoutState {
  /// Returns the slots of messages whose rows can have changed, from top to bottom.
  func touchedSlots(_ touched: ChangedEntries) -> [Slot] {
    if touched.isAll || touched.sortKeys.count * 2 > chunks.count {
      return chunks.chunks.indices.flatMap { chunk in
        chunks.chunks[chunk].entries.indices.map { Slot(chunk: chunk, entry: $0) }
      }
    }
    var slots: Set<Slot> = []
    for sortKey in touched.sortKeys { addNeighbors(of: sortKey, to: &slots) }
    return slots.sorted()
  }

  private func addNeighbors(of sortKey: MessageSortKey, to slots: inout Set<Slot>) {
    let slot = chunks.slot(notBefore: sortKey)
    slots.formUnion([chunks.visible(before: slot), chunks.bubble(before: slot)].compactMap(\.self))
    guard slot != chunks.end else { return }
    slots.insert(slot)
    if let below = chunks.bubble(after: slot) { slots.insert(below) }
    slots.insert(noticeOf(slot))
    if let below = chunks.visible(after: slot) { slots.formUnion([below, noticeOf(below)]) }
  }

  /// Returns the last message of the notice that a message shares, whose row is the notice; itself if it shares none.
  private func noticeOf(_ slot: Slot) -> Slot {
    var last = slot
    while chunks[last].shape == .collapsed, let next = chunks.visible(after: last),
      rules.collapseTogether(chunks[last], chunks[next])
    {
      last = next
    }
    return last
  }

  /// Updates the rows of a message from its neighbors.
  mutating func settle(_ slot: Slot) {
    switch chunks[slot].shape {
    case .hidden: return
    case .collapsed: settleNotice(slot)
    case .system:
      var placement = MessageRow.Placement()
      placement.isFirstUnread = rules.isFirstUnread(chunks[slot].sortKey)
      setPlacement(placement, at: slot)
      show(chunks[slot].row, at: slot, leadsOf: slot)
    case .bubble:
      let (above, below) = (chunks.bubble(before: slot), chunks.bubble(after: slot))
      let isCutAbove = rules.systemEndsGroup && above != chunks.visible(before: slot)
      let isCutBelow = rules.systemEndsGroup && below != chunks.visible(after: slot)
      let start = isCutAbove || above.map { rules.parts(chunks[$0], chunks[slot]) } ?? true
      let end = isCutBelow || below.map { rules.parts(chunks[slot], chunks[$0]) } ?? true
      var placement = rules.placement(of: chunks[slot], groupStart: start, groupEnd: end)
      placement.isFirstUnread = rules.isFirstUnread(chunks[slot].sortKey)
      setPlacement(placement, at: slot)
      show(chunks[slot].row, at: slot, leadsOf: slot)
    }
  }

  private mutating func setPlacement(_ placement: MessageRow.Placement, at slot: Slot) {
    if placement == chunks[slot].row.placement { return }
    chunks.setPlacement(placement, at: slot)
    if !chunks[slot].isNew { derived.messages += 1 }
  }

  private mutating func settleNotice(_ slot: Slot) {
    if let next = chunks.visible(after: slot), rules.collapseTogether(chunks[slot], chunks[next]) {
      chunks.show(chunks[slot].row, leads: [], isShown: false, at: slot)
      return
    }
    var (first, count) = (slot, 1)
    while let before = chunks.visible(before: first), rules.collapseTogether(chunks[before], chunks[first]) {
      (first, count) = (before, count + 1)
    }
    var row = chunks[slot].row
    row.count = count
    row.placement.isFirstUnread = rules.isFirstUnread(chunks[first].sortKey)
    if row != chunks[slot].row { derived.messages += 1 }
    show(row, at: slot, leadsOf: first)
  }

  /// Shows a row, with the leads of the first message that it represents above it.
  private mutating func show(_ row: MessageRow, at slot: Slot, leadsOf first: Slot) {
    let above = chunks.visible(before: first).map { slot in
      PreviousMessage(day: chunks[slot].day, isThreadParent: rules.isThreadParent(chunks[slot]))
    }
    let leads = rules.leads(of: chunks[first], below: above)
    chunks.show(row, leads: leads, isShown: true, at: slot)
  }
}
