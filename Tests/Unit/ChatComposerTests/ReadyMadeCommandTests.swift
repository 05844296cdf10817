// Tests of the built-in commands, picked and typed, and their effects on the conversation.
import Chat
import ChatComposer
import Testing

@MainActor
struct ReadyMadeCommands {
  /// Sends a command for Bo, either picked or typed.
  private func call(_ word: String, _ rest: String, isPicked: Bool, in room: Room) async throws {
    if isPicked {
      try room.type("/" + word)
      try await room.pick(UserText(word))
      try await room.pick("bo")
      #expect(room.content.command?.target == "bo")
      try room.type(rest)
    } else {
      try room.type("/\(word) @bo \(rest)")
    }
    #expect(try await room.composer.send() == .command(ComposedCommand.ID(word)))
    #expect(room.said.isEmpty)
    #expect(room.content == Composition())
    let command = ComposedCommand(try ComposedCommand.ID(word), target: "bo")
    #expect(room.composer.notice == .commandExecuted(command, name: "Bo Diddley"))
  }

  @Test func `a command that sends a message leaves no notice, and a send removes the last one`() async throws {
    let room = try await Room()
    try await call("flag", "", isPicked: false, in: room)
    #expect(room.composer.notice?.description == "Bo Diddley was reported to the moderators.")
    try room.type("/giphy cat")
    try await room.composer.send()
    #expect(room.composer.notice == nil)
    #expect(await room.refused() == .empty)
    #expect(room.composer.notice == .notSent(.empty))
    try room.type("Hi")
    try await room.composer.send()
    #expect(room.composer.notice == nil)
    try room.type("/mute @bo for a while")
    await #expect(throws: ComposerError.self) { try await room.composer.send() }
    #expect(room.composer.notice?.isFailure == true)
  }

  @Test(arguments: [
    ("mute", "Bo is muted."), ("unmute", "Bo is no longer muted."), ("ban", "Bo is banned."),
    ("unban", "Bo is no longer banned."), ("flag", "Bo was reported to the moderators."),
    ("warn", "The command warn was executed for Bo."),
  ])
  func `a notice says the effect of the command on its target`(id: ComposedCommand.ID, says: String) {
    let command = ComposedCommand(id, target: "bo")
    #expect(ComposerNotice.commandExecuted(command, name: "Bo").description == says)
    #expect(!ComposerNotice.commandExecuted(command, name: nil).isFailure)
    let alone = ComposedCommand("count", target: nil)
    #expect(ComposerNotice.commandExecuted(alone, name: nil).description == "The command count was executed.")
  }

  @Test(arguments: [true, false]) func `mute and unmute begin and end a mute`(isPicked: Bool) async throws {
    let (room, key) = (try await Room(), Mute.Key(by: "ada", of: .user("bo")))
    try await call("mute", "8h", isPicked: isPicked, in: room)
    #expect(room.chat.state[key]?.term.end == room.chat.now + .seconds(28_800))
    try await call("mute", "", isPicked: isPicked, in: room)
    #expect(room.chat.state[key]?.term == .endless)
    try await call("unmute", "", isPicked: isPicked, in: room)
    #expect(room.chat.state[key] == nil)
  }

  @Test(arguments: [true, false]) func `ban and unban impose and lift a ban`(isPicked: Bool) async throws {
    let (room, key) = (try await Room(), Ban.Key(of: "bo", from: .channel("general")))
    try await call("ban", "1D too much noise", isPicked: isPicked, in: room)
    #expect(room.chat.state[key]?.term.end == room.chat.now + .seconds(86_400))
    #expect(room.chat.state[key]?.reason == "too much noise")
    try await call("unban", "", isPicked: isPicked, in: room)
    #expect(room.chat.state[key] == nil)
    try await call("ban", "noise", isPicked: isPicked, in: room)
    #expect((room.chat.state[key]?.term, room.chat.state[key]?.reason) == (.endless, "noise"))
  }

  @Test(arguments: [true, false]) func `flag reports the user`(isPicked: Bool) async throws {
    let room = try await Room()
    try await call("flag", "sells things", isPicked: isPicked, in: room)
    #expect(room.chat.state[Flag.Key(by: "ada", on: .user("bo"))]?.reason == "sells things")
  }

