// Tests of drafts from several devices: whichever change is recorded first, the later edit wins.
import Chat
import Testing

struct DraftOrder {
  private let key = Draft.Key(by: "bo", in: "general")
  private let first = Timestamp.start.plus(-60)
  private let second = Timestamp.start.plus(-59)

  private struct Wish {
    let intent: Draft.Intent
    let actor: Author
  }

  private func update(_ text: TypedText, at instant: Timestamp, on device: Device.ID?) -> Wish {
    Wish(intent: .update(Composition(text), editedAt: instant), actor: .user("bo", on: device))
  }

  private func delete(at instant: Timestamp, on device: Device.ID?) -> Wish {
    Wish(intent: .delete(.discarded, editedAt: instant), actor: .user("bo", on: device))
  }

  /// Returns the final draft and the number of superseded changes.
  private func outcome(of wishes: [Wish], from scene: Scene = .general) -> (Composition?, Edit?, superseded: Int) {
    var scene = scene
    for wish in wishes { scene = scene.and(.draft(key, wish.intent), by: wish.actor) }
    let superseded = scene.events.count {
      if case .draft(_, .superseded) = $0.change { true } else { false }
    }
    return (scene.state[key]?.content, scene.state[key]?.edit, superseded)
  }

  /// Expects the same result for both orders of two changes.
  private func bothOrders(
    _ a: Wish, _ b: Wish, from scene: Scene = .general, end text: TypedText?,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let (one, other) = (outcome(of: [a, b], from: scene), outcome(of: [b, a], from: scene))
    #expect(one.0 == text.map { Composition($0) }, sourceLocation: sourceLocation)
    #expect(other.0 == text.map { Composition($0) }, sourceLocation: sourceLocation)
    #expect(one.1 == other.1, sourceLocation: sourceLocation)
    #expect([one.superseded, other.superseded].sorted() == [0, 1], sourceLocation: sourceLocation)
  }

  @Test func `of two changes the later one wins, in either order`() {
    bothOrders(update("phone", at: first, on: "phone"), update("tablet", at: second, on: "tablet"), end: "tablet")
    bothOrders(update("phone", at: second, on: "phone"), update("tablet", at: first, on: "tablet"), end: "phone")
  }

