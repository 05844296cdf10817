// Uploads and previews: their states, what comes late, what goes with what.
import Chat
import ChatComposer
import Testing

@MainActor
struct Uploads {
  private let answers = Answers<Attachment.ID, UserText>()
  private let pages = Answers<UserText, LinkPreview?>()
  private let file = Attachment("a", .file, at: .device("a"), title: "a.txt")

  /// What uploads told of how far they are, as long as a test wants to tell more.
  private final class Telling {
    var all: [@Sendable (Double) -> Void] = []
  }
  private let telling = Telling()

  private func room(_ config: ChannelConfig = ChannelConfig()) async throws -> Room {
    let (telling, uploads, pages) = (telling, answers, pages)
    let tell: @MainActor @Sendable (@escaping @Sendable (Double) -> Void) -> Void = { telling.all.append($0) }
    return try await Room(config) {
      $0.uploads = SlowUploads(answers: uploads, progress: tell)
      $0.linkPreviews = SlowPreviews(answers: pages)
    }
  }

  private func upload(_ room: Room) -> ComposedAttachment.Upload? { room.content.attachments.first?.upload }

  @Test func `a file goes from local over how much is done to its address`() async throws {
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

  @Test func `one that fails says why, and is tried again when somebody wants it`() async throws {
    let room = try await room()
    try room.composer.perform(.attach(file))
    await until { answers.asked.count == 1 }
    answers.fail(0, Failure("no network"))
    await until { upload(room) == .failed(reason: "no network") }
    #expect(room.composer.refusal == .uploadFailed(file: "a.txt", reason: "no network"))
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

  @Test func `what an upload says after its file was taken off is not about the next`() async throws {
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

  @Test func `the same id twice is refused, and the first stays`() async throws {
    let room = try await room()
    try room.composer.perform(.attach(file))
    #expect(performRefusal(room, .attach(file)) == .attachmentTwice("a", file: "a.txt"))
    #expect(room.content.attachments.count == 1)
  }

  @Test func `a composer that was left uploads nothing, until it is opened again`() async throws {
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

  @Test func `a preview goes with its address`() async throws {
    let room = try await withPreview()
    try room.composer.perform(.replace(4..<6, with: ""))
    #expect(room.content.attachments.isEmpty)
  }

  @Test func `a preview whose chip is tapped does not come back`() async throws {
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

  @Test func `what is dismissed before it is found is not shown when it is`() async throws {
    let room = try await room()
    try room.type("https://swift.org ")
    await until { pages.asked.count == 1 }
    try room.composer.perform(.dismissPreview(url: "https://swift.org"))
    pages.answer(0, LinkPreview(title: "Swift"))
    await everybodyElse()
    #expect(room.content.attachments.isEmpty)
  }

  @Test func `an address that is being written is not looked up yet`() async throws {
    let room = try await room()
    try room.type("https://swift.org/doc")
    await everybodyElse()
    #expect(pages.asked.isEmpty)
    try room.type("s ")
    await until { pages.asked == ["https://swift.org/docs"] }
  }

  @Test func `where pages are not shown none is asked for, and one that stood there goes`() async throws {
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

  @Test func `an edit adds no preview of an address that was there before`() async throws {
    let room = try await room()
    let message = try room.say(Message.Content("see https://swift.org now"))
    try room.composer.perform(.beginEdit(message))
    await everybodyElse()
    #expect(pages.asked.isEmpty)
    try room.type(" and https://swift.org/docs too")
    await until { pages.asked == ["https://swift.org/docs"] }
  }

  @Test(arguments: [true, false]) func `a page that is not found stays an address`(fails: Bool) async throws {
    let room = try await room()
    try room.type("https://swift.org ")
    await until { pages.asked.count == 1 }
    if fails { pages.fail(0, Failure("gone")) } else { pages.answer(0, nil) }
    await everybodyElse()
    #expect(room.content.attachments.isEmpty && room.composer.canSend)
  }
}
