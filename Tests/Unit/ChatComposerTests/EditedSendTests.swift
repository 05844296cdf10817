// Tests of the append of a send: a message, the changes of an edit, the deletion of a draft.
import Chat
import ChatComposer
import Testing

@MainActor
struct EditedSends {
  private func edits(_ room: Room) -> [Message.Edits] {
    room.chat.events.compactMap { event in
      if case .message(_, .edited(let edits)) = event.change { edits } else { nil }
    }
  }

  @Test func `an edit changes only the changed parts`() async throws {
    let room = try await Room()
    let file = Attachment("a", .file, at: .url("u"))
    let message = try room.say(
      Message.Content(
        "Hi @Bo Diddley", mentions: [Mention("bo", at: 3..<14)], attachments: [file], extra: ["mood": "good"]))
    try room.type("set aside")
    try room.composer.perform(.beginEdit(message))
    #expect(room.composer.presentation.title == "title.edit")
    try room.type("!")
    #expect(try await room.composer.send() == .edit("said"))
    #expect(edits(room) == [Message.Edits(text: "Hi @Bo Diddley!")])
    #expect((room.text, room.composer.composer.state) == ("set aside", .new))
    try room.composer.perform(.beginEdit(try #require(room.chat.state[message.key])))
    try room.composer.perform(.detach("a"))
    try await room.composer.send()
    #expect(edits(room).last == Message.Edits(attachments: []))
  }

  @Test func `an edit without changes ends without a message event`() async throws {
    let room = try await Room()
    let message = try room.say(Message.Content("same"))
    try room.composer.perform(.beginEdit(message))
    try room.type("x ")
    try room.composer.perform(.backspace)
    try room.composer.perform(.backspace)
    #expect(try await room.composer.send() == .edit("said"))
    #expect(edits(room).isEmpty)
    #expect(room.composer.composer.editing == nil)
  }

  // What broke: the text was trimmed, so that saving it changed the message, or was refused in a frozen channel.
  @Test func `an edit leaves white space around a text that it does not change`() async throws {
    let room = try await Room()
    let message = try room.say(Message.Content(" Hi @Bo\n", mentions: [Mention("cleo", at: 4..<7)]), as: "bo")
    try room.composer.perform(.beginEdit(message))
    try room.composer.perform(.setExtra(["mood": "good"]))
    #expect(try await room.composer.send() == .edit("said"))
    #expect(edits(room) == [Message.Edits(extra: ["mood": "good"])])
    try room.chat.submit([.channel("general", .freeze)], by: .user("ada"))
    try room.composer.perform(.beginEdit(try #require(room.chat.state[message.key])))
    #expect(try await room.composer.send() == .edit("said"))
    #expect(edits(room).count == 1 && room.composer.composer.editing == nil)
  }

  @Test func `content allowed at the time of the send may stay in an edit`() async throws {
    let room = try await Room()
    let message = try room.say(
      Message.Content("see www.swift.org", attachments: [Attachment("a", .file, at: .url("u"))]))
    try await room.configure(ChannelConfig(off: [.uploads], messageLengthMax: 5))
    try room.composer.perform(.beginEdit(message))
    try room.composer.perform(.setExtra(["mood": "good"]))
    await until { room.composer.refusal == nil }
    try await room.composer.send()
    #expect(edits(room) == [Message.Edits(extra: ["mood": "good"])])
  }

  @Test func `saving an edit closes the picker`() async throws {
    let room = try await Room()
    try room.composer.perform(.beginEdit(try room.say(Message.Content("old"))))
    try room.composer.perform(.showPicker(.expanded(.media)))
    try room.type("er")
    try await room.composer.send()
    #expect(room.composer.presentation.picker == .collapsed)
    #expect(room.chat.state[room.composer.key]?.picker == .collapsed)
  }

  @Test func `trimming before a mention moves it`() async throws {
    let room = try await Room()
    try room.type(" \n\u{3000}Hi @cl")
    try await room.pick()
    try room.type("\n ")
    try await room.composer.send()
    #expect(room.said.map(\.text) == ["Hi @Cleo Moreau"])
    #expect(room.said.first?.mentions == [Mention("cleo", at: 3..<15)])
  }

  @Test func `the message, the draft deletion and the emptied composer are recorded in one append`() async throws {
    let room = try await Room { $0.draftMessagesEnabled = true }
    try room.type("from the draft")
    try await room.composer.leave()
    try await room.composer.open()
    #expect(room.text == "from the draft")
    try await room.composer.send()
    let changes = room.chat.events.suffix(3).map(\.change)
    guard case .draft(room.composer.key.draft, .deleted(.sent, _)) = changes[0] else {
      return #expect(Bool(false), "\(changes)")
    }
    guard case .message(let key, .sent) = changes[1] else { return #expect(Bool(false), "\(changes)") }
    #expect(changes[2] == .composer(room.composer.key, .sent(key.id, keeping: nil)))
    #expect(room.chat.state[room.composer.key.draft]?.content == nil)
  }

  @Test func `a refusal at the append leaves message, draft and composer unchanged`() async throws {
    let room = try await Room { $0.draftMessagesEnabled = true }
    try room.type("kept")
    try await room.composer.leave()
    try await room.composer.open()
    try room.chat.submit([.channel("general", .freeze)], by: .user("ada"))
    guard case .refused? = await room.refused() else { return #expect(Bool(false), "it was sent") }
    #expect(room.said.isEmpty)
    #expect(room.chat.state[room.composer.key.draft]?.content?.text == "kept")
    #expect(room.text == "kept")
  }

  @Test func `each send has its own client id`() async throws {
    let room = try await Room()
    for text in ["one", "two"] {
      try room.type(text)
      try await room.composer.send()
    }
    let clients = room.said.compactMap(\.client)
    #expect(clients.count == 2 && Set(clients).count == 2)
    var again = try #require(room.said.first)
    again.text = "one more time"
    try room.chat.submit([.message(Message.Key("general", "other"), .send(again))], by: .user("ada"))
    #expect(room.said.count == 2)
  }
}
