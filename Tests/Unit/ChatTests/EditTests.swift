// Tests of edits: changed and unchanged parts, who may, and that an edit without a change is a no-op.
import Chat
import Testing

struct Editing {
  private let rich = Message.Content(
    "hi @ada", mentions: [Mention("ada", at: 3..<7)], attachments: [.picture], quoted: "m1", extra: ["mood": "good"])

  private func edits(
    _ edits: Message.Edits, of scene: Scene = .general, by actor: Author = .bo,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    scene.when(.message(.m2, .edit(edits)), by: actor)
      .then(.message(.m2, .edited(edits)), sourceLocation: sourceLocation)
  }

  @Test func `an author changes the text`() { edits(Message.Edits(text: "zwei")) }

  @Test func `an edited message keeps its number and time, and has the time and number of its edits`() {
    let scene = Scene.general
      .and(.message(.m2, .edit(Message.Edits(text: "zwei"))), by: .bo, at: .start.plus(5))
      .and(.message(.m2, .edit(Message.Edits(text: "deux"))), by: .bo, at: .start.plus(9))
    let message = scene.state[Message.Key.m2]
    #expect(message?.content == Message.Content("deux"))
    #expect(message?.number == Message.Number(rawValue: 2))
    #expect(message?.sent == .start)
    #expect(message?.edited == .start.plus(9))
    #expect(message?.editCount == 2)
  }

  @Test func `only changed parts are recorded, and all others stay`() {
    let all = Message.Edits(
      text: "ho @ada", mentions: rich.mentions, attachments: rich.attachments, extra: rich.extra)
    let scene = Scene.withThird(rich).when(.message(.m3, .edit(all)), by: .bo)
      .then(.message(.m3, .edited(Message.Edits(text: "ho @ada"))))
    var expected = rich
    expected.text = "ho @ada"
    #expect(scene.state[Message.Key.m3]?.content == expected)
  }

  @Test(arguments: [
    Message.Edits(mentions: [Mention("cy", at: 3..<7)]), Message.Edits(mentions: []),
    Message.Edits(attachments: [.picture, .wave]), Message.Edits(attachments: []),
    Message.Edits(extra: ["mood": "bad"]), Message.Edits(extra: [:]), Message.Edits(text: "", mentions: []),
  ])
  func `each part can be changed alone`(edits: Message.Edits) {
    let scene = Scene.withThird(rich).when(.message(.m3, .edit(edits)), by: .bo).then(.message(.m3, .edited(edits)))
    #expect(scene.state[Message.Key.m3]?.content == rich.with(edits))
  }

  // What broke: an author who lost the right to mention groups could not correct the text before such a mention.
  @Test func `a mentioned group stays in an edit, and another one needs the right`() throws {
    func mention(_ group: Mention.Group, at start: Int) throws -> Mention {
      try #require(Mention(group, at: UTF16Offset(rawValue: start)..<UTF16Offset(rawValue: start + 5)))
    }
    let scene = Scene.withThird(Message.Content("teh @here", mentions: [try mention(.here, at: 4)]))
      .and(.member(Member.Key("general", "bo"), .changeRole(.guest)), by: .ada)
    let moved = Message.Edits(text: "the  @here", mentions: [try mention(.here, at: 5)])
    scene.when(.message(.m3, .edit(moved)), by: .bo).then(.message(.m3, .edited(moved)))
    let more = Message.Edits(mentions: [try mention(.channel, at: 4)])
    scene.when(.message(.m3, .edit(more)), by: .bo).thenRefused(.notAllowed(.mentionGroups, in: "general"))
  }

  @Test func `the same text in other bytes is a change`() {
    let scene = Scene.withThird(Message.Content("caf\u{E9}"))
    let edits = Message.Edits(text: "cafe\u{301}")
    scene.when(.message(.m3, .edit(edits)), by: .bo).then(.message(.m3, .edited(edits)))
  }

  @Test func `an edit without a change is a no-op, also in a frozen channel`() {
    let intent = ChatIntent.message(.m2, .edit(Message.Edits(text: "two", mentions: [], attachments: [], extra: [:])))
    Scene.general.when(intent, by: .bo).thenNothing()
    Scene.general.frozen.when(intent, by: .bo).thenNothing()
    Scene.general.when(.message(.m2, .edit(Message.Edits())), by: .bo).thenNothing()
    Scene.general.when(intent, by: .cy).thenRefused(.notAllowed(.editAny, in: "general"))
  }

