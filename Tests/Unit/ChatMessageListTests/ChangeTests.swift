// Tests that a layout after incremental changes equals a layout from scratch.
import ChatMessageList
import Foundation
import SeededRandom
import Testing

struct Changes {
  @Test func `an incremental change equals a layout from scratch, at a bounded cost`() {
    var random = SeededRandom.printingSeed()
    for _ in 0..<250 {
      var list = RandomList(SeededRandom(seed: random.next()))
      var layout = list.fresh()
      var rows = Array(layout.rows)
      for step in 0..<40 {
        let (before, firstUnread) = (layout.derived, rows.first(where: \.isFirstUnread)?.id)
        let (count, change) = list.change()
        let diff = layout.apply(change)
        let fresh = Array(list.fresh().rows)
        rows = diff.applied(to: rows)
        let all = Array(layout.rows)
        let place = "seed \(list.random.seed), step \(step)"
        if all != fresh || rows != all {
          Issue.record("\(place): \(firstDifference(all, fresh, rows))")
          return
        }
        let made = layout.derived.messages - before.messages
        // Each changed message and its neighbours, before and after. The first unread message is the neighbour of none
        // if the user's own messages, which are never unread, are between.
        let isOther = firstUnread != all.first(where: \.isFirstUnread)?.id
        #expect(made <= 5 * count + (isOther ? 1 : 0), "\(place): \(made) rows for a change of \(count): \(change)")
        #expect(layout.derived.separators - before.separators <= 2 * count, "\(place)")
      }
    }
  }

  @Test func `derived counts inserted rows and changed rows`() {
    var layout = MessageLayout([Said("a", at: 0), Said("b", at: 1)])
    #expect(layout.derived.messages == 2 && layout.derived.separators == 1)
    layout.apply(.put([Said("c", at: 2)]))
    #expect(layout.derived.messages == 4 && layout.derived.separators == 1)
    layout.apply(.put([Said("d", at: day)]))
    #expect(layout.derived.messages == 5 && layout.derived.separators == 2)
    layout.apply(.put([Said("d", at: day)]))
    #expect(layout.apply(MessageChange()).isEmpty && layout.derived.messages == 5)
    layout.apply(.bare)
    #expect(layout.derived.messages == 9)
  }

  /// Returns the first row that differs between a layout, a layout from scratch, and the rows after applying the diffs.
  private func firstDifference(_ all: [MessageRow], _ fresh: [MessageRow], _ applied: [MessageRow]) -> String {
    for index in 0..<max(all.count, fresh.count, applied.count) {
      let three = [all, fresh, applied].map { $0.indices.contains(index) ? $0[index].short : "nothing" }
      if Set(three).count > 1 { return "row \(index): kept \(three[0]), fresh \(three[1]), applied \(three[2])" }
    }
    return "rows differ in what is not shown here"
  }
}

extension MessageRow {
  fileprivate var short: String {
    "\(id) \(kind) \(position) \(count ?? -1) \(header) \(avatar) \(timestamp) \(showsDelivery) \(isFirstUnread)"
  }
}
