// Tests of mutes: target, expiry, and who may begin and end them.
import Chat
import Testing

struct Mutes {
  let mute = Mute.Key(by: "ada", of: .user("bo"))
  let quiet = Mute.Key(by: "bo", of: .channel("general"))
  let end = Timestamp.start.plus(60)

  // MARK: Begin

  @Test func `a user mutes another for good`() {
    Scene.general.when(.mute(mute, .begin(.endless)), by: .ada).then(.mute(mute, .began(.endless)))
  }

  @Test func `a user mutes a channel for good, and for a while`() {
    Scene.general.when(.mute(quiet, .begin(.endless)), by: .bo).then(.mute(quiet, .began(.endless)))
    Scene.general.when(.mute(quiet, .begin(.until(end))), by: .bo).then(.mute(quiet, .began(.until(end))))
  }

  @Test(arguments: [Author.root, .system])
  func `an administrator and the app mute for a user`(actor: Author) {
    Scene.general.when(.mute(mute, .begin(.endless)), by: actor).then(.mute(mute, .began(.endless)))
      .when(.mute(mute, .end), by: actor).then(.mute(mute, .ended))
  }

  @Test func `a mute begins again with another end`() {
    let scene = Scene.general.and(.mute(mute, .begin(.endless)), by: .ada)
    let shorter = scene.when(.mute(mute, .begin(.until(end))), by: .ada, at: .start.plus(5))
      .then(.mute(mute, .began(.until(end))))
    #expect(shorter.state[mute] != nil && shorter.state[mute]?.since == .start.plus(5))
    shorter.when(.mute(mute, .begin(.endless)), by: .ada).then(.mute(mute, .began(.endless)))
  }

  @Test func `muting a user mutes no channel, and begins no mute by the other user`() {
    let scene = Scene.general.and(.mute(mute, .begin(.endless)), by: .ada)
    scene.when(.mute(Mute.Key(by: "bo", of: .user("ada")), .end), by: .bo).thenNothing()
    scene.when(.mute(Mute.Key(by: "ada", of: .channel("general")), .end), by: .ada).thenNothing()
  }

  @Test func `muting for another user, oneself, an unknown user or an unknown channel is refused`() {
    let scene = Scene.general
    scene.when(.mute(mute, .begin(.endless)), by: .cy).thenRefused(.notYours("ada"))
    scene.when(.mute(Mute.Key(by: "ada", of: .user("ada")), .begin(.endless)), by: .ada).thenRefused(.oneself)
    scene.when(.mute(Mute.Key(by: "ada", of: .user("eve")), .begin(.endless)), by: .ada)
      .thenRefused(.unknownUser("eve"))
    scene.when(.mute(Mute.Key(by: "ada", of: .channel("void")), .begin(.endless)), by: .ada)
      .thenRefused(.unknownChannel("void"))
    scene.when(.mute(Mute.Key(by: "eve", of: .user("ada")), .begin(.endless)), by: .system)
      .thenRefused(.unknownUser("eve"))
    scene.and(.channel("general", .delete)).when(.mute(quiet, .begin(.endless)), by: .bo)
      .thenRefused(.channelDeleted("general"))
  }

  @Test func `muting a channel needs membership and the capability`() {
    let outside = Mute.Key(by: "dee", of: .channel("general"))
    Scene.general.when(.mute(outside, .begin(.endless)), by: .dee).thenRefused(.notMember(Member.Key("general", "dee")))
    Scene.general { $0.memberCapabilities[.member]?.remove(.mute) }
      .when(.mute(quiet, .begin(.endless)), by: .bo).thenRefused(.notAllowed(.mute, in: "general"))
  }

  // MARK: End

  @Test func `a mute is ended by its user`() {
    let scene = Scene.general.and(.mute(mute, .begin(.endless)), by: .ada)
    scene.when(.mute(mute, .end), by: .ada).then(.mute(mute, .ended))
    scene.when(.mute(mute, .end), by: .bo).thenRefused(.notYours("ada"))
    scene.when(.mute(mute, .end), by: .user("ghost")).thenRefused(.unknownUser("ghost"))
    Scene.general.when(.mute(mute, .end), by: .ada).thenNothing()
  }

  @Test func `the mute of a channel is ended whatever the state of the channel`() {
    let scene = Scene.general.and(.mute(quiet, .begin(.endless)), by: .bo)
    let worlds = [
      scene.and(.channel("general", .delete)),
      scene.and(.channel("general", .configure(ChannelConfig(off: .all)))),
      scene.and(.member(Member.Key("general", "bo"), .leave), by: .bo),
    ]
    for world in worlds { world.when(.mute(quiet, .end), by: .bo).then(.mute(quiet, .ended)) }
  }

  @Test func `a mute holds until the microsecond before its end`() {
    let scene = Scene.general.and(.mute(mute, .begin(.until(end))), by: .ada)
    scene.when(.mute(mute, .end), by: .ada, at: end.plus(microseconds: -1)).then(.mute(mute, .ended))
    scene.when(.mute(mute, .end), by: .ada, at: end).thenNothing()
    scene.when(.mute(mute, .end), by: .ada, at: end.plus(microseconds: 1)).thenNothing()
  }

  @Test func `an expired mute begins again`() {
    let scene = Scene.general.and(.mute(mute, .begin(.until(end))), by: .ada)
    let before = end.plus(microseconds: -1)
    scene.when(.mute(mute, .begin(.until(end))), by: .ada, at: before).thenNothing()
    scene.when(.mute(mute, .begin(.until(end.plus(60)))), by: .ada, at: end)
      .then(.mute(mute, .began(.until(end.plus(60)))))
  }

  @Test func `a mute that would have expired is refused`() {
    let begin = ChatIntent.mute(mute, .begin(.until(end)))
    Scene.general.when(begin, by: .ada, at: end.plus(microseconds: -1)).then(.mute(mute, .began(.until(end))))
    Scene.general.when(begin, by: .ada, at: end).thenRefused(.alreadyOver(end))
    Scene.general.when(begin, by: .ada, at: end.plus(microseconds: 1)).thenRefused(.alreadyOver(end))
  }

  @Test func `the row returns whether the mute is in effect`() throws {
    let row = try #require(Scene.general.and(.mute(mute, .begin(.until(end))), by: .ada).state[mute])
    #expect(row.holds(at: end.plus(microseconds: -1)))
    #expect(!row.holds(at: end) && !row.holds(at: end.plus(microseconds: 1)))
  }
}
