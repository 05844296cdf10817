// Tests of sending: sent content, kept content, and refusals.
import Chat
import ChatComposer
import Testing

@MainActor
struct Sending {
  @Test func `sending commits the trimmed text and empties the composer`() async throws {
    let room = try await Room()
    try room.type("  Hello, everybody \n")
    try await room.composer.send()
    #expect(room.said.map(\.text) == ["Hello, everybody"])
    #expect(room.composer.composer.content == Composition())
    #expect(room.chat.state[room.composer.key]?.content == Composition())
  }

  @Test func `a picked mention is sent with its range`() async throws {
    let room = try await Room()
    try room.type(" Hi @cl")
    #expect(await room.suggested() == ["cleo"])
    try room.composer.pick("cleo")
    #expect(room.text == " Hi @Cleo Moreau ")
    try await room.composer.send()
    #expect(room.said.first?.mentions == [Mention("cleo", at: 3..<15)])
  }

  @Test func `a mute command typed and sent at once mutes`() async throws {
    let room = try await Room()
    try room.composer.perform(.paste("/mute @bo 8h"))
    #expect(room.composer.composer.content.command?.id == "mute")
    #expect(try await room.composer.send() == .command("mute"))
    let mute = try #require(room.chat.state[Mute.Key(by: "ada", of: .user("bo"))])
    #expect(mute.term.end == room.chat.now + .seconds(8 * 3600))
    #expect(room.said.isEmpty)
    #expect(room.composer.composer.content == Composition())
  }

  // What broke: what was set for the next message while one was being sent was lost with the sent content.
  @Test func `what is set during a send stays, and what the sent message had does not`() async throws {
    let room = try await Room(thread: "m1")
    let host = HeldUpHost(room.chat.host(of: room.composer.key), isDeaf: true)
    let composer = LiveComposer(room.composer.composer, host: host)
    try await composer.open()
    try composer.perform(.type("see www.a.example now"))
    try composer.perform(.setShowsInChannel(true))
    try composer.perform(.dismissPreview(url: "www.a.example"))
    let sent = Task { try await composer.send() }
    await until { host.isHeldUp }
    try composer.perform(.setSilent(true))
    try composer.perform(.setShowsInChannel(false))
    try composer.perform(.type(" and www.b.example"))
    try composer.perform(.dismissPreview(url: "www.b.example"))
    host.letGo()
    _ = try await sent.value
    let content = composer.composer.content
    #expect(content.text == " and www.b.example" && content.dismissedPreviews == ["www.b.example"])
    #expect(content.isSilent && !content.showsInChannel)
    #expect(room.said.last?.isSilent == false && room.said.last?.showsInChannel == true)
  }

  @Test func `giphy shows an ephemeral picture that can be shuffled and sent`() async throws {
    let room = try await Room()
    try room.type("/giphy wave")
    try await room.composer.send()
    let message = try #require(room.chat.state.rows.messages.values.first)
    #expect(message.content.kind == .ephemeral)
    try await room.composer.act(.shuffle, on: message)
    let shuffled = try #require(room.chat.state[message.key])
    #expect(shuffled.content.attachments != message.content.attachments)
    try await room.composer.act(.send, on: shuffled)
    #expect(room.chat.state[message.key]?.content.kind == .regular)
  }

  @Test(arguments: [(5, " second", " second"), (0, "zeroth ", "zeroth "), (3, "-", "-"), (5, "", "")])
  func `text typed during a send stays`(place: Int, typed: String, left: String) async throws {
    let room = try await Room()
    let (host, composer) = try await room.composerThatIsHeldUp()
    try composer.perform(.type("first"))
    let sent = Task { try await composer.send() }
    await until { host.isHeldUp }
    try composer.perform(.moveSelection(place..<place))
    try composer.perform(.type(typed))
    host.letGo()
    _ = try await sent.value
    #expect(room.said.map(\.text.string) == ["first"])
    #expect(composer.text == left)
    #expect(room.chat.state[composer.key]?.content == composer.composer.content)
  }

  @Test func `events during a refused send are recorded after it`() async throws {
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

  @Test func `a combining mark undone during a send keeps its letter`() async throws {
    // Regression: the letter was treated as part of the undone text, and was removed with the message.
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

  @Test func `two concurrent sends send once`() async throws {
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

  @Test func `an empty composer is refused, and the refusal is recorded`() async throws {
    let room = try await Room()
    try room.type("  ")
    await #expect { try await room.composer.send() } throws: { error in
      if case .notSent(.empty)? = error as? ComposerError { true } else { false }
    }
    #expect(room.text == "  ")
    #expect(room.chat.events.last?.change == .composer(room.composer.key, SendRefusal.empty.event))
  }
}
