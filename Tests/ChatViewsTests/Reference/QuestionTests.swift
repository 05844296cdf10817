// Threat: an answer of the tables is not what one finds by looking at every row.
import Chat
import ChatCodec
import ChatSamples
import ChatViews
import EventLog
import Foundation
import SeededRandom
import Testing
import Views

@Suite struct `Every question` {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// A history in a log, asked at its end and at a random position before.
  private func expectAgreement(_ random: SeededRandom, steps: Int) throws {
    var random = random
    let seed = random.seed
    var history = History(random)
    let store = try scratch.log(inMemory: true, "log-\(seed)")
    for _ in 0..<steps {
      guard case .success(let events) = history.step().outcome else { continue }
      scratch.clock.instantOfHistory = history.world.now
      try store.append(events)
    }
    let views = try scratch.views(store, "views-\(seed)")
    let end = try store.head().position
    try views.read { reading throws(ViewError) in
      try random.expectSame(reading.chat, Reference(store, through: end), "seed \(seed), at the end")
    }
    let position = Position(rawValue: UInt64(random.below(Int(end.rawValue) + 1)))
    let past = try views.at(position)
    try past.read { reading throws(ViewError) in
      try random.expectSame(reading.chat, Reference(store, through: position), "seed \(seed), at \(position)")
    }
    past.close()
    for end in [nil, position] {
      var asking = Asking(random, Reference(store, through: end ?? Position(rawValue: .max)), "seed \(seed)")
      try asking.askForHistories(views, through: end)
    }
    views.close()
  }

  @Test func `is answered as the reference does, in random histories`() throws {
    let isLong = ProcessInfo.processInfo.environment["VERBATIM_LONG_TESTS"] != nil
    var random = SeededRandom.printingSeed()
    for _ in 0..<(isLong ? 1000 : 12) {
      try expectAgreement(SeededRandom(seed: random.next()), steps: 100 + random.below(600))
    }
  }

  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func `is answered as the reference does, in histories that are always the same`(seed: UInt64) throws {
    try expectAgreement(SeededRandom(seed: seed), steps: 700)
  }
}

extension SeededRandom {
  /// Asks every question of the tables and of the reference, about whatever chance picks.
  mutating func expectSame(
    _ chat: borrowing ChatReading, _ reference: Reference, _ place: String
  ) throws(ViewError) {
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
    self = asking.random
  }
}

extension Reference {
  /// What it makes of a log's events up to a position.
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
