// Threat: a list misses the begin or the end of typing, or is read again for each keystroke.
import Foundation
import Locks
import Synchronization
import Testing

@testable import Verbatim

@MainActor @Suite struct `Typing users in a channel list` {
  private let folder = WorkspaceFolder()
  private let clock = SetClock(1_000_000)

  /// Types a letter: one event.
  private func type(_ composer: OpenComposer) async throws {
    try composer.record([.typed(Splice(0..<0, to: "x"))])
    try await composer.flush()
  }

  @Test func `a typing user is shown until they are banned or the text is cleared`() async throws {
    let workspace = try folder.open { [clock] in $0.clock = { clock.now } }
    try await workspace.populate(["ada", "ben", "cleo"])
    let (ada, cleo) = (workspace.client(user: "ada", device: "web"), workspace.client(user: "cleo", device: "web"))
    let model = ChannelListModel(of: workspace.client(user: "ben"))
    await until { model.channels.first?.line == .nothing }
    let composers = (try await ada.channel("general").openComposer(), try await cleo.channel("general").openComposer())
    try await type(composers.1)
    await until { model.channels.first?.line == .typing(["cleo"]) }
    try await type(composers.0)
    await until { model.channels.first?.line == .typing(["ada", "cleo"]) }
    try await workspace.submit(
      .ban(Ban.Key(of: "cleo", from: .everywhere), .impose(.endless, reason: nil)), by: .system)
    await until { model.channels.first?.typing == ["ada"] }
    try composers.0.record([.cleared(keeping: nil)])
    try await composers.0.flush()
    await until { model.channels.first?.line == .nothing }
    await workspace.close()
  }

  @Test func `typing expires after seven seconds without any event`() async throws {
    let workspace = try folder.open { [clock] in $0.clock = { clock.now } }
    try await workspace.populate()
    try await type(try await workspace.client(user: "ada", device: "web").channel("general").openComposer())
    clock.set(7_900_000)
    let model = ChannelListModel(of: workspace.client(user: "ben"))
    await until { model.channels.first?.typing == ["ada"] }
    clock.set(8_000_000)
    await until { model.channels.first?.typing == [] }
    #expect(model.channels.first?.line == .nothing)
    await workspace.close()
  }

  @Test func `the list is read again when typing begins and ends, and for no keystroke between`() async throws {
    let workspace = try folder.open { [clock] in $0.clock = { clock.now } }
    try await workspace.populate()
    let (ada, ben) = (workspace.client(user: "ada", device: "web"), workspace.client(user: "ben", device: "web"))
    try await ada.channel("elsewhere").create()
    let message = try await ada.channel("general").send("one")
    let counts = Counts()
    let question = ChannelListModel(of: ben, pageSize: 1).question
    let counted = LiveQuery<ChannelListModel.Shown> { subject, shown in
      question.dependsOn(subject, shown)
    } dependsOnTargets: { reading, places, shown throws(ReadError) in
      defer { counts.looks.add(1, ordering: .relaxed) }
      return try question.dependsOnTargets(reading, places, shown)
    } ask: { reading, shown throws(ReadError) in
      counts.asks.add(1, ordering: .relaxed)
      return try question.ask(reading, shown)
    }
    let task = Task {
      var answers = LiveQueryResults(to: counted, by: ben)
      while let answer = try await answers.next() {
        counts.typing.withLock { $0 = try? answer.get().channels[0].typing }
      }
    }
    await until { counts.typing.withLock { $0 } == [] }
    let composer = try await ada.channel("general").openComposer()
    try await type(composer)
    await until { counts.typing.withLock { $0 } == ["ada"] }
    #expect(counts.asks.load(ordering: .relaxed) == 2)
    for _ in 0..<20 {
      let looks = counts.looks.load(ordering: .relaxed)
      try await type(composer)
      await until { counts.looks.load(ordering: .relaxed) > looks }
    }
    // Typing in channels and threads outside the list does not even cause a check.
    let looks = counts.looks.load(ordering: .relaxed)
    try await type(try await ada.channel("elsewhere").openComposer())
    try await type(try await ada.channel("general").openComposer(thread: message.key.id))
    try await type(try await ben.channel("general").openComposer())
    try composer.record([.cleared(keeping: nil)])
    try await composer.flush()
    await until { counts.typing.withLock { $0 } == [] }
    #expect(counts.asks.load(ordering: .relaxed) == 3 && counts.looks.load(ordering: .relaxed) == looks + 1)
    task.cancel()
    _ = try? await task.value
    await workspace.close()
  }
}

/// Counters of queries and checks, and the last result.
private final class Counts: Sendable {
  let asks = Atomic(0)
  let looks = Atomic(0)
  let typing = Locked<[User.ID]?>(nil)
}