  @Test func `an edit that leaves a message empty is refused`() {
    Scene.general.when(.message(.m2, .edit(Message.Edits(text: " \n"))), by: .bo).thenRefused(.emptyMessage)
    Scene.withThird(Message.Content(attachments: [.picture]))
      .when(.message(.m3, .edit(Message.Edits(attachments: []))), by: .bo).thenRefused(.emptyMessage)
  }

  @Test func `others edit a message only with the capability`() {
    let edits = Message.Edits(text: "zwei")
    let intent = ChatIntent.message(.m2, .edit(edits))
    Scene.general.when(intent, by: .cy).thenRefused(.notAllowed(.editAny, in: "general"))
    Scene.general.when(intent, by: .dee).thenRefused(.notMember(Member.Key("general", "dee")))
    for actor in [Author.mo, .ada, .root, .system] { self.edits(edits, by: actor) }
  }

  @Test func `an author edits their own message only with the capability`() {
    let scene = Scene.general { $0.memberCapabilities[.member]?.remove(.editOwn) }
    scene.when(.message(.m2, .edit(Message.Edits(text: "2"))), by: .bo)
      .thenRefused(.notAllowed(.editOwn, in: "general"))
  }

  @Test func `authors who may edit any message may edit their own`() {
    let scene = Scene.general { $0.memberCapabilities[.moderator]?.remove(.editOwn) }
      .and(.message(.m3, .send(Message.Content("three"))), by: .mo)
    let edits = Message.Edits(text: "3")
    scene.when(.message(.m3, .edit(edits)), by: .mo).then(.message(.m3, .edited(edits)))
  }

  @Test func `in a frozen channel only the app edits`() {
    let intent = ChatIntent.message(.m2, .edit(Message.Edits(text: "2")))
    for actor in [Author.bo, .ada, .root] {
      Scene.general.frozen.when(intent, by: actor).thenRefused(.channelFrozen("general"))
    }
    edits(Message.Edits(text: "2"), of: .general.frozen, by: .system)
  }

  @Test func `a deleted message is not edited, and an erased one is unknown`() {
    let intent = ChatIntent.message(.m2, .edit(Message.Edits(text: "2")))
    Scene.general.and(.message(.m2, .delete(forGood: false)), by: .bo)
      .when(intent, by: .bo).thenRefused(.messageDeleted(.m2))
    Scene.general.and(.message(.m2, .delete(forGood: true)), by: .bo)
      .when(intent, by: .bo).thenRefused(.unknownMessage(.m2))
    Scene.general.and(.channel("general", .truncate(through: "m2")), by: .ada)
      .when(intent, by: .bo).thenRefused(.unknownMessage(.m2))
    Scene.general.when(.message(.none, .edit(Message.Edits(text: "2"))), by: .bo).thenRefused(.unknownMessage(.none))
  }

  @Test func `existing attachments stay or are removed, even if their kind is no longer allowed`() {
    let scene = Scene.withThird(Message.Content("three", attachments: [.picture, .page, .wave]))
      .configured { $0.off = [.uploads, .urlEnrichment] }
    for attachments in [[Chat.Attachment.picture, .page], [.page], [.picture], []] {
      let edits = Message.Edits(attachments: attachments)
      scene.when(.message(.m3, .edit(edits)), by: .bo).then(.message(.m3, .edited(edits)))
    }
    scene.when(.message(.m3, .edit(Message.Edits(attachments: [.file("f")]))), by: .bo)
      .thenRefused(.off(.uploads, in: "general"))
    scene.when(.message(.m3, .edit(Message.Edits(attachments: [.init("p", .link)]))), by: .bo)
      .thenRefused(.off(.urlEnrichment, in: "general"))
  }

  @Test func `an edit adds no link and no file without the capability`() {
    let scene = Scene.withThird(Message.Content("three"), by: .gil)
    scene.when(.message(.m3, .edit(Message.Edits(text: "www.a.example"))), by: .gil)
      .thenRefused(.notAllowed(.sendLinks, in: "general"))
    scene.when(.message(.m3, .edit(Message.Edits(attachments: [.page]))), by: .gil)
      .thenRefused(.notAllowed(.sendLinks, in: "general"))
    scene.when(.message(.m3, .edit(Message.Edits(attachments: [.picture]))), by: .gil)
      .thenRefused(.notAllowed(.upload, in: "general"))
  }
}
