// Threat: an invariant of short lists fails for a list of many chunks, or for copies of a layout.
import ChatMessageList
import Foundation
import SeededRandom
import Testing

struct LongLists {
  @Test func `a list of many chunks equals a layout from scratch and finds its rows`() {
    var random = SeededRandom.printingSeed()
    var messages: [String: Said] = [:]
    var layout = MessageLayout([Said](), options: .verbatim.with { $0.systemEndsGroup = false })
    for round in 0..<12 {
      // Messages are appended at first, then inserted anywhere, and finally almost all are removed.
      for number in 0..<60 {
        let time = round < 6 ? round * 60 + number : random.below(400)
        let said = Said("\(round)-\(number)", by: "me", at: Double(time) * 250) { $0.isSystem = random.below(4) != 0 }
        messages[said.messageID] = said
        layout.apply(.put([said]))
      }
      if round > 8 {
        for id in messages.keys.sorted() where random.below(10) != 0 {
          messages[id] = nil
          layout.apply(.remove([id]))
        }
      }
      let rows = Array(layout.rows)
      #expect(rows == Array(MessageLayout(Array(messages.values), options: layout.options).rows), "round \(round)")
      #expect(rows.indices.allSatisfy { layout.index(ofRow: rows[$0].id) == $0 && layout.rows[$0] == rows[$0] })
      #expect(layout.messageCount == messages.count)
    }
  }

  @Test func `moving a separator within a long list keeps row indices correct`() {
    let said = (0..<300).map { Said("\($0)", at: Double($0)) }
    var layout = MessageLayout(said, options: .bare)
    for mark in [2, 290, 150] {
      layout.apply(.unread(UnreadMark(from: MessageSortKey(said[mark]), count: 1)))
      #expect(layout.index(ofRow: "unread") == mark && layout.rows[mark].id == "unread")
      #expect(layout.index(ofMessage: "299") == 300 && layout.rows[300].messageID == "299")
    }
  }

  @Test func `copies of a layout that change separately do not affect each other`() {
    let said = (0..<300).map { Said("\($0)", at: Double($0) * 100) }
    let muting = LayoutOptions<Said>.verbatim.with { ($0.mutedAuthors, $0.mutedMessages) = (["ben"], .collapse) }
    let original = MessageLayout(said, options: muting)
    let rows = Array(original.rows)
    var (first, second) = (original, original)
    first.apply(.put([Said("x", by: "ben", at: 10_050), Said("y", by: "ben", at: 10_060)]))
    #expect(Array(original.rows) == rows && Array(second.rows) == rows)
    second.apply(.remove(["100", "101"]))
    second.apply(.unread(UnreadMark(from: MessageSortKey(said[200]), count: 9)))
    #expect(Array(original.rows) == rows)
    let added = said + [Said("x", by: "ben", at: 10_050), Said("y", by: "ben", at: 10_060)]
    #expect(Array(first.rows) == Array(MessageLayout(added, options: muting).rows))
    let firstRows = Array(first.rows)
    var third = first
    third.apply(.put([Said("z", by: "ben", at: 10_070), Said("99", at: 9_900) { $0.text = "changed" }]))
    #expect(Array(first.rows) == firstRows)
    third.apply(.remove(["z"]))
    #expect(third.ids == first.ids && third.positions == first.positions)
  }
}