  /// What broke: writing the same content again after another device's change was not recorded, and that change,
  /// arriving last, won.
  @Test func `of three changes the last one wins in every order, also when it equals the first`() {
    let wishes = [
      update("one", at: first, on: "phone"), update("two", at: first.plus(1), on: "tablet"),
      update("one", at: first.plus(2), on: "phone"),
    ]
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2]] {
      #expect(outcome(of: order.map { wishes[$0] }).0 == Composition("one"), "\(order)")
    }
  }

  @Test func `of two changes a microsecond apart the later one wins`() {
    let next = first.plus(microseconds: 1)
    bothOrders(update("phone", at: next, on: "phone"), update("tablet", at: first, on: "tablet"), end: "phone")
  }

  @Test func `of two changes at one instant that of the greater device id wins`() {
    bothOrders(update("phone", at: first, on: "phone"), update("tablet", at: first, on: "tablet"), end: "tablet")
    bothOrders(update("untold", at: first, on: nil), update("phone", at: first, on: "phone"), end: "phone")
  }

  @Test func `a later deletion wins over an earlier change, and a later change over an earlier deletion`() {
    let scene = Scene.general.and(.draft(key, .update(Composition("one"), editedAt: first.plus(-1))), by: .bo)
    bothOrders(delete(at: second, on: "phone"), update("two", at: first, on: "tablet"), from: scene, end: nil)
    bothOrders(delete(at: first, on: "phone"), update("two", at: second, on: "tablet"), from: scene, end: "two")
  }

  /// What broke: deleting an already deleted draft again was not recorded, and a change from in between, arriving last,
  /// won.
  @Test func `a repeated deletion wins over a change from in between, in either order`() {
    let scene = Scene.general.and(.draft(key, .update(Composition("one"), editedAt: first.plus(-1))), by: .bo)
    let wishes = [
      delete(at: first, on: "tablet"), update("two", at: first.plus(1), on: "tablet"),
      delete(at: second.plus(2), on: "phone"),
    ]
    for (order, superseded) in [([0, 1, 2], 0), ([0, 2, 1], 2), ([2, 0, 1], 1)] {
      let end = outcome(of: order.map { wishes[$0] }, from: scene)
      #expect(end.0 == nil && end.1 == Edit(at: second.plus(2), on: "phone"), "\(order)")
      #expect(end.superseded == superseded, "\(order)")
    }
  }

  @Test func `a repeated deletion is recorded once, and a deletion by sending not at all`() {
    let gone = Scene.general.and(.draft(key, .update(Composition("one"), editedAt: first.plus(-1))), by: .bo)
      .and(.draft(key, .delete(.discarded, editedAt: first)), by: .bo)
    let edit = Edit(at: second, on: "phone")
    let again = ChatIntent.draft(key, .delete(.cleared, editedAt: second))
    let phone = Author.user("bo", on: "phone")
    gone.when(again, by: phone).then(.draft(key, .superseded(nil, edit))).when(again, by: phone).thenNothing()
    gone.when(.draft(key, .delete(.sent, editedAt: second)), by: phone).thenNothing()
    gone.when(.draft(key, .delete(.cleared, editedAt: first.plus(-1))), by: phone).thenNothing()
  }

  @Test func `at one instant, a deletion and a change are ordered by device id`() {
    let scene = Scene.general.and(.draft(key, .update(Composition("one"), editedAt: first.plus(-1))), by: .bo)
    bothOrders(delete(at: first, on: "tablet"), update("two", at: first, on: "phone"), from: scene, end: nil)
    bothOrders(delete(at: first, on: "phone"), update("two", at: first, on: "tablet"), from: scene, end: "two")
  }

  @Test func `a change that arrives too late is ignored, and recorded as superseded`() throws {
    let scene = Scene.general.and(
      .draft(key, .update(Composition("tablet"), editedAt: second)), by: .user("bo", on: "tablet"))
    let edit = Edit(at: first, on: "phone")
    for (intent, superseded) in [
      (Draft.Intent.update(Composition("phone"), editedAt: first), Draft.Event.superseded(Composition("phone"), edit)),
      (.delete(.cleared, editedAt: first), .superseded(nil, edit)),
    ] {
      let events = try decide(.draft(key, intent), by: .user("bo", on: "phone"), at: .start, given: scene.state)
      #expect(events.map(\.change) == [.draft(key, superseded)])
      #expect(scene.and(.draft(key, intent), by: .user("bo", on: "phone")).state == scene.state)
    }
  }

  @Test func `changes from clocks far ahead or behind are ordered by their time`() {
    bothOrders(
      update("phone", at: Timestamp(rawValue: .min), on: "phone"),
      update("tablet", at: Timestamp(rawValue: .max), on: "tablet"), end: "tablet")
  }

  @Test func `two changes of one device at one instant apply in the order of arrival`() {
    let wishes = [update("one", at: first, on: "phone"), update("two", at: first, on: "phone")]
    #expect(outcome(of: wishes).0 == Composition("two"))
    #expect(outcome(of: wishes).superseded == 0)
    let deleted = outcome(of: [update("one", at: first, on: "phone"), delete(at: first, on: "phone")])
    #expect(deleted.0 == nil)
    #expect(deleted.superseded == 0)
  }

  @Test func `three changes in every order end with the latest`() {
    let wishes = [
      update("one", at: first, on: "phone"), update("two", at: second, on: "tablet"),
      update("three", at: second, on: "web"),
    ]
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
      #expect(outcome(of: order.map { wishes[$0] }).0 == Composition("three"))
    }
  }
}
