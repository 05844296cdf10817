// Tests of a composer customized by an app: items, actions, states and texts.
import Chat
import ChatComposer
import Testing

extension ComposerState {
  /// A state for writing a poll with a choice of options.
  fileprivate static var poll: ComposerState { "poll" }
}

@MainActor
struct CustomisingComposer {
  @Test func `an iMessage-like composer has no commands, sends from the input, and shows a camera`() async throws {
    let room = try await Room { $0.appearance = .iMessage }
    var shown = room.composer.presentation
    #expect(shown.leading.map(\.id) == [.attachments])
    #expect(shown.leading.first?.icon == "camera.fill")
    #expect(shown.input.map(\.id) == [.text, .send])
    #expect(shown.trailing.isEmpty)
    #expect(shown.placeholder == "iMessage")
    try room.type("Hi")
    try await room.composer.tap(.send)
    #expect(room.said.map(\.text) == ["Hi"])
    let message = try room.say(Message.Content("Hello"))
    try room.composer.perform(.quote(message.key.id))
    shown = room.composer.presentation
    #expect((shown.state, shown.placeholder) == (.quote, "placeholder.new"))
  }

  @Test func `a custom button performs the app's action`() async throws {
    let room = try await Room {
      $0.appearance.add(
        ComposerItem("emoji", icon: "smile", action: .perform(.custom("showEmoji", payload: [7]))), to: .trailing,
        before: .send)
    }
    #expect(room.composer.presentation.trailing.map(\.id) == ["emoji", .send])
    try room.type("Hi")
    try await room.composer.tap("emoji")
    #expect(room.done.last == .custom("showEmoji", payload: [7]))
    #expect(room.text == "Hi")
    // The result of the app's picker is typed at the caret.
    try room.composer.perform(.type(" 😀"))
    #expect(room.text == "Hi 😀")
  }

  @Test func `the attachments button opens the app's picker`() async throws {
    let room = try await Room {
      $0.appearance.attachmentsPicker = .custom("stickers")
      $0.appearance.pickers["stickers"] = { _ in [ComposerItem("stickers", action: .perform(.custom("pickSticker")))] }
    }
    try await room.composer.tap(.attachments)
    #expect(room.composer.presentation.picker == .expanded(.custom("stickers")))
    #expect(room.composer.presentation.pickerSources.map(\.id) == ["stickers"])
    try await room.composer.tap("stickers")
    #expect(room.done.last == .custom("pickSticker", payload: []))
    try await room.composer.tap(.attachments)
    #expect(room.composer.presentation.picker == .collapsed)
  }

  @Test func `a removed item cannot be tapped`() async throws {
    let room = try await Room { $0.appearance = .iMessage }
    try await room.composer.tap(.commands)
    #expect(!room.composer.composer.showsCommands)
  }

  @Test func `a custom state keeps the parts it names and has a title`() async throws {
    let room = try await Room(thread: "what") {
      $0.appearance.titles[.poll] = "Custom state"
      $0.appearance.placeholders[.poll] = "What is the question?"
    }
    try room.type("lunch @bo")
    try await room.pick()
    try room.composer.perform(.attach(Attachment("a", .file, at: .url("u"), title: "menu.pdf")))
    try room.composer.perform(.quote("what"))
    try room.composer.perform(.enter(.poll, keeping: [.attachments]))
    let shown = room.composer.presentation
    #expect((shown.state, shown.title, shown.placeholder) == (.poll, "Custom state", "What is the question?"))
    #expect(room.text.isEmpty && room.content.mentions.isEmpty && room.content.quoted == nil)
    #expect(room.content.attachments.map(\.attachment.id) == ["a"])
    #expect(room.composer.key.thread == "what")
    try room.type("Where?")
    try room.composer.perform(.enter(.new, keeping: [.text]))
    #expect(room.composer.presentation.title == nil)
    #expect((room.text, room.content.attachments.count) == ("Where?", 0))
  }

  @Test func `a custom state ends an edit and is restored after a kill`() async throws {
    let room = try await Room { $0.appearance.titles[.poll] = "Custom state" }
    let message = try room.say(Message.Content("old"))
    try room.type("set aside")
    try room.composer.perform(.beginEdit(message))
    try room.composer.perform(.enter(.poll, keeping: [.text]))
    #expect((room.composer.composer.editing, room.text) == (nil, "set aside"))
    let next = try await room.afterKill()
    #expect(next.presentation.title == "Custom state")
  }

  @Test func `edit and quote are not entered without a message`() async throws {
    let room = try await Room()
    for state in [ComposerState.edit, .quote] {
      #expect(performRefusal(room, .enter(state, keeping: [])) == .needsMessage(state))
    }
  }

  @Test func `texts are configured by state, and those of a new message are the fallback`() async throws {
    let room = try await Room {
      $0.appearance.titles = [.edit: "Ändern"]
      $0.appearance.placeholders = [.new: "Nachricht", .edit: "Leer"]
    }
    let message = try room.say(Message.Content("old"))
    #expect(room.composer.presentation.placeholder == "Nachricht")
    try room.composer.perform(.beginEdit(message))
    #expect((room.composer.presentation.title, room.composer.presentation.placeholder) == ("Ändern", "Leer"))
    try room.composer.perform(.quote(message.key.id))
    #expect((room.composer.presentation.title, room.composer.presentation.placeholder) == (nil, "Nachricht"))
  }
}

/// Performs an action and returns its refusal; nil if it succeeded.
@MainActor
func performRefusal(_ room: Room, _ action: Composer.Action) -> ComposerRefusal? {
  do throws(ComposerError) { try room.composer.perform(action) } catch {
    if case .refused(let refusal) = error { return refusal }
  }
  return nil
}

extension ComposerAppearance {
  /// An appearance without a commands button, with the send button in the input, a camera and a placeholder.
  fileprivate static var iMessage: ComposerAppearance {
    var appearance = ComposerAppearance()
    appearance.remove(.commands)
    appearance.move(.send, to: .input)
    appearance.change(.attachments) { $0.icon = "camera.fill" }
    appearance.placeholders[.new] = "iMessage"
    appearance.placeholders[.quote] = "placeholder.new"
    return appearance
  }
}
