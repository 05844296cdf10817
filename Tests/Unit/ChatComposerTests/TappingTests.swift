// Tests of taps that run closures of the app.
import Chat
import ChatComposer
import Testing

@MainActor
struct Tapping {
  @Test func `a button of the app runs its closure, and the tap is recorded`() async throws {
    let room = try await Room { $0.appearance.add(ComposerItem("emoji", icon: "smile"), to: .leading) }
    #expect(room.composer.presentation.leading.last?.action == ComposerItem.ItemAction.none)
    try await room.composer.tap("emoji")
    room.composer.appearance.onTap("emoji") { composer in try composer.perform(.type("😀")) }
    try room.type("Hi ")
    try await room.composer.tap("emoji")
    #expect(room.text == "Hi 😀")
    #expect(room.done.suffix(2) == [.custom("emoji", payload: []), .typed(Splice(3..<3, to: "😀"))])
    // The closure is called with the name and the payload that the item has for its event.
    room.composer.appearance.add(
      ComposerItem("dictate", action: .perform(.custom("startDictation", payload: [7]))), to: .trailing)
    room.composer.appearance.onTap("dictate") { $0.text = "dictated" }
    try await room.composer.tap("dictate")
    #expect(room.text == "dictated" && room.done.contains(.custom("startDictation", payload: [7])))
  }

  @Test func `a closure replaces the action of an item until it is removed`() async throws {
    let room = try await Room()
    var opened = 0
    room.composer.appearance.onTap(.attachments) { _ in opened += 1 }
    try await room.composer.tap(.attachments)
    #expect((opened, room.composer.presentation.picker) == (1, .collapsed))
    #expect(room.done.last == .custom("attachments", payload: []))
    room.composer.appearance = ComposerAppearance()
    try await room.composer.tap(.attachments)
    #expect((opened, room.composer.presentation.picker) == (1, .expanded(.media)))
    // What cannot be tapped runs nothing.
    room.composer.appearance.onTap(.send) { _ in opened += 1 }
    try await room.composer.tap(.send)
    try await room.composer.tap("nothing")
    #expect(opened == 1)
  }

  @Test func `a tap on each source of the media picker attaches what the app picks, and is recorded`() async throws {
    let room = try await Room { options in
      for source in ["photosAndVideos", "files", "camera"] as [ComposerItem.ID] {
        options.appearance.onTap(source) { composer in
          try composer.perform(.attach(Attachment(Attachment.ID(rawValue: source.string)!, .link, at: .url("u"))))
        }
      }
    }
    try room.composer.perform(.showPicker(.expanded(.media)))
    let sources = room.composer.presentation.pickerSources.map(\.id)
    #expect(sources == ["photosAndVideos", "files", "camera"])
    for source in sources { try await room.composer.tap(source) }
    #expect(room.content.attachments.map(\.attachment.id) == ["photosAndVideos", "files", "camera"])
    let taps = room.done.compactMap { if case .custom(let name, _) = $0 { name } else { nil } }
    #expect(taps == ["pickPhotosAndVideos", "pickFiles", "openCamera"])
  }

  @Test func `an error of a closure names the item`() async throws {
    let room = try await Room { $0.appearance.add(ComposerItem("emoji"), to: .leading) }
    room.composer.appearance.onTap("emoji") { _ in throw Failure("no emoji") }
    do throws(ComposerError) {
      try await room.composer.tap("emoji")
      Issue.record("nothing was thrown")
    } catch {
      #expect(error.description == "The tap on “emoji” failed: no emoji")
    }
    room.composer.appearance.onTap("emoji") { composer in try await composer.send() }
    do throws(ComposerError) { try await room.composer.tap("emoji") } catch {
      if case .notSent(.empty) = error { return }
      Issue.record("\(error)")
    }
  }

  @Test func `a tap on the chip of a custom attachment calls the app with it`() async throws {
    let room = try await Room()
    let poll = Attachment("poll", .custom("poll", payload: [1, 2]), title: "Lunch")
    try room.composer.perform(.attach(poll))
    try room.composer.perform(.attach(Attachment("link", .link, at: .url("u"))))
    func canOpen() -> [ComposerItem.ID] { room.composer.presentation.items.filter(\.canOpen).map(\.id) }
    #expect(canOpen() == [])
    try await room.composer.tapAttachment("poll")
    var tapped: [Attachment] = []
    room.composer.appearance.onCustomAttachmentTap = { tapped.append($1) }
    #expect(canOpen() == [.attachment("poll")])
    try await room.composer.tapAttachment("poll")
    try await room.composer.tapAttachment("link")
    try await room.composer.tapAttachment("nothing")
    #expect(tapped == [poll])
    #expect(room.done.last == .custom("attachmentTapped", payload: Array("poll".utf8)))
    // The chip's own tap still removes it.
    try await room.composer.tap(.attachment("poll"))
    #expect(room.content.attachments.map(\.attachment.id) == ["link"])
  }
}
