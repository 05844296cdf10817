// Tests of attachments in composers: adding, removing, uploading, failing and retrying.
import Chat
import Testing

struct ComposerUploads {
  private let attached = Scene.general.composing(
    .attached(ComposedAttachment(.onDevice, .local)), .attached(.done(.page)))

  private func upload(_ scene: Scene) -> ComposedAttachment.Upload? { scene.composer.content.attachments.first?.upload }

  @Test func `attachments are in the order of attaching`() {
    #expect(attached.composer.content.attachments.map(\.attachment) == [.onDevice, .page])
  }

  @Test func `an attachment is added once`() {
    attached.composingIsRefused(.attached(.done(.page)), refusal: .attachmentTwice("page"))
    Scene.general.composingIsRefused(
      .attached(.done(.page)), .attached(.done(.page)), refusal: .attachmentTwice("page"))
    let again = attached.composing(.detached("page"), .attached(.done(.page)))
    #expect(again.composer.content.attachments.count == 2)
  }

  @Test func `removing an attachment removes it, and removing an unknown one is a no-op`() {
    #expect(attached.composing(.detached("local")).composer.content.attachments == [.done(.page)])
    #expect(attached.composing(.detached("other")).composer.content == attached.composer.content)
  }

  @Test func `an upload progresses until it is done, and then has its address`() {
    let uploading = attached.composing(.uploadProgressed("local", permille: 250))
    #expect(upload(uploading) == .uploading(permille: 250))
    let done = uploading.composing(.uploadFinished("local", url: "https://files.example/1"))
    var expected = Chat.Attachment.onDevice
    expected.location = .url("https://files.example/1")
    #expect(done.composer.content.attachments.first == .done(expected))
  }

  @Test func `a failed upload is retried from the beginning`() {
    let failed = attached.composing(
      .uploadProgressed("local", permille: 250), .uploadFailed("local", .text("offline")))
    #expect(upload(failed) == .failed(.text("offline")))
    #expect(upload(failed.composing(.uploadRetried("local"))) == .uploading(permille: 0))
  }

  @Test func `late events of a finished upload are ignored`() {
    let done = attached.composing(.uploadFinished("local", url: "https://files.example/1"))
    let late: [Composer.Event] = [
      .uploadProgressed("local", permille: 900), .uploadFailed("local", .text("offline")), .uploadRetried("local"),
      .uploadFinished("local", url: "https://files.example/2"),
    ]
    for event in late { #expect(done.composing(event).composer.content == done.composer.content) }
    let failed = attached.composing(.uploadFailed("local", .text("offline")))
    #expect(upload(failed.composing(.uploadProgressed("local", permille: 900))) == .failed(.text("offline")))
    #expect(upload(failed.composing(.uploadFinished("local", url: "https://files.example/1"))) == .done)
  }

  @Test func `only a failed upload is retried`() {
    #expect(upload(attached.composing(.uploadRetried("local"))) == .local)
    let uploading = attached.composing(.uploadProgressed("local", permille: 250))
    #expect(upload(uploading.composing(.uploadRetried("local"))) == .uploading(permille: 250))
  }

  @Test func `the progress of an upload is clamped to 1000`() {
    #expect(upload(attached.composing(.uploadProgressed("local", permille: .max))) == .uploading(permille: 1000))
  }

  @Test func `events of a removed attachment are ignored`() {
    let scene = attached.composing(.detached("local"))
    let late: [Composer.Event] = [
      .uploadProgressed("local", permille: 900), .uploadFinished("local", url: "https://files.example/1"),
      .uploadFailed("local", .text("offline")), .uploadRetried("local"),
    ]
    for event in late { #expect(scene.composing(event).composer.content == scene.composer.content) }
  }

  @Test func `a dismissed preview stays dismissed until the message is sent or cleared`() {
    let scene = Scene.general.composing(
      .previewDismissed(url: "https://b.example"), .previewDismissed(url: "https://a.example"),
      .previewDismissed(url: "https://b.example"))
    #expect(scene.composer.content.dismissedPreviews == ["https://b.example", "https://a.example"])
    let editing = scene.composing(.editBegan("m2", Composition("two")))
    #expect(editing.composer.content.dismissedPreviews == [])
    #expect(editing.composing(.editEnded(.cancelled)).composer.content.dismissedPreviews.count == 2)
    #expect(scene.composing(.sent("m3", keeping: nil)).composer.content.dismissedPreviews == [])
    #expect(scene.composing(.cleared(keeping: nil)).composer.content.dismissedPreviews == [])
  }

  @Test func `the stored form of an attachment is limited in bytes and depth`() {
    let scene = Scene.general { $0.limits.attachmentByteCountMax = 164 }
    let own = { ComposedAttachment.done(.init("own", .custom("map", payload: Array(repeating: 0, count: $0)))) }
    #expect(scene.composing(.attached(own(100))).composer.content.attachments.count == 1)
    scene.composingIsRefused(.attached(own(101)), refusal: .tooLarge(.attachmentByteCount, count: 165, max: 164))
    Scene.general.composingIsRefused(
      .attached(.done(.init("own", .giphy, extra: .nested(9)))), refusal: .tooLarge(.extraDepth, count: 9, max: 8))
    let small = Scene.general { $0.limits.compositionByteCountMax = 70 }
    small.composingIsRefused(
      .attached(.done(.wave)), refusal: .tooLarge(.compositionByteCount, count: 87, max: 70))
  }

  @Test func `addresses and reasons are limited to a line`() {
    var scene = Scene.general
    scene.state.rules.limits.lineByteCountMax = 4
    let refusal = Refusal.tooLarge(.lineByteCount, count: 5, max: 4)
    scene.composingIsRefused(.uploadFinished("local", url: "12345"), refusal: refusal)
    scene.composingIsRefused(.uploadFailed("local", .text("12345")), refusal: refusal)
    scene.composingIsRefused(.previewDismissed(url: "12345"), refusal: refusal)
    scene.composingIsRefused(.sendRefused(RecordedFailure("emptyMessage", ["reason": "12345"])), refusal: refusal)
  }

  @Test func `the values of a failure are limited together to a line, and to what can be stored`() {
    var scene = Scene.general
    scene.state.rules.limits.lineByteCountMax = 20
    let failure = RecordedFailure("quota", ["max": 1, "used": 2])
    let tooLarge = Refusal.tooLarge(.lineByteCount, count: 23, max: 20)
    scene.composingIsRefused(.uploadFailed("local", failure), refusal: tooLarge)
    scene.composingIsRefused(.sendRefused(failure), refusal: tooLarge)
    let file = ComposedAttachment(.onDevice, .failed(failure))
    scene.composingIsRefused(.attached(file), refusal: tooLarge)
    var content = Composition("Hello")
    content.attachments = [file]
    scene.composingIsRefused(.filled(content, selection: 0..<0), refusal: tooLarge)
    var deep: Extra = ["a": 1]
    for _ in 1...Limits.storedDepthMax { deep = ["a": .fields(deep)] }
    let tooDeep = Refusal.tooLarge(.extraDepth, count: Limits.storedDepthMax + 1, max: Limits.storedDepthMax)
    Scene.general.composingIsRefused(.uploadFailed("local", RecordedFailure("deep", deep)), refusal: tooDeep)
  }
}
