// Tests of bans: scope, expiry, and who may impose and lift them.
import Chat
import Testing

struct Bans {
  let here = Ban.Key(of: "bo", from: .channel("general"))
  let everywhere = Ban.Key(of: "bo", from: .everywhere)
  let end = Timestamp.start.plus(60)

  func impose(_ key: Ban.Key, _ term: Expiry = .endless, reason: UserText? = nil) -> ChatIntent {
    .ban(key, .impose(term, reason: reason))
  }

  // MARK: Impose

  @Test(arguments: [Author.mo, .ada, .root, .system])
  func `moderators ban from the channel, and lift the ban`(actor: Author) {
    Scene.general.when(.ban(here, .lift), by: actor).thenNothing()
    Scene.general.when(impose(here, reason: "spam"), by: actor).then(.ban(here, .imposed(.endless, reason: "spam")))
      .when(.ban(here, .lift), by: actor).then(.ban(here, .lifted))
  }

  @Test(arguments: [Author.root, .system])
  func `an administrator and the app ban everywhere, and lift the ban`(actor: Author) {
    Scene.general.when(.ban(everywhere, .lift), by: actor).thenNothing()
    Scene.general.when(impose(everywhere, .until(end)), by: actor)
      .then(.ban(everywhere, .imposed(.until(end), reason: nil)))
      .when(.ban(everywhere, .lift), by: actor).then(.ban(everywhere, .lifted))
  }

  @Test(arguments: [Ban.Intent.impose(.endless, reason: nil), .lift])
  func `authors without the capability neither ban nor lift a ban`(intent: Ban.Intent) {
    let scene = Scene.general
    scene.when(.ban(here, intent), by: .cy).thenRefused(.notAllowed(.ban, in: "general"))
    scene.when(.ban(here, intent), by: .dee).thenRefused(.notMember(Member.Key("general", "dee")))
    scene.when(.ban(everywhere, intent), by: .ada).thenRefused(.notAdministrator)
    scene.when(.ban(here, intent), by: .user("ghost")).thenRefused(.unknownUser("ghost"))
    scene.when(.ban(everywhere, intent), by: .user("ghost")).thenRefused(.unknownUser("ghost"))
    scene.when(.ban(Ban.Key(of: "eve", from: .everywhere), intent), by: .root).thenRefused(.unknownUser("eve"))
    scene.when(.ban(Ban.Key(of: "bo", from: .channel("void")), intent), by: .root)
      .thenRefused(.unknownChannel("void"))
    scene.and(.channel("general", .delete)).when(.ban(here, intent), by: .mo).thenRefused(.channelDeleted("general"))
    scene.and(.user("mo", .deactivate)).when(.ban(here, intent), by: .mo).thenRefused(.userDeactivated("mo"))
  }

  @Test(arguments: [Ban.Intent.impose(.endless, reason: nil), .lift])
  func `users with more capabilities are not banned, nor their ban lifted`(intent: Ban.Intent) {
    let owner = Ban.Key(of: "ada", from: .channel("general"))
    Scene.general.when(.ban(owner, intent), by: .mo).thenRefused(.outranked(by: "ada"))
    let root = Ban.Key(of: "root", from: .channel("general"))
    Scene.general.when(.ban(root, intent), by: .mo).thenRefused(.outranked(by: "root"))
  }

  @Test func `users cannot ban themselves`() {
    let mo = Ban.Key(of: "mo", from: .channel("general"))
    Scene.general.when(impose(mo), by: .mo).thenRefused(.oneself)
    Scene.general.when(impose(Ban.Key(of: "root", from: .everywhere)), by: .root).thenRefused(.oneself)
  }

  @Test func `a user who is not a member can be banned from the channel`() {
    let dee = Ban.Key(of: "dee", from: .channel("general"))
    Scene.general.when(impose(dee), by: .mo).then(.ban(dee, .imposed(.endless, reason: nil)))
  }

  @Test func `a ban is imposed again with another expiry or another reason`() {
    let scene = Scene.general.and(impose(here, reason: "spam"), by: .mo)
    scene.when(impose(here, reason: "noise"), by: .mo).then(.ban(here, .imposed(.endless, reason: "noise")))
    scene.when(impose(here), by: .mo).then(.ban(here, .imposed(.endless, reason: nil)))
    let shorter = scene.when(impose(here, .until(end), reason: "spam"), by: .ada, at: .start.plus(1))
      .then(.ban(here, .imposed(.until(end), reason: "spam")))
    #expect(shorter.state[here]?.by == .ada && shorter.state[here]?.since == .start.plus(1))
    #expect(shorter.state[here]?.reason == "spam" && shorter.state[here]?.term == .until(end))
  }

