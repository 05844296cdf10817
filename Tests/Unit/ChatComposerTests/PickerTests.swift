// Tests of the pickers: their content, the buttons that open them, and what picking an item does.
import Chat
import ChatComposer
import Testing

@MainActor
struct Pickers {
  @Test func `the giphy picker offers the provider's pictures for the text, and a tap attaches one`() async throws {
    let room = try await Room()
    try room.type("cat")
    try room.composer.perform(.showPicker(.expanded(.giphy)))
    await until { !room.composer.presentation.pickerSources.isEmpty }
    let items = room.composer.presentation.pickerSources
    #expect(items.map(\.label) == ["cat", "celebration", "coffee", "dance", "dog", "facepalm"])
    #expect(items.first?.attachment?.location == .url("gif:cat"))
    try await room.composer.tap(items[1].id)
    #expect(room.content.attachments.map(\.attachment.title) == ["celebration"])
    #expect(room.composer.presentation.pickerSources.map(\.icon).prefix(2) == ["giphy", "checked"])
    try await room.composer.tap(items[1].id)
    #expect(room.content.attachments.isEmpty)
    try await room.composer.tap(items[0].id)
    try await room.composer.send()
    #expect(room.said.first?.attachments.map(\.kind) == [.giphy])
    #expect(room.composer.presentation.pickerSources.isEmpty)
  }

  @Test func `pictures for an older text are dropped, and a failing provider is shown`() async throws {
    let answers = Answers<UserText, GIF>()
    let room = try await Room {
      $0.gifs = SlowPictures(answers: answers)
      $0.picturesOffered = 1
    }
    try room.composer.perform(.showPicker(.expanded(.giphy)))
    await until { answers.asked == [" 0"] }
    try room.type("a")
    await until { answers.asked.count == 2 }
    answers.answer(1, GIF(url: "new", title: "new"))
    await until { room.composer.presentation.pickerSources.map(\.label) == ["new"] }
    answers.answer(0, GIF(url: "old", title: "old"))
    await everybodyElse()
    #expect(room.composer.presentation.pickerSources.map(\.label) == ["new"])
    try room.type("b")
    await until { answers.asked.count == 3 }
    answers.fail(2, Failure("no network"))
    await until { room.composer.presentation.pickerSources.map(\.label) == ["no network"] }
    #expect(room.composer.presentation.pickerSources.map(\.isEnabled) == [false])
    try room.composer.perform(.showPicker(.collapsed))
    #expect(room.composer.presentation.pickerSources.isEmpty)
  }

  @Test func `the expanded picker shows its sources, which open the others`() async throws {
    let room = try await Room {
      $0.appearance.attachmentsPicker = .none
      $0.appearance.pickers["stickers"] = { composer in
        [ComposerItem("wave", label: composer.content.text.isEmpty ? "Wave" : "Wave too")]
      }
    }
    try await room.composer.tap(.attachments)
    #expect(room.composer.presentation.picker == .expanded(.none))
    #expect(
      room.composer.presentation.pickerSources.map(\.id) == ["photosAndVideos", "files", "camera", .giphy, "stickers"])
    try await room.composer.tap(.giphy)
    #expect(room.composer.presentation.picker == .expanded(.giphy))
    try room.composer.perform(.showPicker(.expanded(.none)))
    try await room.composer.tap("stickers")
    #expect(room.composer.presentation.picker == .expanded(.custom("stickers")))
    #expect(room.composer.presentation.pickerSources.map(\.label) == ["Wave"])
    try room.type("Hi")
    #expect(room.composer.presentation.pickerSources.map(\.label) == ["Wave too"])
    room.composer.appearance.onTap("wave") { $0.text += " 👋" }
    try await room.composer.tap("wave")
    #expect(room.text == "Hi 👋")
  }

  @Test func `a button of the app opens a picker and closes it again`() async throws {
    let room = try await Room {
      $0.appearance.add(ComposerItem("gif", action: .perform(.showPicker(.expanded(.giphy)))), to: .leading)
    }
    try await room.composer.tap("gif")
    #expect(room.composer.presentation.picker == .expanded(.giphy))
    try await room.composer.tap("gif")
    #expect(room.composer.presentation.picker == .collapsed)
  }
}
