// Threats: content is kept for longer than the policy says, or erased before.
import ContentKeys
import Foundation
import Locks
import PostgresServer
import Testing

@testable import Verbatim

@Suite(.directoryOnly("it erases the files of a directory")) struct `Content that expires` {
  private let sample = ErasableSample()
  private let clock = SetClock(0)

  private func open() throws -> Workspace {
    try sample.open {
      $0.clock = { [clock] in clock.now }
    }
  }

  /// Sets the clock to some hours after the beginning of a day.
  private func set(day: Int64, hour: Int64 = 12) { clock.set((day * 24 + hour) * 3_600_000_000) }

  private func draft(_ text: String, in channel: Channel.ID, to workspace: Workspace) async throws {
    let key = Draft.Key(by: "ada", in: channel)
    try await workspace.client(user: "ada", device: "phone").submit(
      .draft(key, .update(Composition(TypedText(UserText(text))), editedAt: workspace.now)))
  }

  private func drafts(_ workspace: Workspace) async throws -> Set<String> {
    let drafts = try await workspace.client(user: "ada", device: "phone").read { try $0.drafts(limit: 9).drafts }
    return Set(drafts.map(\.content.text.userText.string))
  }

  /// Writes a message and a draft in each of two channels, on each of four days.
  private func write() async throws -> Workspace {
    set(day: 20_000)
    let workspace = try open()
    try await workspace.populate()
    try await workspace.submit(
      .channel("news", .create("team", Channel.Profile(), ChannelConfig(), members: ["ben"])), by: .user("ada"))
    for day in 0..<4 as Range<Int64> {
      set(day: 20_000 + day)
      for channel in ["general", "news"] as [Channel.ID] {
        try await workspace.send("\(channel)\(day)words", ID(stringLiteral: "\(channel)\(day)"), in: channel)
        try await draft("\(channel)\(day)draft", in: channel, to: workspace)
      }
    }
    return workspace
  }

  @Test func `is kept for the days of the policy, and not longer`() async throws {
    let workspace = try await write()
    // On the fourth day, two days are kept: the first one expires.
    let policy = RetentionPolicy(Retention(messages: 2))
    #expect(try await workspace.expire(policy).map(\.scope.description) == ["all messages before 2024-10-05"])
    #expect(try await workspace.texts() == ["", "general1words", "general2words", "general3words"])
    #expect(try await workspace.texts(of: "news").first == "")
    #expect(try sample.found(["general0words", "general1words"], in: sample.folder.path) == ["general1words"])
    #expect(try await workspace.expire(policy).isEmpty)
    // At the end of a day nothing more expires, and after it the next day does.
    set(day: 20_003, hour: 23)
    #expect(try await workspace.expire(policy).isEmpty)
    set(day: 20_004, hour: 0)
    #expect(try await workspace.expire(policy).count == 1)
    #expect(try await workspace.texts() == ["", "", "general2words", "general3words"])
    // Replies, edits and new messages work.
    try await workspace.send("new", "new")
    #expect(try await workspace.texts().last == "new")
    let digests = try sample.digests(workspace)
    await workspace.close()
    sample.removeTables()
    let again = try open()
    #expect(try sample.digests(again) == digests)
    #expect(try ContentReport(of: again.store.log).unreadable == 0)
    await again.close()
    // A program that ignores the erasures has no keys for them: four messages of two days.
    let store = try sample.folder.openStore()
    store.log.content.cipher = try ContentKeys.open(in: sample.folder.path, .standard(in: sample.folder.path))
    #expect(try ContentReport(of: store.log).unreadable == 4)
    store.close()
  }

  // What broke: the first expiry erased in any case, also where there was no event.
  @Test func `erases nothing where nothing is old enough, and records no erasure`() async throws {
    set(day: 20_000)
    let workspace = try open()
    let policy = RetentionPolicy(Retention(typing: 1, messages: 1))
    #expect(try await workspace.expire(policy).isEmpty)
    #expect(try workspace.head() == .zero)
    try await workspace.populate()
    let head = try workspace.head()
    #expect(try await workspace.expire(policy).isEmpty)
    #expect(try workspace.head() == head)
    set(day: 20_003)
    #expect(try await workspace.expire(policy).count == 2)
    await workspace.close()
  }

  @Test func `costs nothing on a day for which nothing was written`() async throws {
    let workspace = try await write()
    let policy = RetentionPolicy(Retention(typing: 1, messages: 1))
    var counts: [Int] = []
    for day in 20_003...20_009 as ClosedRange<Int64> {
      set(day: day)
      // The events of erasures are no reason for another one.
      if day == 20_007 { try await workspace.send("late words", "late") }
      counts.append(try await workspace.expire(policy).count)
    }
    #expect(counts == [2, 2, 2, 0, 0, 0, 2])
    #expect(try sample.found(["late words", "general3words"], in: sample.folder.path) == [])
    await workspace.close()
  }

  // What broke: it was found by reading. It has the keys of the next day, and no event of that day was found.
  @Test(arguments: [nil, "ada"] as [Name?])
  func `includes what was typed on a day after an erasure of that day`(user: Name?) async throws {
    set(day: 20_000)
    let workspace = try open()
    try await workspace.populate()
    try await draft("Nectarinedraft", in: "general", to: workspace)
    _ = try await workspace.erase(.typing(of: user, before: workspace.now + .seconds(86_400)))
    try await draft("Mangodraft", in: "general", to: workspace)
    let policy = RetentionPolicy(Retention(typing: 1))
    set(day: 20_002)
    _ = try await workspace.expire(policy)
    #expect(try await drafts(workspace) == ["Mangodraft"])
    set(day: 20_003)
    #expect(try await workspace.expire(policy).count == 1)
    #expect(try await drafts(workspace) == [])
    #expect(try sample.found(["Nectarinedraft", "Mangodraft"], in: sample.folder.path) == [])
    set(day: 20_004)
    #expect(try await workspace.expire(policy).isEmpty)
    await workspace.close()
  }

  @Test func `can be kept for other times in some channels`() async throws {
    let workspace = try await write()
    set(day: 20_004)
    try await draft("today", in: "general", to: workspace)
    let policy = RetentionPolicy(
      Retention(typing: 0, messages: 3), channels: ["news": Retention(messages: 2), "none": Retention(messages: 0)])
    let erasures = try await workspace.expire(policy)
    // What was typed in one channel, and messages of both.
    #expect(
      erasures.map(\.scope.description) == [
        "what was typed in general before 2024-10-08", "the messages of general before 2024-10-05",
        "the messages of news before 2024-10-06",
      ])
    #expect(try await workspace.texts() == ["", "general1words", "general2words", "general3words"])
    #expect(try await workspace.texts(of: "news") == ["", "", "news2words", "news3words"])
    #expect(try await drafts(workspace) == ["today", "news3draft"])
    #expect(try await workspace.expire(policy).isEmpty)
    // The next day, only the channels that have a new day.
    set(day: 20_005)
    #expect(try await workspace.expire(policy).count == 3)
    #expect(try await drafts(workspace) == ["news3draft"])
    await workspace.close()
  }

  @Test func `expires after each day while a process runs`() async throws {
    let workspace = try await write()
    let reports = AsyncStream.makeStream(of: Int.self)
    let expiring = Task {
      try await workspace.expireContinuously(RetentionPolicy(Retention(messages: 3))) { erasures in
        reports.continuation.yield(erasures.count)
      }
    }
    var counts = reports.stream.makeAsyncIterator()
    set(day: 20_004)
    #expect(await counts.next() == 1)
    #expect(try await workspace.texts().filter { $0.isEmpty }.count == 1)
    set(day: 20_005)
    #expect(await counts.next() == 1)
    #expect(try await workspace.texts().filter { $0.isEmpty }.count == 2)
    expiring.cancel()
    try await expiring.value
    await workspace.close()
  }

  // What broke: it ended with the first append that another process held up, and nothing expired any more.
  @Test func `expires after another process held the writer lock`() async throws {
    await (try await write()).close()
    set(day: 20_004)
    let (calls, hasEnded) = (Locked(0), Locked(false))
    let workspace = try sample.open { [clock] in
      $0.writerLockTimeout = .milliseconds(20)
      $0.clock = {
        calls.withLock { $0 += 1 }
        return clock.now
      }
    }
    let reports = AsyncStream.makeStream(of: Int.self)
    let writerLock = try await HeldWriterLock(ofIdle: workspace)
    let before = calls.withLock { $0 }
    let expiring = Task {
      defer {
        hasEnded.withLock { $0 = true }
        reports.continuation.finish()
      }
      try await workspace.expireContinuously(RetentionPolicy(Retention(messages: 3))) { erasures in
        reports.continuation.yield(erasures.count)
      }
    }
    // An attempt looks at the clock a few times: this is the second one, or the third.
    await until { calls.withLock { $0 } > before + 8 || hasEnded.withLock { $0 } }
    writerLock.letGo()
    var counts = reports.stream.makeAsyncIterator()
    #expect(await counts.next() == 1)
    expiring.cancel()
    try await expiring.value
    await workspace.close()
  }

  @Test func `an open composer ends if it has expired content, and goes on if it has not`() async throws {
    let workspace = try await write()
    let keys = (["ada", "ben"] as [User.ID]).map { Composer.Key(of: $0, on: "desk", in: "general") }
    let start = UTF16Offset(rawValue: 0)
    let typed = Composer.Event.typed(Splice(start..<start, to: UserText("letters")))
    var composers: [OpenComposer] = []
    for key in keys { composers.append(try await workspace.openComposer(key)) }
    try composers[0].record([typed])
    try await composers[0].flush()
    set(day: 20_005)
    try composers[1].record([typed])
    #expect(try await workspace.expire(RetentionPolicy(Retention(typing: 0))).count == 1)
    #expect(throws: SubmitError.self) { try composers[0].record([typed]) }
    try composers[1].record([typed])
    try await composers[1].flush()
    #expect(try await workspace.openComposer(keys[0]).composer.content.text.isEmpty)
    #expect(try await workspace.openComposer(keys[1]) === composers[1])
    await workspace.close()
  }

  @Test func `needs an erasable workspace`() async throws {
    let plain = WorkspaceFolder()
    let workspace = try plain.open()
    await #expect { try await workspace.expire(RetentionPolicy(Retention(messages: 1))) } throws: {
      "\($0)".contains("is not encrypted")
    }
    await workspace.close()
  }
}
