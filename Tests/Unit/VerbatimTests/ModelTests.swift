// Threat: a view that shows an outdated state, or is redrawn without a change.
import Foundation
import Observation
import Testing

@testable import Verbatim

/// A counter of changes of a model's observed properties.
@MainActor final class ChangeCount {
  private(set) var count = 0

  init<Value>(_ read: @escaping @MainActor () -> Value) { watch(read) }

  private func watch<Value>(_ read: @escaping @MainActor () -> Value) {
    withObservationTracking {
      _ = read()
    } onChange: { [weak self] in
      // The callback runs before the change: tracking again must wait until the change is made.
      MainActor.assumeIsolated {
        self?.count += 1
        Task { @MainActor in self?.watch(read) }
      }
    }
  }
}

@MainActor @Suite struct `The model of a channel` {
  private let folder = WorkspaceFolder()

  @Test func `each property changes once when its value differs, and no other one does`() async throws {
    // A stopped clock: typing does not expire on a slow machine.
    let workspace = try folder.open { $0.clock = { Timestamp(rawValue: 1_000_000) } }
    try await workspace.populate()
    let (ada, ben) = (workspace.client(user: "ada", device: "phone"), workspace.client(user: "ben", device: "phone"))
    let model = ChannelModel(of: ben.channel("general"))
    await until { model.channel != nil }
    let counts = [
      ChangeCount { model.channel }, ChangeCount { model.messages }, ChangeCount { model.typing },
      ChangeCount { model.unread }, ChangeCount { model.isMuted }, ChangeCount { model.hasEarlier },
      ChangeCount { model.failure != nil },
    ]
    func expectCounts(_ expected: Int..., sourceLocation: SourceLocation = #_sourceLocation) async {
      // Running tasks start tracking again.
      for _ in 0..<10 { await Task.yield() }
      #expect(counts.map(\.count) == expected, sourceLocation: sourceLocation)
    }
    try await ada.channel("general").send("one")
    await until { model.messages.count == 1 && model.unread.messages == 1 }
    await expectCounts(1, 1, 0, 1, 0, 0, 0)

    // Typing shows the user once, however much is typed.
    let composer = try await ada.channel("general").openComposer()
    try composer.record([.typed(Splice(0..<0, to: "h"))])
    await until { model.typing == ["ada"] }
    for place in 1..<50 {
      let end = UTF16Offset(rawValue: place)
      try composer.record([.typed(Splice(end..<end, to: "x"))])
      if place % 10 == 0 { try await composer.flush() }
    }
    try await composer.flush()
    await expectCounts(1, 1, 1, 1, 0, 0, 0)

    // Events elsewhere, private data of others and no-ops change nothing.
    try await ada.channel("other").create()
    try await ada.channel("other").send("elsewhere")
    try await ada.user("ben").mute()
    try await ben.channel("other-of-ben").create()
    try await ada.me.change(User.Profile(name: "Ada!"))

    try await ben.channel("general").mute()
    await until { model.isMuted }
    await expectCounts(1, 1, 1, 1, 1, 0, 0)
    try await ben.channel("general").markRead(through: model.messages[0].key.id)
    await until { model.unread.messages == 0 }
    await expectCounts(1, 1, 1, 2, 1, 0, 0)
    await workspace.close()
  }

  @Test func `the window keeps its start as messages arrive, and extends to earlier ones on demand`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    let ada = workspace.client(user: "ada").channel("general")
    for number in 0..<25 { try await ada.send("\(number)") }
    let model = ChannelModel(of: ada, pageSize: 10, keptMax: 20)
    await until { model.messages.count == 10 }
    #expect(model.hasEarlier)
    try await ada.send("25")
    await until { model.messages.count == 11 }
    try await model.loadEarlier()
    #expect(model.messages.map(\.content.text.string) == (5...25).map(String.init) && model.hasEarlier)
    try await model.loadEarlier()
    #expect(model.messages.count == 26 && !model.hasEarlier)
    try await ada.send("26")
    await until { model.messages.last?.content.text == "26" }
    #expect(model.messages.count == 26 && model.hasEarlier)
    try await ada.truncate()
    await until { model.messages.isEmpty }
    await workspace.close()
  }

  @Test func `a model reports that access was revoked, and resumes once it is granted again`()
    async throws
  {
    let workspace = try folder.open()
    try await workspace.populate()
    let (ada, ben) = (workspace.client(user: "ada").channel("general"), workspace.client(user: "ben"))
    let model = ChannelModel(of: ben.channel("general"))
    await until { model.channel != nil }
    try await ada.remove("ben")
    await until { model.failure != nil }
    #expect("\(model.failure!)".contains("ben"))
    try await ada.send("without ben")
    try await ada.add("ben")
    await until { model.messages.map(\.content.text) == ["without ben"] }
    #expect(model.failure == nil)
    await workspace.close()
  }

  @Test func `an expired mute is shown without any event`() async throws {
    let clock = SetClock(1_000_000)
    let workspace = try folder.open { $0.clock = { clock.now } }
    try await workspace.populate()
    let ben = workspace.client(user: "ben").channel("general")
    let model = ChannelModel(of: ben)
    try await ben.mute(for: .until(Timestamp(rawValue: 1_200_000)))
    await until { model.isMuted }
    clock.set(1_200_000)
    await until { !model.isMuted }
    await workspace.close()
  }

  @Test func `a model of a missing channel shows it once it is created`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    let later = workspace.client(user: "ada").channel("later")
    let model = ChannelModel(of: later)
    await until { model.failure != nil }
    try await later.create()
    await until { model.channel?.id == "later" }
    #expect(model.failure == nil)
    await workspace.close()
  }

  @Test func `an unreferenced model of a channel is deallocated`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    weak var gone: ChannelModel?
    do {
      let model = ChannelModel(of: workspace.client(user: "ada").channel("general"))
      gone = model
      await until { model.channel != nil }
    }
    await until { gone == nil }
    await workspace.close()
  }
}

