// Threat: a list of messages that shows them in another order than the log, loses a part of its window, or stops
// following the newest messages.
import Foundation
import TerminalRendering
import Testing

@testable import Verbatim
@testable import VerbatimUI

@MainActor @Suite struct `The window of a message list` {
  private let folder = WorkspaceFolder()

  /// A factory that leaves every slot as it is.
  private struct PlainForm: ViewFactory {
    typealias Output = TerminalText
    var context = RenderingContext()
  }

  private func open(
    _ users: [User.ID] = ["ada", "ben"], _ choose: (inout Configuration) -> Void = { _ in }
  ) async throws -> Workspace {
    let workspace = try folder.open(choose)
    try await workspace.populate(users)
    return workspace
  }

  private func send(_ numbers: ClosedRange<Int>, to channel: ChannelController) async throws {
    for number in numbers { try await channel.send("\(number)", id: Message.ID("m\(number)")) }
  }

  /// Returns a channel with messages, and a model of it whose window is that of a jump to the twelfth.
  private func jumped(
    through last: Int, in workspace: Workspace
  ) async throws -> (channel: ChannelController, model: MessageListModel) {
    let channel = workspace.client(user: "ada").channel("general")
    try await send(1...last, to: channel)
    let model = MessageListModel(of: channel, pageSize: 6)
    await until { model.isLoaded }
    try await model.jump(to: "m12")
    #expect(shown(model) == Array(9...14))
    return (channel, model)
  }

  private func shown(_ model: MessageListModel) -> [Int] {
    model.layout.rows.compactMap { $0.messageID.flatMap { Int($0.dropFirst()) } }
  }

  // What broke: messages of one time were ordered by their ids, as those of one append are, and those of a process
  // whose clock is behind.
  @Test func `messages of one time are in the order in which they were sent`() async throws {
    let workspace = try await open { $0.clock = { Timestamp(rawValue: 1_000_000) } }
    let channel = workspace.client(user: "ada").channel("general")
    for id in ["z", "q", "a"] as [Message.ID] { try await channel.send("Hello", id: id) }
    try await channel.send(Message.Content("reply", parent: "q"), id: "b")
    let (model, thread) = (MessageListModel(of: channel), MessageListModel(of: channel, thread: "q"))
    await until { model.isLoaded && thread.isLoaded }
    #expect(model.layout.messages.map(\.messageID) == ["z", "q", "a"])
    let rows = thread.layout.rows.filter { $0.kind != .dateSeparator }
    #expect(rows.map { $0.messageID ?? $0.id } == ["q", "thread", "b"])
    await workspace.close()
  }

  // What broke: the row of a message that was edited a second time is equal to the one before, and was in no diff.
  @Test func `each edit of a message is in the difference of the rows`() async throws {
    let workspace = try await open()
    let channel = workspace.client(user: "ada").channel("general")
    try await channel.send("Hello", id: "m1")
    let model = MessageListModel(of: channel)
    await until { model.isLoaded }
    var told: [String] = []
    let view = MessagesView(model, drawing: TerminalText.self)
      .proxyOnMessagesChange { _, messages in told += messages.map(\.message.content.text.string) }
    let list = MessageList(view)
    for text in ["one", "two"] {
      try await channel.edit("m1", to: text)
      await until { list.layout.message("m1")?.message.content.text.string == text }
      #expect(model.lastDiff.updated.map(\.messageID) == ["m1"])
    }
    #expect(told == ["one", "two"])
    await workspace.close()
  }

  // What broke: the messages of a muted author were hidden by one change, and the counts of a thread by the next.
  @Test func `a mute is one difference of the rows`() async throws {
    let workspace = try await open()
    let (ada, ben) = (workspace.client(user: "ada"), workspace.client(user: "ben").channel("general"))
    try await ada.channel("general").send("question", id: "m1")
    try await ben.send("Hello", id: "m2")
    try await ben.send(Message.Content("answer", parent: "m1"), id: "r1")
    var options = LayoutOptions<ChatMessage>.verbatim
    options.mutedMessages = .hide
    let model = MessageListModel(of: ada.channel("general"), options: options)
    await until { model.layout.row(ofMessage: "m1")?.thread?.unread == 1 }
    let before = Array(model.layout.rows)
    try await ada.user("ben").mute()
    await until { model.layout.row(ofMessage: "m2") == nil }
    #expect(model.layout.row(ofMessage: "m1")?.thread?.unread == 0)
    #expect(model.lastDiff.applied(to: before) == Array(model.layout.rows))
    await workspace.close()
  }

