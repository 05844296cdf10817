// Threat: the list of drafts or threads on a screen is out of date, incomplete, or redrawn without a change.
import Foundation
import TerminalRendering
import Testing

@testable import Verbatim
@testable import VerbatimUI

@MainActor @Suite struct `The model of a draft list` {
  private let folder = WorkspaceFolder()

  /// Opens a workspace with the channels c0 to c5, a question in each, and a draft of Ada for the thread of each.
  private func populate() async throws -> (Workspace, Client) {
    let workspace = try folder.open()
    try await workspace.populate()
    let (ada, ben) = (workspace.client(user: "ada", device: "phone"), workspace.client(user: "ben", device: "desk"))
    for number in 0..<6 {
      let id = Channel.ID(stringLiteral: "c\(number)")
      try await ada.channel(id).create("team", Channel.Profile(name: "Room"), members: ["ben"])
      try await ben.channel(id).send("question", id: "q")
      try await save("draft \(number)", in: id, thread: "q", by: ada)
    }
    return (workspace, ada)
  }

  private func save(
    _ text: UserText, in channel: Channel.ID, thread: Message.ID? = nil, by client: Client
  ) async throws {
    let key = Draft.Key(by: client.user, in: channel, thread: thread)
    try await client.submit(.draft(key, .update(Composition(TypedText(text)), editedAt: client.workspace.now)))
  }

  @Test func `pages and sorting are those of the query, and pages grow until all drafts are listed`() async throws {
    let (workspace, ada) = try await populate()
    let sorting = [DraftSort(key: .channel, isAscending: true)]
    let pagination = Pagination(pageSize: 2, offset: 1)
    let model = DraftListModel(of: ada, DraftListQuery(pagination: pagination, sorting: sorting))
    #expect(!model.isLoaded && !model.hasMore)
    model.loadMore()
    await until { model.isLoaded }
    #expect(model.drafts.map(\.key.channel) == ["c1", "c2"] && model.hasMore)
    model.loadMore()
    await until { model.drafts.count == 4 }
    #expect(model.hasMore)
    model.loadMore()
    await until { !model.hasMore }
    #expect(model.drafts.map(\.key.channel) == ["c1", "c2", "c3", "c4", "c5"])
    model.loadMore()
    // A further draft is listed once a page for it is loaded.
    try await save("new", in: "general", by: ada)
    await until { model.hasMore || model.drafts.count == 6 }
    model.loadMore()
    await until { model.drafts.map(\.key.channel.text).last == "general" && !model.hasMore }
    await workspace.close()
  }

  @Test func `an item follows its draft, its parent message and the name of its channel`() async throws {
    let (workspace, ada) = try await populate()
    let model = DraftListModel(of: ada)
    await until { model.drafts.count == 6 }
    #expect(model.drafts.map(\.key.channel) == ["c5", "c4", "c3", "c2", "c1", "c0"])
    try await save("changed", in: "c5", thread: "q", by: ada)
    await until { model.drafts[0].content.text == "changed" }
    let ben = workspace.client(user: "ben", device: "desk").channel("c5")
    try await ben.edit("q", to: "another question")
    await until { model.drafts[0].parent?.content.text == "another question" }
    let factory = PlainTextFactory(columns: 80)
    #expect(factory.makeDraftListItem(model.drafts[0]).text(hasColors: false).contains("Room/another question"))
    try await ada.channel("c5").change(Channel.Profile(name: "Kitchen"))
    await until { model.drafts[0].channelName == "Kitchen" }
    #expect(factory.makeDraftListItem(model.drafts[0]).text(hasColors: false).contains("Kitchen/another question"))
    try await ben.delete("q")
    await until { model.drafts[0].parent?.presence != .present }
    #expect(!factory.makeDraftListItem(model.drafts[0]).text(hasColors: false).contains("another question"))
    await workspace.close()
  }

  @Test func `messages that no item shows do not change the list`() async throws {
    let (workspace, ada) = try await populate()
    let model = DraftListModel(of: ada)
    await until { model.drafts.count == 6 }
    let changes = ChangeCount { model.drafts }
    let ben = workspace.client(user: "ben", device: "desk")
    try await ben.channel("c5").send("elsewhere")
    try await save("ben's", in: "c5", by: ben)
    try await save("the last", in: "c5", thread: "q", by: ada)
    await until { model.drafts[0].content.text == "the last" }
    for _ in 0..<10 { await Task.yield() }
    #expect(changes.count == 1)
    await workspace.close()
  }

  @Test func `a deleted draft leaves the list, and so does one whose channel is deleted`() async throws {
    let (workspace, ada) = try await populate()
    let model = DraftListModel(of: ada)
    await until { model.drafts.count == 6 }
    try await model.delete(model.drafts[0])
    await until { model.drafts.count == 5 }
    #expect(model.drafts.first?.key.channel == "c4")
    await workspace.close()
  }

