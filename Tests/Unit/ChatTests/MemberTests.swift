// Tests of members: who adds, removes and promotes whom, and leaving.
import Chat
import Testing

struct Members {
  let bo = Member.Key("general", "bo")
  let dee = Member.Key("general", "dee")

  static let intents: [Member.Intent] = [
    .add(.guest), .remove, .changeRole(.guest), .leave, .read(through: "m1"), .receive(through: "m1"),
    .markUnread(from: "m1"), .hide, .show,
  ]

  // MARK: Add

  @Test(arguments: [Author.bo, .mo, .ada, .root, .system])
  func `users with the capability add members and guests`(actor: Author) {
    for role in [Role.member, .guest] {
      Scene.general.when(.member(dee, .add(role)), by: actor).then(.member(dee, .added(role)))
    }
  }

  @Test func `users without the capability add no members`() {
    Scene.general.when(.member(dee, .add(.guest)), by: .gil).thenRefused(.notAllowed(.invite, in: "general"))
    Scene.general.when(.member(dee, .add(.guest)), by: .dee).thenRefused(.notMember(dee))
    let here = Ban.Key(of: "bo", from: .channel("general"))
    let scene = Scene.general.and(.ban(here, .impose(.endless, reason: nil)))
    if let ban = scene.state[here] { scene.when(.member(dee, .add(.member)), by: .bo).thenRefused(.banned(ban)) }
  }

  @Test func `a member is not added in another role`() {
    Scene.general.when(.member(bo, .add(.member)), by: .ada).thenNothing()
    Scene.general.when(.member(bo, .add(.guest)), by: .ada).thenRefused(.memberExists(bo))
  }

  @Test func `a role with more capabilities than the author's is not granted, nor an unknown one`() {
    let scene = Scene.general
    scene.when(.member(dee, .add(.moderator)), by: .bo).thenRefused(.roleTooHigh(.moderator))
    scene.when(.member(dee, .add(.owner)), by: .mo).thenRefused(.roleTooHigh(.owner))
    scene.when(.member(dee, .add(.moderator)), by: .mo).then(.member(dee, .added(.moderator)))
    for actor in [Author.ada, .root, .system] {
      scene.when(.member(dee, .add(.owner)), by: actor).then(.member(dee, .added(.owner)))
      scene.when(.member(dee, .add("captain")), by: actor).thenRefused(.unknownRole("captain"))
    }
  }

  // MARK: Remove

  @Test(arguments: [Author.mo, .ada, .root, .system])
  func `owners, moderators, administrators and the app remove members`(actor: Author) {
    let scene = Scene.general.when(.member(bo, .remove), by: actor).then(.member(bo, .removed))
    #expect(scene.state[bo]?.isMember == false)
    Scene.general.when(.member(dee, .remove), by: actor).thenNothing()
  }

  @Test func `users without the capability remove no members, and users with more capabilities are not removed`() {
    Scene.general.when(.member(bo, .remove), by: .cy).thenRefused(.notAllowed(.ban, in: "general"))
    Scene.general.when(.member(bo, .remove), by: .dee).thenRefused(.notMember(dee))
    Scene.general.when(.member(Member.Key("general", "ada"), .remove), by: .mo).thenRefused(.outranked(by: "ada"))
  }

  // MARK: Leave

  @Test(arguments: [Author.bo, .root, .system])
  func `a member leaves`(actor: Author) {
    let scene = Scene.general.when(.member(bo, .leave), by: actor).then(.member(bo, .left))
    scene.when(.message(.m3, .send(Message.Content("?"))), by: .bo).thenRefused(.notMember(bo))
    Scene.general.when(.member(dee, .leave), by: .dee).thenNothing()
  }

  @Test func `a banned member can leave`() {
    Scene.general.and(.ban(Ban.Key(of: "bo", from: .everywhere), .impose(.endless, reason: nil)))
      .when(.member(bo, .leave), by: .bo).then(.member(bo, .left))
  }

  // MARK: Change of role

