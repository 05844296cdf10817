// Threat: text typed offline is lost, jumbled or sent twice when it is delivered.
import Chat
import ChatCodec
import ChatComposer
import ChatSamples
import ChildProcess
import Foundation
import SeededRandom
import Testing

@testable import Verbatim
@testable import VerbatimUI

@MainActor @Suite struct `A composer over an outbox` {
  private let folder = OutboxFolder()
  private let there = WorkspaceFolder()
  private nonisolated static let key = Composer.Key(of: "ada", on: "phone", in: "general")

  private func workspace() async throws -> Workspace {
    let workspace = try there.open()
    try await workspace.populate()
    return workspace
  }

  /// Expects that the workspace has the composer as the outbox leaves it.
  private func expectSame(_ outbox: Outbox, _ workspace: Workspace, _ comment: Comment? = nil) async throws {
    let stored = try await workspace.read { try $0.chat.composers(of: "ada") }.first { $0.key == Self.key }
    // An empty composer has no row.
    let empty = Composer(Self.key)
    #expect((stored ?? empty).shown == (outbox.composer(Self.key) ?? empty).shown, comment)
  }

  @Test func `types, keeps a draft and sends offline; all is delivered in order and once`() async throws {
    let workspace = try await workspace()
    let outbox = try folder.open()
    var options = ComposerOptions()
    options.draftMessagesEnabled = true
    let composer = try await outbox.composer(in: "general", options: options)
    for letter in "Hello" { try composer.perform(.type(String(letter))) }
    let sent = try await composer.send()
    composer.text = "See you"
    try await composer.leave()
    #expect(try await outbox.composer(in: "general") === composer && composer.text == "See you")
    composer.text += " soon"
    try await composer.leave()
    #expect(try await workspace.texts() == [] && outbox.waiting.count >= 4)
    let delivery = try await outbox.deliver(to: workspace)
    #expect(delivery.refused.isEmpty)
    #expect(try await workspace.texts() == ["Hello"])
    guard case .message(let id) = sent else {
      Issue.record("\(sent)")
      return
    }
    #expect(try await workspace.read { try $0.chat.message(Message.Key("general", id)) } != nil)
    let draft = try await workspace.read { try $0.chat.anyDraft(Self.key.draft) }
    #expect(draft?.content?.text == "See you soon")
    try await expectSame(outbox, workspace)
    let head = try workspace.head()
    #expect(try await outbox.deliver(to: workspace).delivered.isEmpty)
    #expect(try workspace.head() == head)
    await outbox.close()
    await workspace.close()
  }

  @Test func `continues with the unsent text after a restart, before and after a delivery`() async throws {
    let workspace = try await workspace()
    var outbox = try folder.open()
    var composer = try await outbox.composer(in: "general")
    // More than is worth a compaction.
    for number in 0..<600 { composer.text = String(repeating: number % 2 == 0 ? "x" : "y", count: 200) }
    composer.text = "Half a sent"
    try composer.perform(.moveSelection(4..<6))
    try await composer.flush()
    await outbox.close()
    outbox = try folder.open()
    composer = try await outbox.composer(in: "general")
    #expect(composer.text == "Half a sent" && composer.composer.selection == 4..<6)
    try await composer.flush()
    let before = try folder.bytes.count
    try await outbox.deliver(to: workspace)
    #expect(try folder.bytes.count < before / 10)
    await outbox.close()
    outbox = try folder.open()
    #expect(outbox.waiting.isEmpty)
    composer = try await outbox.composer(in: "general")
    #expect(composer.text == "Half a sent" && composer.composer.selection == 4..<6)
    composer.text += "ence"
    try await composer.send()
    try await outbox.deliver(to: workspace)
    #expect(try await workspace.texts() == ["Half a sentence"])
    try await expectSame(outbox, workspace)
    await outbox.close()
    await workspace.close()
  }