  // What broke: the draft was deleted as it was by then, with what had never been shown.
  @Test func `deleting a draft keeps one that was saved since it was shown`() async throws {
    let (workspace, ada) = try await populate()
    let model = DraftListModel(of: ada)
    await until { model.drafts.count == 6 }
    let shown = model.drafts[0]
    try await save("newer", in: shown.key.channel, thread: shown.key.thread, by: workspace.client(user: "ada"))
    try await model.delete(shown)
    #expect(try await ada.me.drafts().drafts.contains { $0.content.text == "newer" })
    await until { model.drafts.first?.content.text == "newer" }
    try await model.delete(model.drafts[0])
    await until { model.drafts.count == 5 }
    await workspace.close()
  }

  @Test func `a refusal is shown until access is granted again, and the model is deallocated`() async throws {
    let (workspace, ada) = try await populate()
    var model: DraftListModel? = DraftListModel(of: ada)
    weak let gone = model
    await until { model?.isLoaded == true }
    try await workspace.submit(.user("ada", .deactivate), by: .system)
    await until { model?.failure != nil }
    #expect(model?.drafts.count == 6)
    try await workspace.submit(.user("ada", .reactivate), by: .system)
    await until { model?.failure == nil }
    model = nil
    await until { gone == nil }
    await workspace.close()
  }
}

@MainActor @Suite struct `The model of a thread list` {
  private let folder = WorkspaceFolder()

  /// Opens a workspace in which Ada replied to messages of Ben.
  private func populate(count: Int) async throws -> (Workspace, ada: Client, ben: Client) {
    let workspace = try folder.open()
    try await workspace.populate()
    let (ada, ben) = (workspace.client(user: "ada", device: "phone"), workspace.client(user: "ben", device: "desk"))
    for number in 0..<count {
      let id = Message.ID(stringLiteral: "m\(number)")
      try await ben.channel("general").send("question \(number)", id: id)
      try await ada.channel("general").thread(id).reply("answer \(number)")
    }
    return (workspace, ada, ben)
  }

  @Test func `a thread shows its newest reply, its reply counts and the user's draft`() async throws {
    let (workspace, ada, ben) = try await populate(count: 2)
    let model = ThreadListModel(of: ada)
    await until { model.isLoaded }
    #expect(model.threads.map(\.parent.key.id) == ["m1", "m0"])
    #expect(model.threads[0].unreadReplyCount == 0)
    try await ben.channel("general").thread("m0").reply("really?")
    await until { model.threads.first?.newest.content.text == "really?" }
    let thread = model.threads[0]
    #expect(thread.parent.key.id == "m0" && thread.parent.replyCount == 2 && thread.ownReplyCount == 1)
    #expect(thread.unreadReplyCount == 1)
    let key = Draft.Key(by: "ada", in: "general", thread: "m1")
    try await ada.submit(.draft(key, .update(Composition("not yet"), editedAt: workspace.now)))
    await until { model.threads.last?.draftReply?.content?.text == "not yet" }
    #expect(model.threads.map(\.parent.key.id) == ["m0", "m1"])
    let drawn = PlainTextFactory(columns: 80).makeThreadListItem(model.threads[1])
    #expect(drawn.text(hasColors: false).contains("not yet"))
    try await ada.channel("general").thread("m1").channel.markRead(through: model.threads[0].newest.key.id)
    await until { model.threads[0].unreadReplyCount == 0 }
    try await ben.channel("general").edit("m1", to: "another question")
    await until { model.threads[1].parent.content.text == "another question" }
    await workspace.close()
  }

  // What broke: silent replies counted as unread, as did those of muted and blocked authors.
  @Test func `silent replies, and those of muted or blocked authors, do not count as unread`() async throws {
    let clock = SetClock(1_000_000)
    let workspace = try folder.open { $0.clock = { clock.now } }
    try await workspace.populate()
    let (ada, ben) = (workspace.client(user: "ada", device: "phone"), workspace.client(user: "ben", device: "desk"))
    try await ada.channel("general").send("question", id: "m")
    let threads = ThreadListModel(of: ada)
    let messages = MessageListModel(of: ada.channel("general"))
    func untilUnread(_ count: Int) async {
      await until { threads.threads.first?.unreadReplyCount == count }
      await until { messages.layout.row(ofMessage: "m")?.thread?.unread == count }
    }
    try await ben.channel("general").thread("m").reply("answer")
    await untilUnread(1)
    try await ben.channel("general").send(Message.Content("by the way", parent: "m", isSilent: true))
    await until { threads.threads.first?.newest.content.text == "by the way" }
    await untilUnread(1)
    try await ada.user("ben").mute(for: .until(Timestamp(rawValue: 2_000_000)))
    await untilUnread(0)
    clock.set(2_000_000)
    await untilUnread(1)
    try await ada.user("ben").block()
    await untilUnread(0)
    try await ada.user("ben").unblock()
    await untilUnread(1)
    await workspace.close()
  }

