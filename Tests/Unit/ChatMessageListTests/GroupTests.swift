// Tests of groups: where they end, and which decorations they show once.
import ChatMessageList
import Foundation
import Testing

struct Groups {
  // MARK: Where a group ends

  @Test func `a gap of exactly the maximum continues the group, and a microsecond more ends it`() {
    for start in [0, 1_700_000_000.123_457, 1_763_800_000.999_999] {
      let layout = MessageLayout(
        [Said("a", at: start), Said("b", at: start + 300), Said("c", at: start + 600.000_001)], options: .bare)
      #expect(layout.positions == "fls", "from \(start)")
    }
    let short = LayoutOptions<Said>.bare.with { $0.maximumGap = 10 }
    #expect(MessageLayout([Said("a", at: 0), Said("b", at: 11)], options: short).positions == "ss")
  }

  @Test func `another sender starts another group`() {
    let said = [Said("a", at: 0), Said("b", at: 1), Said("c", by: "ben", at: 2), Said("d", at: 3)]
    #expect(MessageLayout(said, options: .bare).positions == "flss")
  }

  // Custom kinds used to form groups of their own, so a custom message ended the group of the texts around it.
  @Test func `plain messages are grouped by side, also those of custom kinds`() {
    let plain = [
      Plain("a", at: 0, .left), Plain("b", at: 1, .left), Plain("c", at: 2, .right),
      Plain("d", at: 3, .right, .custom("map")), Plain("e", at: 4, .left, .custom("map")), Plain("f", at: 5, .right),
    ]
    #expect(MessageLayout(plain, options: .alluja).positions == "flflss")
    #expect(MessageLayout(plain, options: .bare).positions == "flflss")
    let late = [Plain("a", at: 0, .right, .custom("map")), Plain("b", at: 300, .right), Plain("c", at: 601, .right)]
    #expect(MessageLayout(late, options: .alluja).positions == "fls")
  }

  @Test func `a group of texts and custom kinds shows each decoration once`() {
    let plain = [
      Plain("a", at: 0, .right, .custom("map")), Plain("b", at: 1, .right), Plain("c", at: 2, .right, .custom("map")),
    ]
    let options = LayoutOptions<Plain>.alluja.with {
      $0.grouping = [.collapseProfilePicture, .collapseEnclosingViews, .collapseTimestamps(.bottom)]
      $0.showsDaySeparators = false
    }
    let rows = MessageLayout(plain, options: options).rows
    #expect(rows.map(\.side) == [.center, .trailing, .center] && rows.allSatisfy(\.isOwn))
    #expect(rows.map(\.header) == [true, false, false])
    #expect(rows.map(\.footer) == [false, false, true])
    #expect(rows.map(\.avatar) == [.spacer, .spacer, .shown])
    #expect(rows.map(\.timestamp) == [.hidden, .hidden, .bottom])
    let top = MessageLayout(plain, options: options.with { $0.grouping = [.collapseTimestamps(.top)] }).rows
    #expect(top.map(\.timestamp) == [.top, .hidden, .hidden] && top.allSatisfy { $0.header && $0.avatar == .shown })
  }

  @Test func `a date separator ends a group only if the option says so`() {
    let said = [Said("a", at: day - 1), Said("b", at: day)]
    #expect(MessageLayout(said).positions == "ss")
    #expect(MessageLayout(said, options: .verbatim.with { $0.daySeparatorEndsGroup = false }).positions == "fl")
    #expect(MessageLayout(said, options: .bare).positions == "fl")
    let plain = [Plain("a", at: day - 1), Plain("b", at: day)]
    let layout = MessageLayout(plain, options: .alluja)
    #expect(layout.positions == "fl")
    #expect(layout.ids == ["d:1970-01-01", "m:a", "d:1970-01-02", "m:b"])
  }

