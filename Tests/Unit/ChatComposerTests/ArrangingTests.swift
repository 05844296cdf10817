// Tests of the verbs that arrange a composer: remove, move, add, change.
import Chat
import ChatComposer
import Testing

@MainActor
struct Arranging {
  @Test func `items are removed, moved, added and changed in the options`() async throws {
    let room = try await Room {
      $0.appearance.remove(.commands)
      $0.appearance.move(.send, to: .input)
      $0.appearance.add(ComposerItem("emoji", icon: "smile"), to: .leading)
      $0.appearance.add(ComposerItem("dictate"), to: .input, before: .send)
      $0.appearance.change(.attachments) { ($0.icon, $0.label) = ("camera.fill", "Camera") }
    }
    let shown = room.composer.presentation
    #expect(shown.leading.map(\.id) == [.attachments, "emoji"])
    #expect(shown.input.map(\.id) == [.text, "dictate", .send])
    #expect(shown.trailing.isEmpty)
    #expect((shown.leading[0].icon, shown.leading[0].label) == ("camera.fill", "Camera"))
  }

  @Test func `a step reads the composer, and so depends on its content`() async throws {
    let room = try await Room {
      $0.appearance.arrange { shown, composer in
        if composer.content.text.isEmpty { shown.remove(.send) }
        if composer.quoting != nil { shown.placeholder = "Answer" }
      }
    }
    #expect(room.composer.presentation.trailing.isEmpty)
    try room.type("Hi")
    #expect(room.composer.presentation.trailing.map(\.id) == [.send])
    let message = try room.say(Message.Content("Hello"))
    try room.composer.perform(.quote(message.key.id))
    #expect(room.composer.presentation.placeholder == "Answer")
  }

  @Test func `a composer is rearranged while it is shown, also while it sends`() async throws {
    // Regression: a send that ended put back the options with which it had begun.
    let room = try await Room()
    let (host, composer) = try await room.composerThatIsHeldUp()
    composer.appearance.remove(.commands)
    #expect(composer.presentation.leading.map(\.id) == [.attachments])
    try composer.perform(.type("Hi"))
    let sent = Task { try await composer.send() }
    await until { host.isHeldUp }
    composer.appearance.move(.send, to: .input)
    host.letGo()
    _ = try await sent.value
    #expect(composer.presentation.input.map(\.id) == [.text, .send])
    composer.appearance = ComposerAppearance()
    #expect(composer.presentation.leading.map(\.id) == [.attachments, .commands])
  }

  @Test func `verbs on items that are not shown change nothing`() async throws {
    let plain = try await Room().composer.presentation
    let room = try await Room {
      $0.appearance.remove("nothing")
      $0.appearance.move("nothing", to: .input)
      $0.appearance.change("nothing") { $0.icon = "x" }
      $0.appearance.add(ComposerItem("polls"), to: .sources)
      $0.appearance.move(.send, to: .sources)
    }
    #expect(room.composer.presentation == plain)
    room.composer.appearance.add(ComposerItem("emoji"), to: .leading, before: "nothing")
    room.composer.appearance.add(ComposerItem("emoji", icon: "second"), to: .leading)
    #expect(room.composer.presentation.leading.map(\.id) == [.attachments, .commands, "emoji"])
    #expect(room.composer.presentation.leading.last?.icon == "second")
  }

  @Test func `an added item replaces one with its id`() async throws {
    let room = try await Room { $0.appearance.add(ComposerItem(.send, icon: "other"), to: .leading) }
    let shown = room.composer.presentation
    #expect(shown.items.filter { $0.id == .send }.map(\.icon) == ["other"] && shown.trailing.isEmpty)
  }

  @Test func `sources are added where they are shown`() async throws {
    let room = try await Room { $0.appearance.add(ComposerItem("polls"), to: .sources, before: "camera") }
    for picker in [Composer.AttachmentPickerType.media, .none] {
      try room.composer.perform(.showPicker(.expanded(picker)))
      #expect(
        room.composer.presentation.pickerSources.map(\.id).prefix(4) == ["photosAndVideos", "files", "polls", "camera"])
    }
    try room.composer.perform(.showPicker(.expanded(.custom("stickers"))))
    #expect(room.composer.presentation.pickerSources.isEmpty)
  }
}
