// Tests of drafts: saving, deleting, and who may save them where.
import Chat
import Testing

struct Drafts {
  private let key = Draft.Key(by: "bo", in: "general")
  private let hello = Composition("hello")
  private let later = Timestamp.start.plus(5)

  private func edit(_ instant: Timestamp = .start) -> Edit { Edit(at: instant, on: "phone") }
  private let bo = Author.user("bo", on: "phone")

  private var saved: Scene { Scene.general.and(.draft(key, .update(hello, editedAt: .start)), by: bo) }

  @Test func `unsent content is saved`() {
    let scene = Scene.general.when(.draft(key, .update(hello, editedAt: .start)), by: bo)
      .then(.draft(key, .updated(hello, edit())))
    #expect(scene.state[key]?.content == hello)
    #expect(scene.state[key]?.edit == edit())
  }

  @Test func `all parts of the content are saved`() {
    var content = Composition("hi @ada 🙂")
    content.mentions = [Mention("ada", at: 3..<7)]
    content.attachments = [ComposedAttachment(.onDevice, .failed(.text("offline")))]
    content.command = ComposedCommand("mute", target: "ada")
    (content.quoted, content.showsInChannel, content.isSilent) = ("m1", true, true)
    content.extra = ["mood": "good"]
    Scene.general.when(.draft(key, .update(content, editedAt: .start)), by: bo)
      .then(.draft(key, .updated(content, edit())))
  }

  @Test func `an attachment, a command or a quote alone is worth saving`() {
    var contents = Array(repeating: Composition(), count: 3)
    contents[0].attachments = [ComposedAttachment(.picture, .done)]
    contents[1].command = ComposedCommand("giphy")
    contents[2].quoted = "m1"
    for content in contents {
      Scene.general.when(.draft(key, .update(content, editedAt: .start)), by: bo)
        .then(.draft(key, .updated(content, edit())))
    }
  }

  @Test func `saving a saved draft again is a no-op`() {
    saved.when(.draft(key, .update(hello, editedAt: .start)), by: bo).thenNothing()
  }

  @Test func `writing the same content later records the later edit`() {
    saved.when(.draft(key, .update(hello, editedAt: later)), by: bo).then(.draft(key, .updated(hello, edit(later))))
  }

  @Test func `saving empty content clears the draft, and creates none`() {
    for nothing in [Composition(), Composition(" \n")] {
      let intent = ChatIntent.draft(key, .update(nothing, editedAt: later))
      Scene.general.when(intent, by: bo).thenNothing()
      saved.when(intent, by: bo).then(.draft(key, .deleted(.cleared, edit(later))))
    }
  }

  @Test(arguments: Draft.DeletionReason.allCases)
  func `a draft is deleted once, with a reason, and only if it exists`(reason: Draft.DeletionReason) {
    let delete = ChatIntent.draft(key, .delete(reason, editedAt: later))
    Scene.general.when(delete, by: bo).thenNothing()
    let scene = saved.when(delete, by: bo, at: later).then(.draft(key, .deleted(reason, edit(later))))
    #expect(scene.state[key]?.content == nil)
    #expect(scene.state[key]?.updated == later)
  }

  @Test func `a draft has the times of its first and last save; after a deletion it starts again`() {
    var scene = saved.and(.draft(key, .update(Composition("hello!"), editedAt: later)), by: bo, at: later)
    #expect(scene.state[key]?.created == .start)
    #expect(scene.state[key]?.updated == later)
    let end = later.plus(5)
    scene = scene.and(.draft(key, .delete(.discarded, editedAt: end)), by: bo, at: end)
      .and(.draft(key, .update(hello, editedAt: end.plus(1))), by: bo, at: end.plus(1))
    #expect(scene.state[key]?.created == end.plus(1))
    #expect(scene.state[key]?.content == hello)
  }

  @Test func `the draft of a thread is independent of that of its channel`() {
    let thread = Draft.Key(by: "bo", in: "general", thread: "m1")
    let scene = saved.and(.draft(thread, .update(Composition("in the thread"), editedAt: .start)), by: bo)
    #expect(scene.state[key]?.content == hello)
    let cleared = scene.and(.draft(thread, .delete(.sent, editedAt: later)), by: bo)
    #expect(cleared.state[key]?.content == hello)
    #expect(cleared.state[thread]?.content == nil)
  }

  @Test func `a draft keeps its reference to a deleted or unknown quoted message`() {
    var content = hello
    content.quoted = "m1"
    let scene = Scene.general.and(.draft(key, .update(content, editedAt: .start)), by: bo)
      .and(.message(.m1, .delete(forGood: true)), by: .ada)
    #expect(scene.state[key]?.content == content)
    content.quoted = "none"
    scene.when(.draft(key, .update(content, editedAt: later)), by: bo)
      .then(.draft(key, .updated(content, edit(later))))
  }