  // What broke: a power cut can leave the record of a delivery without those before it. The next compaction folded what
  // waits again after what was delivered, so that text that had been sent was in the composer again.
  @Test func `is as it was left when the records of some deliveries are lost, and the file is compacted`() async throws
  {
    let workspace = try await workspace()
    var outbox = try folder.open()
    let composer = try await outbox.composer(in: "general")
    composer.text = "Sent"
    try await composer.flush()
    try await composer.send()
    let (entries, before) = (outbox.waiting.map(\.id), try folder.bytes)
    try #require(entries.count >= 2)
    try await outbox.deliver(to: workspace)
    await outbox.close()
    // Deliveries that were never on the disk let the next opening compact the file.
    let hole = [UInt8](repeating: 0, count: 36 * 33)
    let lost = before + hole + record(OutboxRecord.delivered(entries[entries.count - 1]).content)
    try folder.write(lost)
    for round in 1...3 {
      outbox = try folder.open()
      #expect(try folder.bytes != lost, "\(round)")
      #expect(outbox.waiting.map(\.id) == entries.dropLast())
      #expect(outbox.composer(Self.key)?.content.hasContent != true, "\(round)")
      if round == 3 { try await outbox.deliver(to: workspace) }
      try await expectSame(outbox, workspace, "\(round)")
      await outbox.close()
    }
    outbox = try folder.open()
    #expect(outbox.waiting.isEmpty)
    try await expectSame(outbox, workspace)
    await outbox.close()
    #expect(try await workspace.texts() == ["Sent"])
    await workspace.close()
  }

  // What broke: it was found by reading. A composer that was made anew began without what was still being written, and
  // its changes were for another text.
  @Test func `that is made anew continues with all that the last one recorded`() async throws {
    let outbox = try folder.open()
    var composer: LiveComposer? = try await outbox.composer(in: "general")
    for number in 0..<10 {
      try composer?.perform(.type("\(number)"))
      weak let last = composer
      composer = nil
      // Its host may write still.
      await until { last == nil }
      composer = try await outbox.composer(in: "general")
    }
    #expect(composer?.text == "0123456789")
    await outbox.close()
    #expect(try folder.open().composer(Self.key)?.content.text.userText == "0123456789")
  }

  // What broke: a composer that was made anew began without what the last one, released on another thread, still held.
  @Test func `continues from one that is released on another thread`() async throws {
    let outbox = try folder.open()
    var options = ComposerOptions()
    options.recording = .pauses
    let typed = try await typeUntilReleasedElsewhere { try await outbox.composer(in: "general", options: options) }
    let next = try await outbox.composer(in: "general", options: options)
    #expect(next.text == typed)
    await outbox.close()
  }

  // What broke: what was typed after the last recorded events were added, and before the outbox was closed, was shown
  // and in no file.
  @Test func `records nothing while the outbox is being closed`() async throws {
    let outbox = try folder.open()
    let composer = try await outbox.composer(in: "general")
    try composer.perform(.type("a"))
    try await composer.flush()
    try outbox.keep(folder) {
      _ = await #expect(throws: ComposerError.self) { try await composer.perform(.type("b")) }
    }
    await outbox.close()
    #expect(composer.text == "a" && composer.notice != nil)
    #expect(try folder.open().composer(Self.key)?.content.text.userText == "a")
  }

  // What broke: it was found by reading. What was typed just before was dropped without an error.
  @Test func `keeps all that was typed before the outbox is closed`() async throws {
    for number in 0..<20 {
      let outbox = try folder.open()
      let composer = try await outbox.composer(in: "general")
      try composer.perform(.type("\(number),"))
      await outbox.close()
    }
    let text = (0..<20).map { "\($0)," }.joined()
    #expect(try folder.open().composer(Self.key)?.content.text.userText.string == text)
  }

  @Test(.enabled(if: MemoryDisk.canBeMade))
  func `records what was typed while the disk was full once there is space`() async throws {
    let disk = try MemoryDisk()
    let outbox = try Outbox(at: disk.path + "/outbox", user: "ada", device: "phone")
    let composer = try await outbox.composer(in: "general")
    try composer.perform(.type("a"))
    try await composer.flush()
    try disk.fill()
    try composer.perform(.type(String(repeating: "b", count: 10_000)))
    await #expect(throws: ComposerError.self) { try await composer.flush() }
    try? composer.perform(.type("c"))
    #expect(composer.notice != nil)
    try disk.empty()
    await until { (outbox.composer(Self.key)?.content.text.userText.string.utf8.count ?? 0) > 10_000 }
    try await composer.flush()
    #expect(outbox.composer(Self.key)?.content.text.userText.string == composer.text)
    await outbox.close()
  }

