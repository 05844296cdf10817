// Tests of uploads and previews: states, late results, and removal with their attachment or link.
import Chat
import ChatComposer
import Testing

@MainActor
struct Uploads {
  private let answers = Answers<Attachment.ID, String>()
  private let pages = Answers<String, LinkPreview?>()
  private let file = Attachment("a", .file, at: .device("a"), title: "a.txt")

  /// The progress callbacks of uploads, with which a test reports more progress.
  private final class Telling {
    var all: [@Sendable (Double) -> Void] = []
  }
  private let telling = Telling()

  private func room(_ config: ChannelConfig = ChannelConfig()) async throws -> Room {
    let (telling, uploads, pages) = (telling, answers, pages)
    let tell: @MainActor @Sendable (@escaping @Sendable (Double) -> Void) -> Void = { telling.all.append($0) }
    return try await Room(config) {
      $0.draftMessagesEnabled = true
      $0.uploads = SlowUploads(answers: uploads, progress: tell)
      $0.linkPreviews = SlowPreviews(answers: pages)
    }
  }

  private func upload(_ room: Room) -> ComposedAttachment.Upload? { room.content.attachments.first?.upload }

  @Test func `an uploaded file goes from local through progress to its URL`() async throws {
    let room = try await room()
    try room.composer.perform(.attach(file))
    #expect(upload(room) == .local)
    await until { telling.all.count == 1 && upload(room) == .uploading(permille: 0) }
    telling.all[0](0.5)
    await until { upload(room) == .uploading(permille: 500) }
    telling.all[0](0.25)
    await everybodyElse()
    #expect(upload(room) == .uploading(permille: 500))
    await until { answers.asked.count == 1 }
    answers.answer(0, "https://files.example/a")
    await until { upload(room) == .done }
    telling.all[0](0.75)
    await everybodyElse()
    #expect(upload(room) == .done)
    #expect(room.content.attachments.first?.attachment.location == .url("https://files.example/a"))
  }

