// Tests of channels: creation, changes, freeze, truncation and deletion, and who may.
import Chat
import Testing

struct Channels {
  let profile = Channel.Profile(name: "News", image: "https://pictures.example/news.png", extra: ["topic": "all"])
  let config = ChannelConfig(off: [.replies], messageLengthMax: 10, slowMode: 5, commands: ["giphy"])

  func create(_ members: User.ID..., as id: Channel.ID = "news") -> ChatIntent {
    .channel(id, .create("team", profile, config, members: members))
  }

  func general(_ event: Channel.Event) -> ChatEvent.Change { .channel("general", event) }

  func added(_ user: User.ID, _ role: Role = .member) -> ChatEvent.Change {
    .member(Member.Key("news", user), .added(role))
  }

  // MARK: Create

  @Test func `the creator of a channel is its owner`() {
    let created = ChatEvent.Change.channel("news", .created("team", profile, config))
    Scene.general.when(create(), by: .dee).then(created, added("dee", .owner))
    Scene.general.when(create("ada", "bo"), by: .dee).then(created, added("dee", .owner), added("ada"), added("bo"))
    Scene.general.when(create("ada"), by: .system).then(created, added("ada"))
  }

  @Test func `repeated members and the creator are added once`() {
    let scene = Scene.general.when(create("ada", "dee", "ada"), by: .dee)
      .then(.channel("news", .created("team", profile, config)), added("dee", .owner), added("ada"))
    #expect(scene.state["news" as Channel.ID]?.memberCount == 2)
  }

  @Test func `unknown and deactivated users create no channel`() {
    Scene.general.when(create(), by: .user("ghost")).thenRefused(.unknownUser("ghost"))
    Scene.general.when(create("eve"), by: .dee).thenRefused(.unknownUser("eve"))
    Scene.general.and(.user("dee", .deactivate)).when(create(), by: .dee).thenRefused(.userDeactivated("dee"))
  }

  @Test func `an id is used once, also that of a deleted channel`() {
    let scene = Scene.general.and(create(), by: .dee)
    scene.when(create(), by: .dee).thenNothing()
    scene.when(create(), by: .ada).thenRefused(.channelExists("news"))
    scene.when(create(), by: .system).thenRefused(.channelExists("news"))
    let others: [Channel.Intent] = [
      .create("live", profile, config, members: []), .create("team", Channel.Profile(), config, members: []),
      .create("team", profile, ChannelConfig(), members: []),
    ]
    for other in others { scene.when(.channel("news", other), by: .dee).thenRefused(.channelExists("news")) }
    scene.and(.channel("news", .delete)).when(create(), by: .dee).thenRefused(.channelExists("news"))
  }

  @Test func `a profile and the number of added members have limits`() {
    let scene = Scene.general {
      $0.limits.membersPerAddMax = 2
      $0.limits.nameLengthMax = 7
      $0.limits.lineByteCountMax = 8
      $0.limits.extraByteCountMax = 9
      $0.limits.extraDepthMax = 1
    }
    func refuses(_ profile: Channel.Profile, _ limit: Refusal.Limit, _ count: Int, _ max: Int) {
      let refusal = Refusal.tooLarge(limit, count: count, max: max)
      scene.when(.channel("general", .change(profile)), by: .ada).thenRefused(refusal)
      scene.when(.channel("news", .create("team", profile, config, members: [])), by: .ada).thenRefused(refusal)
    }
    refuses(Channel.Profile(name: "12345678"), .nameLength, 8, 7)
    refuses(Channel.Profile(name: "123456789"), .lineByteCount, 9, 8)
    refuses(Channel.Profile(image: "nine char"), .lineByteCount, 9, 8)
    refuses(Channel.Profile(extra: ["ab": 1]), .extraByteCount, 10, 9)
    refuses(Channel.Profile(extra: ["": .list([.fields([:])])]), .extraByteCount, 16, 9)
    let fitting = Channel.Profile(name: "1234567", image: "8 bytes.", extra: ["a": 1])
    scene.when(.channel("general", .change(fitting)), by: .ada).then(general(.changed(fitting)))
    func create(_ members: [User.ID]) -> ChatIntent {
      .channel("news", .create("team", fitting, config, members: members))
    }
    scene.when(create(["ada", "bo", "cy"]), by: .dee).thenRefused(.tooLarge(.membersPerAdd, count: 3, max: 2))
    scene.when(create(["ada", "bo"]), by: .dee)
      .then(.channel("news", .created("team", fitting, config)), added("dee", .owner), added("ada"), added("bo"))
  }

  // MARK: Change

  @Test(arguments: [Author.ada, .root, .system])
  func `the owner, an administrator and the app change the profile`(actor: Author) {
    let scene = Scene.general
    scene.when(.channel("general", .change(profile)), by: actor).then(general(.changed(profile)))
    scene.when(.channel("general", .configure(config)), by: actor).then(general(.configured(config)))
    scene.when(.channel("general", .setSlowMode(30)), by: actor).then(general(.slowModeSet(30)))
      .when(.channel("general", .setSlowMode(0)), by: actor).then(general(.slowModeSet(0)))
    scene.when(.channel("general", .unfreeze), by: actor).thenNothing()
    scene.when(.channel("general", .freeze), by: actor).then(general(.frozen))
      .when(.channel("general", .unfreeze), by: actor).then(general(.unfrozen))
    scene.when(.channel("general", .delete), by: actor).then(general(.deleted))
  }

