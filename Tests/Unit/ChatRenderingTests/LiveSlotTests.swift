// A live composer as slots receive it: every value of the documented slots, and drawing in one call.
import Chat
import ChatComposer
import ChatMessageList
import ChatRendering
import TerminalRendering
import Testing

@MainActor
struct `A live composer as a slot` {
  private let chat = InMemoryConversation(at: Timestamp(rawValue: 1_700_000_000_000_000))

  private func composer() async throws -> LiveComposer {
    try chat.submit([.user("bo", .create(User.Profile(name: "Bo")))], by: .user("bo"))
    try chat.submit([.user("ada", .create(User.Profile(name: "Ada")))], by: .user("ada"))
    var config = ChannelConfig()
    config.slowMode = 30
    try chat.submit(
      [.channel("general", .create("team", Channel.Profile(), config, members: ["ada"]))], by: .user("bo"))
    try chat.submit([.message(Message.Key("general", "m1"), .send(Message.Content("What?")))], by: .user("bo"))
    let composer = chat.composer(Composer.Key(of: "ada", on: "phone", in: "general"))
    try await composer.open()
    return composer
  }

  @Test func `has every value that the slots are documented to receive`() async throws {
    let composer = try await composer()
    #expect((composer.slot.enabled, composer.slot.hasContent, composer.slot.quotedMessage) == (false, false, nil))
    composer.text = "Hi"
    composer.selectedRangeLocation = 1
    let kinds: [(Chat.Attachment.ID, Chat.Attachment.Kind)] = [
      ("i", .image), ("v", .video), ("f", .file), ("a", .audio), ("c", .custom("poll", payload: [])),
    ]
    for (id, kind) in kinds { try composer.perform(.attach(Chat.Attachment(id, kind, at: .url("u/x")))) }
    try composer.perform(.quote("m1"))
    try composer.perform(.showPicker(.expanded(.media)))
    while composer.slot.quotedMessage?.author == nil { await Task.yield() }
    let slot = composer.slot
    #expect((slot.enabled, slot.hasContent, slot.cooldownDuration) == (true, true, 0))
    #expect((slot.text, slot.selectedRangeLocation, slot.command) == ("Hi", 1, nil))
    #expect(slot.addedAssets.map(\.attachment.id) == ["i", "v"])
    #expect(slot.addedFileURLs == ["u/x", "u/x"])
    #expect(slot.addedCustomAttachments.map(\.attachment.id) == ["c"])
    #expect(slot.quotedMessage == MessageQuote("m1", by: MessageSender(id: "bo", name: "Bo"), text: "What?"))
    #expect((slot.pickerTypeState, slot.maxMessageLength, slot.shouldScroll) == (.expanded(.media), 5000, false))
    #expect(slot.channelConfig.slowMode == 30)
    #expect(slot.removeAttachmentWithId("i") == .perform(.detach("i"), id: "remove:i"))
    try await composer.send()
    #expect((composer.slot.cooldownDuration, composer.slot.enabled, composer.slot.hasContent) == (30, false, false))
    composer.text = "More"
    #expect((composer.slot.enabled, composer.slot.hasContent) == (false, true))
  }

  @Test func `the names of commands and of their arguments are keys of the composer's texts`() async throws {
    var context = RenderingContext()
    context.words.composer.merge(["Mute": "Stumm", "username": "Name"]) { $1 }
    let composer = try await composer()
    composer.text = "/mut"
    var mute: Suggestion?
    for _ in 0..<10_000 where mute == nil {
      await Task.yield()
      mute = composer.suggestions?.items.first
    }
    let found = try #require(mute)
    #expect(context.title(of: found) == "Stumm")
    #expect(context.detail(of: found)?.contains("[@Name]") == true)
  }

  @Test func `is drawn in one call, with the app's buttons and the chips that can be opened`() async throws {
    let composer = try await composer()
    composer.appearance.add(ComposerItem("emoji", label: "Emoji"), to: .leading)
    try composer.perform(.attach(Chat.Attachment("poll", .custom("poll", payload: []), title: "Lunch")))
    let before = PlainTextFactory(columns: 60).draw(composer)
    #expect(!before.actions.contains(.tap("emoji")) && !before.actions.contains(.tapAttachment("poll")))
    composer.appearance.onTap("emoji") { $0.text += "😀" }
    composer.appearance.onCustomAttachmentTap = { _, _ in }
    let text = PlainTextFactory(columns: 60).draw(composer)
    let page = PageFactory(actionURL: "/act").draw(composer)
    for actions in [text.actions, page.actions] {
      #expect(actions.contains(.tap("emoji")) && actions.contains(.tapAttachment("poll")))
      #expect(actions.contains(.tap(.attachment("poll"))))
    }
    #expect(text.text(hasColors: false).contains("[Emoji]") && page.markup.contains("Lunch"))
  }

  @Test func `shows the picture of an offered item on a page that loads pictures`() async throws {
    let composer = try await composer()
    var slot = composer.slot
    var item = ComposerItem("picture/1", label: "cat", action: .send)
    item.attachment = Chat.Attachment("g", .giphy, at: .url("https://gif.example/cat.gif"))
    (slot.presentation.picker, slot.presentation.pickerSources) = (.expanded(.giphy), [item])
    let loading = PageFactory(actionURL: "/act", loadsPictures: true).draw(slot).markup
    #expect(loading.contains("src=\"https://gif.example/cat.gif\"") && loading.contains("alt=\"cat\""))
    #expect(!PageFactory(actionURL: "/act").draw(slot).markup.contains("gif.example"))
  }
}