  @Test func `the unread separator ends a group only if the option says so`() {
    let said = [Said("a", at: 0), Said("b", at: 1), Said("c", at: 2)]
    let mark = UnreadMark(from: MessageSortKey(said[1]), count: 2)
    #expect(MessageLayout(said, options: .bare, unread: mark).positions == "sfl")
    let going = LayoutOptions<Said>.bare.with { $0.unreadSeparatorEndsGroup = false }
    #expect(MessageLayout(said, options: going, unread: mark).positions == "fml")
    let told = [said[0], Said("s", by: nil, at: 1) { $0.isSystem = true }, said[2]]
    let through = LayoutOptions<Said>.bare.with { $0.systemEndsGroup = false }
    #expect(
      MessageLayout(told, options: through, unread: UnreadMark(from: MessageSortKey(told[1]), count: 2)).positions
        == "ss"
    )
  }

  @Test func `a system message ends a group or is skipped, by option`() {
    let said = [Said("a", at: 0), Said("s", by: nil, at: 1) { $0.isSystem = true }, Said("b", at: 2)]
    #expect(MessageLayout(said, options: .bare).positions == "ss")
    let through = LayoutOptions<Said>.bare.with { $0.systemEndsGroup = false }
    #expect(MessageLayout(said, options: through).positions == "fl")
    let plain = [Plain("a", at: 0), Plain("s", at: 1, .right, .system), Plain("b", at: 2)]
    let layout = MessageLayout(plain, options: .alluja)
    #expect(layout.positions == "fl")
    #expect(layout["s"].side == .center && !layout["s"].header && !layout["s"].footer && layout["s"].avatar == .none)
    #expect(!layout["s"].groupStart && !layout["s"].groupEnd && layout["s"].timestamp == .hidden)
  }

  @Test func `a custom rule replaces gap and sender, and the last message always ends a group`() {
    var said = [Said("a", at: 0), Said("b", by: "ben", at: 4000), Said("c", at: 8000), Said("d", at: 8001)]
    let options = LayoutOptions<Said>.bare.with { $0.messageEndsGroup = { $0.messageID == "b" && $1.messageID == "c" } }
    #expect(MessageLayout(said, options: options).positions == "flfl")
    #expect(MessageLayout(said, options: .bare.with { $0.messageEndsGroup = { _, _ in false } }).positions == "fmml")
    said[1] = Said("b", at: 2 * day)
    let days = LayoutOptions<Said>.verbatim.with { $0.messageEndsGroup = { _, _ in false } }
    #expect(MessageLayout(Array(said[..<2]), options: days).positions == "ss")
  }

  // MARK: What a group shows

  @Test func `a collapsed group has one header, one footer, one avatar and one time`() {
    let said = (0..<3).map { Said("\($0)", at: Double($0)) }
    let rows = MessageLayout(said, options: .bare).rows
    #expect(rows.map(\.header) == [true, false, false])
    #expect(rows.map(\.footer) == [false, false, true])
    #expect(rows.map(\.authorName) == [true, false, false])
    #expect(rows.map(\.avatar) == [.spacer, .spacer, .shown])
    #expect(rows.map(\.timestamp) == [.hidden, .hidden, .bottom])
    #expect(rows.map(\.groupStart) == [true, false, false] && rows.map(\.groupEnd) == [false, false, true])
  }

  @Test func `a decoration that no option collapses is on every message`() {
    let said = (0..<3).map { Said("\($0)", at: Double($0)) }
    let rows = MessageLayout(said, options: .bare.with { $0.grouping = [] }).rows
    #expect(rows.allSatisfy { $0.header && $0.footer && $0.avatar == .shown && $0.timestamp == .row })
    #expect(rows.map(\.position) == [.first, .middle, .last])
  }

  @Test func `the first of several timestamp options is used`() {
    let said = (0..<2).map { Said("\($0)", at: Double($0)) }
    for (grouping, times) in [
      ([.collapseTimestamps(.top), .collapseTimestamps(.bottom)], [.top, .hidden]),
      ([.collapseProfilePicture, .collapseTimestamps(.bottom), .collapseTimestamps(.top)], [.hidden, .bottom]),
    ] as [([MessageGroupingOption], [MessageRow.Timestamp])] {
      let rows = MessageLayout(said, options: .bare.with { $0.grouping = grouping }).rows
      #expect(rows.map(\.timestamp) == times)
    }
  }

  @Test func `names are shown above messages of other users if known and enabled`() {
    let said = [Said("a", at: 0), Said("b", by: "me", at: 1), Said("c", by: nil, at: 2)]
    let layout = MessageLayout(said, options: .bare)
    #expect(layout["a"].authorName && !layout["b"].authorName && !layout["c"].authorName)
    #expect(!MessageLayout(said, options: .bare.with { $0.showsAuthorNames = false })["a"].authorName)
  }

  @Test func `deleted messages count for their group, and pending ones join at once`() {
    let said = [
      Said("a", by: "me", at: 0), Said("b", by: "me", at: 1) { $0.isDeleted = true },
      Said("c", by: "me", at: 2) { $0.delivery = .pending },
    ]
    #expect(MessageLayout(said, options: .bare).positions == "fml")
  }

  @Test func `the group id is the id of its first row`() {
    let said = [Said("a", at: 0), Said("b", at: 1), Said("s", by: nil, at: 2) { $0.isSystem = true }, Said("c", at: 3)]
    let layout = MessageLayout(said, options: .bare)
    #expect(["m:a", "m:b", "m:s", "m:c"].map { layout.groupID(ofRow: $0) } == ["m:a", "m:a", nil, "m:c"])
    let through = MessageLayout(said, options: .bare.with { $0.systemEndsGroup = false })
    #expect(through.groupID(ofRow: "m:c") == "m:a")
  }
}