  @Test func `the slow mode is part of the configuration`() {
    let scene = Scene.general.and(.channel("general", .configure(config)), .channel("general", .setSlowMode(9)))
    #expect(scene.state["general" as Channel.ID]?.config.slowMode == 9)
    #expect(scene.state["general" as Channel.ID]?.config.messageLengthMax == 10)
    scene.when(.channel("general", .configure(config)), by: .ada).then(general(.configured(config)))
    scene.and(.channel("general", .configure(config))).when(.channel("general", .setSlowMode(5)), by: .ada)
      .thenNothing()
  }

  static let intents: [Channel.Intent] = [
    .change(Channel.Profile(name: "Other")), .configure(ChannelConfig(slowMode: 1)), .setSlowMode(1), .freeze,
    .unfreeze, .truncate(through: nil), .truncate(through: "m1"), .truncate(through: "m3"), .delete,
  ]

  @Test(arguments: intents)
  func `authors without the capability change nothing of a channel`(intent: Channel.Intent) {
    let scene = Scene.general
    let wish = ChatIntent.channel("general", intent)
    for actor in [Author.mo, .bo, .gil] {
      scene.when(wish, by: actor).thenRefused(.notAllowed(.changeChannel, in: "general"))
    }
    scene.when(wish, by: .dee).thenRefused(.notMember(Member.Key("general", "dee")))
    scene.when(wish, by: .user("ghost")).thenRefused(.unknownUser("ghost"))
    scene.and(.user("ada", .deactivate)).when(wish, by: .ada).thenRefused(.userDeactivated("ada"))
    scene.when(.channel("void", intent), by: .ada).thenRefused(.unknownChannel("void"))
    scene.when(.channel("void", intent), by: .user("ghost")).thenRefused(.unknownUser("ghost"))
  }

  @Test(arguments: intents)
  func `a deleted channel stays deleted`(intent: Channel.Intent) {
    let scene = Scene.general.and(.channel("general", .delete), by: .ada, at: .start.plus(9))
    #expect(scene.state["general" as Channel.ID]?.deleted == .start.plus(9))
    if intent == .delete {
      scene.when(.channel("general", intent), by: .ada).thenNothing()
      scene.when(.channel("general", intent), by: .user("ghost")).thenRefused(.unknownUser("ghost"))
    } else {
      scene.when(.channel("general", intent), by: .ada).thenRefused(.channelDeleted("general"))
    }
  }

  // MARK: Truncate

  @Test(arguments: [Author.ada, .root, .system])
  func `truncating without a message truncates all messages`(actor: Author) {
    let scene = Scene.general.when(.channel("general", .truncate(through: nil)), by: actor)
      .then(general(.truncated(through: Message.Number(rawValue: 2))))
    #expect(scene.state["general" as Channel.ID]?.truncated == Message.Number(rawValue: 2))
    #expect(scene.state["general" as Channel.ID]?.newest == Message.Number(rawValue: 2))
    #expect(scene.state["general" as Channel.ID]?.defect == nil)
  }

  @Test func `truncating through a message truncates the messages up to it`() {
    let first = Scene.general.when(.channel("general", .truncate(through: "m1")), by: .ada)
      .then(general(.truncated(through: Message.Number(rawValue: 1))))
    let pin = ChatIntent.message(.m1, .pin(.endless))
    first.when(pin, by: .ada).thenRefused(.unknownMessage(.m1))
    first.when(.message(.m2, .pin(.endless)), by: .ada).then(.message(.m2, .pinned(.endless)))
    let second = first.when(.channel("general", .truncate(through: "m2")), by: .ada)
      .then(general(.truncated(through: Message.Number(rawValue: 2))))
    second.when(.channel("general", .truncate(through: "m1")), by: .ada).thenNothing()
    second.when(.channel("general", .truncate(through: nil)), by: .ada).thenNothing()
  }

  @Test func `truncating a channel without messages is a no-op`() {
    Scene.general.and(create(), by: .ada).when(.channel("news", .truncate(through: nil)), by: .ada).thenNothing()
  }

  @Test func `truncating through an unknown message is refused`() {
    Scene.general.when(.channel("general", .truncate(through: "m3")), by: .ada).thenRefused(.unknownMessage(.m3))
  }

  // MARK: The row

  @Test func `the row has the times of creation and of the last change`() {
    let later = Timestamp.start.plus(7)
    for intent in Self.intents where ![.unfreeze, .truncate(through: "m3")].contains(intent) {
      let row = Scene.general.and(.channel("general", intent), by: .ada, at: later).state["general" as Channel.ID]
      #expect(row?.changed == later && row?.created == .start && row?.creator == .ada && row?.memberCount == 5)
    }
    let sent = Scene.general.and(.message(.m3, .send(Message.Content("three"))), by: .bo, at: later)
    #expect(sent.state["general" as Channel.ID]?.changed == .start, "what is said in it is no change of it")
  }
}