  // What broke: the marker of a thread was older than the absence, and all replies of that time were unread.
  @Test func `replies that were sent in the absence of a member are not unread`() async throws {
    let clock = SetClock(1_000_000)
    let workspace = try folder.open { $0.clock = { clock.now } }
    try await workspace.populate()
    let (ada, ben) = (workspace.client(user: "ada").channel("general"), workspace.client(user: "ben"))
    func reply(_ id: Message.ID, in channel: ChannelController) async throws {
      try await channel.send(Message.Content("answer", parent: "m"), id: id)
    }
    try await ada.send("question", id: "m")
    try await reply("r1", in: ben.channel("general"))
    try await reply("r2", in: ada)
    try await ben.channel("general").thread("m").markRead(through: "r2")
    clock.set(2_000_000)
    try await ada.remove("ben")
    try await reply("r3", in: ada)
    clock.set(3_000_000)
    try await ada.add("ben")
    let (threads, messages) = (ThreadListModel(of: ben), MessageListModel(of: ben.channel("general")))
    await until { threads.isLoaded && messages.isLoaded }
    func unread() -> [Int?] {
      [threads.threads.first?.unreadReplyCount, messages.layout.row(ofMessage: "m")?.thread?.unread]
    }
    #expect(unread() == [0, 0])
    try await reply("r4", in: ada)
    await until { unread() == [1, 1] }
    try await ben.channel("general").thread("m").markRead(through: "r4")
    await until { unread() == [0, 0] }
    try await ben.channel("general").thread("m").markUnread(from: "r3")
    await until { unread() == [2, 2] }
    await workspace.close()
  }

  @Test func `others' drafts, drafts of the channel and keystrokes elsewhere do not change the list`() async throws {
    let (workspace, ada, ben) = try await populate(count: 1)
    let model = ThreadListModel(of: ada)
    await until { model.isLoaded }
    let changes = ChangeCount { model.threads }
    func save(_ key: Draft.Key, by client: Client) async throws {
      try await client.submit(.draft(key, .update(Composition("x"), editedAt: workspace.now)))
    }
    try await save(Draft.Key(by: "ben", in: "general", thread: "m0"), by: ben)
    try await save(Draft.Key(by: "ada", in: "general"), by: ada)
    try await save(Draft.Key(by: "ada", in: "general", thread: "m0"), by: ada)
    await until { model.threads[0].draftReply != nil }
    for _ in 0..<10 { await Task.yield() }
    #expect(changes.count == 1)
    await workspace.close()
  }

  @Test func `a typing user is shown until the indication expires`() async throws {
    let clock = SetClock(1_000_000)
    let workspace = try folder.open { $0.clock = { clock.now } }
    try await workspace.populate()
    let (ada, ben) = (workspace.client(user: "ada", device: "phone"), workspace.client(user: "ben", device: "desk"))
    try await ada.channel("general").send("question", id: "m")
    try await ben.channel("general").thread("m").reply("answer")
    let model = ThreadListModel(of: ada)
    await until { model.threads.count == 1 }
    let composer = try await ben.channel("general").openComposer(thread: "m")
    try composer.record([.typed(Splice(0..<0, to: "h"))])
    try await composer.flush()
    await until { model.threads.first?.typing == ["ben"] }
    clock.set(9_000_000)
    await until { model.threads.first?.typing == [] }
    await workspace.close()
  }

  @Test func `loading more shows a further page, and a refusal is shown until it is lifted`() async throws {
    let (workspace, ada, _) = try await populate(count: 5)
    let model = ThreadListModel(of: ada, pageSize: 2)
    await until { model.isLoaded }
    #expect(model.threads.map(\.parent.key.id) == ["m4", "m3"] && model.hasMore)
    model.loadMore()
    await until { model.threads.count == 4 }
    model.loadMore()
    await until { model.threads.count == 5 && !model.hasMore }
    try await workspace.submit(.user("ada", .deactivate), by: .system)
    await until { model.failure != nil }
    try await workspace.submit(.user("ada", .reactivate), by: .system)
    await until { model.failure == nil }
    #expect(model.threads.count == 5)
    await workspace.close()
  }
}

// Threat: a drawn list has no way to its next page, or a button that does nothing.
@MainActor @Suite struct `A drawn list` {
  private let folder = WorkspaceFolder()