  // What broke: the window kept its end, behind which everything was cut off.
  @Test func `a window whose messages are all truncated becomes one of the newest messages`() async throws {
    let workspace = try await open()
    let (channel, model) = try await jumped(through: 60, in: workspace)
    try await channel.truncate(through: "m30")
    await until { shown(model) == Array(55...60) }
    await model.loadEarlier()
    await until { shown(model) == Array(49...60) }
    try await send(61...61, to: channel)
    await until { shown(model) == Array(49...61) }
    await workspace.close()
  }

  @Test func `a window behind whose end no message is left follows the newest messages`() async throws {
    let workspace = try await open()
    let (channel, model) = try await jumped(through: 20, in: workspace)
    for number in 15...20 { try await channel.delete(Message.ID("m\(number)"), forGood: true) }
    await until { model.layout.rows.last?.kind != .loadNewer }
    try await send(21...21, to: channel)
    await until { shown(model) == Array(9...14) + [21] }
    await workspace.close()
  }

  // What broke: a list that had grown shrank to its newest page.
  @Test func `a window that has grown stays after a retry, and after a time without access`() async throws {
    let workspace = try await open()
    let (channel, ben) = (workspace.client(user: "ada").channel("general"), workspace.client(user: "ben"))
    try await send(1...12, to: channel)
    let model = MessageListModel(of: ben.channel("general"), pageSize: 10)
    let plain = ChannelModel(of: ben.channel("general"), pageSize: 10)
    await until { model.isLoaded && plain.messages.count == 10 }
    try await send(13...17, to: channel)
    await until { shown(model) == Array(3...17) && plain.messages.count == 15 }
    model.retry()
    plain.retry()
    try await send(18...18, to: channel)
    await until { shown(model).last == 18 && plain.messages.last?.key.id == "m18" }
    #expect(shown(model) == Array(3...18) && plain.messages.count == 16)

    let others = MessageListModel(of: ben.channel("general"), pageSize: 10)
    await until { shown(others) == Array(9...18) }
    try await send(19...20, to: channel)
    await until { shown(others) == Array(9...20) }
    try await channel.remove("ben")
    await until { others.failure != nil }
    try await channel.add("ben")
    await until { others.failure == nil }
    #expect(shown(others) == Array(9...20))
    await workspace.close()
  }

  // What broke: the maximum grew with each page of earlier messages, and each event read all of them again.
  @Test func `earlier messages beyond the maximum replace the latest, which are reached again`() async throws {
    let workspace = try await open()
    let channel = workspace.client(user: "ada").channel("general")
    try await send(1...20, to: channel)
    let model = MessageListModel(of: channel, pageSize: 4, keptMax: 8)
    await until { model.isLoaded }
    for first in [13, 9, 5] {
      await model.loadEarlier()
      await until { shown(model) == Array(first...first + 7) }
    }
    #expect(model.layout.rows.last?.kind == .loadNewer)
    try await send(21...21, to: channel)
    try await channel.edit("m6", to: "six")
    await until { model.layout.row(ofMessage: "m6")?.showsEdited == true }
    #expect(shown(model) == Array(5...12))
    try await model.loadLater()
    await until { shown(model) == Array(9...16) }
    try await model.jumpToNewest()
    #expect(shown(model) == Array(18...21))
    await workspace.close()
  }

