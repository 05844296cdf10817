// Tests of refused messages: every reason, and its order.
import Chat
import Testing

struct SendRefusals {
  private func refuses(
    _ content: Message.Content, _ refusal: Refusal, by actor: Author = .bo, in scene: Scene = .general,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    scene.when(.message(.m3, .send(content)), by: actor).thenRefused(refusal, sourceLocation: sourceLocation)
  }

  @Test func `an empty message is refused`() {
    refuses(Message.Content(), .emptyMessage)
    refuses(Message.Content(" \n\t\u{A0}\u{2003}\u{3000}\u{85}"), .emptyMessage)
    refuses(Message.Content(quoted: "m1"), .emptyMessage)
    refuses(Message.Content(kind: .system), .emptyMessage, by: .system)
  }

  @Test func `sending to an unknown or deleted channel is refused`() {
    let content = Message.Content("three")
    let key = Message.Key("nowhere", "m1")
    Scene.general.when(.message(key, .send(content)), by: .bo).thenRefused(.unknownChannel("nowhere"))
    refuses(content, .channelDeleted("general"), in: Scene.general.and(.channel("general", .delete), by: .ada))
  }

  @Test func `unknown and deactivated users do not send`() {
    refuses(Message.Content("three"), .unknownUser("nobody"), by: .user("nobody"))
    refuses(Message.Content("three"), .userDeactivated("bo"), in: Scene.general.and(.user("bo", .deactivate)))
  }

  @Test func `users who are not members do not send`() {
    refuses(Message.Content("three"), .notMember(Member.Key("general", "dee")), by: .dee)
  }

  @Test func `former members do not send`() {
    let scene = Scene.general.and(.member(Member.Key("general", "bo"), .leave), by: .bo)
    refuses(Message.Content("three"), .notMember(Member.Key("general", "bo")), in: scene)
  }

  @Test func `only the app and administrators send system messages`() {
    refuses(Message.Content("Cy is here.", kind: .system), .notAdministrator)
    refuses(Message.Content("Cy is here.", kind: .system), .notAdministrator, by: .ada)
  }

  @Test func `a frozen channel accepts messages of the app only`() {
    refuses(Message.Content("three"), .channelFrozen("general"), by: .ada, in: Scene.general.frozen)
    refuses(Message.Content("three"), .channelFrozen("general"), by: .root, in: Scene.general.frozen)
    let content = Message.Content("three")
    Scene.general.frozen.when(.message(.m3, .send(content)), by: .system).then(.message(.m3, .sent(content)))
  }

  @Test func `a banned user does not send until the microsecond in which the ban ends`() throws {
    let end = Timestamp.start.plus(60)
    let key = Ban.Key(of: "bo", from: .everywhere)
    let scene = Scene.general.and(.ban(key, .impose(.until(end), reason: "spam")), by: .root)
    let content = Message.Content("three")
    let ban = try #require(scene.state[key])
    let intent = ChatIntent.message(.m3, .send(content))
    scene.when(intent, by: .bo, at: end.plus(microseconds: -1)).thenRefused(.banned(ban))
    scene.when(intent, by: .bo, at: end).then(.message(.m3, .sent(content)))
    scene.when(intent, by: .bo, at: end.plus(microseconds: 1)).then(.message(.m3, .sent(content)))
  }

  @Test(arguments: [
    (Capability.send, Message.Content("three")), (.reply, Message.Content("three", parent: "m1")),
    (.quote, Message.Content("three", quoted: "m1")), (.upload, Message.Content(attachments: [.picture])),
    (.sendLinks, Message.Content(attachments: [.page])), (.sendLinks, Message.Content("see https://a.example")),
  ])
  func `a role without a capability sends no content that needs it`(lacking: Capability, content: Message.Content) {
    let scene = Scene.general {
      $0.memberCapabilities[.guest] = Capabilities(Capability.allCases.filter { $0 != lacking })
    }
    refuses(content, .notAllowed(lacking, in: "general"), by: .gil, in: scene)
    scene.when(.message(.m3, .send(content)), by: .ada).then(.message(.m3, .sent(content)))
  }

  @Test func `replying does not need the right to send, nor sending the right to reply`() {
    let scene = Scene.general { $0.memberCapabilities[.guest] = [.read, .reply] }
    let reply = Message.Content("three", parent: "m1")
    scene.when(.message(.m3, .send(reply)), by: .gil).then(.message(.m3, .sent(reply)))
    let other = Scene.general { $0.memberCapabilities[.guest] = [.send] }
    other.when(.message(.m3, .send(Message.Content("3"))), by: .gil).then(.message(.m3, .sent(Message.Content("3"))))
  }

  @Test(arguments: [
    (ChannelFlag.replies, Message.Content("three", parent: "m1")), (.quotes, Message.Content("three", quoted: "m1")),
    (.uploads, Message.Content(attachments: [.picture])), (.urlEnrichment, Message.Content(attachments: [.page])),
  ])
  func `a channel refuses content whose flag is off, except from the app`(flag: ChannelFlag, content: Message.Content) {
    let scene = Scene.general.configured { $0.off = [flag] }
    refuses(content, .off(flag, in: "general"), in: scene)
    refuses(content, .off(flag, in: "general"), by: .root, in: scene)
    scene.when(.message(.m3, .send(content)), by: .system).then(.message(.m3, .sent(content)))
  }

  @Test func `with uploads and previews off, animated pictures, app attachments and links in text are accepted`() {
    let content = Message.Content(
      "https://a.example", attachments: [.wave, Chat.Attachment("own", .custom("map", payload: []))])
    Scene.general.configured { $0.off = [.uploads, .urlEnrichment] }
      .when(.message(.m3, .send(content)), by: .bo).then(.message(.m3, .sent(content)))
  }

  @Test func `a reply needs a parent that its author sees and that is no reply itself`() {
    refuses(Message.Content("three", parent: "none"), .unknownMessage(.none))
    refuses(Message.Content("three", parent: "m3"), .unknownMessage(.m3))
    let gone = Scene.general.and(.message(.m1, .delete(forGood: true)), by: .ada)
    refuses(Message.Content("three", parent: "m1"), .unknownMessage(.m1), in: gone)
    let truncated = Scene.general.and(.channel("general", .truncate(through: "m1")), by: .ada)
    refuses(Message.Content("three", parent: "m1"), .unknownMessage(.m1), in: truncated)
    let reply = Scene.withThird(Message.Content("three", parent: "m1"))
    reply.when(.message(.m4, .send(Message.Content("four", parent: "m3"))), by: .bo).thenRefused(.parentIsReply(.m3))
  }

  @Test func `a quote needs an existing message`() {
    refuses(Message.Content("three", quoted: "none"), .unknownMessage(.none))
  }

  @Test func `replies to and quotes of ephemeral messages are refused, and do not reveal them to others`() {
    let scene = Scene.withThird(Message.Content(kind: .ephemeral, attachments: [.wave]))
    for content in [Message.Content("four", parent: "m3"), Message.Content("four", quoted: "m3")] {
      scene.when(.message(.m4, .send(content)), by: .bo).thenRefused(.messageIsEphemeral(.m3))
      scene.when(.message(.m4, .send(content)), by: .cy).thenRefused(.unknownMessage(.m3))
      scene.when(.message(.m4, .send(content)), by: .root).thenRefused(.unknownMessage(.m3))
    }
  }
}