@MainActor @Suite struct `The model of a channel list` {
  private let folder = WorkspaceFolder()

  @Test func `the list changes when its contents do, and not otherwise`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    let other = try folder.open()
    let (ada, ben) = (other.client(user: "ada", device: "phone"), workspace.client(user: "ben"))
    let model = ChannelListModel(of: ben)
    await until { model.isLoaded }
    #expect(model.channels.map(\.channel.id) == ["general"])
    let (list, unread) = (ChangeCount { model.channels }, ChangeCount { model.unread })
    try await ada.channel("general").send("one")
    await until { model.unread.messages == 1 }
    await until { list.count == 1 && unread.count == 1 }
    // A channel without ben, others' drafts, thread composers and other users do not affect his list.
    try await ada.channel("private").create()
    let message = try await ada.channel("private").send("secret")
    let composer = try await ada.channel("private").openComposer(thread: message.key.id)
    try composer.record([.typed(Splice(0..<0, to: "h"))])
    try await composer.flush()
    try await ada.me.change(User.Profile(name: "Ada!"))
    try await ada.channel("second").create(members: ["ben"])
    await until { model.channels.count == 2 }
    for _ in 0..<10 { await Task.yield() }
    #expect(list.count == 2 && unread.count == 1)
    #expect(model.channels.map(\.channel.id) == ["second", "general"])
    await workspace.close()
    await other.close()
  }

  @Test func `a draft saved by another device of the user is shown until it is deleted`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    let other = try folder.open()
    let (ada, ben) = (other.client(user: "ada", device: "phone"), other.client(user: "ben", device: "tablet"))
    let message = try await ada.channel("general").send("one")
    try await ada.channel("second").create(members: ["ben"])
    let model = ChannelListModel(of: workspace.client(user: "ben", device: "phone"))
    await until { model.channels.map(\.channel.id) == ["second", "general"] }
    let list = ChangeCount { model.channels }
    func want(_ intent: Draft.Intent, of client: Client, thread: Message.ID? = nil) async throws {
      try await client.submit(.draft(Draft.Key(by: client.user, in: "general", thread: thread), intent))
    }
    // Others' drafts, and drafts for a thread, are not shown.
    try await want(.update(Composition("hers"), editedAt: other.now), of: ada)
    try await want(.update(Composition("later"), editedAt: other.now), of: ben, thread: message.key.id)
    try await want(.update(Composition("later"), editedAt: other.now), of: ben)
    await until { model.channels.last?.line == .draft(.text("later")) }
    #expect(model.channels.map(\.channel.id) == ["second", "general"])
    for _ in 0..<10 { await Task.yield() }
    #expect(list.count == 1)
    try await want(.delete(.discarded, editedAt: other.now), of: ben)
    await until { model.channels.last?.draft == nil }
    #expect(model.channels.last?.newest?.key == message.key)
    await workspace.close()
    await other.close()
  }

  @Test func `loading more shows a further page`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    let ada = workspace.client(user: "ada")
    for number in 0..<5 { try await ada.channel(Channel.ID(rawValue: "c\(number)")!).create() }
    let model = ChannelListModel(of: ada, by: .name, pageSize: 2)
    await until { model.channels.count == 2 }
    #expect(model.hasMore)
    model.loadMore()
    await until { model.channels.count == 4 }
    model.loadMore()
    await until { model.channels.count == 6 && !model.hasMore }
    await workspace.close()
  }
}

@Suite struct `A live query` {
  private let folder = WorkspaceFolder()

  @Test func `the query runs again if its dependency check is refused`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    let ada = workspace.client(user: "ada")
    let question = LiveQuery<Int> { _, _ in
      true
    } dependsOnTargets: { _, _, _ throws(ReadError) in
      throw .refused(.userDeactivated("ada"))
    } ask: { _, before in
      ((before ?? 0) + 1, nil)
    }
    var answers = LiveQueryResults(to: question, by: ada)
    #expect(try await answers.next()?.get() == 1)
    try await ada.channel("general").send("one")
    #expect(try await answers.next()?.get() == 2)
    await workspace.close()
  }
}