  @Test func `a crash at any byte keeps whole actions, and the message is delivered at most once`() async throws {
    let outbox = try folder.open()
    let composer = try await outbox.composer(in: "general")
    for letter in "Hi" {
      try composer.perform(.type(String(letter)))
      try await composer.flush()
    }
    try await composer.send()
    composer.text = "Bye"
    try await composer.flush()
    await outbox.close()
    let (bytes, boundaries) = (try folder.bytes, try folder.boundaries)
    #expect(boundaries.count > 4)
    var texts: [[String]] = []
    for end in boundaries + boundaries.dropFirst().map({ $0 - 5 }) {
      let (crashed, log) = (OutboxFolder(), WorkspaceFolder())
      try crashed.write(Array(bytes[..<end]))
      let (outbox, workspace) = (try crashed.open(), try log.open())
      try await workspace.populate()
      try await outbox.deliver(to: workspace)
      try await expectSame(outbox, workspace, "cut at \(end)")
      let again = try await outbox.composer(in: "general")
      let said = try await workspace.texts()
      texts.append(said)
      // The text is in the composer or was sent, never both.
      #expect(said == [] || !again.text.hasPrefix("H"), "cut at \(end)")
      await outbox.close()
      await workspace.close()
    }
    #expect(Set(texts) == [[], ["Hi"]])
  }

  @Test func `a message refused at delivery does not jumble the text written after it`() async throws {
    let workspace = try await workspace()
    let outbox = try folder.open()
    let composer = try await outbox.composer(in: "general")
    composer.text = "Hello"
    try await composer.send()
    for letter in "Bye" { try composer.perform(.type(String(letter))) }
    try await composer.flush()
    try await workspace.submit(.channel("general", .freeze), by: .system)
    let delivery = try await outbox.deliver(to: workspace)
    #expect(delivery.refused.count == 1 && outbox.refused.count == 1)
    #expect(try await workspace.texts() == [])
    try await expectSame(outbox, workspace)
    #expect(outbox.composer(Self.key)?.content.text == "Bye")
    // The log says why the content left the composer.
    var events: [Composer.Event] = []
    try workspace.forEachEvent(of: Self.key) { events.append($0) }
    #expect(events.contains(.sendRefused(RecordedFailure(Refusal.channelFrozen("general")))))
    #expect(events.contains(.cleared(keeping: nil)) && !events.contains { if case .sent = $0 { true } else { false } })
    await outbox.close()
    await workspace.close()
  }

  // What broke: the log said that the command was executed, and that the edit was saved.
  @Test func `a command and an edit that are refused at delivery are recorded as failed`() async throws {
    let workspace = try await workspace()
    try await workspace.send("old", "m1")
    let outbox = try folder.open()
    let execution = CommandExecution("e1", of: ComposedCommand("role", target: "ben"), arguments: "owner")
    try await outbox.add(.composer(Self.key, .record([.opened, .commandStarted(execution)])))
    try await outbox.add([
      .member(Member.Key("general", "nobody"), .changeRole(.owner)),
      .composer(Self.key, .record([.commandExecuted("e1"), .cleared(keeping: nil)])),
    ])
    try await outbox.add(.composer(Self.key, .record([.editBegan("m1", Composition("new"))])))
    try await outbox.add([
      .message(Message.Key("general", "m1"), .edit(Message.Edits(text: "new"))),
      .composer(Self.key, .record([.editEnded(.saved)])),
    ])
    try await workspace.submit(.message(Message.Key("general", "m1"), .delete(forGood: false)), by: .user("ada"))
    let refused = try await outbox.deliver(to: workspace).refused
    try #require(refused.count == 2)
    try await expectSame(outbox, workspace)
    var events: [Composer.Event] = []
    try workspace.forEachEvent(of: Self.key) { events.append($0) }
    let kinds = events.map { event in
      switch event {
      case .commandFailed("e1", let failure): "command: \(failure)"
      case .sendRefused(let failure): "send: \(failure)"
      case .editEnded(let end): "\(end)"
      case .commandExecuted: "executed"
      default: ""
      }
    }.filter { !$0.isEmpty }
    #expect(kinds == ["command: \(refused[0].reason)", "send: \(refused[1].reason)", "cancelled"])
    await outbox.close()
    await workspace.close()
  }

