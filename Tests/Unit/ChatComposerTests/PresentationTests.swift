// Tests of the presentation of a composer, and of taps on its items.
import Chat
import ChatComposer
import Testing

@MainActor
struct Presentations {
  @Test func `an empty composer shows its buttons, its text field and a disabled send button`() async throws {
    let shown = try await Room().composer.presentation
    #expect((shown.state, shown.title, shown.placeholder) == (.new, nil, "placeholder.new"))
    #expect((shown.leading.map(\.id), shown.input.map(\.id)) == ([.attachments, .commands], [.text]))
    #expect(shown.trailing == [ComposerItem(.send, icon: "send", isEnabled: false, action: .send)])
    #expect((shown.hasContent, shown.canSend, shown.refusal) == (false, false, .empty))
    #expect((shown.cooldown, shown.shouldScroll, shown.maxMessageLength) == (0, false, 5000))
    #expect((shown.picker, shown.pickerSources, shown.suggestions) == (.collapsed, [], nil))
    #expect(shown.channelConfig == ChannelConfig())
  }

  @Test func `hasContent is independent of refusals`() async throws {
    let room = try await Room(ChannelConfig(messageLengthMax: 1))
    try room.type("long")
    #expect((room.composer.presentation.hasContent, room.composer.presentation.canSend) == (true, false))
  }

  @Test func `chips show quote, command, target and attachments, in this order, before the text`()
    async throws
  {
    let room = try await Room(thread: "what")
    try room.composer.perform(.quote("what"))
    try room.composer.perform(.attach(Attachment("a", .image, at: .device("a"), title: "a.png")))
    try room.type("/mute ")
    try await room.pick("bo")
    await until { room.composer.presentation.input.contains { $0.label == "Bo Diddley" } }
    let items = room.composer.presentation.input
    #expect(items.map(\.id) == [.quote, .command, .target, .attachment("a"), .text, .showsInChannel])
    #expect(items.map(\.label) == ["what", "Mute", "Bo Diddley", "a.png", nil, nil])
    #expect(items.map(\.icon) == ["quote", "mute", "user", "image.uploading", nil, "unchecked"])
  }

  @Test func `a tap on a chip removes what it shows`() async throws {
    let room = try await Room(thread: "what")
    try room.composer.perform(.quote("what"))
    try room.composer.perform(.attach(Attachment("a", .image, at: .url("a"))))
    try room.type("/mute ")
    try await room.pick("bo")
    for id in [.showsInChannel, .target, .command, .attachment("a"), .quote] as [ComposerItem.ID] {
      try await room.composer.tap(id)
    }
    #expect(room.composer.presentation.input.map(\.id) == [.text, .showsInChannel])
    #expect(room.content.showsInChannel)
  }

  @Test func `the edit chip cancels the edit`() async throws {
    let room = try await Room()
    try room.composer.perform(.beginEdit(try room.say(Message.Content("old"))))
    #expect(room.composer.presentation.input.map(\.id) == [.edit, .text])
    #expect(room.composer.presentation.leading.map(\.id) == [.attachments])
    try await room.composer.tap(.edit)
    #expect((room.composer.presentation.state, room.text) == (.new, ""))
  }

  @Test func `a deleted quoted message is shown as gone`() async throws {
    let room = try await Room()
    let message = try room.say(Message.Content("What?"), as: "cleo")
    try room.composer.perform(.quote("said"))
    try room.chat.submit([.message(message.key, .delete(forGood: false))], by: .user("cleo"))
    await until { room.composer.presentation.input.first?.icon == "quote.gone" }
    try room.type("That")
    try await room.composer.send()
    #expect(room.said.last?.quoted == "said")
  }

  @Test func `the input scrolls from the sixth line on`() async throws {
    let room = try await Room()
    try room.composer.perform(.setText("1\n2\n3\n4\n5"))
    #expect(!room.composer.presentation.shouldScroll)
    try room.composer.perform(.setText("1\n2\n3\n4\n5\n6"))
    #expect(room.composer.presentation.shouldScroll)
  }

  @Test func `a tap is replayed by item id, and a tap on a missing or disabled item is a no-op`() async throws {
    let room = try await Room()
    let before = room.chat.events.count
    for id in [.send, .text, "nothing", .attachment("a")] as [ComposerItem.ID] { try await room.composer.tap(id) }
    #expect(room.chat.events.count == before)
    try await room.composer.tap(.commands)
    #expect(await room.suggested() == ["giphy", "mute", "unmute", "ban", "unban", "flag"])
    try await room.composer.tap(.commands)
    #expect(room.composer.presentation.suggestions == nil)
  }

  @Test func `suggestions are shown with kind, query, range and items`() async throws {
    let room = try await Room()
    try room.type("Hi @cle")
    _ = await room.suggested()
    let list = try #require(room.composer.presentation.suggestions)
    #expect((list.kind, list.query, list.range) == (.mentions, "cle", 3..<7))
    #expect(list.items.map(\.title) == ["Cleo Moreau"])
    #expect(list.items.first?.answer == .chatUser("cleo", name: "Cleo Moreau"))
  }

  @Test(arguments: ["send", "clear", "leave"]) func `the picker closes on send, clear and leave`(end: String)
    async throws
  {
    let room = try await Room()
    try room.type("Hi")
    try await room.composer.tap(.attachments)
    #expect(room.composer.presentation.picker == .expanded(.media))
    switch end {
    case "send": try await room.composer.send()
    case "clear": try room.composer.perform(.clear)
    default: try await room.composer.leave()
    }
    #expect(room.composer.presentation.picker == .collapsed)
  }
}
