// Tests of separators, the edges of a list, and threads.
import ChatMessageList
import Foundation
import Testing

struct Separators {
  // MARK: Days

  @Test func `a date separator is above the first message of a day, and above the oldest once none is older`() {
    let said = [Said("a", at: 0), Said("b", at: 10), Said("c", at: day), Said("d", at: 3 * day)]
    let all = ["start", "d:1970-01-01", "m:a", "m:b", "d:1970-01-02", "m:c", "d:1970-01-04", "m:d"]
    #expect(MessageLayout(said).ids == all)
    #expect(MessageLayout(said, hasOlder: true).ids == ["older"] + all[2...])
    #expect(MessageLayout(said).rows[1].date == Date(timeIntervalSince1970: 0))
  }

  // What broke: the separator of a day whose messages were all removed had the index of the next day's.
  @Test func `the separator of a day without messages has no index`() {
    var layout = MessageLayout([Said("a", at: 0), Said("b", at: day), Said("c", at: 2 * day)])
    #expect(layout.index(ofRow: "d:1970-01-02") == 3)
    layout.apply(.remove(["b"]))
    #expect(layout.ids == ["start", "d:1970-01-01", "m:a", "d:1970-01-03", "m:c"])
    #expect(layout.index(ofRow: "d:1970-01-02") == nil && layout.index(ofRow: "d:1970-01-03") == 3)
    layout.apply(.remove(["c"]))
    #expect(layout.index(ofRow: "d:1970-01-03") == nil)
  }