  @Test func `a draft without a target is not saved, but an existing one can still be deleted`() {
    let thread = Draft.Key(by: "bo", in: "general", thread: "m1")
    let before = saved.and(.draft(thread, .update(hello, editedAt: .start)), by: bo)
    let other = Composition("other")
    // Events from before drafts were deleted with their targets.
    let ends: [(ChatEvent.Change, Draft.Key, Refusal)] = [
      (.channel("general", .deleted), key, .channelDeleted("general")),
      (.message(.m1, .deleted(forGood: true)), thread, .unknownMessage(.m1)),
      (.member(Member.Key("general", "bo"), .left), key, .notMember(Member.Key("general", "bo"))),
    ]
    for (end, key, refusal) in ends {
      var scene = before
      scene.fold(ChatEvent(end, EventOrigin(by: .ada, at: .start)))
      scene.when(.draft(key, .update(other, editedAt: later)), by: bo).thenRefused(refusal)
      scene.when(.draft(key, .delete(.targetGone, editedAt: later)), by: .system)
        .then(.draft(key, .deleted(.targetGone, Edit(at: later, on: nil))))
    }
    Scene.general.when(.draft(Draft.Key(by: "bo", in: "nowhere"), .update(hello, editedAt: .start)), by: bo)
      .thenRefused(.unknownChannel("nowhere"))
    Scene.general.when(
      .draft(Draft.Key(by: "bo", in: "general", thread: "none"), .update(hello, editedAt: .start)), by: bo
    )
    .thenRefused(.unknownMessage(.none))
  }

  @Test func `a draft of a reply to another user's ephemeral message is refused`() {
    let scene = Scene.withThird(Message.Content(kind: .ephemeral))
    scene.when(.draft(Draft.Key(by: "cy", in: "general", thread: "m3"), .update(hello, editedAt: .start)), by: .cy)
      .thenRefused(.unknownMessage(.m3))
  }

  @Test func `banned users save drafts, also in a frozen channel`() {
    saved.banned("bo").frozen.when(.draft(key, .update(Composition("hello!"), editedAt: later)), by: bo)
      .then(.draft(key, .updated(Composition("hello!"), edit(later))))
  }

  @Test func `a draft is changed by its user, administrators and the app only`() {
    for intent in [Draft.Intent.update(Composition("mine"), editedAt: later), .delete(.discarded, editedAt: later)] {
      saved.when(.draft(key, intent), by: .ada).thenRefused(.notYours("bo"))
      saved.and(.user("bo", .deactivate)).when(.draft(key, intent), by: bo).thenRefused(.userDeactivated("bo"))
      let nobodys = Draft.Key(by: "nobody", in: "general")
      saved.when(.draft(nobodys, intent), by: .root).thenRefused(.unknownUser("nobody"))
    }
    for actor in [Author.root, .system] {
      saved.when(.draft(key, .delete(.discarded, editedAt: later)), by: actor)
        .then(.draft(key, .deleted(.discarded, Edit(at: later, on: nil))))
    }
  }

  @Test func `a draft is limited in bytes`() {
    let scene = Scene.general { ($0.limits.compositionByteCountMax, $0.limits.extraDepthMax) = (12, 2) }
    let update = { (content: Composition) in ChatIntent.draft(key, .update(content, editedAt: .start)) }
    scene.when(update(Composition("1234")), by: bo).then(.draft(key, .updated(Composition("1234"), edit())))
    scene.when(update(Composition("12345")), by: bo).thenRefused(.tooLarge(.compositionByteCount, count: 15, max: 12))
  }

  @Test func `extra values of a draft and its attachments are limited in depth`() {
    let update = { (content: Composition) in ChatIntent.draft(key, .update(content, editedAt: .start)) }
    var (content, other) = (hello, hello)
    content.extra = .nested(9)
    other.attachments = [ComposedAttachment(.init("a", .giphy, extra: .nested(9)), .done)]
    for content in [content, other] {
      Scene.general.when(update(content), by: bo).thenRefused(.tooLarge(.extraDepth, count: 9, max: 8))
    }
    // Also without other content: content that cannot be stored does not count as an emptied draft.
    var empty = Composition()
    empty.extra = .nested(9)
    Scene.general.when(update(empty), by: bo).thenRefused(.tooLarge(.extraDepth, count: 9, max: 8))
  }

  @Test func `a draft's mentions must be within its text, and its attachment ids unique`() {
    let update = { (content: Composition) in ChatIntent.draft(key, .update(content, editedAt: .start)) }
    var content = hello
    content.mentions = [Mention("ada", at: 3..<6)]
    Scene.general.when(update(content), by: bo).thenRefused(.mentionMisplaced(content.mentions[0]))
    content = hello
    content.attachments = Array(repeating: ComposedAttachment(.picture, .done), count: 2)
    Scene.general.when(update(content), by: bo).thenRefused(.attachmentTwice("picture"))
  }
}
