// Tests of roles: administrators of an app's own, outranking, and granting.
import Chat
import Testing

struct Roles {
  /// Roles of the app: the clerk may read, invite, ban and change the channel; the bell may read and pin, which the
  /// clerk may not; the reader only reads.
  static func club() -> Scene {
    Scene {
      $0.memberCapabilities = [
        .owner: .all, "clerk": [.read, .invite, .ban, .changeChannel], "reader": [.read], "bell": [.read, .pin],
        "empty": [],
      ]
      $0.administrators = ["boss"]
      $0.userCapabilities = [:]
    }
    .and(
      .user("ada", .create(User.Profile(name: "Ada"))), .user("bo", .create(User.Profile(name: "Bo"))),
      .user("cy", .create(User.Profile(name: "Cy"))), .user("dee", .create(User.Profile(name: "Dee"))),
      .user("root", .create(User.Profile(name: "Root"))), .user("root", .changeRole("boss"))
    )
    .and(.channel("club", .create("team", Channel.Profile(), ChannelConfig(), members: [])), by: .ada)
    .and(.member(Member.Key("club", "bo"), .add("clerk")), .member(Member.Key("club", "cy"), .add("bell")))
  }

  let ada = Member.Key("club", "ada")
  let bo = Member.Key("club", "bo")
  let cy = Member.Key("club", "cy")
  let dee = Member.Key("club", "dee")

  // MARK: Outranking

  @Test func `a user with another capability outranks users without it`() {
    // The clerk has more capabilities than the bell, but not the bell's.
    let scene = Self.club()
    scene.when(.member(cy, .remove), by: .bo).thenRefused(.outranked(by: "cy"))
    scene.when(.member(cy, .changeRole("reader")), by: .bo).thenRefused(.outranked(by: "cy"))
    scene.when(.ban(Ban.Key(of: "cy", from: .channel("club")), .impose(.endless, reason: nil)), by: .bo)
      .thenRefused(.outranked(by: "cy"))
  }

  @Test func `a user with the same capabilities does not outrank`() {
    let scene = Self.club().and(.member(dee, .add("clerk")), by: .bo)
    scene.when(.member(dee, .changeRole("reader")), by: .bo).then(.member(dee, .roleChanged("reader")))
    scene.when(.member(dee, .remove), by: .bo).then(.member(dee, .removed))
    let ban = Ban.Key(of: "dee", from: .channel("club"))
    scene.when(.ban(ban, .impose(.endless, reason: nil)), by: .bo).then(.ban(ban, .imposed(.endless, reason: nil)))
  }

  @Test func `capabilities of a user's role in every channel outrank too`() {
    var scene = Self.club().and(.member(dee, .add("reader"))).and(.user("dee", .changeRole("warden")))
    scene.when(.member(dee, .remove), by: .bo).then(.member(dee, .removed))
    scene.state.rules.userCapabilities["warden"] = [.skipSlowMode]
    scene.when(.member(dee, .remove), by: .bo).thenRefused(.outranked(by: "dee"))
    scene.when(.member(dee, .remove), by: .ada).then(.member(dee, .removed))
  }

  @Test func `a banned user outranks as before`() {
    let ban = Ban.Key(of: "ada", from: .everywhere)
    Self.club().and(.ban(ban, .impose(.endless, reason: nil))).when(.member(ada, .remove), by: .bo)
      .thenRefused(.outranked(by: "ada"))
  }

  @Test func `users do not outrank themselves`() {
    Self.club().and(.member(bo, .remove), by: .bo).when(.member(bo, .leave), by: .bo).thenNothing()
    let scene = Self.club().and(.member(bo, .changeRole("reader")), by: .bo)
    #expect(scene.state[bo]?.role == "reader")
  }

  // MARK: Giving roles

