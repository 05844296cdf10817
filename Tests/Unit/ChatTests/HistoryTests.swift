// Tests of random histories: whatever the intents, the rows are consistent with each other and with the events.
import Chat
import ChatSamples
import SeededRandom
import Testing

struct Histories {
  /// The seeds are fixed; a kind that no longer occurs needs another weight in `World`.
  @Test func `every kind of event and of refusal occurs`() {
    var events: Set<EventKind> = []
    var refusals: Set<RefusalKind> = []
    for seed in 1...4 as ClosedRange<UInt64> {
      var history = History(SeededRandom(seed: seed), rules: .ofHistory(seed))
      for _ in 0..<30_000 { history.step() }
      events.formUnion(history.eventCounts.keys)
      refusals.formUnion(history.refusalCounts.keys)
    }
    #expect(EventKind.allCases.filter { !events.contains($0) } == [], "never happened")
    #expect(RefusalKind.allCases.filter { !refusals.contains($0) } == [], "never refused")
  }

  @Test func `a repeated intent is a no-op`() {
    expectInVain(SeededRandom.printingSeed())
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `a repeated intent is a no-op, for fixed seeds`(seed: UInt64) {
    expectInVain(SeededRandom(seed: seed))
  }

  private func expectInVain(_ random: SeededRandom) {
    var history = History(random, rules: .ofHistory(random.seed))
    for number in 0..<10_000 {
      let step = history.step()
      guard case .success(let events) = step.outcome else { continue }
      do {
        let again = try decide(step.intent, by: step.actor, at: step.instant, given: history.state)
        #expect(again == [] || isRecordedEachTime(step.intent, events), "seed \(random.seed), step \(number): \(step)")
      } catch {
        #expect(gaveRightAway(step), "seed \(random.seed), step \(number): \(step), then \(error)")
      }
    }
  }

  @Test func `the same events fold to the same state`() {
    var history = History(SeededRandom.printingSeed())
    for _ in 0..<10_000 { history.step() }
    var state = InMemoryChatState(rules: history.state.rules)
    for event in history.events { fold(event, into: &state) }
    #expect(state == history.state)
  }

  @Test func `the same seed gives the same history`() {
    let random = SeededRandom.printingSeed()
    var (one, other) = (History(random), History(random))
    for _ in 0..<2000 { _ = (one.step(), other.step()) }
    #expect(one.events == other.events)
    #expect(one.refusalCounts == other.refusalCounts)
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `the rows of a history are consistent`(seed: UInt64) {
    expectAgreement(SeededRandom(seed: seed))
  }

  @Test func `the rows of a new random history are consistent`() {
    expectAgreement(SeededRandom.printingSeed())
  }

  private func expectAgreement(_ random: SeededRandom) {
    var history = History(random, rules: .ofHistory(random.seed))
    for number in 1...10_000 {
      history.step()
      guard number % 500 == 0 else { continue }
      let defects = Rows(of: history).defects
      #expect(defects == [], "seed \(random.seed), after \(number) steps")
      if !defects.isEmpty { return }
    }
  }

  @Test func `a sample of each kind is of that kind`() {
    var random = SeededRandom.printingSeed()
    for kind in EventKind.allCases { #expect(EventKind(random.event(of: kind)) == kind) }
  }

  @Test func `any event folds, whether or not an intent can produce it`() {
    var random = SeededRandom.printingSeed()
    var history = History(random)
    for _ in 0..<3000 { history.step() }
    // Out of order, so that events meet rows in unexpected states.
    var state = InMemoryChatState()
    for event in (history.events + random.events(ofEach: 20)).shuffled(using: &random) { fold(event, into: &state) }
    for event in history.events.shuffled(using: &random) { fold(event, into: &state) }
  }
}

extension Rules {
  /// The tight rules, in every second history with one reaction per user.
  fileprivate static func ofHistory(_ seed: UInt64) -> Rules {
    var rules = Rules.tight
    if seed % 2 == 0 { rules.reactionsPerUser = .one }
    return rules
  }
}

/// App and composer events are recorded each time, and so is a draft's change that arrived too late.
private func isRecordedEachTime(_ intent: ChatIntent, _ events: [ChatEvent]) -> Bool {
  switch intent {
  case .composer, .app: true
  case .draft: events.allSatisfy { EventKind($0) == .draftSuperseded }
  default: false
  }
}

/// Returns whether the repeated intent may be refused: the author gave up their own right, or the intent is a
/// composer's, whose events apply once.
private func gaveRightAway(_ step: History.Step) -> Bool {
  switch step.intent {
  case .user(let id, .changeRole), .user(let id, .deactivate): step.actor.user == id
  case .member(let key, .changeRole), .member(let key, .remove): step.actor.user == key.user
  case .composer: true
  default: false
  }
}