  @Test func `a reason is limited to a line`() {
    let scene = Scene.general { $0.limits.lineByteCountMax = 8 }
    scene.when(impose(here, reason: "8 bytes."), by: .mo).then(.ban(here, .imposed(.endless, reason: "8 bytes.")))
    scene.when(impose(here, reason: "nine char"), by: .mo).thenRefused(.tooLarge(.lineByteCount, count: 9, max: 8))
  }

  // MARK: What it does

  @Test(arguments: [Ban.Scope.channel("general"), .everywhere])
  func `a ban holds until the microsecond before its end`(scope: Ban.Scope) throws {
    let key = Ban.Key(of: "bo", from: scope)
    let scene = Scene.general.and(impose(key, .until(end), reason: "spam"))
    let ban = try #require(scene.state[key])
    let send = ChatIntent.message(.m3, .send(Message.Content("hello")))
    let sent = ChatEvent.Change.message(.m3, .sent(Message.Content("hello")))
    scene.when(send, by: .bo, at: end.plus(microseconds: -1)).thenRefused(.banned(ban))
    scene.when(send, by: .bo, at: end).then(sent)
    scene.when(send, by: .bo, at: end.plus(microseconds: 1)).then(sent)
    scene.when(.ban(key, .lift), by: .root, at: end.plus(microseconds: -1)).then(.ban(key, .lifted))
    scene.when(.ban(key, .lift), by: .root, at: end).thenNothing()
    scene.and(.ban(key, .lift)).when(send, by: .bo).then(sent)
  }

  @Test func `a ban that would have expired is refused, and an expired one is imposed again`() {
    let intent = impose(here, .until(end))
    let imposed = ChatEvent.Change.ban(here, .imposed(.until(end), reason: nil))
    Scene.general.when(intent, by: .mo, at: end.plus(microseconds: -1)).then(imposed)
    Scene.general.when(intent, by: .mo, at: end).thenRefused(.alreadyOver(end))
    Scene.general.when(intent, by: .mo, at: end.plus(microseconds: 1)).thenRefused(.alreadyOver(end))
    Scene.general.and(intent, by: .mo).when(impose(here), by: .mo, at: end)
      .then(.ban(here, .imposed(.endless, reason: nil)))
  }

  @Test func `a ban from one channel does not apply to another`() {
    let scene = Scene.general.and(impose(here), by: .mo)
      .and(.channel("other", .create("team", Channel.Profile(), ChannelConfig(), members: [])), by: .bo)
    let key = Message.Key("other", "o1")
    scene.when(.message(key, .send(Message.Content("hello"))), by: .bo)
      .then(.message(key, .sent(Message.Content("hello"))))
  }

  @Test func `a user who is banned everywhere creates no channel`() throws {
    let scene = Scene.general.and(impose(everywhere, .until(end)))
    let ban = try #require(scene.state[everywhere])
    let profile = Channel.Profile(name: "Spam")
    let create = ChatIntent.channel("spam", .create("team", profile, ChannelConfig(), members: ["ada"]))
    scene.when(create, by: .bo, at: end.plus(microseconds: -1)).thenRefused(.banned(ban))
    scene.when(create, by: .bo, at: end).then(
      .channel("spam", .created("team", profile, ChannelConfig())),
      .member(Member.Key("spam", "bo"), .added(.owner)), .member(Member.Key("spam", "ada"), .added(.member)))
  }

  @Test func `a banned user lifts no ban, not even their own`() throws {
    let key = Ban.Key(of: "mo", from: .channel("general"))
    let scene = Scene.general.and(impose(key), by: .ada)
    let ban = try #require(scene.state[key])
    scene.when(.ban(key, .lift), by: .mo).thenRefused(.banned(ban))
    scene.when(impose(here), by: .mo).thenRefused(.banned(ban))
  }

  @Test func `a ban survives leaving and rejoining`() throws {
    let member = Member.Key("general", "bo")
    let scene = Scene.general.and(impose(here), by: .mo).and(.member(member, .leave), by: .bo)
      .and(.member(member, .add(.member)), by: .ada)
    let ban = try #require(scene.state[here])
    scene.when(.message(.m3, .send(Message.Content("hello"))), by: .bo).thenRefused(.banned(ban))
  }
}