  @Test func `days follow the configured calendar and time zone`() throws {
    let midnightInBerlin = 1_774_738_800.0  // 2026-03-29, the day on which clocks go forward: it has 23 hours.
    let seconds = [-1, 0, 23 * 3600 - 1, 23 * 3600]
    let said = seconds.map { (second: Int) in Said("\(second)", at: midnightInBerlin + Double(second)) }
    let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
    let options = LayoutOptions<Said>.verbatim.with { $0.calendar.timeZone = berlin }
    #expect(
      MessageLayout(said, options: options).ids.filter { $0.hasPrefix("d:") }
        == ["d:2026-03-28", "d:2026-03-29", "d:2026-03-30"])
    let inUTC = MessageLayout(said).ids.filter { $0.hasPrefix("d:") }
    #expect(inUTC == ["d:2026-03-28", "d:2026-03-29"])
    let buddhist = LayoutOptions<Said>.verbatim.with { options in
      options.calendar = Calendar(identifier: .buddhist)
      options.calendar.timeZone = .gmt
    }
    #expect(MessageLayout(said, options: buddhist).ids.filter { $0.hasPrefix("d:") } == inUTC)
  }

  @Test func `extreme times are clamped and have a day`() {
    let times = [-.infinity, -1e300, -70_000_000_000, 0, 1e300, .infinity]
    let said = times.map { Said("\($0)", at: $0) } + [Said("nan", at: .nan)]
    let layout = MessageLayout(said)
    #expect(layout.rows.filter(\.isBubble).count == 7)
    #expect(Set(layout.ids).count == layout.ids.count)
    #expect(said.allSatisfy { layout.index(ofMessage: $0.messageID) != nil })
    // West of Greenwich the first instant of the calendar is on the last day of the year before the first.
    let west = LayoutOptions<Said>.verbatim.with { $0.calendar.timeZone = TimeZone(secondsFromGMT: -18_000) ?? .gmt }
    let years = MessageLayout([Said("a", at: -.infinity), Said("b", at: -62_104_250_000)], options: west)
    #expect(years.ids.contains("d:-0001-12-31") && Set(years.ids).count == years.ids.count)
  }

  // MARK: What was not read

  @Test func `one unread separator is above the first unread message of another user, below the date separator`() {
    let said = [Said("a", at: 0), Said("b", by: "me", at: day), Said("c", at: day + 1), Said("d", at: day + 2)]
    let layout = MessageLayout(said, unread: UnreadMark(from: MessageSortKey(said[1]), count: 2))
    #expect(
      layout.ids == ["start", "d:1970-01-01", "m:a", "d:1970-01-02", "m:b", "unread", "m:c", "m:d"])
    #expect(layout.rows[5].count == 2)
    #expect(layout.rows.filter(\.isFirstUnread).map(\.id) == ["m:c"])
    let first = MessageLayout(said, unread: UnreadMark(from: MessageSortKey(said[0]), count: 3))
    #expect(Array(first.ids[..<4]) == ["start", "d:1970-01-01", "unread", "m:a"])
  }

  @Test func `the unread separator stays while the list is open, even if messages are read or deleted`() {
    let said = [Said("a", at: 0), Said("b", at: 1), Said("c", at: 2)]
    var layout = MessageLayout(said, options: .bare, unread: UnreadMark(from: MessageSortKey(said[1]), count: 2))
    layout.apply(.put([Said("d", by: "me", at: 3)]))
    #expect(layout.ids == ["m:a", "unread", "m:b", "m:c", "m:d"])
    layout.apply(.remove(["b"]))
    #expect(layout.ids == ["m:a", "unread", "m:c", "m:d"])
    layout.apply(.remove(["c"]))
    #expect(layout.ids == ["m:a", "m:d"])
    layout.apply(.put([Said("e", at: 4)]))
    #expect(layout.ids == ["m:a", "m:d", "unread", "m:e"])
    layout.apply(.unread(nil))
    #expect(layout.ids == ["m:a", "m:d", "m:e"])
  }

  @Test func `no unread separator is shown while the first unread message is not loaded`() {
    let said = [Said("b", at: 10), Said("c", at: 20)]
    let mark = UnreadMark(from: MessageSortKey(Date(timeIntervalSince1970: 5), "a"), count: 3)
    var layout = MessageLayout(said, options: .bare, unread: mark, hasOlder: true)
    #expect(layout.ids == ["older", "m:b", "m:c"])
    layout.apply(.prepend([Said("a", at: 5), Said("0", at: 1)], hasOlder: true))
    #expect(layout.ids == ["older", "m:0", "unread", "m:a", "m:b", "m:c"])
  }

  @Test func `a system message can be the first unread message`() {
    let said = [Said("a", at: 0), Said("s", by: nil, at: 1) { $0.isSystem = true }, Said("b", at: 2)]
    var layout = MessageLayout(said, options: .bare, unread: UnreadMark(from: MessageSortKey(said[1]), count: 2))
    #expect(layout.ids == ["m:a", "unread", "m:s", "m:b"])
    #expect(layout.rows.filter(\.isFirstUnread).map(\.id) == ["m:s"])
    #expect(layout.apply(.unread(nil)).updated.map(\.id) == ["m:s"])
  }

  // MARK: Ends

  @Test func `the edges show the conversation start, the load controls and the typing indicators`() {
    let said = [Said("a", at: 0)]
    let bare = LayoutOptions<Said>.verbatim.with { $0.showsDaySeparators = false }
    #expect(MessageLayout(said, options: bare).ids == ["start", "m:a"])
    #expect(MessageLayout(said, options: bare, hasOlder: true).ids == ["older", "m:a"])
    let typing = MessageLayout(said, options: bare, typing: ["zoe", "ben", "zoe"])
    #expect(typing.ids == ["start", "m:a", "typing:zoe", "typing:ben"])
    #expect(typing.rows[2].userID == "zoe" && typing.rows[2].side == .leading)
    #expect(MessageLayout(said, options: bare, typing: ["ben"], hasNewer: true).ids == ["start", "m:a", "newer"])
    #expect(
      MessageLayout([Said](), options: bare, unread: UnreadMark(from: MessageSortKey(said[0]), count: 1)).ids == [])
  }

  // MARK: Threads

  @Test func `a thread shows its parent message, the reply count and the replies`() {
    let parent = Said("p", at: 0) { $0.thread = MessageThread(replyCount: 2) }
    let replies = [Said("r1", at: 10), Said("r2", at: 20)]
    let options = LayoutOptions<Said>.verbatim.with { $0.threadParent = "p" }
    let mark = UnreadMark(from: MessageSortKey(replies[0]), count: 2)
    let layout = MessageLayout([parent] + replies, options: options, unread: mark)
    #expect(layout.ids == ["d:1970-01-01", "m:p", "thread", "m:r1", "m:r2"])
    #expect(layout.rows[2].count == 2)
    #expect(layout.positions == "sfl")
    #expect(MessageLayout([parent], options: options).ids == ["d:1970-01-01", "m:p"])
    let later = MessageLayout([parent, replies[1]], options: options, hasOlder: true)
    #expect(later.ids == ["d:1970-01-01", "m:p", "thread", "older", "m:r2"])
    #expect(later.index(ofRow: "thread") == 2 && later.index(ofRow: "older") == 3)
    #expect(MessageLayout([parent], options: options, hasOlder: true).ids == ["d:1970-01-01", "m:p", "older"])
  }

  @Test func `the load-older control of a thread is above the first reply, wherever the parent is`() {
    let options = LayoutOptions<Said>.verbatim.with { $0.threadParent = "p" }
    let said = [Said("a", at: 0), Said("p", at: 10), Said("r", at: day)]
    var layout = MessageLayout(said, options: options)
    let rows = Array(layout.rows)
    var change = MessageChange<Said>()
    change.hasOlder = true
    let diff = layout.apply(change)
    #expect(layout.ids == ["m:a", "m:p", "thread", "older", "m:r"])
    #expect(diff.applied(to: rows) == Array(layout.rows))
  }

  @Test func `a changed reply count updates the thread separator`() {
    let options = LayoutOptions<Said>.bare.with { $0.threadParent = "p" }
    let parent = Said("p", at: 0) { $0.thread = MessageThread(replyCount: 1) }
    var layout = MessageLayout([parent, Said("r1", at: 10)], options: options)
    let diff = layout.apply(
      .put([Said("p", at: 0) { $0.thread = MessageThread(replyCount: 2) }, Said("r2", at: 20)]))
    #expect(diff.updated.map(\.id) == ["m:p", "thread", "m:r1"])
    #expect(diff.inserted.map(\.row.id) == ["m:r2"])
  }

  @Test func `without a reply count on the parent, the loaded replies are counted`() {
    let options = LayoutOptions<Said>.verbatim.with { $0.threadParent = "p" }
    var layout = MessageLayout([Said("p", at: 0), Said("r1", at: 10), Said("r2", at: 20)], options: options)
    #expect(layout.rows.first { $0.id == "thread" }?.count == 2)
    let diff = layout.apply(.put([Said("r3", at: 30)]))
    #expect(diff.updated.first { $0.id == "thread" }?.count == 3)
  }
}
