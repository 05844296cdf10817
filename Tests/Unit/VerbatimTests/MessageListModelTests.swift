// Threat: rows that differ from the log, or changes of more rows than necessary.
import ChatCodec
import Foundation
import Locks
import Testing

@testable import Verbatim
@testable import VerbatimUI

@MainActor @Suite struct `The model of a message list` {
  private let folder = WorkspaceFolder()

  @Test func `updated rows equal those of a new layout, after any change`() async throws {
    let workspace = try folder.open { $0.clock = { Timestamp(rawValue: 1_000_000) } }
    try await workspace.populate(["ada", "ben", "cyd"])
    let (ada, ben) = (workspace.client(user: "ada", device: "phone"), workspace.client(user: "ben", device: "phone"))
    let (of, by) = (ada.channel("general"), ben.channel("general"))
    let model = MessageListModel(of: of)
    func rows() -> [MessageRow] { Array(model.layout.rows) }
    func row(_ id: Message.ID) -> MessageRow? { model.layout.row(ofMessage: id.text) }
    func isFresh() async throws {
      let conversation = try await ada.read { try $0.conversation(in: "general", limit: 100) }
      var afresh = conversation
      afresh.unread = nil
      let expected = afresh.layout(model.layout.options)
      #expect(Array(expected.rows) == rows())
    }

    try await of.send("Hello", id: "m1")
    await until { row("m1")?.delivery == .sent }
    try await by.send(Message.Content("Hi @Ada", quoted: "m1"), id: "m2")
    await until { row("m2")?.quote?.state == .present }
    #expect(model.layout.message("m2")?.sender == MessageSender(id: "ben", name: "ben"))
    #expect(row("m2")?.actions.contains(.mute) == true && row("m1")?.actions.contains(.mute) == false)
    try await isFresh()

    try await by.markReceived(through: "m1")
    await until { row("m1")?.delivery == .delivered }
    try await by.markRead(through: "m1")
    await until { row("m1")?.delivery == .read(1) }
    try await of.edit("m1", to: "Hello!")
    await until { row("m1")?.showsEdited == true }
    try await of.react(to: "m2", "like")
    await until { row("m2")?.reactions == [MessageReaction("like", count: 1, mine: true)] }
    try await of.pin("m2")
    await until { row("m2")?.annotations == .pinned }
    try await isFresh()

    try await by.send(Message.Content("In the thread", parent: "m1"), id: "r1")
    await until { row("m1")?.thread?.replyCount == 1 }
    #expect(row("m1")?.thread?.participants == ["ben"] && row("m1")?.thread?.unread == 1)
    try await of.thread("m1").markRead(through: "r1")
    await until { row("m1")?.thread?.unread == 0 }
    try await of.thread("m1").markUnread(from: "r1")
    await until { row("m1")?.thread?.unread == 1 }
    try await of.configure(ChannelConfig(off: [.readEvents]))
    await until { row("m1")?.thread?.unread == 0 }
    try await of.configure(ChannelConfig())
    try await of.delete("m1")
    await until { row("m1")?.content == .deletedPlaceholder && row("m2")?.quote?.state == .deleted }
    try await isFresh()

    let composer = try await by.openComposer()
    try composer.record([.typed(Splice(0..<0, to: "h"))])
    await until { rows().last?.id == "typing:ben" }
    #expect(model.typing == [MessageSender(id: "ben", name: "ben")])
    try composer.record([.cleared(keeping: nil)])
    await until { rows().last?.kind != .typing }
    try await ada.user("ben").block()
    await until { model.layout.options.mutedAuthors == ["ben"] }
    try await ada.user("ben").unblock()
    await until { model.layout.options.mutedAuthors.isEmpty }
    try await ada.user("ben").mute()
    await until { model.layout.options.mutedAuthors == ["ben"] }
    model.layOut(by: model.layout.options.hiding)
    await until { row("m2") == nil }
    try await isFresh()
    await workspace.close()
  }

  @Test func `the unread separator stays, and a thread has its own rows`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    let (ada, ben) = (workspace.client(user: "ada", device: "phone"), workspace.client(user: "ben", device: "phone"))
    for number in 1...4 { try await ada.channel("general").send("\(number)", id: Message.ID("m\(number)")) }
    let model = MessageListModel(of: ben.channel("general"))
    await until { model.isLoaded }
    #expect(model.layout.rows.filter { $0.kind == .unreadSeparator }.map(\.count) == [4])
    let place = model.layout.index(ofRow: "unread")
    try await ben.channel("general").markRead(through: "m4")
    try await ada.channel("general").send("5", id: "m5")
    await until { model.layout.row(ofMessage: "m5") != nil }
    #expect(model.layout.index(ofRow: "unread") == place)
    let again = MessageListModel(of: ben.channel("general"))
    await until { again.isLoaded }
    #expect(again.layout.row(ofMessage: "m5")?.isFirstUnread == true)