  @Test func `a role with a capability that the author lacks is not granted`() {
    let scene = Self.club()
    scene.when(.member(dee, .add("bell")), by: .bo).thenRefused(.roleTooHigh("bell"))
    scene.when(.member(dee, .add(.owner)), by: .bo).thenRefused(.roleTooHigh(.owner))
    scene.when(.member(bo, .changeRole("bell")), by: .bo).thenRefused(.roleTooHigh("bell"))
    for role in ["reader", "clerk", "empty"] as [Role] {
      scene.when(.member(dee, .add(role)), by: .bo).then(.member(dee, .added(role)))
    }
  }

  @Test func `a role that is not in the rules is not granted`() {
    let scene = Self.club()
    for actor in [Author.ada, .bo, .system] {
      scene.when(.member(dee, .add(.member)), by: actor).thenRefused(.unknownRole(.member))
      scene.when(.member(bo, .changeRole(.guest)), by: actor).thenRefused(.unknownRole(.guest))
    }
  }

  // MARK: Administrators

  @Test func `the app names the roles of administrators`() {
    let scene = Self.club()
    let everywhere = Ban.Key(of: "bo", from: .everywhere)
    let profile = User.Profile(name: "B")
    for actor in [Author.root, .system] {
      scene.when(.user("bo", .deactivate), by: actor).then(.user("bo", .deactivated))
      scene.when(.user("bo", .changeRole(.admin)), by: actor).then(.user("bo", .roleChanged(.admin)))
      scene.when(.user("bo", .change(profile)), by: actor).then(.user("bo", .changed(profile)))
      scene.when(.ban(everywhere, .impose(.endless, reason: nil)), by: actor)
        .then(.ban(everywhere, .imposed(.endless, reason: nil)))
      scene.when(.member(bo, .leave), by: actor).then(.member(bo, .left))
    }
    let admin = scene.and(.user("cy", .changeRole(.admin)))
    admin.when(.user("bo", .deactivate), by: .cy).thenRefused(.notAdministrator)
    admin.when(.user("bo", .change(profile)), by: .cy).thenRefused(.notYours("bo"))
    admin.when(.ban(everywhere, .lift), by: .cy).thenRefused(.notAdministrator)
  }

  @Test func `an administrator without capabilities in a channel acts for members and not as one`() {
    let scene = Self.club()
    scene.when(.channel("club", .freeze), by: .root).thenRefused(.notMember(Member.Key("club", "root")))
    scene.when(.member(bo, .remove), by: .root).thenRefused(.notMember(Member.Key("club", "root")))
    scene.when(.member(bo, .hide), by: .root).then(.member(bo, .hidden))
    scene.when(.device(Device.Key("bo", "phone"), .add(Device.Info(name: "phone"))), by: .root)
      .then(.device(Device.Key("bo", "phone"), .added(Device.Info(name: "phone"))))
  }

  @Test func `a lost role has no effect at once`() {
    let scene = Self.club().and(.user("root", .changeRole(.user)))
    scene.when(.user("bo", .deactivate), by: .root).thenRefused(.notAdministrator)
    scene.and(.member(bo, .changeRole("reader"))).when(.member(dee, .add("reader")), by: .bo)
      .thenRefused(.notAllowed(.invite, in: "club"))
  }

  @Test func `the app does everything in a channel without membership`() {
    let scene = Self.club()
    scene.when(.channel("club", .freeze), by: .system).then(.channel("club", .frozen))
    scene.when(.member(ada, .remove), by: .system).then(.member(ada, .removed))
    scene.when(.member(dee, .add(.owner)), by: .system).then(.member(dee, .added(.owner)))
  }

  @Test func `permissions do not depend on the device`() {
    let phone = Author.user("bo", on: "phone")
    Self.club().when(.member(dee, .add("reader")), by: phone).then(.member(dee, .added("reader")))
    Self.club().when(.channel("club", .delete), by: .user("cy", on: "phone"))
      .thenRefused(.notAllowed(.changeChannel, in: "club"))
    #expect(phone.user == "bo" && phone.device == "phone")
    #expect(Author.system.user == nil && Author.system.device == nil && Author.bo.device == nil)
  }
}
