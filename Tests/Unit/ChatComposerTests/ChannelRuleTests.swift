// Tests of channel rules during writing: flags, commands, length, slow mode.
import Chat
import ChatComposer
import ChildProcess
import Observation
import Testing

@MainActor
struct ChannelRules {
  @Test func `without uploads there is no upload button, picker or source`() async throws {
    let room = try await Room()
    try await room.composer.tap(.attachments)
    #expect(room.composer.presentation.pickerSources.map(\.id) == ["photosAndVideos", "files", "camera"])
    try room.type("words")
    try await room.configure(ChannelConfig(off: [.uploads]))
    let shown = room.composer.presentation
    #expect(shown.leading.map(\.id) == [.commands])
    #expect((shown.picker, shown.pickerSources) == (.collapsed, []))
    #expect(room.text == "words")
    try await room.configure(ChannelConfig())
    #expect(room.composer.presentation.leading.map(\.id) == [.attachments, .commands])
  }

  @Test func `only the channel's commands are listed, activated and executed`() async throws {
    let room = try await Room(ChannelConfig(commands: ["mute", "giphy"]))
    try room.type("/")
    #expect(await room.suggested() == ["giphy", "mute"])
    try room.composer.perform(.setText("/flag @bo "))
    #expect(room.content.command == nil)
    #expect(performRefusal(room, .activate("flag")) == .unknownCommand("flag"))
    try room.composer.perform(.setText("/giphy wave"))
    #expect(room.content.command?.id == "giphy")
    try await room.configure(ChannelConfig(commands: []))
    #expect(room.composer.presentation.leading.map(\.id) == [.attachments])
    #expect(await room.refused() == .unknownCommand("/giphy"))
    #expect(room.text == "wave")
  }

  @Test func `a changed length limit applies at once and loses no text`() async throws {
    let room = try await Room()
    try room.type("Hello there")
    #expect(room.composer.presentation.maxMessageLength == 5000)
    try await room.configure(ChannelConfig(messageLengthMax: 5))
    #expect(room.composer.presentation.maxMessageLength == 5)
    #expect(room.composer.refusal == .tooLong(count: 11, max: 5))
    #expect(room.text == "Hello there")
  }

  @Test func `an existing quote is kept and refused when quotes are disabled, and can be removed`() async throws {
    let room = try await Room()
    let quoted = try room.say(Message.Content("What?"), as: "cleo")
    try room.composer.perform(.quote(quoted.key.id))
    try room.type("That")
    try await room.configure(ChannelConfig(off: [.quotes]))
    #expect(await room.refused() == .off(.quotes))
    try await room.composer.tap(.quote)
    #expect(room.composer.canSend && room.text == "That")
  }

  // MARK: Slow mode

  @Test func `the cooldown counts down from the last message second by second`() async throws {
    let room = try await Room(ChannelConfig(slowMode: 10), as: .member)
    try room.type("one")
    try await room.composer.send()
    #expect(room.composer.presentation.cooldown == 10)
    try room.type("two")
    #expect(await room.refused() == .coolingDown(seconds: 10))
    room.chat.pass(Microseconds(rawValue: 3_999_999))
    #expect(room.composer.presentation.cooldown == 7)
    room.chat.pass(Microseconds(rawValue: 6_000_000))
    #expect(room.composer.presentation.cooldown == 1)
    room.chat.pass(Microseconds(rawValue: 1))
    #expect(room.composer.presentation.cooldown == 0)
    try await room.composer.send()
    #expect(room.said.count == 2)
  }

  @Test func `the presentation is updated each second`() async throws {
    let room = try await Room(ChannelConfig(slowMode: 2), as: .member)
    try room.type("one")
    try await room.composer.send()
    let (stream, told) = AsyncStream<Void>.makeStream()
    for left in [1, 0] {
      withObservationTracking {
        _ = room.composer.presentation
      } onChange: {
        told.yield()
      }
      await everybodyElse()
      room.chat.pass(.seconds(1))
      _ = try await Elements(of: stream).next()
      #expect(room.composer.presentation.cooldown == left)
    }
  }

  @Test func `a kill does not shorten the cooldown`() async throws {
    let room = try await Room(ChannelConfig(slowMode: 10), as: .member)
    try room.type("one")
    try await room.composer.send()
    room.chat.pass(.seconds(4))
    #expect(try await room.afterKill().presentation.cooldown == 6)
  }

  @Test func `a user who may skip slow mode never waits`() async throws {
    let room = try await Room(ChannelConfig(slowMode: 10))
    for text in ["one", "two"] {
      try room.type(text)
      try await room.composer.send()
    }
    #expect((room.said.count, room.composer.presentation.cooldown) == (2, 0))
  }

  @Test func `edits and commands that replace a message neither wait nor start a cooldown`() async throws {
    let room = try await Room(ChannelConfig(slowMode: 10), as: .member)
    try room.composer.perform(.paste("/mute @bo"))
    try await room.composer.send()
    #expect(room.composer.presentation.cooldown == 0)
    try room.type("one")
    guard case .message(let id) = try await room.composer.send() else { return #expect(Bool(false), "no message") }
    let message = try #require(room.chat.state[Message.Key("general", id)])
    room.chat.pass(.seconds(4))
    try room.composer.perform(.beginEdit(message))
    try room.type("!")
    #expect(try await room.composer.send() == .edit(id))
    try room.composer.perform(.paste("/unmute @bo"))
    #expect(try await room.composer.send() == .command("unmute"))
    #expect(room.composer.presentation.cooldown == 6)
  }

  @Test func `a slow mode set during writing applies at once`() async throws {
    let room = try await Room(as: .member)
    try room.type("one")
    try await room.composer.send()
    try room.type("two")
    room.chat.pass(.seconds(5))
    try await room.configure(ChannelConfig(slowMode: 30))
    #expect(room.composer.refusal == .coolingDown(seconds: 25))
    try await room.configure(ChannelConfig())
    #expect(room.composer.canSend && room.text == "two")
  }
}