    let thread = MessageListModel(of: ben.channel("general"), thread: "m2")
    await until { thread.isLoaded }
    #expect(thread.layout.rows.map(\.messageID).compactMap(\.self) == ["m2"])
    try await ada.channel("general").send(Message.Content("reply", parent: "m2", showsInChannel: true), id: "r1")
    await until { thread.layout.index(ofRow: "thread") != nil }
    #expect(thread.layout.row(ofMessage: "r1")?.annotations == .alsoInChannel)
    await until { model.layout.row(ofMessage: "r1") != nil }
    #expect(model.layout.row(ofMessage: "r1")?.annotations == .repliedToThread)
    #expect(model.layout.row(ofMessage: "r1")?.thread?.alsoInChannel == true)
    await workspace.close()
  }

  @Test func `further keystrokes of a typing user do not read the list again`() async throws {
    let workspace = try folder.open { $0.clock = { Timestamp(rawValue: 1_000_000) } }
    try await workspace.populate()
    let (ada, ben) = (workspace.client(user: "ada", device: "phone"), workspace.client(user: "ben", device: "phone"))
    let model = MessageListModel(of: ada.channel("general"))
    await until { model.isLoaded }
    let composer = try await ben.channel("general").openComposer()
    try composer.record([.typed(Splice(0..<0, to: "h"))])
    try await composer.flush()
    await until { model.layout.rows.last?.id == "typing:ben" }
    let question = model.question
    func mustAsk(_ typing: [MessageSender], _ channels: Set<Channel.ID> = []) async throws -> Bool {
      try await ada.read { reading in
        var shown = try reading.conversation(in: "general", limit: 1)
        shown.typing = typing
        let places = ChangedTargets(channels: channels, composers: [composer.key])
        return try question.dependsOnTargets(reading, places, shown)
      }
    }
    let told = [MessageSender(id: "ben", name: "ben")]
    #expect(try await !mustAsk(told))
    #expect(try await mustAsk([]))
    #expect(try await mustAsk(told, ["general"]))
    await workspace.close()
  }

  // What broke: each private action of any user, such as saving a message, read every open list again.
  @Test func `an event of a user reads the list again where that user is shown`() async throws {
    let workspace = try folder.open()
    try await workspace.populate(["ada", "ben", "cyd", "dan"])
    let (ada, ben) = (workspace.client(user: "ada"), workspace.client(user: "ben"))
    try await workspace.client(user: "cyd").channel("general").send("One", id: "m1")
    try await ben.channel("general").send(Message.Content("Two", quoted: "m1"), id: "m2")
    let model = MessageListModel(of: ada.channel("general"))
    await until { model.isLoaded }
    let question = model.question
    let shown = try await ada.read { try $0.conversation(in: "general", limit: 1) }
    let all = ["ada", "ben", "cyd", "dan"] as [User.ID]
    #expect(all.map { question.dependsOn(.user($0), shown) } == [true, true, true, false])
    #expect(question.dependsOn(.user("dan"), nil))
    try await ben.me.change(User.Profile(name: "Benny"))
    await until { model.layout.message("m2")?.sender?.name == "Benny" }
    await workspace.close()
  }

  @Test func `earlier messages are loaded by pages, and only affected rows are derived`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    let ada = workspace.client(user: "ada", device: "phone")
    for number in 1...30 { try await ada.channel("general").send("\(number)", id: Message.ID("m\(number)")) }
    let model = MessageListModel(of: ada.channel("general"), pageSize: 10)
    await until { model.isLoaded }
    #expect(model.layout.messageCount == 10 && model.layout.rows.first?.kind == .loadOlder)
    let before = model.layout.derived.messages
    await model.loadEarlier()
    // What broke: it returned before they were shown, and a second call loaded the same page.
    #expect(model.layout.messageCount == 20)
    #expect(model.layout.derived.messages - before <= 12)
    await model.loadEarlier()
    #expect(model.layout.messageCount == 30)
    #expect(model.layout.rows.first?.kind == .conversationStart)
    let all = model.layout.derived.messages
    try await ada.channel("general").send("31", id: "m31")
    await until { model.layout.row(ofMessage: "m31") != nil }
    #expect(model.layout.derived.messages - all <= 3)
    #expect(model.lastDiff.inserted.map(\.row.messageID) == ["m31"] && model.lastDiff.updated.count == 1)
    await workspace.close()
  }

  @Test func `a message forwarded twice names the author of the first message`() async throws {
    let workspace = try folder.open()
    try await workspace.populate(["ada", "ben"])
    let sent = try await workspace.client(user: "ben").channel("general").send("news")
    let notes = workspace.client(user: "ada").channel("notes")
    try await notes.create()
    try await notes.forward(sent.key, id: "f1")
    let model = MessageListModel(of: notes)
    await until { model.layout.message("f1") != nil }
    #expect(model.layout.message("f1")?.forwardedFrom == MessageSender(id: "ben", name: "ben"))
    #expect(model.layout.row(ofMessage: "f1")?.annotations == .forwarded)
    await workspace.close()
  }

  @Test func `a poll that ends is shown as closed without any event`() async throws {
    let clock = Locked(Int64(1_000_000))
    let workspace = try folder.open { $0.clock = { Timestamp(rawValue: clock.withLock { $0 }) } }
    try await workspace.populate()
    let channel = workspace.client(user: "ada").channel("general")
    let rules = Poll.Rules(expiry: .until(Timestamp(rawValue: 1_200_000)))
    try await channel.sendPoll("Lunch?", ["Pizza", "Soup"], rules: rules, id: "m1")
    let model = MessageListModel(of: channel)
    await until { model.layout.row(ofMessage: "m1")?.poll?.isOpen == true }
    clock.withLock { $0 = 1_200_000 }
    await until { model.layout.row(ofMessage: "m1")?.poll?.isOpen == false }
    await workspace.close()
  }

  @Test func `a jump shows messages around its target, from which the newest are reached by pages`() async throws {
    let clock = Locked(Int64(1_000_000))
    let workspace = try folder.open { $0.clock = { Timestamp(rawValue: clock.withLock { $0 }) } }
    try await workspace.populate()
    let channel = workspace.client(user: "ada", device: "phone").channel("general")
    for number in 1...30 {
      clock.withLock { $0 += 1_000_000 }
      try await channel.send("\(number)", id: Message.ID("m\(number)"))
    }
    let start = try await channel.message("m1").sent.rawValue
    let model = MessageListModel(of: channel, pageSize: 6)
    await until { model.isLoaded }
    func shown() -> [Int] { model.layout.rows.compactMap { $0.messageID.flatMap { Int($0.dropFirst()) } } }
    #expect(shown() == Array(25...30))

    try await model.jump(to: "m12")
    #expect(shown() == Array(9...14))
    #expect(model.layout.rows.first?.kind == .loadOlder && model.layout.rows.last?.kind == .loadNewer)
    // What happens behind the window changes nothing in it, what happens in it is shown.
    try await channel.send("31", id: "m31")
    try await channel.edit("m13", to: "thirteen")
    await until { model.layout.row(ofMessage: "m13")?.showsEdited == true }
    #expect(shown() == Array(9...14))

    #expect(try await model.press(.loadNewer) == .done)
    await until { shown() == Array(9...20) }
    await model.loadEarlier()
    await until { shown() == Array(3...20) }
    try await model.loadLater()
    await until { shown() == Array(3...26) }
    try await model.loadLater()
    await until { shown() == Array(3...31) }
    #expect(model.layout.rows.last?.kind != .loadNewer)
    try await channel.send("32", id: "m32")
    await until { shown() == Array(3...32) }

    // To an instant: the first message then or later.
    #expect(try await model.jump(to: Timestamp(rawValue: start + 1_000_001 * 1)) == "m3")
    try await model.jumpToNewest()
    #expect(shown() == Array(3...32))
    #expect(try await model.jump(to: Timestamp(rawValue: start)) == "m1")
    #expect(shown() == Array(1...6))
    try await model.jumpToNewest()
    #expect(shown() == Array(27...32))
    #expect(try await model.jump(to: Timestamp(rawValue: start + 100_000_000)) == nil)
    #expect(shown() == Array(27...32))
    await #expect(throws: ReadError.self) { try await model.jump(to: "m99") }
    #expect(shown() == Array(27...32))
    await workspace.close()
  }

  /// Returns a channel with the messages m10 to m39, whose reads wait at the gate while that is closed.
  private func gatedChannel() async throws -> (Gate, Workspace, ChannelController) {
    let gate = Gate()
    let workspace = try folder.open { configuration in
      configuration.clock = {
        gate.pass()
        return Timestamp(rawValue: 1_000_000)
      }
    }
    try await workspace.populate()
    let channel = workspace.client(user: "ada", device: "phone").channel("general")
    for number in 10...39 { try await channel.send("\(number)", id: Message.ID("m\(number)")) }
    return (gate, workspace, channel)
  }

  // What broke: earlier messages that arrived after a jump extended the window that it had left, and the list left the
  // message.
  @Test func `a jump while earlier messages are loading stays at its target`() async throws {
    let (gate, workspace, channel) = try await gatedChannel()
    let model = MessageListModel(of: channel, pageSize: 6)
    await until { model.isLoaded }
    func shown() -> [Int] { model.layout.rows.compactMap { $0.messageID.flatMap { Int($0.dropFirst()) } } }
    gate.close()
    async let loading: Void = model.loadEarlier()
    await until { gate.isWaitedAt }
    try await model.jump(to: "m21")
    #expect(shown() == Array(18...23))
    gate.open()
    await loading
    #expect(!model.isLoadingEarlier)
    try await channel.edit("m22", to: "else")
    await until { model.layout.row(ofMessage: "m22")?.showsEdited == true }
    #expect(shown() == Array(18...23))
    await workspace.close()
  }

  // What broke: an earlier jump whose messages were read later moved the window away from the target of the last one.
  @Test func `of two jumps at a time, the later one moves the window`() async throws {
    let (gate, workspace, channel) = try await gatedChannel()
    let model = MessageListModel(of: channel, pageSize: 6)
    await until { model.isLoaded }
    func shown() -> [Int] { model.layout.rows.compactMap { $0.messageID.flatMap { Int($0.dropFirst()) } } }
    gate.close()
    async let first: Void = model.jump(to: "m13")
    await until { gate.isWaitedAt }
    try await model.jumpToNewest()
    gate.open()
    try await first
    #expect(shown() == Array(34...39))
    gate.close()
    async let second: Void = model.jump(to: "m13")
    await until { gate.isWaitedAt }
    try await model.jump(to: "m21")
    gate.open()
    try await second
    #expect(shown() == Array(18...23))
    await workspace.close()
  }

  @Test func `a jump to a quoted message loads it, and later messages beyond the maximum replace the first`()
    async throws
  {
    let workspace = try folder.open()
    try await workspace.populate()
    let channel = workspace.client(user: "ada", device: "phone").channel("general")
    for number in 1...20 { try await channel.send("\(number)", id: Message.ID("m\(number)")) }
    try await channel.send(Message.Content("in a thread", parent: "m2"), id: "r1")
    try await channel.send(Message.Content("again", quoted: "m4"), id: "m21")
    let model = MessageListModel(of: channel, pageSize: 4, keptMax: 8)
    await until { model.isLoaded }
    func shown() -> [String] { model.layout.rows.compactMap(\.messageID) }
    #expect(shown() == ["m18", "m19", "m20", "m21"])
    #expect(try await model.press(.jump(to: "m4")) == .scroll(to: "m4"))
    #expect(shown() == ["m2", "m3", "m4", "m5"])
    try await model.loadLater()
    try await model.loadLater()
    #expect(shown() == (6...13).map { "m\($0)" })
    await #expect(throws: ReadError.self) { try await model.jump(to: "r1") }

    for number in 2...5 {
      try await channel.send(Message.Content("\(number)", parent: "m2"), id: Message.ID("r\(number)"))
    }
    let thread = MessageListModel(of: channel, thread: "m2", pageSize: 2)
    await until { thread.isLoaded }
    try await thread.jump(to: "r1")
    #expect(thread.layout.rows.compactMap(\.messageID) == ["m2", "r1", "r2"])
    try await thread.jump(to: "m2")
    #expect(thread.layout.rows.compactMap(\.messageID) == ["m2", "r1", "r2"])
    await workspace.close()
  }
}

extension LayoutOptions {
  /// The options, with messages of muted users hidden.
  fileprivate var hiding: LayoutOptions {
    var options = self
    options.mutedMessages = .hide
    return options
  }
}
