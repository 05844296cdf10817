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

  @Test func `what is typed while a message is on its way stays`() async throws {
    let room = try await Room()
    try room.type("first")
    async let sent = room.composer.send()
    while !room.composer.isSending { await Task.yield() }
    try room.type(" second")
    _ = try await sent
    #expect(room.said.map(\.text.string) == ["first"])
    #expect(room.text == " second")
    #expect(room.chat.state[room.composer.key]?.content == room.composer.composer.content)
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