  // What broke: the number after the greatest one was zero, and a page of the oldest messages followed it.
  @Test func `no message is after the greatest number`() async throws {
    let workspace = try await open()
    let channel = workspace.client(user: "ada").channel("general")
    try await send(1...3, to: channel)
    let page = try await channel.messages(.after(Message.Number(rawValue: .max)), limit: 2)
    #expect(page.messages.isEmpty && page.newer == nil)
    let older = try await channel.messages(.before(try #require(page.older)), limit: 2)
    #expect(older.messages.map(\.key.id) == ["m2", "m3"])
    await workspace.close()
  }

  // What broke: only HTML offered the way to a quoted message that is not loaded.
  @Test func `a quoted message that is not loaded is reached by its quote`() async throws {
    let workspace = try await open()
    let channel = workspace.client(user: "ada").channel("general")
    try await send(1...20, to: channel)
    try await channel.send(Message.Content("again", quoted: "m4"), id: "m21")
    let model = MessageListModel(of: channel, pageSize: 4)
    await until { model.isLoaded }
    #expect(model.layout.message("m4") == nil)
    let jump = SlotAction.jump(to: "m4")
    for actions in [
      PlainTextFactory(columns: 60).drawList(model.layout).actions, PlainForm().drawList(model.layout).actions,
    ] {
      #expect(actions.contains(jump))
    }
    #expect(try await model.press(jump) == .scroll(to: "m4"))
    #expect(model.layout.message("m4") != nil)
    await workspace.close()
  }
}

@MainActor @Suite struct `A quote of a message in another list` {
  private let folder = WorkspaceFolder()

  // What broke: pressing it was refused as if the message were unknown.
  @Test func `is left to the app`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    let channel = workspace.client(user: "ada").channel("general")
    for id in ["m1", "m2"] as [Message.ID] { try await channel.send("Hello", id: id) }
    try await channel.send(Message.Content("reply", parent: "m1"), id: "r1")
    try await channel.send(Message.Content("also here", parent: "m1", showsInChannel: true, quoted: "r1"), id: "r2")
    try await channel.send(Message.Content("elsewhere", parent: "m1", quoted: "m2"), id: "r3")
    let (model, replies) = (MessageListModel(of: channel), MessageListModel(of: channel, thread: "m1"))
    await until { model.isLoaded && replies.isLoaded }
    #expect(try await model.press(.jump(to: "r1")) == .openThread(Message.Key("general", "m1")))
    #expect(try await replies.press(.jump(to: "r1")) == .scroll(to: "r1"))
    #expect(try await replies.press(.jump(to: "m2")) == .openMessage(Message.Key("general", "m2")))
    await #expect(throws: ReadError.self) { try await model.press(.jump(to: "none")) }
    await workspace.close()
  }
}

@MainActor @Suite struct `The details of a message in a list` {
  private let folder = WorkspaceFolder()

  // What broke: only a regular message had a delivery state.
  @Test func `a message of a custom kind that could not be sent is shown as failed, and retried`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    let ada = workspace.client(user: "ada")
    let tea = Message.Content("Tea?", kind: .custom("poll"), isPending: true)
    try await ada.channel("general").send(tea, id: "m1")
    try await ada.submit(.message(Message.Key("general", "m1"), .fail(reason: "no net")))
    let model = MessageListModel(of: ada.channel("general"))
    await until { model.isLoaded }
    let row = try #require(model.layout.row(ofMessage: "m1"))
    #expect(row.delivery == .failed(reason: "no net") && row.actions == MessageActions(.retry, .delete))
    #expect(try await model.press(.message(.retry, "m1")) == .done)
    await until { model.layout.row(ofMessage: "m1")?.delivery == .pending }
    await workspace.close()
  }

  // What broke: without a reply that is present, deleted ones and the reader's ephemeral ones were counted.
  @Test func `the separator of a thread counts the replies that are present`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    let ada = workspace.client(user: "ada").channel("general")
    try await ada.send("question", id: "m1")
    try await ada.send(Message.Content("answer", parent: "m1"), id: "r1")
    let model = MessageListModel(of: ada, thread: "m1")
    func count() -> Int? { model.layout.rows.first { $0.id == "thread" }?.count }
    await until { count() == 1 }
    try await ada.delete("r1")
    await until { count() == 0 }
    try await ada.send(Message.Content("?", kind: .ephemeral, parent: "m1"), id: "e1")
    await until { model.layout.message("e1") != nil }
    #expect(count() == 0)
    try await ada.restore("r1")
    await until { count() == 1 }
    await workspace.close()
  }

  // What broke: the line of a thread named the author of a deleted reply.
  @Test func `the participants of a thread are the authors of replies that are present`() async throws {
    let workspace = try folder.open()
    try await workspace.populate(["ada", "ben", "cid"])
    let ada = workspace.client(user: "ada").channel("general")
    try await ada.send("question", id: "m1")
    for user in ["ben", "cid"] as [User.ID] {
      let reply = Message.Content("answer", parent: "m1")
      try await workspace.client(user: user).channel("general").send(reply, id: Message.ID("r-\(user)"))
    }
    let model = MessageListModel(of: ada)
    await until { model.layout.row(ofMessage: "m1")?.thread?.participants == ["cid", "ben"] }
    try await workspace.client(user: "cid").channel("general").delete("r-cid")
    await until { model.layout.row(ofMessage: "m1")?.thread?.replyCount == 1 }
    #expect(model.layout.row(ofMessage: "m1")?.thread?.participants == ["ben"])
    await workspace.close()
  }
}
