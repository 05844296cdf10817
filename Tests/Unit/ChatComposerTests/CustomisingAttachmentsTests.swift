// Tests of custom attachments, and of custom providers of uploads, pictures and previews.
import Chat
import ChatComposer
import Testing

@MainActor
struct CustomisingAttachments {
  private let contact = Attachment(
    "contact", .custom("contact", payload: [1, 2, 3, 0, 255]), title: "Bo", extra: ["phone": "555"])

  @Test func `a custom attachment is sent unchanged`() async throws {
    let room = try await Room()
    try room.composer.perform(.attach(contact))
    #expect(room.composer.canSend)
    #expect(room.composer.presentation.input.map(\.icon) == ["custom.contact", nil])
    try await room.composer.send()
    #expect(room.said.first?.attachments == [contact])
  }

  @Test func `an edit of the text keeps a custom attachment, and an edit that removes it detaches it`() async throws {
    let room = try await Room()
    let message = try room.say(Message.Content("call", attachments: [contact]))
    try room.composer.perform(.beginEdit(message))
    try room.type(" him")
    try await room.composer.send()
    let edited = try #require(room.chat.state[message.key])
    #expect(edited.content.attachments == [contact])
    await until { room.composer.composer.editing == nil }
    try room.composer.perform(.beginEdit(edited))
    try await room.composer.tap(.attachment("contact"))
    try await room.composer.send()
    #expect(room.chat.state[message.key]?.content.attachments == [])
    #expect(room.chat.state[message.key]?.content.text == "call him")
  }

  @Test func `a custom attachment reaches another device through a draft`() async throws {
    let room = try await Room { $0.draftMessagesEnabled = true }
    try room.composer.perform(.attach(contact))
    try await room.composer.leave()
    let other = room.chat.composer(
      Composer.Key(of: "ada", on: "tablet", in: "general"), options: room.composer.options)
    try await other.open()
    #expect(other.composer.content.attachments == [ComposedAttachment(contact, .done)])
    try other.perform(.detach("contact"))
    #expect(other.composer.content.attachments.isEmpty)
  }

  @Test func `the app's provider uploads files`() async throws {
    let answers = Answers<Attachment.ID, String>()
    let room = try await Room { $0.uploads = SlowUploads(answers: answers) }
    try room.composer.perform(.attach(Attachment("a", .image, at: .device("photo.png"))))
    #expect(room.composer.refusal == .uploading(file: "a"))
    await until { answers.asked == ["a"] }
    answers.answer(0, "https://files.example/a")
    await until { room.composer.canSend }
    try await room.composer.send()
    #expect(room.said.first?.attachments.first?.location == .url("https://files.example/a"))
  }

  @Test func `the app's provider finds animated pictures`() async throws {
    let answers = Answers<UserText, GIF>()
    let room = try await Room { $0.gifs = SlowPictures(answers: answers) }
    try room.type("/giphy hello")
    async let sent = room.composer.send()
    await until { answers.asked == ["hello 0"] }
    answers.answer(0, GIF(url: "https://gif.example/1", title: "hello"))
    #expect(try await sent == .command("giphy"))
    let message = try #require(room.said.first)
    #expect(message.kind == .ephemeral)
    #expect(message.attachments.first?.location == .url("https://gif.example/1"))
  }

  @Test func `the app's provider looks up pages`() async throws {
    let answers = Answers<String, LinkPreview?>()
    let room = try await Room { $0.linkPreviews = SlowPreviews(answers: answers) }
    try room.type("see https://swift.org now")
    await until { answers.asked == ["https://swift.org"] }
    answers.answer(0, LinkPreview(title: "Swift", summary: "A language", thumbnail: "bird"))
    await until { !room.content.attachments.isEmpty }
    try await room.composer.send()
    let link = try #require(room.said.first?.attachments.first)
    #expect((link.kind, link.location) == (.link, .url("https://swift.org")))
    #expect((link.title, link.summary, link.thumbnail) == ("Swift", "A language", "bird"))
  }

  @Test func `custom limits apply, and each refusal names the file and the limit`() async throws {
    let room = try await Room {
      $0.attachments.countMax = 2
      $0.attachments.byteCountMax = 1000
      $0.attachments.allowedExtensions = ["png", "PDF"]
      $0.attachments.blockedMIMETypes = ["image/gif", "video/*"]
    }
    func refusal(_ id: Attachment.ID, _ name: UserText, _ type: UserText = "image/png", _ size: UInt64 = 1)
      -> ComposerRefusal?
    {
      performRefusal(
        room,
        .attach(Attachment(id, .file, at: .device(name), title: name, mimeType: type, byteCount: size)))
    }
    #expect(refusal("a", "a.png", "image/png", 1001) == .fileTooLarge(file: "a.png", byteCount: 1001, max: 1000))
    #expect(refusal("a", "a.exe") == .fileExtension(file: "a.exe", extension: "exe"))
    #expect(refusal("a", "png") == .fileExtension(file: "png", extension: ""))
    #expect(refusal("a", "a.png", "image/GIF") == .mimeType(file: "a.png", type: "image/gif"))
    #expect(refusal("a", "a.png", "video/mp4") == .mimeType(file: "a.png", type: "video/mp4"))
    #expect(refusal("a", "a.PNG", "image/png", 1000) == nil)
    #expect(refusal("a", "b.pdf") == .attachmentTwice("a", file: "a.PNG"))
    #expect(refusal("b", "b.pdf", "application/pdf") == nil)
    #expect(refusal("c", "c.png") == .tooManyAttachments(file: "c.png", max: 2))
    #expect(room.content.attachments.map(\.attachment.id) == ["a", "b"])
  }

  @Test func `the default limits are ten attachments of 100 MiB each`() async throws {
    let room = try await Room()
    func file(_ number: Int, _ size: UInt64) -> Composer.Action {
      .attach(Attachment(ID(rawValue: "f\(number)") ?? "f", .file, at: .device("f"), title: "f", byteCount: size))
    }
    #expect(
      performRefusal(room, file(0, 104_857_601)) == .fileTooLarge(file: "f", byteCount: 104_857_601, max: 104_857_600))
    for number in 0..<10 { #expect(performRefusal(room, file(number, 104_857_600)) == nil) }
    #expect(performRefusal(room, file(10, 1)) == .tooManyAttachments(file: "f", max: 10))
  }
}

// MARK: Providers

/// An upload provider controlled by a test.
struct SlowUploads: UploadProvider {
  let answers: Answers<Attachment.ID, String>
  var progress: @MainActor @Sendable (@escaping @Sendable (Double) -> Void) -> Void = { _ in }

  func upload(_ attachment: Attachment, progress: @escaping @Sendable (Double) -> Void) async throws -> String {
    await self.progress(progress)
    return try await answers.ask(attachment.id)
  }
}

/// A provider of animated pictures controlled by a test.
struct SlowPictures: GIFProvider {
  let answers: Answers<UserText, GIF>

  func picture(for words: UserText, number: Int) async throws -> GIF { try await answers.ask("\(words) \(number)") }
}

/// A provider of link previews controlled by a test.
struct SlowPreviews: LinkPreviewProvider {
  let answers: Answers<String, LinkPreview?>

  func preview(of url: String) async throws -> LinkPreview? { try await answers.ask(url) }
}
