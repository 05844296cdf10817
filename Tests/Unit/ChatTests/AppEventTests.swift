// Events of an app's own: who may record them where, and that each is recorded as often as it is wanted.
import Chat
import Testing

struct AppEvents {
  private let event = AppEvent("poll.voted", version: 2, payload: [1, 2, 3])

  private func records(_ subject: AppEvent.Subject, by actor: Author) throws {
    var scene = Scene.general
    let before = scene.state
    for _ in 1...2 {
      let events = try decide(.app(subject, event), by: actor, at: .start, given: scene.state)
      #expect(events == [ChatEvent(.app(subject, event), EventOrigin(by: actor, at: .start))])
      for event in events { scene.fold(event) }
    }
    #expect(scene.state == before)
  }

  @Test func `an app's event is recorded each time and changes no row`() throws {
    try records(.user("bo"), by: .bo)
    try records(.channel("general"), by: .bo)
    try records(.app("game"), by: .dee)
    for actor in [Author.root, .system] {
      for subject in [AppEvent.Subject.user("bo"), .channel("general"), .app("game")] {
        try records(subject, by: actor)
      }
    }
  }

  @Test func `versions are counted from 1`() {
    Scene.general.when(.app(.app("game"), AppEvent("poll.voted", version: 0, payload: [])), by: .bo)
      .thenRefused(.zeroVersion("poll.voted"))
  }

  @Test func `a payload has only so many bytes`() throws {
    let scene = Scene.general { $0.limits.payloadByteCountMax = 3 }
    let intent = { ChatIntent.app(.app("game"), AppEvent("poll.voted", payload: $0)) }
    #expect(try decide(intent([1, 2, 3]), by: .bo, at: .start, given: scene.state).count == 1)
    scene.when(intent([1, 2, 3, 4]), by: .bo).thenRefused(.tooLarge(.payloadByteCount, count: 4, max: 3))
  }

  @Test func `of a user, only they, administrators and the app record anything`() {
    Scene.general.when(.app(.user("bo"), event), by: .ada).thenRefused(.notYours("bo"))
    Scene.general.when(.app(.user("nobody"), event), by: .root).thenRefused(.unknownUser("nobody"))
  }

  @Test func `of a channel, only those record anything who may send there`() throws {
    let subject = AppEvent.Subject.channel("general")
    let banned = Scene.general.banned("bo")
    banned.when(.app(subject, event), by: .bo).thenRefused(.banned(try banned.ban(of: "bo")))
    Scene.general.when(.app(subject, event), by: .dee).thenRefused(.notMember(Member.Key("general", "dee")))
    Scene.general { $0.memberCapabilities[.guest] = [.read] }
      .when(.app(subject, event), by: .gil).thenRefused(.notAllowed(.send, in: "general"))
    Scene.general.when(.app(.channel("nowhere"), event), by: .bo).thenRefused(.unknownChannel("nowhere"))
    Scene.general.and(.channel("general", .delete), by: .ada)
      .when(.app(subject, event), by: .bo).thenRefused(.channelDeleted("general"))
  }

  @Test func `nobody records anything who is not there or deactivated`() {
    for subject in [AppEvent.Subject.user("bo"), .channel("general"), .app("game")] {
      Scene.general.and(.user("bo", .deactivate)).when(.app(subject, event), by: .bo)
        .thenRefused(.userDeactivated("bo"))
      Scene.general.when(.app(subject, event), by: .user("nobody")).thenRefused(.unknownUser("nobody"))
    }
  }
}
