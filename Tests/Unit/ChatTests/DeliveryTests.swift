// Messages that wait for a server: acknowledged, failed, tried again.
import Chat
import Testing

struct Deliveries {
  private let pending = Scene.withThird(Message.Content("three", isPending: true))
  private var failed: Scene { pending.and(.message(.m3, .fail(reason: "offline")), by: .bo) }

  private func delivery(_ scene: Scene) -> Message.Delivery? { scene.state[Message.Key.m3]?.delivery }

  @Test func `the server takes a message`() {
    let scene = pending.when(.message(.m3, .acknowledge), by: .bo).then(.message(.m3, .acknowledged))
    #expect(delivery(scene) == .settled)
  }

  @Test func `the server does not take a message, and says why`() {
    let scene = pending.when(.message(.m3, .fail(reason: "offline")), by: .bo)
      .then(.message(.m3, .failed(reason: "offline")))
    #expect(delivery(scene) == .failed(reason: "offline"))
  }

  @Test func `a message that failed is tried again`() {
    let scene = failed.when(.message(.m3, .retry), by: .bo).then(.message(.m3, .retried))
    #expect(delivery(scene) == .pending)
  }

  @Test func `the server takes a message that was given up, for its answer came late`() {
    let scene = failed.when(.message(.m3, .acknowledge), by: .bo).then(.message(.m3, .acknowledged))
    #expect(delivery(scene) == .settled)
  }

  @Test func `a message that waits for no server is neither failed nor tried again`() {
    Scene.general.when(.message(.m2, .acknowledge), by: .bo).thenNothing()
    for intent in [Message.Intent.fail(reason: "offline"), .retry] {
      Scene.general.when(.message(.m2, intent), by: .bo).thenRefused(.notAwaited(.m2, .settled))
    }
    #expect("\(Refusal.notAwaited(.m2, .settled))".contains("it waits for no server any more"))
  }

  @Test func `a message that failed does not fail for another reason before it is tried again`() {
    let refusal = Refusal.notAwaited(.m3, .failed(reason: "offline"))
    failed.when(.message(.m3, .fail(reason: "too late")), by: .bo).thenRefused(refusal)
    #expect("\(refusal)".contains("it failed, “offline”"))
  }

  @Test func `a message on its way is not tried again`() {
    pending.when(.message(.m3, .retry), by: .bo).thenNothing()
    #expect("\(Refusal.notAwaited(.m3, .pending))".contains("it is on its way"))
  }

  @Test func `only the author, administrators and the app tell of a server, wherever the author is by now`() {
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

  @Test func `of what the app said, only it and administrators tell`() {
    let scene = Scene.withThird(Message.Content("three", isPending: true), by: .system)
    scene.when(.message(.m3, .acknowledge), by: .ada).thenRefused(.notAdministrator)
    scene.when(.message(.m3, .acknowledge), by: .root).then(.message(.m3, .acknowledged))
  }

  @Test func `a reason is one line`() {
    var scene = pending
    scene.state.rules.limits.lineByteCountMax = 4
    scene.when(.message(.m3, .fail(reason: "12345")), by: .bo)
      .thenRefused(.tooLarge(.lineByteCount, count: 5, max: 4))
  }

  @Test func `what is not there waits for nothing`() {
    for intent in [Message.Intent.acknowledge, .fail(reason: "offline"), .retry] {
      Scene.general.when(.message(.none, intent), by: .bo).thenRefused(.unknownMessage(.none))
    }
  }
}
