// Threat: a query result of the tables differs from a scan of every row.
import Chat
import ChatCodec
import ChatSamples
import ChatProjections
import EventLog
import Foundation
import SeededRandom
import Testing
import Projections

@Suite struct `All queries` {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// Runs all queries on a history in a log, at its end and at a random earlier position.
  @discardableResult
  private func expectAgreement(_ random: SeededRandom, steps: Int) throws -> Coverage {
    var (random, coverage) = (random, Coverage())
    let seed = random.seed
    scratch.clock.instantOfHistory = Timestamp(rawValue: 0)
    // Begins at the first event, so that things expire at instants at which events happen.
    let start = scratch.clock.now
    let store = try scratch.log(inMemory: true, "log-\(seed)")
    var state = InMemoryChatState(rules: .tight)
    // Where all users are members of the same channels, more intents are accepted.
    let acquaintance = random.bool() ? acquaintance(at: start) : []
    for event in acquaintance { fold(event, into: &state) }
    try store.append(acquaintance)
    var history = History(random, from: state, after: acquaintance.isEmpty ? 0 : 40, at: start)
    // Sometimes the clock of the log is ahead for a while, and is then corrected.
    var ahead = Microseconds(rawValue: 0)
    for _ in 0..<steps {
      guard case .success(let events) = history.step().outcome else { continue }
      if random.once(in: 60) { ahead = Microseconds(rawValue: ahead.rawValue == 0 ? 30_000_000_000 : 0) }
      scratch.clock.now = history.world.now + ahead
      if ahead.rawValue == 0 { _ = try store.correctClock(at: scratch.clock.now, .timeOrdered(at: scratch.clock.now)) }
      try store.append(events)
    }
    let projections = try scratch.projections(store, "views-\(seed)")
    let end = try store.head().position
    try projections.read { reading throws(ProjectionError) in
      coverage.branches.add(
        try random.expectSame(reading.chat, Reference(store, through: end), "seed \(seed), at the end"))
    }
    let position = Position(rawValue: UInt64(random.below(Int(end.rawValue) + 1)))
    let past = try projections.at(position)
    try past.read { reading throws(ProjectionError) in
      coverage.branches.add(
        try random.expectSame(reading.chat, Reference(store, through: position), "seed \(seed), at \(position)"))
    }
    past.close()
    for end in [nil, position] {
      var asking = Asking(random, Reference(store, through: end ?? Position(rawValue: .max)), "seed \(seed)")
      try asking.askForHistories(projections, through: end)
    }
    projections.close()
    store.close()
    coverage.add(history)
    return coverage
  }

  /// Returns events that create all users of a small world, as members of its first channels.
  private func acquaintance(at instant: Timestamp) -> [ChatEvent] {
    let users: [User.ID] = ["u0", "u1", "u2", "u3", "u4", "u5"]
    var changes = users.map { ChatEvent.Change.user($0, .created(User.Profile(name: "Ada"), .user)) }
    for channel in ["c0", "c1", "c2"] as [Channel.ID] {
      changes.append(.channel(channel, .created("team", Channel.Profile(name: "General"), ChannelConfig())))
      for user in users { changes.append(.member(Member.Key(channel, user), .added(user == "u0" ? .owner : .member))) }
    }
    return changes.map { ChatEvent($0, EventOrigin(by: .system, at: instant)) }
  }

  @Test func `every query equals the reference, in random histories`() throws {
    let isLong = ProcessInfo.processInfo.environment["VERBATIM_LONG_TESTS"] != nil
    var (random, coverage) = (SeededRandom.printingSeed(), Coverage())
    for _ in 0..<(isLong ? 1000 : 12) {
      // Long histories have more rare events.
      let steps = 100 + random.below(isLong ? random.pick([600, 1500, 4000, 8000]) : 600)
      coverage.add(try expectAgreement(SeededRandom(seed: random.next()), steps: steps))
    }
    print(coverage)
    // A branch that stops occurring needs another weight in `World`.
    if isLong { #expect(coverage.missing == [], "seed \(random.seed)") }
  }

  // What broke: mentions of a group, and messages from an instant on, were searched for as if times ascended with the
  // numbers of messages. Behind a correction of the log's clock, some were left out.
  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func `every query equals the reference, in fixed histories`(seed: UInt64) throws {
    try expectAgreement(SeededRandom(seed: seed), steps: 700)
  }
}

/// The events and branches that occurred in histories and query results.
private struct Coverage: CustomStringConvertible {
  var branches = BranchCounts()
  private var events: [EventKind: Int] = [:]
  private var refusals: [RefusalKind: Int] = [:]

  mutating func add(_ history: History) {
    events.merge(history.eventCounts, uniquingKeysWith: +)
    refusals.merge(history.refusalCounts, uniquingKeysWith: +)
  }

  mutating func add(_ other: Coverage) {
    branches.add(other.branches)
    events.merge(other.events, uniquingKeysWith: +)
    refusals.merge(other.refusals, uniquingKeysWith: +)
  }

  /// The events and branches that never occurred.
  var missing: [String] {
    (counts(EventKind.self) { events[$0] } + counts(RefusalKind.self) { refusals[$0] }
      + counts(Branch.self) { branches[$0] }).filter { $0.count == 0 }.map(\.name)
  }

  var description: String {
    let lists = [
      ("Events", counts(EventKind.self) { events[$0] }), ("Refusals", counts(RefusalKind.self) { refusals[$0] }),
      ("Branches", counts(Branch.self) { branches[$0] }),
    ]
    return lists.map { title, list in
      "\(title): " + list.map { "\($0.name) \($0.count)" }.joined(separator: ", ")
    }.joined(separator: "\n")
  }

  private func counts<Kind: CaseIterable & RawRepresentable<String>>(
    _: Kind.Type, _ count: (Kind) -> Int?
  ) -> [(name: String, count: Int)] {
    Kind.allCases.map { ($0.rawValue, count($0) ?? 0) }
  }
}

extension SeededRandom {
  /// Runs every query on the tables and on the reference, with random arguments; returns the branches that the results
  /// took.
  @discardableResult
  mutating func expectSame(
    _ chat: borrowing ChatReading, _ reference: Reference, _ place: String
  ) throws(ProjectionError) -> BranchCounts {
    var asking = Asking(self, reference, place)
    try asking.askAboutMessages(chat)
    try asking.askWhatWaits(chat)
    try asking.askAboutMembers(chat)
    try asking.askForChannels(chat)
    try asking.askWhatIsForbidden(chat)
    try asking.askWhomToSuggest(chat)
    try asking.askAboutComposers(chat)
    try asking.askAboutDrafts(chat)
    try asking.askForBiographies(chat)
    try asking.askForReactions(chat)
    try asking.askForJoining(chat)
    try asking.askForReviews(chat)
    try asking.askForSaved(chat)
    self = asking.random
    return asking.branches
  }
}

extension Reference {
  /// Creates the reference from a log's events up to a position.
  init(_ store: EventStore, through end: Position = Position(rawValue: .max)) {
    self.init()
    do {
      for event in try store.events(from: .first, limit: .max) where event.position <= end {
        fold(try decode(event), at: event.position)
      }
    } catch {
      Issue.record(error)
    }
  }
}