  @Test(arguments: [("45s", 45), ("30m", 1800), ("8h", 28_800), ("1d", 86_400), ("2w", 1_209_600), ("2W", 1_209_600)])
  func `durations are a number and a unit`(text: String, seconds: Int64) {
    let start = Timestamp(rawValue: 5)
    let (term, rest) = Expiry.parse(UserText(" \(text)  and then"), from: start)
    #expect((term, rest) == (.until(start + .seconds(seconds)), "and then"))
  }

  @Test(arguments: ["", "8", "h", "0h", "-8h", "8x", "８h", "h8", "8 h", "1.5h"])
  func `text that is not a duration is left unchanged`(text: String) {
    let (term, rest) = Expiry.parse(UserText(text), from: Timestamp(rawValue: 0))
    #expect((term, rest) == (nil, UserText(text)))
  }

  @Test func `a duration beyond the range is clamped`() {
    let (term, _) = Expiry.parse("9223372036854775807w", from: Timestamp(rawValue: 5))
    #expect(term?.end == Timestamp(rawValue: .max))
  }

  @Test func `a mute with an invalid duration fails and shows the format`() async throws {
    let room = try await Room()
    try room.composer.perform(.paste("/mute @bo for a while"))
    await #expect(throws: ComposerError.self) { try await room.composer.send() }
    guard case .commandFailed("mute", let failure)? = room.composer.notice else {
      return #expect(Bool(false), "nothing is told")
    }
    #expect(failure.sentence.contains("for a while") && failure.sentence.contains("8h"))
    #expect(room.text == "@bo for a while")
    #expect(room.chat.state[Mute.Key(by: "ada", of: .user("bo"))] == nil)
  }

  @Test func `a name of two words typed letter by letter resolves as the whole name`() async throws {
    let room = try await Room()
    try room.type("/mute @bo")
    await until { room.composer.canSend }
    try room.type(" diddley")
    try await room.composer.send()
    #expect(room.chat.state[Mute.Key(by: "ada", of: .user("bo"))]?.term == .endless)
  }

  // What broke: the notice was “ is muted.”, and the target of the command an empty button.
  @Test func `a user with a blank name is shown by the id`() async throws {
    let room = try await Room()
    try room.chat.submit([.user("dee", .create(User.Profile(name: " ")))], by: .user("dee"))
    try room.chat.submit([.member(Member.Key("general", "dee"), .add(.member))], by: .user("ada"))
    try room.composer.perform(.paste("/mute @dee"))
    try await room.composer.send()
    #expect(room.composer.notice?.description == "dee is muted.")
  }

  @Test func `a name shared by two users resolves to none until one is picked`() async throws {
    let room = try await Room()
    try room.chat.submit([.user("bo2", .create(User.Profile(name: "Bo Diddley")))], by: .user("bo2"))
    try room.chat.submit([.member(Member.Key("general", "bo2"), .add(.member))], by: .user("ada"))
    try room.composer.perform(.paste("/ban @Bo Diddley"))
    #expect(await room.refused() == .incomplete("ban", format: "/ban [@username] [duration] [reason]"))
    try room.composer.perform(.setText("@bo2"))
    try await room.composer.send()
    #expect(room.chat.state[Ban.Key(of: "bo2", from: .channel("general"))] != nil)
  }

  @Test func `without the capability the ban command is hidden, and its typed text is sent as is`() async throws {
    let room = try await Room(as: .member)
    try room.type("/ban")
    #expect(await room.suggested() == [])
    try room.type(" @bo")
    try await room.composer.send()
    #expect(room.said.map(\.text) == ["/ban @bo"])
    #expect(room.chat.state[Ban.Key(of: "bo", from: .channel("general"))] == nil)
  }

  @Test func `an incomplete command is refused with its format`() async throws {
    let room = try await Room()
    try room.type("/giphy ")
    #expect(await room.refused() == .incomplete("giphy", format: "/giphy [text]"))
    #expect(room.content.command?.id == "giphy")
    try room.composer.perform(.clear)
    try room.type("/mute ")
    #expect(await room.refused() == .incomplete("mute", format: "/mute [@username] [duration]"))
    try await room.pick("bo")
    #expect(room.composer.canSend)
    try room.composer.perform(.target(nil))
    #expect(!room.composer.canSend)
    #expect(await room.suggested() == ["bo", "cleo"])
  }

