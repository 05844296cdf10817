// Threat: the state in tables differs from the reference after the same events, whichever way it was folded.
import Chat
import ChatSamples
import ChatProjections
import Digests
import EventLog
import SeededRandom
import Testing
import Projections

@Suite struct `The state in tables` {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func expectSame(
    _ projections: ProjectionStore, _ state: InMemoryChatState, _ comment: Comment,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    try projections.read { reading throws(ProjectionError) in
      let differences = try StateRows(reading).differences(from: StateRows(state))
      #expect(differences == [], comment, sourceLocation: location)
      #expect(try reading.chat.composerDefects() == [], comment, sourceLocation: location)
    }
    #expect(projections.stops == [], comment, sourceLocation: location)
  }

  /// Expects that readers during a growing history see what the reference has.
  private func expectAgreement(_ random: SeededRandom, inMemory: Bool) throws {
    var random = random
    var history = History(random)
    let store = try scratch.log(inMemory: inMemory)
    var projections = try scratch.projections(store)
    var (state, next) = (InMemoryChatState(), Position.first)
    for step in 0..<3000 {
      if case .success(let events) = history.step().outcome {
        scratch.clock.instantOfHistory = history.world.now
        try store.append(events)
      }
      if random.below(100) == 0 { try projections.catchUp() }
      guard random.below(200) == 0 || step == 2999 else { continue }
      try store.fold(from: &next, into: &state)
      try expectSame(projections, state, "seed \(random.seed), step \(step)")
      if random.bool() {
        if random.bool() { projections.close() }
        projections = try scratch.projections(store)
        try expectSame(projections, state, "seed \(random.seed), opened again at step \(step)")
      }
    }
    #expect(state.rows.messages.count > 20 && state.rows.composers.count > 5)
    #expect(state.rows.messages.keys == history.state.rows.messages.keys)
  }

  @Test(arguments: [true, false])
  func `the state equals the reference at every moment of a random history`(inMemory: Bool) throws {
    try expectAgreement(SeededRandom.printingSeed(), inMemory: inMemory)
  }

  @Test(arguments: 1...2 as ClosedRange<UInt64>)
  func `the state equals the reference at every moment of a fixed history`(seed: UInt64) throws {
    try expectAgreement(SeededRandom(seed: seed), inMemory: seed.isMultiple(of: 2))
  }

  @Test func `the state equals the reference for any events in any order`() throws {
    var random = SeededRandom.printingSeed()
    var history = History(random)
    for _ in 0..<1500 { history.step() }
    let events = (history.events + history.events + random.events(ofEach: 8)).shuffled(using: &random)
    let store = try scratch.log(inMemory: true)
    let projections = try scratch.projections(store)
    var (state, next) = (InMemoryChatState(), Position.first)
    var rest = events[...]
    while !rest.isEmpty {
      try store.append(Array(rest.prefix(1 + random.below(400))))
      rest = rest.dropFirst(Int(try store.head().position.rawValue) - (events.count - rest.count))
      try store.fold(from: &next, into: &state)
      try expectSame(projections, state, "seed \(random.seed), before \(next)")
    }
  }

  @Test func `two stores that fold alternately into one table store agree with the reference`() throws {
    var random = SeededRandom.printingSeed()
    var history = History(random)
    let store = try scratch.log(inMemory: false)
    let projections = [try scratch.projections(store), try scratch.projections(store)]
    var (state, next) = (InMemoryChatState(), Position.first)
    for step in 0..<1200 {
      guard case .success(let events) = history.step().outcome else { continue }
      try store.append(events)
      let one = projections[random.below(2)]
      if random.below(4) == 0 { try one.catchUp() }
      guard random.below(20) == 0 else { continue }
      try store.fold(from: &next, into: &state)
      try expectSame(one, state, "seed \(random.seed), step \(step)")
    }
  }

  @Test func `the digests of the state do not depend on block sizes`() throws {
    var random = SeededRandom.printingSeed()
    var history = History(random)
    for _ in 0..<2500 { history.step() }
    let events = history.events + random.events(ofEach: 4)
    var digests: [[Checkpoint.Digest]] = []
    // Not named by their sizes: a history can have a thousand events.
    for (number, size) in [1, 7, 1000, events.count].enumerated() {
      let store = try scratch.log(inMemory: true)
      for start in stride(from: 0, to: events.count, by: size) {
        try store.append(Array(events[start..<min(events.count, start + size)]))
      }
      let projections = try scratch.projections(store, "views-\(number)")
      digests.append(try #require(try projections.checkpoint()).digests)
      #expect(projections.stops == [])
    }
    #expect(Set(digests).count == 1, "seed \(random.seed)")
    #expect(digests[0].count { $0.digest.sum != 0 } > 12, "seed \(random.seed)")
  }
}

@Suite struct `A long text` {
  /// A copy would make each letter typed cost as much as the text: at 20,000 characters, a hundred times as much.
  @Test func `a long text is edited in place, without a copy`() throws {
    let scratch = try Scratch()
    let store = try scratch.log(inMemory: true)
    let projections = try scratch.projections(store)
    let key = Composer.Key(of: "ada", on: "phone", in: "general")
    let stamp = EventOrigin(by: .user("ada", on: "phone"), at: Timestamp(rawValue: 0))
    let text = UserText(String(repeating: "word ", count: 4000))
    try store.append([ChatEvent(.composer(key, .typed(Splice(0..<0, to: text))), stamp)])
    var places: [UnsafePointer<UInt16>?] = []
    for _ in 0..<12 {
      try store.append([ChatEvent(.composer(key, .typed(Splice(100..<100, to: "x"))), stamp)])
      places.append(
        try projections.deciding(under: Rules()) { next in
          next[key]?.content.text.units.withUnsafeBufferPointer { $0.baseAddress }
        })
    }
    #expect(places.allSatisfy { $0 != nil })
    // It may have been moved once, to a larger buffer.
    #expect(zip(places, places.dropFirst()).count { $0 != $1 } <= 1)
  }
}

@Suite struct `Events that cannot be read` {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  @Test func `an unreadable event stops the state before it`() throws {
    let store = try scratch.log(inMemory: true)
    let stamp = EventOrigin(by: .system, at: Timestamp(rawValue: 0))
    let user = User.Event.created(User.Profile(name: "Ada"), .user)
    try store.append([ChatEvent(.user("ada", user), stamp)])
    try store.append(type: "pollOpened.1", in: "channel/general")
    try store.append([ChatEvent(.user("bob", user), stamp)])
    let projections = try scratch.projections(store)
    try projections.read { reading throws(ProjectionError) in
      #expect(try reading.rows(of: ChatState.users).map(\.id) == ["ada"])
    }
    #expect(Set(projections.stops.map(\.position)) == [Position(rawValue: 2)])
    #expect(projections.stops.first?.reason.contains("pollOpened.1") == true)
  }

  @Test func `an app's own event is a no-op for the state`() throws {
    let store = try scratch.log(inMemory: true)
    try store.append(type: "app/pollOpened.1", in: "channel/general")
    let projections = try scratch.projections(store)
    try projections.read { reading throws(ProjectionError) in
      #expect(try StateRows(reading) == StateRows(InMemoryChatState()))
    }
    #expect(projections.stops == [])
  }
}

extension EventStore {
  fileprivate func append(type: Name, in stream: Name) throws {
    _ = try appendBlocking([ProposedEvent(stream: stream, type: type, payload: [1, 2, 3])]) as Receipt
  }
}
