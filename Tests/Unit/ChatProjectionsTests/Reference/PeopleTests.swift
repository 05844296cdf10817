// Threat: queries for users are wrong with similar names, equal instants, or events in odd orders.
import Chat
import ChatCodec
import ChatProjections
import EventLog
import Foundation
import SeededRandom
import Testing
import Projections

@Suite struct `Queries for people` {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// Appends events to a log, and runs all queries in between.
  private func expectAgreement(_ random: SeededRandom, count: Int) throws {
    var random = random
    let seed = random.seed
    let store = try scratch.log(inMemory: true, "log-\(seed)")
    let projections = try scratch.projections(store, "views-\(seed)")
    var people = PeopleEvents(random)
    var (reference, next) = (Reference(), Position.first)
    for step in 1...count {
      scratch.clock.now = people.now
      try store.append(people.next())
      guard step == count || random.below(count) < 3 else { continue }
      for event in try store.events(from: next, limit: .max) {
        reference.fold(try decode(event), at: event.position)
        next = event.position.next
      }
      try projections.read { reading throws(ProjectionError) in
        try expectSame(reading.chat, reference, &random, "seed \(seed), step \(step)")
      }
    }
    #expect(projections.stops == [])
    projections.close()
  }

  private func expectSame(
    _ chat: borrowing ChatReading, _ reference: Reference, _ random: inout SeededRandom, _ place: String
  ) throws(ProjectionError) {
    var asking = Asking(random, reference, place)
    try asking.askForChannels(chat)
    try asking.askAboutMembers(chat)
    try asking.askWhatIsForbidden(chat)
    try asking.askWhomToSuggest(chat)
    random = asking.random
  }

  @Test func `queries for people equal the reference, in random histories`() throws {
    let isLong = ProcessInfo.processInfo.environment["VERBATIM_LONG_TESTS"] != nil
    var random = SeededRandom.printingSeed()
    for _ in 0..<(isLong ? 2000 : 10) {
      try expectAgreement(SeededRandom(seed: random.next()), count: 20 + random.below(100))
    }
  }

  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func `queries for people equal the reference, in fixed histories`(seed: UInt64) throws {
    try expectAgreement(SeededRandom(seed: seed), count: 150)
  }
}

@Suite struct `Channel cursors` {
  @Test func `a channel cursor of another order traps`() async {
    await #expect(processExitsWith: .failure) {
      let scratch = try Scratch()
      let store = try scratch.log(inMemory: true)
      let stamp = EventOrigin(by: .system, at: Timestamp(rawValue: 0))
      for id in ["a", "b"] as [Channel.ID] {
        let created = Channel.Event.created("team", Channel.Profile(), ChannelConfig())
        try store.append([
          ChatEvent(.channel(id, created), stamp), ChatEvent(.member(Member.Key(id, "ada"), .added(.member)), stamp),
        ])
      }
      try scratch.projections(store).read { reading throws(ProjectionError) in
        let page = try reading.chat.channels(of: "ada", by: .name, at: stamp.at, limit: 1)
        guard let next = page.next else { return }
        _ = try reading.chat.channels(of: "ada", by: .lastActivity, at: stamp.at, after: next, limit: 1)
      }
    }
  }
}
