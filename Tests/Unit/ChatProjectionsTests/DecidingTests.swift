// Threat: decisions on the state in tables differ from those of the reference, or discarded ones leave a trace.
import Chat
import ChatSamples
import ChatProjections
import EventLog
import SeededRandom
import Testing
import Projections

@Suite struct `Deciding on the state in tables` {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private struct Wish {
    let intent: ChatIntent
    let actor: Author
  }

  /// Returns the outcomes of intents, decided one after the other.
  private func outcomes(
    of wishes: [Wish], at instant: Timestamp, given state: InMemoryChatState
  ) -> [Result<[ChatEvent], Refusal>] {
    var state = state
    return wishes.map { wish in
      let outcome = Result { () throws(Refusal) in
        try decide(wish.intent, by: wish.actor, at: instant, given: state)
      }
      for event in (try? outcome.get()) ?? [] { fold(event, into: &state) }
      return outcome
    }
  }

  private func outcomes(
    of wishes: [Wish], at instant: Timestamp, given projections: ProjectionStore
  ) throws -> [Result<[ChatEvent], Refusal>] {
    try projections.deciding(under: .tight) { next in
      wishes.map { wish in
        Result { () throws(Refusal) in try next.decide(wish.intent, by: wish.actor, at: instant) }
      }
    }
  }

  @Test func `deciding on tables equals deciding on the reference, each intent seeing those before it`() throws {
    var random = SeededRandom.printingSeed()
    let store = try scratch.log(inMemory: false)
    let stores = [try scratch.projections(store), try scratch.projections(store)]
    var world = World(SeededRandom(seed: random.seed))
    var (state, next) = (InMemoryChatState(rules: .tight), Position.first)
    var kinds = (events: 0, refusals: 0)
    for step in 0..<700 {
      let wishes = (0...random.below(5)).map { _ in
        let (intent, actor) = world.intent(in: state)
        return Wish(intent: intent, actor: actor)
      }
      scratch.clock.instantOfHistory = world.now
      let instant = scratch.clock.now
      let expected = outcomes(of: wishes, at: instant, given: state)
      let actual = try outcomes(of: wishes, at: instant, given: stores[random.below(2)])
      #expect(actual == expected, "seed \(random.seed), step \(step)")
      if actual != expected { return }
      let events = expected.flatMap { (try? $0.get()) ?? [] }
      kinds.events += events.count
      kinds.refusals += expected.count { (try? $0.get()) == nil }
      // Some blocks are not appended: then their decisions must leave no trace.
      if random.below(4) == 0 { continue }
      try store.append(events)
      try store.fold(from: &next, into: &state)
    }
    #expect(kinds.events > 200 && kinds.refusals > 200, "\(kinds)")
    try stores[0].read { reading throws(ProjectionError) in
      #expect(try StateRows(reading).differences(from: StateRows(state)) == [], "seed \(random.seed)")
    }
  }

  @Test func `deciding on tables ends the drafts that the reference ends, also those of the same batch`() throws {
    var random = SeededRandom.printingSeed()
    let store = try scratch.log(inMemory: false)
    let stores = [try scratch.projections(store), try scratch.projections(store)]
    var (state, next, step) = (InMemoryChatState(rules: .tight), Position.first, 0)
    try store.append(DraftTown.beginning)
    try store.fold(from: &next, into: &state)
    var ended = (inAll: 0, atOnce: 0)
    for _ in 0..<600 {
      let wishes = (0...random.below(16)).map { _ in
        step += 1
        let (intent, actor) = random.draftWish(step, in: state)
        return Wish(intent: intent, actor: actor)
      }
      scratch.clock.instantOfHistory = Timestamp(rawValue: Int64(step / 7))
      let instant = scratch.clock.now
      let expected = outcomes(of: wishes, at: instant, given: state)
      let actual = try outcomes(of: wishes, at: instant, given: stores[random.below(2)])
      #expect(actual == expected, "seed \(random.seed), step \(step)")
      if actual != expected { return }
      let events = expected.flatMap { (try? $0.get()) ?? [] }
      let keys = events.compactMap(\.endedDraft)
      ended.inAll += keys.count
      ended.atOnce += keys.count { state[$0]?.content == nil }
      if random.below(6) == 0 { continue }
      try store.append(events)
      try store.fold(from: &next, into: &state)
      // In most steps decided events are not written before the next step.
      if random.below(20) == 0 { try stores[random.below(2)].read { _ in } }
    }
    #expect(ended.inAll > 100 && ended.atOnce > 1, "\(ended), seed \(random.seed)")
    try stores[0].read { reading throws(ProjectionError) in
      #expect(try StateRows(reading).differences(from: StateRows(state)) == [], "seed \(random.seed)")
      #expect(try reading.chat.draftDefects() == [], "seed \(random.seed)")
    }
  }

  @Test func `deciding returns the head of the log`() throws {
    let store = try scratch.log(inMemory: true)
    let projections = try scratch.projections(store)
    #expect(try projections.deciding(under: Rules()) { $0.head } == store.head())
    try store.append([ChatEvent(.user("ada", .deactivated), EventOrigin(by: .system, at: Timestamp(rawValue: 0)))])
    #expect(try projections.deciding(under: Rules()) { $0.head } == store.head())
  }
}

extension ChatEvent {
  /// The draft that ended because its target was removed.
  fileprivate var endedDraft: Draft.Key? {
    if case .draft(let key, .deleted(.targetGone, _)) = change { key } else { nil }
  }
}
