// Tests of deleting and restoring messages: restorable or for good, and who may.
import Chat
import Testing

struct Deletions {
  private func delete(_ key: Message.Key, forGood: Bool = false) -> ChatIntent {
    .message(key, .delete(forGood: forGood))
  }

  @Test func `an author deletes their message, and it can be restored with its content`() {
    let deleted = Scene.general.when(delete(.m2), by: .bo).then(.message(.m2, .deleted(forGood: false)))
    #expect(deleted.state[Message.Key.m2]?.presence == .deleted(EventOrigin(by: .bo, at: .start)))
    let restored = deleted.when(.message(.m2, .restore), by: .bo).then(.message(.m2, .restored))
    #expect(restored.state[Message.Key.m2] == Scene.general.state[Message.Key.m2])
  }

  @Test func `restoring a message that is not deleted is a no-op`() {
    Scene.general.when(.message(.m2, .restore), by: .bo).thenNothing()
  }

  @Test func `a message deleted for good is erased and cannot be restored`() {
    let content = Message.Content(
      "three", mentions: [Mention("ada", at: 0..<1)], attachments: [.picture], parent: "m1", quoted: "m2",
      extra: ["mood": "good"], client: "c1")
    let scene = Scene.withThird(content)
      .and(.message(.m3, .pin(.endless)), by: .mo)
      .and(.reaction(Reaction.Key(to: .m3, by: "cy"), .add("like", score: 1)), by: .cy)
      .when(delete(.m3, forGood: true), by: .bo).then(.message(.m3, .deleted(forGood: true)))
    let message = scene.state[Message.Key.m3]
    #expect(message?.content == Message.Content(parent: "m1", client: "c1"))
    #expect(message?.pin == nil)
    #expect(message?.reactions == [])
    #expect(message?.presence == .gone)
    #expect(message?.defect == nil)
    scene.when(.message(.m3, .restore), by: .bo).thenRefused(.unknownMessage(.m3))
    scene.when(delete(.m3), by: .bo).thenNothing()
  }

  @Test func `a deleted message can be deleted for good`() {
    Scene.general.and(delete(.m2), by: .bo)
      .when(delete(.m2, forGood: true), by: .bo).then(.message(.m2, .deleted(forGood: true)))
  }

  @Test func `others delete and restore only with the capability`() {
    let deleted = Scene.general.and(delete(.m2), by: .bo)
    for intent in [delete(.m2), delete(.m2, forGood: true)] {
      Scene.general.when(intent, by: .cy).thenRefused(.notAllowed(.deleteAny, in: "general"))
      deleted.when(intent, by: .cy).thenRefused(.notAllowed(.deleteAny, in: "general"))
    }
    deleted.when(.message(.m2, .restore), by: .cy).thenRefused(.notAllowed(.deleteAny, in: "general"))
    for actor in [Author.mo, .ada, .root, .system] {
      Scene.general.when(delete(.m2), by: actor).then(.message(.m2, .deleted(forGood: false)))
      deleted.when(.message(.m2, .restore), by: actor).then(.message(.m2, .restored))
    }
  }

  @Test func `an erased message is unknown to users who may not delete it`() {
    let scene = Scene.general.and(delete(.m2, forGood: true), by: .bo)
    scene.when(delete(.m2), by: .cy).thenRefused(.unknownMessage(.m2))
    scene.when(delete(.m2, forGood: true), by: .mo).thenNothing()
  }

  @Test func `an author deletes their own message only with the capability`() {
    let scene = Scene.general { $0.memberCapabilities[.member]?.remove(.deleteOwn) }
    scene.when(delete(.m2), by: .bo).thenRefused(.notAllowed(.deleteOwn, in: "general"))
  }

  @Test func `an author does not restore a message that a moderator deleted`() {
    let scene = Scene.general.and(delete(.m2), by: .mo)
    scene.when(.message(.m2, .restore), by: .bo).thenRefused(.notAllowed(.deleteAny, in: "general"))
    scene.when(.message(.m2, .restore), by: .ada).then(.message(.m2, .restored))
  }

