// Threat: a past chat that moved differs from one that was folded to the same position.
import ChatProjections
import ChatSamples
import EventLog
import SeededRandom
import Tables
import Testing

@testable import Projections

@Suite struct `A past chat that moves` {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  @Test func `every table has the rows of a past chat that was folded to the same position`() throws {
    var random = SeededRandom.printingSeed()
    var history = History(random)
    for _ in 0..<4_000 { history.step() }
    let store = try scratch.log(inMemory: true)
    var rest = (history.events + random.events(ofEach: 2))[...]
    let end = rest.count
    while !rest.isEmpty {
      let block = rest.prefix(1 + random.below(300))
      try store.append(Array(block))
      rest = rest.dropFirst(block.count)
    }
    let projections = try ProjectionStore(
      of: store, [ChatState.self, ChatSearch.self], at: scratch.path + "/projections")
    let moving = try projections.at(.zero)
    var position = 0
    for round in 0..<60 {
      let distance = [1, 20, 700, end][random.below(4)]
      position = min(max(0, position + random.below(2 * distance + 1) - distance), end)
      let place = Position(rawValue: UInt64(position))
      try moving.move(to: place)
      if round % 3 > 0 { continue }
      let folded = try projections.at(place)
      let tables = try #require(try moving.writtenTables())
      let (found, expected) = (try tables.digests(), try folded.writtenTables()?.digests())
      #expect(found == expected, "at \(place)")
      let recounted = try tables.lend { reading throws(TablesError) in try reading.recountedDigests() }
      #expect(recounted == found, "at \(place)")
    }
  }
}