  @Test(arguments: [Author.ada, .root, .system])
  func `the owner, an administrator and the app change roles`(actor: Author) {
    for role in [Role.guest, .moderator, .owner] {
      Scene.general.when(.member(bo, .changeRole(role)), by: actor).then(.member(bo, .roleChanged(role)))
    }
    Scene.general.when(.member(bo, .changeRole(.member)), by: actor).thenNothing()
    Scene.general.when(.member(dee, .changeRole(.member)), by: actor).thenRefused(.notMember(dee))
    Scene.general.when(.member(bo, .changeRole("captain")), by: actor).thenRefused(.unknownRole("captain"))
  }

  @Test func `users without the capability change no roles, not even their own`() {
    for actor in [Author.mo, .bo, .gil] {
      Scene.general.when(.member(bo, .changeRole(.guest)), by: actor)
        .thenRefused(.notAllowed(.changeChannel, in: "general"))
    }
    Scene.general.when(.member(bo, .changeRole(.guest)), by: .dee).thenRefused(.notMember(dee))
  }

  @Test func `roles above the author's are neither granted nor taken away`() {
    // The host may change roles and little else: more than a guest, less than the owner.
    let scene = Scene.general { $0.memberCapabilities["host"] = [.read, .changeChannel] }
      .and(.member(Member.Key("general", "cy"), .changeRole("host")))
    scene.when(.member(Member.Key("general", "ada"), .changeRole("host")), by: .cy).thenRefused(.outranked(by: "ada"))
    scene.when(.member(bo, .changeRole("host")), by: .cy).thenRefused(.outranked(by: "bo"))
    scene.when(.member(Member.Key("general", "cy"), .changeRole(.owner)), by: .cy).thenRefused(.roleTooHigh(.owner))
  }

  // MARK: Who is not there

  @Test(arguments: intents)
  func `intents on unknown users and in unknown channels are refused`(intent: Member.Intent) {
    let scene = Scene.general
    scene.when(.member(Member.Key("general", "eve"), intent), by: .system).thenRefused(.unknownUser("eve"))
    scene.when(.member(Member.Key("void", "bo"), intent), by: .bo).thenRefused(.unknownChannel("void"))
    scene.when(.member(bo, intent), by: .user("ghost")).thenRefused(.unknownUser("ghost"))
    scene.when(.member(Member.Key("void", "bo"), intent), by: .user("ghost")).thenRefused(.unknownUser("ghost"))
    scene.and(.user("bo", .deactivate)).when(.member(bo, intent), by: .bo).thenRefused(.userDeactivated("bo"))
    scene.and(.channel("general", .delete)).when(.member(bo, intent), by: .bo).thenRefused(.channelDeleted("general"))
  }

  // MARK: The row

  @Test func `joining and leaving are counted`() {
    func count(_ scene: Scene) -> UInt32? { scene.state["general" as Channel.ID]?.memberCount }
    let scene = Scene.general
    #expect(count(scene) == 5)
    #expect(count(scene.and(.member(dee, .add(.guest)))) == 6)
    #expect(count(scene.and(.member(bo, .leave))) == 4)
    #expect(count(scene.and(.member(bo, .remove), .member(bo, .leave))) == 4)
    #expect(count(scene.and(.member(bo, .remove), .member(bo, .add(.guest)))) == 5)
    #expect(count(scene.and(.member(bo, .changeRole(.guest)), .member(bo, .hide))) == 5)
  }

  @Test func `a returning member keeps the slow mode, and starts reading at the newest message`() {
    let later = Timestamp.start.plus(5)
    let scene = Scene.general.and(.channel("general", .setSlowMode(30)))
      .and(.member(bo, .hide), .member(bo, .leave), by: .bo).and(.member(bo, .add(.guest)), by: .ada, at: later)
    let row = scene.state[bo]
    #expect(row?.isMember == true && row?.role == .guest && row?.joined == later && row?.hidden == nil)
    #expect(row?.read == Message.Number(rawValue: 2) && row?.received == Message.Number(rawValue: 2))
    scene.when(.message(.m3, .send(Message.Content("again"))), by: .bo, at: later)
      .thenRefused(.coolingDown(until: .start.plus(30)))
  }
}