  // What broke: it was found by reading. A moderator's deletion of a message that its author had deleted first was a
  // no-op, and the author restored the message after its flags were resolved.
  @Test func `an author does not restore a message that they and then a moderator deleted`() {
    let deleted = Scene.general.and(delete(.m2), by: .bo)
    for actor in [Author.mo, .ada, .root, .system] {
      let scene = deleted.when(delete(.m2), by: actor).then(.message(.m2, .deleted(forGood: false)))
      #expect(scene.state[Message.Key.m2]?.presence == .deleted(EventOrigin(by: actor, at: .start)))
      scene.when(.message(.m2, .restore), by: .bo).thenRefused(.notAllowed(.deleteAny, in: "general"))
      // Neither another moderator nor the author changes anything by deleting it once more.
      for other in [Author.bo, .mo, .root] { scene.when(delete(.m2), by: other).thenNothing() }
      scene.when(.message(.m2, .restore), by: .mo).then(.message(.m2, .restored))
    }
    deleted.when(delete(.m2), by: .user("bo", on: "tablet")).thenNothing()
  }

  @Test func `a message of the app that it deleted is not deleted again`() {
    Scene.withThird(Message.Content("three"), by: .system).and(delete(.m3), by: .system)
      .when(delete(.m3), by: .mo).thenNothing()
  }

  @Test func `an author restores on one device a message deleted on another`() {
    Scene.general.and(delete(.m2), by: .user("bo", on: "phone"))
      .when(.message(.m2, .restore), by: .user("bo", on: "tablet")).then(.message(.m2, .restored))
  }

  @Test func `a banned user deletes and restores nothing`() throws {
    let scene = Scene.general.banned("bo")
    let ban = try scene.ban(of: "bo")
    scene.when(delete(.m2), by: .bo).thenRefused(.banned(ban))
    scene.when(.message(.m2, .restore), by: .bo).thenRefused(.banned(ban))
  }

  @Test func `a frozen channel accepts deleting and restoring`() {
    Scene.general.frozen.when(delete(.m2), by: .bo).then(.message(.m2, .deleted(forGood: false)))
      .when(.message(.m2, .restore), by: .bo).then(.message(.m2, .restored))
  }

  @Test func `unknown messages are neither deleted nor restored`() {
    for intent in [Message.Intent.delete(forGood: false), .delete(forGood: true), .restore] {
      Scene.general.when(.message(.none, intent), by: .bo).thenRefused(.unknownMessage(.none))
      Scene.general.and(.channel("general", .truncate(through: nil)), by: .ada)
        .when(.message(.m2, intent), by: .bo).thenRefused(.unknownMessage(.m2))
    }
  }

  @Test func `a thread counts the replies that are present`() {
    var scene = Scene.withThird(Message.Content("three", parent: "m1"))
    func count(_ intent: Message.Intent, _ replies: UInt32, sourceLocation: SourceLocation = #_sourceLocation) {
      scene = scene.and(.message(.m3, intent), by: .bo, sourceLocation: sourceLocation)
      #expect(scene.state[Message.Key.m1]?.replyCount == replies, sourceLocation: sourceLocation)
    }
    count(.edit(Message.Edits(text: "3")), 1)
    count(.delete(forGood: false), 0)
    count(.restore, 1)
    count(.delete(forGood: false), 0)
    count(.delete(forGood: true), 0)
  }

  @Test func `replies survive the deletion of their parent`() {
    let scene = Scene.withThird(Message.Content("three", parent: "m1")).and(delete(.m1, forGood: true), by: .ada)
    scene.when(.message(.m3, .edit(Message.Edits(text: "3"))), by: .bo)
      .then(.message(.m3, .edited(Message.Edits(text: "3"))))
    #expect(scene.state[Message.Key.m1]?.replyCount == 1)
  }
}
