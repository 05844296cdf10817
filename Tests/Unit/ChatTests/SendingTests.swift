// Tests of sending: every kind of message and content, and idempotency.
import Chat
import Testing

struct Sending {
  private func sends(_ content: Message.Content, by actor: Author = .bo) {
    Scene.general.when(.message(.m3, .send(content)), by: actor).then(.message(.m3, .sent(content)))
  }

  @Test func `a member sends a message`() { sends(Message.Content("three")) }

  @Test func `a message has its author, the instant of sending and the newest number of its channel`() {
    let scene = Scene.general.and(.message(.m3, .send(Message.Content("three"))), by: .bo, at: .start.plus(9))
    let message = scene.state[Message.Key.m3]
    #expect(message?.author == "bo")
    #expect(message?.sent == .start.plus(9))
    #expect(message?.number == Message.Number(rawValue: 3))
    #expect(message?.delivery == .settled)
    #expect(message?.presence == .present)
    #expect(scene.state["general" as Channel.ID]?.newest == message?.number)
    #expect(scene.state[Member.Key("general", "bo")]?.lastSent == .start.plus(9))
  }

  @Test func `a message of the app has no author`() {
    let scene = Scene.general.and(.message(.m3, .send(Message.Content("three"))))
    #expect(scene.state[Message.Key.m3]?.author == nil)
  }

  @Test func `a reply is counted in its thread`() {
    let scene = Scene.general
      .when(.message(.m3, .send(Message.Content("three", parent: "m1"))), by: .bo)
      .then(.message(.m3, .sent(Message.Content("three", parent: "m1"))))
    #expect(scene.state[Message.Key.m1]?.replyCount == 1)
  }

  @Test func `a reply can be shown in the channel too`() {
    sends(Message.Content("three", parent: "m1", showsInChannel: true))
  }

  @Test func `a message quotes another`() { sends(Message.Content("three", quoted: "m1")) }

  @Test func `a quote of a deleted message stays a quote`() {
    for forGood in [false, true] {
      Scene.general
        .and(.message(.m1, .delete(forGood: forGood)), by: .ada)
        .when(.message(.m3, .send(Message.Content("three", quoted: "m1"))), by: .bo)
        .then(.message(.m3, .sent(Message.Content("three", quoted: "m1"))))
    }
  }

  @Test func `a restorably deleted message can be replied to`() {
    Scene.general
      .and(.message(.m1, .delete(forGood: false)), by: .ada)
      .when(.message(.m3, .send(Message.Content("three", parent: "m1"))), by: .bo)
      .then(.message(.m3, .sent(Message.Content("three", parent: "m1"))))
  }

  @Test func `a message carries mentions, attachments and an app's values, and no notification if silent`() {
    sends(
      Message.Content(
        "@ada @cy", mentions: [Mention("ada", at: 0..<4), Mention("cy", at: 5..<8)],
        attachments: [.picture, .page, .wave, Chat.Attachment("own", .custom("map", payload: [1, 2]))], isSilent: true,
        extra: ["mood": "good", "level": 3]))
  }

  @Test func `an attachment alone is a message`() { sends(Message.Content(attachments: [.picture])) }

  @Test func `a message of an app's own kind may be empty`() { sends(Message.Content(kind: .custom("poll"))) }

  @Test func `an ephemeral message may be empty`() { sends(Message.Content(kind: .ephemeral)) }

  @Test func `the app and administrators send system messages`() {
    sends(Message.Content("Cy is here.", kind: .system), by: .system)
    sends(Message.Content("Cy is here.", kind: .system), by: .root)
  }

  @Test func `an administrator sends without being a member`() { sends(Message.Content("three"), by: .root) }

  @Test func `a message that waits for a server is pending`() {
    let content = Message.Content("three", isPending: true)
    let scene = Scene.general.when(.message(.m3, .send(content)), by: .bo).then(.message(.m3, .sent(content)))
    #expect(scene.state[Message.Key.m3]?.delivery == .pending)
  }

  @Test func `a repeated send with the same client id is a no-op`() {
    let scene = Scene.general.and(.message(.m3, .send(Message.Content("three", client: "c1"))), by: .bo)
    let again = Message.Content("three, again", client: "c1")
    scene.when(.message(.m4, .send(again)), by: .bo).thenNothing()
    scene.when(.message(.m4, .send(again)), by: .ada).then(.message(.m4, .sent(again)))
    #expect(scene.state[Message.ClientKey("bo", "c1")] == .m3)
  }

  @Test func `a client id stays used when its message was edited or deleted for good`() {
    let content = Message.Content("three", client: "c1")
    let sent = Scene.general.and(.message(.m3, .send(content)), by: .bo)
    for intent in [Message.Intent.edit(Message.Edits(text: "3")), .delete(forGood: true)] {
      sent.and(.message(.m3, intent), by: .bo).when(.message(.m3, .send(content)), by: .bo).thenNothing()
    }
  }

  @Test func `a client id used in another channel is refused, so that no message is lost`() {
    let content = Message.Content("three", client: "c1")
    Scene.general
      .and(.channel("other", .create("team", Channel.Profile(), ChannelConfig(), members: [])), by: .bo)
      .and(.message(Message.Key("other", "m1"), .send(content)), by: .bo)
      .when(.message(.m3, .send(content)), by: .bo).thenRefused(.clientIDTaken("c1", by: Message.Key("other", "m1")))
  }

  @Test func `another message with the id of an existing one is refused`() {
    Scene.general.when(.message(.m1, .send(Message.Content("one"))), by: .ada).thenNothing()
    Scene.general.when(.message(.m1, .send(Message.Content("uno"))), by: .ada).thenRefused(.messageExists(.m1))
    Scene.general.when(.message(.m1, .send(Message.Content("one"))), by: .bo).thenRefused(.messageExists(.m1))
  }

  @Test func `a message's text is stored byte by byte`() {
    sends(Message.Content("  e\u{301} \u{E9}\r\n👩‍👩‍👧 \u{0} "))
  }
}