  // What broke: the entry with what was continued was refused, since the workspace's composer executed the command.
  @Test func `continues from a composer whose command was interrupted`() async throws {
    let workspace = try await workspace()
    let execution = CommandExecution("e1", of: ComposedCommand("giphy"), arguments: "cats")
    try await workspace.submit(
      .composer(Self.key, .record([.opened, .commandStarted(execution)])), by: .user("ada", on: "phone"))
    let previous = try await workspace.read { try $0.chat.composers(of: "ada") }.first
    #expect(previous?.execution == execution)
    let outbox = try folder.open()
    let composer = try await outbox.composer(in: "general", continuing: previous)
    composer.text = "Hello"
    try await composer.send()
    #expect(try await outbox.deliver(to: workspace).refused.isEmpty)
    #expect(try await workspace.texts() == ["Hello"])
    try await expectSame(outbox, workspace)
    await outbox.close()
    await workspace.close()
  }

  @Test func `continues from the composer of the workspace`() async throws {
    let workspace = try await workspace()
    let online = try await workspace.client(user: "ada", device: "phone").channel("general").composer()
    online.text = "Typed online"
    try await online.flush()
    let outbox = try folder.open()
    let offline = try await outbox.composer(in: "general", continuing: online.composer)
    #expect(offline.text == "Typed online")
    offline.text += ", sent offline"
    try await offline.send()
    try await outbox.deliver(to: workspace)
    #expect(try await workspace.texts() == ["Typed online, sent offline"])
    try await expectSame(outbox, workspace)
    await outbox.close()
    await workspace.close()
  }

  @Test func `an app says what it knows: limits hold and users are found offline`() async throws {
    let outbox = try folder.open()
    let ben = User.ID("ben")
    var context = ComposerContext()
    context.config.messageLengthMax = 5
    let composer = try await outbox.composer(in: "general", knowing: context, users: OneUser(id: ben))
    composer.text = "Too long"
    await #expect(throws: ComposerError.self) { try await composer.send() }
    composer.text = "@b"
    await until { composer.suggestions?.items.map(\.id) == ["ben"] }
    await outbox.close()
    // What cannot be recorded is not shown.
    composer.text = "after"
    #expect(composer.text == "@b" && composer.notice != nil)
  }

  @Test func `a composer is folded again from its restoring events`() throws {
    var history = History(SeededRandom.printingSeed())
    var states = Set<ComposerState>()
    var count = 0
    // As many steps as show every state; the limit ends a history that never would.
    for step in 0..<100_000 {
      if step >= 1000, states.isSuperset(of: [.new, .edit, .quote]) { break }
      _ = history.step()
      for composer in history.state.rows.composers.values {
        var restored = Composer(composer.key)
        for event in composer.restoring { restored.apply(event, at: Timestamp(rawValue: 0)) }
        guard restored.shown == composer.shown else {
          Issue.record("\(composer.shown) became \(restored.shown) by \(composer.restoring)")
          return
        }
        states.insert(composer.state)
        count += 1
      }
    }
    #expect(count > 300 && states.isSuperset(of: [.new, .edit, .quote]), "\(count) composers, \(states)")
  }
}

private struct OneUser: UserDirectory {
  let id: User.ID

  private func found(_ typed: UserText) throws -> [User] {
    var state = InMemoryChatState()
    for event in try decide(.user(id, .create(User.Profile(name: "Ben"))), by: .system, at: .now, given: state) {
      fold(event, into: &state)
    }
    return id.text.hasPrefix(typed.string) ? Array(state.rows.users.values) : []
  }

  func members(of channel: Channel.ID, matching typed: UserText, limit: Int) async throws -> [User] {
    try found(typed)
  }

  func users(matching typed: UserText, in channel: Channel.ID, limit: Int) async throws -> [User] { try found(typed) }
}

extension Composer {
  /// The composer without the time of its last change, which is that of the delivery.
  fileprivate var shown: Composer {
    var shown = self
    shown.typed = nil
    return shown
  }
}

extension Workspace {
  /// Calls a closure with each event of a composer, in order.
  fileprivate func forEachEvent(of key: Composer.Key, _ body: (Composer.Event) -> Void) throws {
    var changes: [ChatEvent.Change] = []
    try store.readStream(StreamSubject.composer(key).name) { event in
      if let event = try? decode(event) { changes.append(event.change) }
      return .next
    }
    for change in changes { if case .composer(key, let event) = change { body(event) } }
  }
}
