// Tests of flags: who may flag which message and which user.
import Chat
import Testing

struct Flags {
  let flag = Flag.Key(by: "cy", on: .message(.m2))
  let onUser = Flag.Key(by: "cy", on: .user("bo"))

  func raise(_ key: Flag.Key, reason: UserText? = nil) -> ChatIntent { .flag(key, .raise(reason: reason)) }

  @Test(arguments: [Author.cy, .root, .system])
  func `a message is flagged, with a reason and without`(actor: Author) {
    Scene.general.when(raise(flag, reason: "rude"), by: actor).then(.flag(flag, .raised(reason: "rude")))
    Scene.general.when(raise(flag), by: actor).then(.flag(flag, .raised(reason: nil)))
  }

  @Test(arguments: [Author.cy, .root, .system])
  func `a user is flagged, with a reason and without`(actor: Author) {
    Scene.general.when(raise(onUser, reason: "rude"), by: actor).then(.flag(onUser, .raised(reason: "rude")))
    Scene.general.when(raise(onUser), by: actor).then(.flag(onUser, .raised(reason: nil)))
  }

  @Test func `a raised flag keeps its reason`() {
    let scene = Scene.general.and(raise(flag, reason: "rude"), raise(onUser), by: .cy, at: .start)
    scene.when(raise(flag, reason: "spam"), by: .cy).thenNothing()
    scene.when(raise(flag), by: .cy).thenNothing()
    scene.when(raise(onUser, reason: "spam"), by: .cy).thenNothing()
    #expect(scene.state[flag]?.reason == "rude" && scene.state[flag]?.raised == .start)
    let other = Flag.Key(by: "ada", on: .message(.m2))
    scene.when(raise(other), by: .ada).then(.flag(other, .raised(reason: nil)))
  }

  @Test func `users cannot flag for another user, nor flag themselves`() {
    Scene.general.when(raise(flag), by: .ada).thenRefused(.notYours("cy"))
    Scene.general.when(raise(onUser), by: .ada).thenRefused(.notYours("cy"))
    Scene.general.when(raise(Flag.Key(by: "cy", on: .user("cy"))), by: .cy).thenRefused(.oneself)
  }

  @Test func `unknown targets are not flagged, and unknown users flag nothing`() {
    let scene = Scene.general
    scene.when(raise(Flag.Key(by: "cy", on: .user("eve"))), by: .cy).thenRefused(.unknownUser("eve"))
    scene.when(raise(Flag.Key(by: "cy", on: .message(.m3))), by: .cy).thenRefused(.unknownMessage(.m3))
    let elsewhere = Message.Key("void", "m1")
    scene.when(raise(Flag.Key(by: "cy", on: .message(elsewhere))), by: .cy).thenRefused(.unknownChannel("void"))
    for target in [Flag.Target.message(.m2), .user("bo")] {
      scene.when(raise(Flag.Key(by: "eve", on: target)), by: .system).thenRefused(.unknownUser("eve"))
      scene.when(raise(Flag.Key(by: "cy", on: target)), by: .user("ghost")).thenRefused(.unknownUser("ghost"))
      scene.and(.user("cy", .deactivate)).when(raise(Flag.Key(by: "cy", on: target)), by: .cy)
        .thenRefused(.userDeactivated("cy"))
    }
    scene.and(.channel("general", .delete)).when(raise(flag), by: .cy).thenRefused(.channelDeleted("general"))
  }

  @Test func `a deleted message can be flagged, an erased or truncated one cannot`() {
    let scene = Scene.general
    scene.and(.message(.m2, .delete(forGood: false)), by: .bo)
      .when(raise(flag), by: .cy).then(.flag(flag, .raised(reason: nil)))
    scene.and(.message(.m2, .delete(forGood: true)), by: .bo)
      .when(raise(flag), by: .cy).thenRefused(.unknownMessage(.m2))
    scene.and(.channel("general", .truncate(through: "m2")), by: .ada)
      .when(raise(flag), by: .cy).thenRefused(.unknownMessage(.m2))
  }

  @Test func `another user's ephemeral message is not flagged`() {
    let scene = Scene.general.and(.message(.m3, .send(Message.Content("?", kind: .ephemeral))), by: .bo)
    scene.when(raise(Flag.Key(by: "cy", on: .message(.m3))), by: .cy).thenRefused(.unknownMessage(.m3))
  }

  @Test func `flagging a message needs membership, no ban and the capability`() throws {
    let outside = Flag.Key(by: "dee", on: .message(.m2))
    Scene.general.when(raise(outside), by: .dee).thenRefused(.notMember(Member.Key("general", "dee")))
    Scene.general { $0.memberCapabilities[.member]?.remove(.flag) }
      .when(raise(flag), by: .cy).thenRefused(.notAllowed(.flag, in: "general"))
    let key = Ban.Key(of: "cy", from: .everywhere)
    let scene = Scene.general.and(.ban(key, .impose(.endless, reason: nil)))
    let ban = try #require(scene.state[key])
    scene.when(raise(flag), by: .cy).thenRefused(.banned(ban))
    scene.when(raise(onUser), by: .cy).then(.flag(onUser, .raised(reason: nil)))
  }

  @Test func `a reason is limited to a line`() {
    let scene = Scene.general { $0.limits.lineByteCountMax = 8 }
    scene.when(raise(flag, reason: "8 bytes."), by: .cy).then(.flag(flag, .raised(reason: "8 bytes.")))
    for key in [flag, onUser] {
      scene.when(raise(key, reason: "nine char"), by: .cy).thenRefused(.tooLarge(.lineByteCount, count: 9, max: 8))
    }
  }
}