  /// A page whose lists of channels have a title above, and otherwise are those of every page.
  private struct Titled: HTMLFactory {
    var context = RenderingContext()
    var actionURL: String? = "/act"

    func makeItemList(_ slot: ItemListSlot<HTML>) -> HTML {
      let list = self.ChatRendering::makeItemList(slot)
      return slot.kind == .channels ? .joined([.element("h2", [:], text: "Rooms"), list]) : list
    }
  }

  private func populate() async throws -> (Workspace, Client) {
    let workspace = try folder.open()
    try await workspace.populate()
    let (ada, ben) = (workspace.client(user: "ada", device: "phone"), workspace.client(user: "ben"))
    for number in 0..<3 {
      let id = Channel.ID(stringLiteral: "c\(number)")
      try await ada.channel(id).create("team", Channel.Profile(name: UserText("Room \(number)")), members: ["ben"])
      try await ben.channel(id).send("question", id: "q")
      try await ada.channel(id).thread("q").reply("answer")
      let key = Draft.Key(by: "ada", in: id)
      try await ada.submit(.draft(key, .update(Composition("not yet"), editedAt: workspace.now)))
    }
    return (workspace, ada)
  }

  /// Draws a list as text and as a page, and returns its lines and the actions, which are the same in both.
  private func drawn<Text, Page>(_ text: Text, _ page: Page) -> (lines: [String], actions: [SlotAction])
  where Text: DrawnOutput, Page: DrawnOutput {
    let (text, page) = (text as! TerminalText, page as! HTML)
    #expect(Set(text.actions) == Set(page.actions) && Set(text.actions).count == text.actions.count)
    #expect(page.actions.allSatisfy { page.markup.contains($0.pageID) })
    return (text.text(hasColors: false).split(separator: "\n").map(String.init), text.actions)
  }

  @Test func `of channels grows by a page when its button is pressed, and opens a channel`() async throws {
    let (workspace, ada) = try await populate()
    let model = ChannelListModel(of: ada, pageSize: 2)
    let (text, page) = (ChatUI(PlainTextFactory(columns: 60)), ChatUI(Titled()))
    #expect(text.draw(model).text(hasColors: false).contains("Loading …"))
    await until { model.isLoaded }
    var list = drawn(text.draw(model), page.draw(model))
    #expect(list.lines.count == 3 && list.lines[2].contains("[↓ Load more]"))
    #expect(page.draw(model).markup.hasPrefix("<h2>Rooms</h2><section"))
    #expect(try await model.press(try #require(list.actions.last)) == .done)
    await until { model.channels.count == 4 }
    list = drawn(text.draw(model), page.draw(model))
    #expect(list.lines.count == 4 && !list.actions.contains(.loadMore(.channels)))
    #expect(try await model.press(list.actions[0]) == .openChannel(model.channels[0].channel.id))
    await #expect(throws: PressError.otherList("more:drafts")) { try await model.press(.loadMore(.drafts)) }
    await workspace.close()
  }

  @Test func `of threads and drafts grows likewise, opens and deletes, and says when it is empty`() async throws {
    let (workspace, ada) = try await populate()
    let (text, page) = (ChatUI(PlainTextFactory(columns: 60)), ChatUI(PageFactory(actionURL: "/act")))
    let threads = ThreadListModel(of: ada, pageSize: 2)
    await until { threads.isLoaded }
    #expect(drawn(text.draw(threads), page.draw(threads)).actions.last == .loadMore(.threads))
    #expect(try await threads.press(.loadMore(.threads)) == .done)
    await until { threads.threads.count == 3 }
    let first = drawn(text.draw(threads), page.draw(threads)).actions[0]
    #expect(try await threads.press(first) == .openThread(threads.threads[0].parent.key))

    let drafts = DraftListModel(of: ada, DraftListQuery(pagination: Pagination(pageSize: 2)))
    await until { drafts.isLoaded }
    #expect(drawn(text.draw(drafts), page.draw(drafts)).actions.last == .loadMore(.drafts))
    #expect(try await drafts.press(.loadMore(.drafts)) == .done)
    await until { drafts.isLoaded && !drafts.hasMore }
    let actions = drawn(text.draw(drafts), page.draw(drafts)).actions
    #expect(try await drafts.press(actions[0]) == .openDraft(drafts.drafts[0].key))
    for action in actions {
      if case .deleteDraft = action { #expect(try await drafts.press(action) == .done) }
    }
    await until { drafts.drafts.isEmpty }
    #expect(
      drawn(text.draw(drafts), page.draw(drafts)).lines.map { $0.trimmingCharacters(in: .whitespaces) } == ["No drafts"]
    )
    await #expect(throws: PressError.otherList("more:threads")) { try await drafts.press(.loadMore(.threads)) }
    await workspace.close()
  }
}
