// Tests of command executions: recorded events, kept content, and endings.
import Chat
import ChatComposer
import Testing

@MainActor
struct Executing {
  private let answers = Answers<UserText, [ChatIntent]>()

  /// Returns a room with a command `/slow` that ends when a test releases it.
  private func room(replaces: Bool = true) async throws -> Room {
    let answers = answers
    return try await Room {
      $0.commands = DefaultCommandsConfig(instantCommands: [Slow(answers: answers, replacesMessageSent: replaces)])
    }
  }

  private func execution(_ room: Room) throws -> CommandExecution.ID {
    try #require(room.composer.composer.execution?.id)
  }

  @Test func `the start is recorded before the handler is called, the end after it returns`() async throws {
    let room = try await room()
    try room.type("/slow work")
    async let sent = room.composer.send()
    await until { answers.asked == ["work"] }
    let id = try execution(room)
    #expect(room.done.last == .commandStarted(CommandExecution(id, of: ComposedCommand("slow"), arguments: "work")))
    answers.answer(0, [.app(.app("a"), AppEvent("worked", payload: []))])
    #expect(try await sent == .command("slow"))
    #expect(Array(room.done.suffix(2)) == [.commandExecuted(id), .cleared(keeping: nil)])
    #expect(room.recorded.map(\.name) == ["worked"])
    #expect(room.composer.composer.execution == nil)
  }

  @Test func `during an execution the composer is busy and typed text stays`() async throws {
    let room = try await room()
    try room.type("/slow work")
    async let sent = room.composer.send()
    await until { answers.asked.count == 1 }
    #expect(room.composer.isBusy)
    #expect(room.composer.refusal == .busy)
    #expect(await room.refused() == .busy)
    try room.type("next @bo")
    answers.answer(0, [])
    _ = try await sent
    #expect(room.text == "next @bo")
    #expect((room.content.command, room.composer.isBusy) == (nil, false))
    #expect(room.chat.state[room.composer.key]?.content == room.content)
    try await room.composer.send()
    #expect(room.said.map(\.text) == ["next @bo"])
  }

  @Test(arguments: [true, false]) func `a failed execution keeps all content`(replaces: Bool) async throws {
    let room = try await room(replaces: replaces)
    try room.composer.perform(.attach(Attachment("a", .file, at: .url("u"))))
    try room.type("/slow work")
    let before = room.content
    let sent = Task { try await room.composer.send() }
    await until { answers.asked.count == 1 }
    let id = try execution(room)
    answers.fail(0, Failure("no money left"))
    await #expect(throws: ComposerError.self) { try await sent.value }
    #expect(room.content == before)
    #expect(room.composer.notice == .commandFailed("slow", .text("no money left")))
    #expect(room.done.last == .commandFailed(id, .text("no money left")))
    #expect(room.said.isEmpty)
    #expect(room.composer.canSend)
  }

  /// Failures were once recorded as English sentences, which no app could show in another language.
  @Test func `a failed execution is recorded and reported with the code and values of its error`() async throws {
    let room = try await room()
    try room.type("/slow work")
    let sent = Task { try await room.composer.send() }
    await until { answers.asked.count == 1 }
    let id = try execution(room)
    answers.fail(0, CodedFailure())
    let error = await #expect(throws: ComposerError.self) { try await sent.value }
    guard case .commandFailed("slow", CodedFailure.recorded)? = error else {
      return #expect(Bool(false), "\(String(describing: error))")
    }
    #expect(room.composer.notice == .commandFailed("slow", CodedFailure.recorded))
    #expect(room.done.last == .commandFailed(id, CodedFailure.recorded))
  }

  @Test func `the refused intents of a command are recorded with the refusal`() async throws {
    let room = try await room()
    try room.type("/slow work")
    let sent = Task { try await room.composer.send() }
    await until { answers.asked.count == 1 }
    let id = try execution(room)
    answers.answer(0, [.mute(Mute.Key(by: "ada", of: .user("ada")), .begin(.endless))])
    await #expect(throws: ComposerError.self) { try await sent.value }
    #expect(room.done.last == .commandFailed(id, RecordedFailure("refused", ["refusal": "oneself"])))
  }

