// Tests of suggestions that arrive late, never, with an error, or for an outdated query.
import Chat
import ChatComposer
import Testing

@MainActor
struct LateAnswers {
  private let answers = Answers<UserText, [User]>()

  /// Returns a room in which a test provides the suggested users.
  private func room() async throws -> (Room, bo: User, cleo: User) {
    let answers = answers
    let room = try await Room {
      $0.commands = Asking(provider: { try await answers.ask($0) })
    }
    let bo = try #require(room.chat.state["bo" as User.ID])
    return (room, bo, try #require(room.chat.state["cleo" as User.ID]))
  }

  @Test func `the result of an outdated query is never shown`() async throws {
    let (room, bo, cleo) = try await room()
    try room.type("@b")
    await until { answers.asked == ["b"] }
    try room.type("x")
    await until { answers.asked == ["b", "bx"] }
    answers.answer(1, [cleo])
    #expect(await room.suggested() == ["cleo"])
    answers.answer(0, [bo])
    await everybodyElse()
    #expect(room.composer.suggestions?.items.map(\.id) == ["cleo"])
    #expect(room.composer.suggestions?.query == "bx")
  }

  @Test func `the result of an outdated query does not end the wait for the current one`() async throws {
    let (room, bo, _) = try await room()
    try room.type("@b")
    await until { answers.asked.count == 1 }
    try room.type("o")
    await until { answers.asked.count == 2 }
    answers.answer(0, [bo])
    await everybodyElse()
    #expect(room.composer.suggestions?.isLoading == true)
    #expect(room.composer.suggestions?.items == [])
  }

  @Test func `the same text typed again is queried again, and only the second result is shown`() async throws {
    let (room, bo, cleo) = try await room()
    try room.type("@b")
    await until { answers.asked.count == 1 }
    try room.composer.perform(.backspace)
    try room.type("b")
    await until { answers.asked.last == "b" && answers.asked.count >= 2 }
    answers.answer(0, [bo])
    await everybodyElse()
    #expect(room.composer.suggestions?.isLoading == true)
    answers.answer(answers.asked.count - 1, [cleo])
    #expect(await room.suggested() == ["cleo"])
  }

  @Test func `a send that needs a user's name stops waiting for the directory after a timeout`() async throws {
    let (room, _, _) = try await room()
    try room.composer.perform(.paste("/mute @bo"))
    let sent = Task { await room.refused() }
    // The requests of the suggestions, of resolving the target during typing, and of the send.
    await until { answers.asked.count >= 3 }
    await everybodyElse()
    #expect(!room.composer.isSending)
    room.chat.pass(.seconds(5))
    #expect(await sent.value == .incomplete("mute", format: "/mute [@username] [duration]"))
    #expect(room.text == "@bo")
  }

  // What broke: where the query for the whole name failed, a shorter one was taken, that of another user.
  @Test func `a typed name whose query fails or never ends is not taken for a shorter one`() async throws {
    let (_, bo, _) = try await room()
    for fails in [true, false] {
      let answers = answers
      let room = try await Room {
        $0.commands = Asking(provider: { typed in
          if typed.string != "bo diddley" { return typed == "bo" ? [bo] : [] }
          if fails { throw Failure("the line is dead") }
          return try await answers.ask(typed)
        })
      }
      try room.composer.perform(.paste("/mute @bo"))
      await until { room.composer.canSend }
      try room.composer.perform(.paste(" diddley 1d"))
      let sent = Task { await room.refused() }
      await everybodyElse()
      room.chat.pass(.seconds(5))
      #expect(await sent.value == .incomplete("mute", format: "/mute [@username] [duration]"), "\(fails)")
      #expect(room.text == "@bo diddley 1d")
    }
  }

  @Test(arguments: ["send", "clear", "leave", "away", "newline"])
  func `a result after the end of its query shows nothing`(end: String) async throws {
    let (room, bo, _) = try await room()
    try room.type("Hi @b")
    await until { answers.asked.count == 1 }
    switch end {
    case "send": try await room.composer.send()
    case "clear": try room.composer.perform(.clear)
    case "leave": try await room.composer.leave()
    case "away": try room.composer.perform(.moveSelection(0..<0))
    default: try room.type("\n")
    }
    #expect(room.composer.suggestions == nil)
    answers.answer(0, [bo])
    await everybodyElse()
    #expect(room.composer.suggestions == nil)
    #expect(answers.asked.count == 1)
  }

  @Test func `a provider that never returns blocks nothing`() async throws {
    let (room, _, _) = try await room()
    try room.type("Hi @b")
    await until { answers.asked.count == 1 }
    #expect(room.composer.suggestions?.isLoading == true)
    #expect(room.composer.canSend)
    try await room.composer.send()
    #expect(room.said.map(\.text) == ["Hi @b"])
  }

  @Test func `a provider's error is shown as an item that cannot be picked`() async throws {
    let (room, bo, _) = try await room()
    try room.type("@b")
    await until { answers.asked.count == 1 }
    answers.fail(0, Failure("the line is dead"))
    #expect(await room.suggested() == ["failure"])
    let item = try #require(room.composer.suggestions?.items.first)
    #expect(item.title == "The suggestions could not be loaded" && item.detail == "the line is dead")
    #expect((item.answer, room.composer.suggestions?.kind) == (nil, .failure))
    try room.composer.pick(item.id)
    #expect(room.text == "@b")
    try room.type("o")
    await until { answers.asked.count == 2 }
    answers.answer(1, [bo])
    #expect(await room.suggested() == ["bo"])
  }

  @Test func `a name contains spaces as long as a user matches`() async throws {
    let (room, _, cleo) = try await room()
    try room.type("@cleo")
    await until { answers.asked.last == "cleo" }
    answers.answer(answers.asked.count - 1, [cleo])
    #expect(await room.suggested() == ["cleo"])
    try room.type(" ")
    await until { answers.asked.last == "cleo " }
    answers.answer(answers.asked.count - 1, [])
    await until { room.composer.suggestions == nil }
    let count = answers.asked.count
    try room.type("and so on")
    await everybodyElse()
    #expect(answers.asked.count == count)
    #expect(room.composer.suggestions == nil)
  }

  @Test func `after a word without matches a space ends the query`() async throws {
    let (room, _, _) = try await room()
    try room.composer.perform(.paste("@xq"))
    await until { answers.asked == ["xq"] }
    answers.answer(0, [])
    await until { room.composer.suggestions == nil }
    try room.type(" then")
    await everybodyElse()
    #expect(answers.asked == ["xq"])
  }

  @Test func `text without matches is queried again once it is retyped`() async throws {
    let (room, _, cleo) = try await room()
    try room.composer.perform(.paste("@cleo m"))
    await until { answers.asked.count == 1 }
    answers.answer(0, [])
    await until { room.composer.suggestions == nil }
    try room.composer.perform(.clear)
    try room.composer.perform(.paste("@cleo m"))
    await until { answers.asked.count == 2 }
    answers.answer(1, [cleo])
    #expect(await room.suggested() == ["cleo"])
  }

  @Test func `a long result is limited to ten items`() async throws {
    let (room, bo, _) = try await room()
    try room.type("@b")
    await until { answers.asked.count == 1 }
    answers.answer(0, Array(repeating: bo, count: 30))
    #expect(await room.suggested().count == 10)
  }

  @Test func `a composer that was left sends no queries, and a reopened one does`() async throws {
    let (room, _, _) = try await room()
    try room.type("Hi @b")
    await until { answers.asked.count == 1 }
    try await room.composer.leave()
    await everybodyElse()
    #expect(answers.asked.count == 1)
    #expect(room.composer.suggestions == nil)
    try await room.composer.open()
    await until { answers.asked.count == 2 }
    #expect(room.text == "Hi @b")
  }
}

/// A configuration whose users come from a provider.
private struct Asking: CommandsConfig {
  let mentionsSymbol: String? = "@"
  let instantCommandsSymbol: String? = "/"
  let provider: @Sendable (UserText) async throws -> [User]

  func makeCommandsHandler(for context: CommandsContext) -> CommandsHandler {
    CommandsHandler(commands: [
      MentionsCommandHandler(provider: provider),
      InstantCommandsHandler(commands: DefaultCommandsConfig.readyMade),
    ])
  }
}
