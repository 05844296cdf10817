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
      try expectSame(reading.chat, try reference(store, through: end), &random, "seed \(seed), at the end")
    }
    let position = Position(rawValue: UInt64(random.below(Int(end.rawValue) + 1)))
    let past = try views.at(position)
    try past.read { reading throws(ViewError) in
      try expectSame(reading.chat, try reference(store, through: position), &random, "seed \(seed), at \(position)")
    }
    past.close()
    views.close()
  }

  private func reference(_ store: EventStore, through end: Position) throws(ViewError) -> Reference {
    var reference = Reference()
    do {
      for event in try store.events(from: .first, limit: .max) where event.position <= end {
        reference.fold(try decode(event), at: event.position)
      }
    } catch {
      Issue.record(error)
    }
    return reference
  }

  private func expectSame(
    _ chat: borrowing ChatReading, _ reference: Reference, _ random: inout SeededRandom, _ place: String
  ) throws(ViewError) {
    var asking = Asking(random, reference, place)
    try asking.askAboutMessages(chat)
    try asking.askWhatWaits(chat)
    try asking.askAboutMembers(chat)
    try asking.askForChannels(chat)
    try asking.askWhatIsForbidden(chat)
    try asking.askWhomToSuggest(chat)
    random = asking.random
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