  @Test func `refused intents of a command have no effect, and all content is kept`() async throws {
    let room = try await room(replaces: false)
    try room.type("/slow work")
    let sent = Task { try await room.composer.send() }
    await until { answers.asked.count == 1 }
    answers.answer(
      0,
      [
        .app(.app("a"), AppEvent("worked", payload: [])),
        .mute(Mute.Key(by: "ada", of: .user("ada")), .begin(.endless)),
      ])
    await #expect(throws: ComposerError.self) { try await sent.value }
    #expect(room.recorded.isEmpty && room.said.isEmpty)
    #expect((room.text, room.content.command?.id) == ("work", "slow"))
    guard case .commandFailed? = room.done.last else { return #expect(Bool(false), "\(room.done)") }
  }

  @Test func `an execution ends exactly once, with its message`() async throws {
    let room = try await room(replaces: false)
    try room.type("/slow work")
    async let sent = room.composer.send()
    await until { answers.asked.count == 1 }
    let id = try execution(room)
    answers.answer(0, [])
    _ = try await sent
    let ends = room.done.filter { event in
      switch event {
      case .commandExecuted, .commandFailed, .commandInterrupted: true
      default: false
      }
    }
    #expect(ends == [.commandExecuted(id)])
    #expect(room.said.map(\.text) == ["/slow work"])
    #expect(throws: Refusal.self) {
      try room.chat.submit(
        [.composer(room.composer.key, .record([.commandExecuted(id)]))], by: .user("ada", on: "phone"))
    }
  }

  @Test func `an execution interrupted by a restart is not retried`() async throws {
    let room = try await room()
    try room.type("/slow work")
    let sending = Task { _ = try? await room.composer.send() }
    await until { answers.asked.count == 1 }
    let id = try execution(room)
    let next = try await room.afterKill()
    #expect(next.notice == .commandInterrupted("slow"))
    #expect(room.done.last == .commandInterrupted(id))
    #expect((next.isBusy, next.composer.content.command?.id, next.text) == (false, "slow", "work"))
    await everybodyElse()
    #expect(answers.asked.count == 1)
    let third = try await room.afterKill()
    #expect(third.notice == nil)
    answers.answer(0, [])
    await sending.value
  }

  @Test func `reopening the composer does not interrupt an execution`() async throws {
    let room = try await room()
    try room.type("/slow work")
    async let sent = room.composer.send()
    await until { answers.asked.count == 1 }
    try await room.composer.leave()
    try await room.composer.open()
    #expect(room.composer.notice == nil)
    #expect(room.composer.isBusy)
    answers.answer(0, [.app(.app("a"), AppEvent("worked", payload: []))])
    #expect(try await sent == .command("slow"))
    #expect(room.recorded.map(\.name) == ["worked"])
  }

  @Test func `content being sent cannot be replaced`() async throws {
    let room = try await room()
    let message = try room.say(Message.Content("old"))
    try room.type("/slow work")
    async let sent = room.composer.send()
    await until { answers.asked.count == 1 }
    #expect(performRefusal(room, .beginEdit(message)) == .busy)
    #expect(performRefusal(room, .enter("poll", keeping: [])) == .busy)
    #expect(performRefusal(room, .quote("said")) == nil)
    answers.answer(0, [])
    _ = try await sent
    #expect(room.composer.composer.quoting == "said")
    #expect(performRefusal(room, .beginEdit(message)) == nil)
  }

  @Test func `attachments stay when a command sends no message`() async throws {
    let room = try await room()
    try room.composer.perform(.attach(Attachment("a", .file, at: .url("u"))))
    try room.type("/slow work")
    async let sent = room.composer.send()
    await until { answers.asked.count == 1 }
    answers.answer(0, [])
    _ = try await sent
    #expect(room.content.attachments.map(\.attachment.id) == ["a"])
    #expect(room.text.isEmpty)
  }
}

/// A command that ends when a test releases it, with intents given by the test.
private struct Slow: CommandHandler {
  let id: ComposedCommand.ID = "slow"
  let answers: Answers<UserText, [ChatIntent]>
  let replacesMessageSent: Bool

  func executeOnMessageSent(
    _ command: ComposerCommand, in context: ExecutionContext
  ) async throws -> CommandOutcome {
    CommandOutcome(try await answers.ask(command.arguments))
  }
}
