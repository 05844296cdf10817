// Tests of pins: expiry, and who may pin and unpin.
import Chat
import Testing

struct Pins {
  private let end = Timestamp.start.plus(60)

  @Test func `a message is pinned for good, with its author`() {
    let scene = Scene.general.when(.message(.m1, .pin(.endless)), by: .mo).then(.message(.m1, .pinned(.endless)))
    #expect(scene.state[Message.Key.m1]?.pin?.stamp == EventOrigin(by: .mo, at: .start))
    #expect(scene.state[Message.Key.m1]?.isPinned(at: .start.plus(1_000_000)) == true)
  }

  @Test func `a pin holds until the microsecond before its end`() {
    let scene = Scene.general.when(.message(.m1, .pin(.until(end))), by: .mo).then(.message(.m1, .pinned(.until(end))))
    let message = scene.state[Message.Key.m1]
    #expect(message?.isPinned(at: end.plus(microseconds: -1)) == true)
    #expect(message?.isPinned(at: end) == false)
    #expect(message?.isPinned(at: end.plus(microseconds: 1)) == false)
    scene.when(.message(.m1, .unpin), by: .mo, at: end.plus(microseconds: -1)).then(.message(.m1, .unpinned))
    scene.when(.message(.m1, .unpin), by: .mo, at: end).thenNothing()
    scene.when(.message(.m1, .unpin), by: .mo, at: end.plus(microseconds: 1)).thenNothing()
  }

  @Test func `an expiry in the past is refused`() {
    let pin = ChatIntent.message(.m1, .pin(.until(end)))
    Scene.general.when(pin, by: .mo, at: end.plus(microseconds: -1)).then(.message(.m1, .pinned(.until(end))))
    Scene.general.when(pin, by: .mo, at: end).thenRefused(.alreadyOver(end))
    Scene.general.when(pin, by: .mo, at: end.plus(microseconds: 1)).thenRefused(.alreadyOver(end))
  }

  @Test func `another expiry replaces the current one`() {
    let scene = Scene.general.and(.message(.m1, .pin(.until(end))), by: .mo)
    scene.when(.message(.m1, .pin(.endless)), by: .ada).then(.message(.m1, .pinned(.endless)))
    scene.when(.message(.m1, .pin(.until(end))), by: .ada, at: .start.plus(1)).thenNothing()
  }

  @Test func `a message whose pin has expired is pinned again`() {
    Scene.general.and(.message(.m1, .pin(.until(end))), by: .mo)
      .when(.message(.m1, .pin(.endless)), by: .mo, at: end).then(.message(.m1, .pinned(.endless)))
  }

  @Test func `unpinning a message that is not pinned is a no-op`() {
    Scene.general.when(.message(.m1, .unpin), by: .mo).thenNothing()
    Scene.general.and(.message(.m1, .pin(.endless)), .message(.m1, .unpin), by: .mo)
      .when(.message(.m1, .unpin), by: .mo).thenNothing()
  }

  @Test func `pinning and unpinning need the capability, also for own messages`() throws {
    let pinned = Scene.general.and(.message(.m2, .pin(.endless)), by: .mo)
    for (scene, intent) in [(Scene.general, Message.Intent.pin(.endless)), (pinned, .unpin)] {
      scene.when(.message(.m2, intent), by: .bo).thenRefused(.notAllowed(.pin, in: "general"))
      scene.when(.message(.m2, intent), by: .dee).thenRefused(.notMember(Member.Key("general", "dee")))
      let key = Ban.Key(of: "mo", from: .everywhere)
      let banned = scene.and(.ban(key, .impose(.endless, reason: nil)), by: .root)
      banned.when(.message(.m2, intent), by: .mo).thenRefused(.banned(try #require(banned.state[key])))
    }
    for actor in [Author.ada, .root, .system] {
      Scene.general.when(.message(.m2, .pin(.endless)), by: actor).then(.message(.m2, .pinned(.endless)))
      pinned.when(.message(.m2, .unpin), by: actor).then(.message(.m2, .unpinned))
    }
  }

  @Test func `a deleted message is not pinned, and a pinned one stays so until it is unpinned`() {
    let deleted = Scene.general.and(.message(.m1, .delete(forGood: false)), by: .ada)
    deleted.when(.message(.m1, .pin(.endless)), by: .mo).thenRefused(.messageDeleted(.m1))
    Scene.general.and(.message(.m1, .pin(.endless)), .message(.m1, .delete(forGood: false)), by: .mo)
      .when(.message(.m1, .unpin), by: .mo).then(.message(.m1, .unpinned))
  }

  @Test func `an ephemeral message is not pinned`() {
    let scene = Scene.withThird(Message.Content(kind: .ephemeral), by: .mo)
    scene.when(.message(.m3, .pin(.endless)), by: .mo).thenRefused(.messageIsEphemeral(.m3))
    scene.when(.message(.m3, .pin(.endless)), by: .ada).thenRefused(.unknownMessage(.m3))
  }

  @Test func `an unknown message is not pinned`() {
    for intent in [Message.Intent.pin(.endless), .unpin] {
      Scene.general.when(.message(.none, intent), by: .mo).thenRefused(.unknownMessage(.none))
    }
  }
}