  // What broke: another device uploaded its own file of that path in place of the one that was attached.
  @Test(arguments: [.local, .uploading(permille: 100), .failed(.text("no network"))] as [ComposedAttachment.Upload])
  func `a file of a draft is uploaded on the device that attached it`(state: ComposedAttachment.Upload) async throws {
    let room = try await room()
    var content = Composition("see")
    content.attachments = [ComposedAttachment(file, state)]
    try room.chat.submit(
      [.draft(room.composer.key.draft, .update(content, editedAt: room.chat.now))], by: .user("ada", on: "desk"))
    await until { room.text == "see" }
    guard case .failed(let failure)? = upload(room) else { return #expect(Bool(false), "\(room.content)") }
    #expect(failure.code == "fileElsewhere")
    try room.composer.perform(.upload("a", .retried))
    #expect(upload(room) == .failed(failure))
    room.chat.pass(.seconds(1))
    try room.composer.perform(.setText("look"))
    try await room.composer.leave()
    #expect(answers.asked.isEmpty)
    let key = Composer.Key(of: "ada", on: "desk", in: "general")
    let desk = room.chat.composer(key, options: room.composer.options)
    try await desk.open()
    #expect(desk.text == "look")
    try desk.perform(.upload("a", .retried))
    await until { answers.asked == ["a"] }
    answers.answer(0, "https://files.example/a")
    await until { desk.composer.content.attachments.first?.upload == .done }
  }

  @Test func `a failed upload reports its reason and is retried on request`() async throws {
    let room = try await room()
    try room.composer.perform(.attach(file))
    await until { answers.asked.count == 1 }
    answers.fail(0, Failure("no network"))
    await until { upload(room) == .failed(.text("no network")) }
    #expect(room.composer.refusal == .uploadFailed(file: "a.txt", .text("no network")))
    await everybodyElse()
    #expect(answers.asked.count == 1)
    try room.composer.perform(.upload("a", .retried))
    await until { answers.asked.count == 2 }
    telling.all[0](0.9)
    await everybodyElse()
    #expect(upload(room) == .uploading(permille: 0))
    answers.answer(1, "u")
    await until { room.composer.canSend }
  }

  @Test func `a failed upload is recorded with the code and values of its error`() async throws {
    let room = try await room()
    try room.composer.perform(.attach(file))
    await until { answers.asked.count == 1 }
    answers.fail(0, CodedFailure())
    await until { upload(room) == .failed(CodedFailure.recorded) }
    #expect(room.done.last == .uploadFailed("a", CodedFailure.recorded))
    let refusal = SendRefusal.uploadFailed(file: "a.txt", CodedFailure.recorded)
    #expect(room.composer.refusal == refusal)
    #expect("\(refusal)".contains("(acme.quota (max: 5))"))
  }

  @Test func `late progress of a removed file does not affect the next upload`() async throws {
    let room = try await room()
    try room.composer.perform(.attach(file))
    await until { answers.asked.count == 1 }
    try room.composer.perform(.detach("a"))
    try room.composer.perform(.attach(file))
    await until { answers.asked.count == 2 }
    telling.all[0](0.9)
    answers.answer(0, "old")
    await everybodyElse()
    #expect(upload(room) == .uploading(permille: 0))
    answers.answer(1, "new")
    await until { upload(room) == .done }
    #expect(room.content.attachments.first?.attachment.location == .url("new"))
  }

  @Test func `attaching the same id twice is refused and keeps the first`() async throws {
    let room = try await room()
    try room.composer.perform(.attach(file))
    #expect(performRefusal(room, .attach(file)) == .attachmentTwice("a", file: "a.txt"))
    #expect(room.content.attachments.count == 1)
  }

  @Test func `a composer that was left uploads nothing until it is reopened`() async throws {
    let room = try await room()
    try room.composer.perform(.attach(file))
    await until { answers.asked.count == 1 }
    try await room.composer.leave()
    await everybodyElse()
    #expect(answers.asked.count == 1)
    try await room.composer.open()
    await until { answers.asked.count == 2 }
  }

  // MARK: Previews

  private func withPreview(_ config: ChannelConfig = ChannelConfig()) async throws -> Room {
    let room = try await room(config)
    try room.type("see https://swift.org now")
    await until { pages.asked.count == 1 }
    pages.answer(0, LinkPreview(title: "Swift"))
    await until { room.content.attachments.count == 1 }
    return room
  }

  @Test func `a preview is removed with its link`() async throws {
    let room = try await withPreview()
    try room.composer.perform(.replace(4..<6, with: ""))
    #expect(room.content.attachments.isEmpty)
  }

  @Test func `a preview whose chip is tapped is not found again`() async throws {
    let room = try await withPreview()
    let chip = try #require(room.composer.presentation.input.first)
    try await room.composer.tap(chip.id)
    #expect(room.content.attachments.isEmpty)
    #expect(room.content.dismissedPreviews == ["https://swift.org"])
    try room.type("!")
    let next = try await room.afterKill()
    try next.perform(.type(" and then"))
    await everybodyElse()
    #expect(next.composer.content.attachments.isEmpty)
    #expect(pages.asked.count == 1)
  }

  @Test func `a link dismissed during its request shows no preview`() async throws {
    let room = try await room()
    try room.type("https://swift.org ")
    await until { pages.asked.count == 1 }
    try room.composer.perform(.dismissPreview(url: "https://swift.org"))
    pages.answer(0, LinkPreview(title: "Swift"))
    await everybodyElse()
    #expect(room.content.attachments.isEmpty)
  }

  @Test func `a link still being typed is not requested`() async throws {
    let room = try await room()
    try room.type("https://swift.org/doc")
    await everybodyElse()
    #expect(pages.asked.isEmpty)
    try room.type("s ")
    await until { pages.asked == ["https://swift.org/docs"] }
  }

  @Test func `without link previews no page is requested, and an existing preview is removed`() async throws {
    let room = try await room(ChannelConfig(off: [.urlEnrichment]))
    try room.type("https://swift.org ")
    await everybodyElse()
    #expect(pages.asked.isEmpty)
    #expect(room.composer.canSend)
    try await room.configure(ChannelConfig())
    await until { pages.asked.count == 1 }
    pages.answer(0, LinkPreview(title: "Swift"))
    await until { room.content.attachments.count == 1 }
    try await room.configure(ChannelConfig(off: [.urlEnrichment]))
    await until { room.content.attachments.isEmpty }
    #expect(room.composer.canSend)
  }

  @Test func `an edit adds no preview of a link that the message already contained`() async throws {
    let room = try await room()
    let message = try room.say(Message.Content("see https://swift.org now"))
    try room.composer.perform(.beginEdit(message))
    await everybodyElse()
    #expect(pages.asked.isEmpty)
    try room.type(" and https://swift.org/docs too")
    await until { pages.asked == ["https://swift.org/docs"] }
  }

  @Test(arguments: [true, false]) func `a link without a preview stays plain text`(fails: Bool) async throws {
    let room = try await room()
    try room.type("https://swift.org ")
    await until { pages.asked.count == 1 }
    if fails { pages.fail(0, Failure("gone")) } else { pages.answer(0, nil) }
    await everybodyElse()
    #expect(room.content.attachments.isEmpty && room.composer.canSend)
  }
}
