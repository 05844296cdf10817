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

  // What broke: ten messages of one append had the tenth before the second, by the bytes of their ids.
  @Test func `messages of equal time are ordered by their numbers, then by their ids`() {
    let said = ["b", "a", "d", "c"].enumerated().map { index, id in
      Said(id, at: 0) { $0.number = index < 2 ? 0 : UInt64(index) }
    }
    #expect(MessageLayout(said.reversed()).messages.map(\.messageID) == ["a", "b", "d", "c"])
    var layout = MessageLayout(said)
    layout.apply(.put([Said("z", at: -1) { $0.number = 9 }, Said("e", at: 0) { $0.number = 2 }]))
    #expect(layout.messages.map(\.messageID) == ["z", "a", "b", "d", "e", "c"])
    #expect(layout.index(ofMessage: "e").map { layout.rows[$0].messageID } == "e")
  }

  // What broke: a row says that its message was edited, and nothing else changed in it at the second edit.
  @Test func `each new text of a message updates its row`() {
    var layout = MessageLayout([Said("a", at: 0)])
    for text in ["x", "y"] {
      let edited = Said("a", at: 0) { ($0.text, $0.edited) = (text, Date(timeIntervalSince1970: 5)) }
      #expect(layout.apply(.put([edited])).updated.map(\.id) == ["m:a"])
      #expect(layout.apply(.put([edited])).isEmpty)
    }
  }

  @Test func `new options with a change are one difference`() {
    var random = SeededRandom.printingSeed()
    for _ in 0..<100 {
      var list = RandomList(SeededRandom(seed: random.next()))
      for _ in 0..<10 { _ = list.change() }
      var layout = list.fresh()
      let before = Array(layout.rows)
      list.options.mutedAuthors = ["ann", "me"]
      list.options.mutedMessages = .hide
      let (_, change) = list.change()
      let diff = layout.apply(list.options, change)
      #expect(Array(layout.rows) == Array(list.fresh().rows), "seed \(list.random.seed)")
      #expect(diff.applied(to: before) == Array(layout.rows), "seed \(list.random.seed)")
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
