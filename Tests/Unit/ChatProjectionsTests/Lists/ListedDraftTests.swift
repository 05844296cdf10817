// Threat: a draft moves its channel or thread in a list, is another user's or target's, or has an empty preview.
import Chat
import ChatProjections
import EventLog
import Testing
import Projections

@Suite struct `Drafts in lists` {
  private let house: ListedHouse

  /// Creates three channels with unread messages, and two threads.
  init() throws {
    house = try ListedHouse()
    try house.addChannel("one", at: 1)
    try house.addChannel("two", at: 2)
    for (second, channel) in [(3, "two"), (4, "general"), (5, "one")] as [(Int64, Channel.ID)] {
      try house.says("p", by: "ada", in: channel, at: second)
      try house.says("m", by: "bob", in: channel)
    }
    try house.says("r", by: "bob", to: "p", at: 6)
    try house.says("r", by: "bob", in: "two", to: "p", at: 7)
  }

  /// A channel's item without its draft.
  private struct Rest: Equatable {
    let item: ChannelItem

    static func == (a: Rest, b: Rest) -> Bool {
      let (a, b) = (a.item, b.item)
      return (a.channel, a.member, a.newest, a.unread, a.mute) == (b.channel, b.member, b.newest, b.unread, b.mute)
        && (a.lastActivity, a.typing, a.failed) == (b.lastActivity, b.typing, b.failed)
    }
  }

  private let orders: [ChannelOrder] = [.lastActivity, .unreadFirst, .name]

  @Test func `saving and deleting a draft changes nothing but the line of its channel or thread`() throws {
    let lists = try orders.map { order in try house.channels(by: order) }
    let threads = try house.threads()
    #expect(lists[0].map(\.channel.id) == ["two", "general", "one"] && lists[0][2].unread.messages == 1)
    #expect(threads.map(\.parent.key.channel) == ["two", "general"])
    for (channel, parent) in [("one", nil), ("general", "p")] as [(Channel.ID, Message.ID?)] {
      try house.saves(Composition("later"), in: channel, to: parent, at: 60)
      for (order, list) in zip(orders, lists) {
        let drafted = try house.channels(by: order)
        #expect(drafted.map { Rest(item: $0) } == list.map { Rest(item: $0) })
        #expect(drafted.filter { $0.draft != nil }.map(\.channel.id) == (parent == nil ? ["one"] : []))
      }
      let drafted = try house.threads()
      #expect(drafted.map(\.parent) == threads.map(\.parent) && drafted.map(\.newest) == threads.map(\.newest))
      #expect(drafted.map { $0.draftReply != nil } == (parent == nil ? [false, false] : [false, true]))
      let key = Draft.Key(by: "ada", in: channel, thread: parent)
      try house.happens(.draft(key, .deleted(.cleared, Edit(at: house.instant(61), on: nil))), by: "ada")
      for (order, list) in zip(orders, lists) { #expect(try house.channels(by: order) == list) }
      #expect(try house.threads() == threads)
    }
  }

  @Test func `a listed draft is the user's own, as last saved`() throws {
    try house.saves(Composition("another's"), by: "bob", in: "two", to: nil)
    try house.saves(Composition("another's"), by: "bob", in: "two", to: "p")
    #expect(try house.channels().allSatisfy { $0.draft == nil } && house.threads().allSatisfy { $0.draftReply == nil })
    try house.saves(Composition("first"), in: "two", to: nil)
    try house.saves(Composition("second"), in: "two", to: nil)
    let drafts = try house.channels().compactMap(\.draft)
    #expect(drafts.map(\.key) == [Draft.Key(by: "ada", in: "two")] && drafts.map(\.content?.text) == ["second"])
  }

  @Test func `a draft without text shows its first attachment, its command or its quote`() throws {
    func line(_ change: (inout Composition) -> Void) throws -> [String] {
      var content = Composition(" \n")
      change(&content)
      try house.saves(content, to: nil)
      try house.saves(content, to: "p")
      let channel = try #require(try house.channels().first { $0.channel.id == "general" })
      let thread = try #require(try house.threads().first { $0.parent.key.channel == "general" })
      return [channel.line.words, thread.line.words]
    }
    let files = ["a1", "a2"].map { ComposedAttachment(Attachment(ID(stringLiteral: $0), .file), .local) }
    #expect(try line { $0.attachments = files } == ["draft with a1", "draft with a1"])
    #expect(try line { $0.command = ComposedCommand("giphy") } == ["draft of giphy", "draft of giphy"])
    try house.happens(.message(Message.Key("general", "m"), .deleted(forGood: true)))
    #expect(try line { $0.quoted = "m" } == ["draft about m", "draft about m"])
    // White space alone has no preview, though a log may hold it.
    #expect(try line { _ in } == ["message p", "message r"])
  }
}
