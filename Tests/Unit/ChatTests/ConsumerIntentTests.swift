// Tests of consumers: who may begin, advance, skip and end which.
import Chat
import Testing

struct ConsumerIntentTests {
  private func consumer(_ intent: Consumer.Intent) -> ChatIntent { .consumer("bot", intent) }

  private func event(_ event: Consumer.Event) -> ChatEvent.Change { .consumer("bot", event) }

  @Test func `a consumer begins once and keeps its position`() {
    for author in [Author.bo, .root, .system] {
      Scene.general.when(consumer(.begin(after: 7)), by: author).then(event(.began(after: 7)))
    }
    let scene = Scene.general.and(consumer(.begin(after: 7)), by: .bo, at: .start)
    #expect(scene.state["bot" as Consumer.ID]?.handled == 7)
    #expect(scene.state["bot" as Consumer.ID]?.owner == "bo")
    scene.when(consumer(.begin(after: 0)), by: .bo).thenNothing()
  }

  @Test func `a position only advances`() {
    let scene = Scene.general.and(consumer(.begin(after: 7)), by: .bo, at: .start)
    scene.when(consumer(.advance(through: 8)), by: .bo).then(event(.advanced(through: 8)))
    scene.when(consumer(.skip(through: 9)), by: .bo).then(event(.skipped(through: 9)))
    for position in [0, 6, 7] as [UInt64] {
      scene.when(consumer(.advance(through: position)), by: .bo).thenNothing()
      scene.when(consumer(.skip(through: position)), by: .bo).thenNothing()
    }
  }

  @Test func `an ended consumer is gone, and ending it again changes nothing`() {
    let scene = Scene.general.and(consumer(.begin(after: 7)), by: .bo, at: .start)
    scene.when(consumer(.end), by: .bo).then(event(.ended))
    let ended = scene.and(consumer(.end), by: .bo, at: .start)
    ended.when(consumer(.end), by: .bo).thenNothing()
    ended.when(consumer(.advance(through: 9)), by: .bo).thenRefused(.unknownConsumer("bot"))
    ended.when(consumer(.skip(through: 9)), by: .bo).thenRefused(.unknownConsumer("bot"))
    ended.when(consumer(.begin(after: 1)), by: .cy).then(event(.began(after: 1)))
  }

  @Test func `only its owner, administrators and the app change a consumer`() {
    let (own, app) = (
      Scene.general.and(consumer(.begin(after: 7)), by: .bo, at: .start),
      Scene.general.and(consumer(.begin(after: 7)), by: .system, at: .start)
    )
    for intent in [.begin(after: 8), .advance(through: 8), .skip(through: 8), .end] as [Consumer.Intent] {
      own.when(consumer(intent), by: .cy).thenRefused(.notYours("bo"))
      app.when(consumer(intent), by: .cy).thenRefused(.notAdministrator)
    }
    for author in [Author.root, .system] {
      own.when(consumer(.advance(through: 8)), by: author).then(event(.advanced(through: 8)))
      app.when(consumer(.advance(through: 8)), by: author).then(event(.advanced(through: 8)))
    }
  }

  // What broke: any user could begin the consumer of the app before its first start, at a position that the log never
  // reaches. It was a no-op when the app began it, so that its consumer handled nothing, with a lag of 0.
  @Test func `the app takes over a consumer that a user began, and an administrator is refused`() {
    let scene = Scene.general.and(consumer(.begin(after: .max)), by: .bo, at: .start)
    scene.when(consumer(.begin(after: 0)), by: .root).thenRefused(.notYours("bo"))
    let taken = scene.when(consumer(.begin(after: 0)), by: .system).then(event(.ended), event(.began(after: 0)))
    #expect(taken.state["bot" as Consumer.ID]?.handled == 0)
    #expect(taken.state["bot" as Consumer.ID]?.owner == nil)
    for intent in [.begin(after: 9), .advance(through: 9), .skip(through: 9), .end] as [Consumer.Intent] {
      taken.when(consumer(intent), by: .bo).thenRefused(.notAdministrator)
    }
    taken.when(consumer(.begin(after: 9)), by: .root).thenNothing()
  }

  @Test func `unknown and deactivated users begin no consumer`() {
    Scene.general.when(consumer(.begin(after: 0)), by: .user("ghost")).thenRefused(.unknownUser("ghost"))
    Scene.general.and(.user("cy", .deactivate)).when(consumer(.begin(after: 0)), by: .cy)
      .thenRefused(.userDeactivated("cy"))
  }
}
