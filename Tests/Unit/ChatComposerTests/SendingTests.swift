// Sending: what goes, what stays, and why not.
import Chat
import ChatComposer
import Testing

@MainActor
struct Sending {
  @Test func `what is written is said, trimmed, and the composer is empty`() async throws {
    let room = try await Room()
    try room.type("  Hello, everybody \n")
    try await room.composer.send()
    #expect(room.said.map(\.text) == ["Hello, everybody"])
    #expect(room.composer.composer.content == Composition())
    #expect(room.chat.state[room.composer.key]?.content == Composition())
  }

  @Test func `a mention that was picked is sent where it stands`() async throws {
    let room = try await Room()
    try room.type(" Hi @cl")
    #expect(await room.suggested() == ["cleo"])
    try room.composer.pick("cleo")
    #expect(room.text == " Hi @Cleo Moreau ")
    try await room.composer.send()
    #expect(room.said.first?.mentions == [Mention("cleo", at: 3..<15)])
  }

  @Test func `a mute that was typed at once mutes`() async throws {
    let room = try await Room()
    try room.composer.perform(.paste("/mute @bo 8h"))
    #expect(room.composer.composer.content.command?.id == "mute")
    #expect(try await room.composer.send() == .command("mute"))
    let mute = try #require(room.chat.state[Mute.Key(by: "ada", of: .user("bo"))])
    #expect(mute.term.end == room.chat.now + .seconds(8 * 3600))
    #expect(room.said.isEmpty)
    #expect(room.composer.composer.content == Composition())
  }

  @Test func `giphy shows what only its author sees, to be shuffled and sent`() async throws {
    let room = try await Room()
    try room.type("/giphy wave")
    try await room.composer.send()
    let message = try #require(room.chat.state.messages.values.first)
    #expect(message.content.kind == .ephemeral)
    try await room.composer.act(.shuffle, on: message)
    let shuffled = try #require(room.chat.state[message.key])
    #expect(shuffled.content.attachments != message.content.attachments)
    try await room.composer.act(.send, on: shuffled)
    #expect(room.chat.state[message.key]?.content.kind == .regular)
  }

  @Test(arguments: [(5, " second", " second"), (0, "zeroth ", "zeroth "), (3, "-", "-"), (5, "", "")])
  func `what is typed while a message is on its way stays`(place: Int, typed: String, left: String) async throws {
    let room = try await Room()
    let (host, composer) = try await room.composerThatIsHeldUp()
    try composer.perform(.type("first"))
    let sent = Task { try await composer.send() }
    await until { host.isHeldUp }
    let caret = UTF16Offset(rawValue: place)
    try composer.perform(.moveSelection(caret..<caret))
    try composer.perform(.type(TypedText(UserText(typed))))
    host.letGo()
    _ = try await sent.value
    #expect(room.said.map(\.text.string) == ["first"])
    #expect(composer.text.userText.string == left)
    #expect(room.chat.state[composer.key]?.content == composer.composer.content)
  }

  @Test func `what is typed while a refusal is on its way is recorded behind it`() async throws {
    let room = try await Room()
    let (host, composer) = try await room.composerThatIsHeldUp()
    try composer.perform(.type("first"))
    let sent = Task { try await composer.send() }
    await until { host.isHeldUp }
    try room.chat.submit([.channel("general", .freeze)], by: .system)
    try composer.perform(.type(" second"))
    host.letGo()
    await #expect(throws: ComposerError.self) { try await sent.value }
    #expect(composer.text == "first second")
    #expect(room.chat.state[composer.key]?.content == composer.composer.content)
    #expect(room.said.isEmpty)
  }

  @Test func `a mark that is taken back while a message is on its way leaves its letter`() async throws {
    // The letter was taken for a part of what was taken back, and went with the message.
    let room = try await Room()
    let (host, composer) = try await room.composerThatIsHeldUp()
    try composer.perform(.type("first"))
    let sent = Task { try await composer.send() }
    await until { host.isHeldUp }
    try composer.perform(.type("e"))
    try composer.perform(.moveSelection(0..<0))
    try composer.perform(.moveSelection(6..<6))
    try composer.perform(.type("\u{301}"))
    try composer.perform(.undo)
    host.letGo()
    _ = try await sent.value
    #expect(composer.text == "e")
  }

  @Test func `two sends at once send once`() async throws {
    let room = try await Room()
    let (host, composer) = try await room.composerThatIsHeldUp()
    try composer.perform(.type("first"))
    let sent = Task { try await composer.send() }
    await until { host.isHeldUp }
    await #expect { try await composer.send() } throws: { error in
      if case .notSent(.busy)? = error as? ComposerError { true } else { false }
    }
    host.letGo()
    _ = try await sent.value
    #expect(room.said.map(\.text) == ["first"])
  }

  @Test func `nothing is refused as empty, and recorded`() async throws {
    let room = try await Room()
    try room.type("  ")
    await #expect { try await room.composer.send() } throws: { error in
      if case .notSent(.empty)? = error as? ComposerError { true } else { false }
    }
    #expect(room.text == "  ")
    #expect(room.chat.events.last?.change == .composer(room.composer.key, SendRefusal.empty.event))
  }
}
