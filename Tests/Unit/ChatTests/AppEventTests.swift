// Tests of app events: who may record them in which stream, and that each is recorded every time.
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

  @Test func `a version of 0 is refused`() {
    Scene.general.when(.app(.app("game"), AppEvent("poll.voted", version: 0, payload: [])), by: .bo)
      .thenRefused(.zeroVersion("poll.voted"))
  }

  // What broke: any user's event could replace the keys of a workspace, correct the clock of its log, or erase content.
  @Test(arguments: [
    (AppEvent.Subject.app("verbatim.erasures"), "verbatim.keysReplaced" as AppEvent.Name),
    (.app("verbatim.clock"), "waved"), (.app("game"), "verbatim.clockCorrected"),
    (.channel("general"), "verbatim.waved"), (.user("root"), "verbatim."),
  ])
  func `an event with a reserved name is refused, also from the app`(subject: AppEvent.Subject, name: AppEvent.Name) {
    for author in [Author.root, .system] {
      Scene.general.when(.app(subject, AppEvent(name, payload: [])), by: author).thenRefused(.reservedAppEvent(name))
    }
  }

  @Test func `a payload is limited in bytes`() throws {
    let scene = Scene.general { $0.limits.payloadByteCountMax = 3 }
    let intent = { ChatIntent.app(.app("game"), AppEvent("poll.voted", payload: $0)) }
    #expect(try decide(intent([1, 2, 3]), by: .bo, at: .start, given: scene.state).count == 1)
    scene.when(intent([1, 2, 3, 4]), by: .bo).thenRefused(.tooLarge(.payloadByteCount, count: 4, max: 3))
  }

  @Test func `app events of a user need that user, an administrator or the app`() {
    Scene.general.when(.app(.user("bo"), event), by: .ada).thenRefused(.notYours("bo"))
    Scene.general.when(.app(.user("nobody"), event), by: .root).thenRefused(.unknownUser("nobody"))
  }

  @Test func `app events of a channel need the right to send there`() throws {
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

  @Test func `unknown and deactivated users record no app events`() {
    for subject in [AppEvent.Subject.user("bo"), .channel("general"), .app("game")] {
      Scene.general.and(.user("bo", .deactivate)).when(.app(subject, event), by: .bo)
        .thenRefused(.userDeactivated("bo"))
      Scene.general.when(.app(subject, event), by: .user("nobody")).thenRefused(.unknownUser("nobody"))
    }
  }
}
