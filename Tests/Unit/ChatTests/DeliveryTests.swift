// Tests of pending messages: acknowledged, failed and retried.
import Chat
import Testing

struct Deliveries {
  private let pending = Scene.withThird(Message.Content("three", isPending: true))
  private var failed: Scene { pending.and(.message(.m3, .fail(reason: "offline")), by: .bo) }

  private func delivery(_ scene: Scene) -> Message.Delivery? { scene.state[Message.Key.m3]?.delivery }

  @Test func `a pending message is acknowledged`() {
    let scene = pending.when(.message(.m3, .acknowledge), by: .bo).then(.message(.m3, .acknowledged))
    #expect(delivery(scene) == .settled)
  }

  @Test func `a pending message fails, with a reason`() {
    let scene = pending.when(.message(.m3, .fail(reason: "offline")), by: .bo)
      .then(.message(.m3, .failed(reason: "offline")))
    #expect(delivery(scene) == .failed(reason: "offline"))
  }

  @Test func `a failed message is retried`() {
    let scene = failed.when(.message(.m3, .retry), by: .bo).then(.message(.m3, .retried))
    #expect(delivery(scene) == .pending)
  }

  @Test func `a failed message is acknowledged by a late response of the server`() {
    let scene = failed.when(.message(.m3, .acknowledge), by: .bo).then(.message(.m3, .acknowledged))
    #expect(delivery(scene) == .settled)
  }

  @Test func `a message that waits for no server neither fails nor is retried`() {
    Scene.general.when(.message(.m2, .acknowledge), by: .bo).thenNothing()
    for intent in [Message.Intent.fail(reason: "offline"), .retry] {
      Scene.general.when(.message(.m2, intent), by: .bo).thenRefused(.notAwaited(.m2, .settled))
    }
    #expect("\(Refusal.notAwaited(.m2, .settled))".contains("since it is settled"))
  }

  @Test func `a failed message does not fail for another reason before a retry`() {
    let refusal = Refusal.notAwaited(.m3, .failed(reason: "offline"))
    failed.when(.message(.m3, .fail(reason: "too late")), by: .bo).thenRefused(refusal)
    #expect("\(refusal)".contains("it failed, “offline”"))
  }

  @Test func `retrying a pending message is a no-op`() {
    pending.when(.message(.m3, .retry), by: .bo).thenNothing()
    #expect("\(Refusal.notAwaited(.m3, .pending))".contains("since it is pending"))
  }

  @Test func `only the author, administrators and the app report deliveries, also after the author left`() {
    let left = pending.and(.member(Member.Key("general", "bo"), .leave), by: .bo)
    for intent in [Message.Intent.acknowledge, .fail(reason: "offline"), .retry] {
      for actor in [Author.cy, .mo, .ada] {
        pending.when(.message(.m3, intent), by: actor).thenRefused(.notYours("bo"))
      }
    }
    for actor in [Author.root, .system] {
      pending.when(.message(.m3, .acknowledge), by: actor).then(.message(.m3, .acknowledged))
    }
    left.when(.message(.m3, .acknowledge), by: .bo).then(.message(.m3, .acknowledged))
  }

  @Test func `only the app and administrators report deliveries of the app's messages`() {
    let scene = Scene.withThird(Message.Content("three", isPending: true), by: .system)
    scene.when(.message(.m3, .acknowledge), by: .ada).thenRefused(.notAdministrator)
    scene.when(.message(.m3, .acknowledge), by: .root).then(.message(.m3, .acknowledged))
  }

  // What broke: it was found by reading. A banned or blocked author went on writing to the others, in reasons of
  // failures.
  @Test func `a banned author reports no deliveries, and the app does`() throws {
    let reports: [(Scene, [Message.Intent])] = [
      (pending, [.acknowledge, .fail(reason: "words")]), (failed, [.acknowledge, .retry]),
    ]
    for (scene, intents) in reports {
      let scene = scene.banned("bo")
      let ban = try scene.ban(of: "bo")
      for intent in intents { scene.when(.message(.m3, intent), by: .bo).thenRefused(.banned(ban)) }
      scene.when(.message(.m3, .acknowledge), by: .system).then(.message(.m3, .acknowledged))
    }
    failed.banned("bo").when(.message(.m3, .fail(reason: "offline")), by: .bo).thenNothing()
  }

  @Test func `a blocked author reports no deliveries in the direct channel, and the app does`() {
    let direct = Channel.ID.direct(among: ["ada", "bo"])
    let key = Message.Key(direct, "d1")
    let scene = Scene.general
      .and(.channel(direct, .create(.direct, Channel.Profile(), ChannelConfig(), members: ["bo"])), by: .ada)
      .and(.message(key, .send(Message.Content("hi", isPending: true))), by: .ada)
      .and(.block(UserBlock.Key(by: "bo", of: "ada"), .begin), by: .bo)
    for intent in [Message.Intent.acknowledge, .fail(reason: "words")] {
      scene.when(.message(key, intent), by: .ada).thenRefused(.blocked(by: "bo"))
    }
    scene.when(.message(key, .acknowledge), by: .system).then(.message(key, .acknowledged))
  }

  @Test func `a reason is limited to a line`() {
    var scene = pending
    scene.state.rules.limits.lineByteCountMax = 4
    scene.when(.message(.m3, .fail(reason: "12345")), by: .bo)
      .thenRefused(.tooLarge(.lineByteCount, count: 5, max: 4))
  }

  @Test func `unknown messages have no delivery`() {
    for intent in [Message.Intent.acknowledge, .fail(reason: "offline"), .retry] {
      Scene.general.when(.message(.none, intent), by: .bo).thenRefused(.unknownMessage(.none))
    }
  }
}