  @Test func `the active command is queried first, then a command's word, then the rest in order`() async throws {
    let room = try await Room { $0.commands = Greedy() }
    try room.type("/gi")
    #expect(room.composer.reducer.suggestionQuery?.handler.id == "instantCommands")
    try room.type("x ")
    #expect(room.composer.reducer.suggestionQuery?.handler.id == "greedy")
    try room.composer.perform(.setText("/mute "))
    #expect(room.composer.reducer.suggestionQuery?.handler.id == "mute")
    try room.composer.perform(.target("bo"))
    #expect(room.composer.reducer.suggestionQuery?.handler.id == "greedy")
  }

  @Test func `found, shuffled, sent and cancelled pictures are recorded with the result`() async throws {
    let answers = Answers<UserText, GIF>()
    let room = try await Room { $0.gifs = SlowPictures(answers: answers) }
    try room.type("/giphy wave")
    async let sent = room.composer.send()
    await until { answers.asked.count == 1 }
    answers.answer(0, GIF(url: "gif:1", title: "one"))
    _ = try await sent
    let key = try #require(room.sent.first)
    let message = try #require(room.chat.state[key])
    async let shuffled: Void = room.composer.act(.shuffle, on: message)
    await until { answers.asked == ["wave 0", "wave 1"] }
    answers.answer(1, GIF(url: "gif:2", title: "two"))
    try await shuffled
    #expect(room.chat.state[key]?.content.attachments.first?.location == .url("gif:2"))
    try await room.composer.act(.send, on: message)
    #expect(room.chat.state[key]?.content.kind == .regular)
    // All results are in the events: folding them performs no requests.
    var state = InMemoryChatState()
    for event in room.chat.events { fold(event, into: &state) }
    #expect(state[key]?.content.attachments.first?.location == .url("gif:2"))
    #expect(answers.asked.count == 2)
  }

  // What broke: the number after the greatest one overflowed, and the process ended.
  @Test(arguments: [Int64.max, .min, -1])
  func `a picture stored with a number out of range is shuffled as the first one`(number: Int64) async throws {
    let room = try await Room()
    let found = Attachment("giphy", .giphy, at: .url("g"), extra: ["words": "wave", "number": .integer(number)])
    let message = try room.say(Message.Content("", kind: .ephemeral, attachments: [found]))
    try await room.composer.act(.shuffle, on: message)
    #expect(room.chat.state[message.key]?.content.attachments.first?.extra["number"] == .integer(1))
  }

  @Test func `a cancelled picture is removed, and a failed search keeps the content`() async throws {
    let answers = Answers<UserText, GIF>()
    let room = try await Room { $0.gifs = SlowPictures(answers: answers) }
    let found = Attachment("giphy", .giphy, at: .url("g"), extra: ["words": "wave", "number": 0])
    let message = try room.say(Message.Content("", kind: .ephemeral, attachments: [found]))
    let shuffled = Task { try await room.composer.act(.shuffle, on: message) }
    await until { answers.asked.count == 1 }
    answers.fail(0, Failure("no network"))
    await #expect(throws: ComposerError.self) { try await shuffled.value }
    #expect(room.chat.state[message.key]?.content.attachments == [found])
    try await room.composer.act(.cancel, on: message)
    #expect(room.chat.state[message.key]?.presence == .gone)
  }
}

/// A handler that returns a query for any text.
private struct Greedy: CommandsConfig {
  let mentionsSymbol: String? = "@"
  let instantCommandsSymbol: String? = "/"

  func makeCommandsHandler(for context: CommandsContext) -> CommandsHandler {
    CommandsHandler(commands: [
      GreedyHandler(), MentionsCommandHandler(), InstantCommandsHandler(commands: DefaultCommandsConfig.readyMade),
    ])
  }
}

private struct GreedyHandler: CommandHandler {
  let id: ComposedCommand.ID = "greedy"

  func canHandleCommand(in text: TypedText, caretLocation: UTF16Offset) -> ComposerCommand? {
    ComposerCommand(id, typing: TypingSuggestion(text.userText, at: .start..<caretLocation))
  }
}
