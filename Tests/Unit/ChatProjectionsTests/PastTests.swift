// Threat: a past chat that moved differs from one that was folded to the same position.
import ChatProjections
import ChatSamples
import Digests
import EventLog
import SeededRandom
import Testing

@testable import Projections
@testable import Tables

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
    let types: [any Projection.Type] = [ChatState.self, ChatSearch.self]
    var options = ProjectionStore.Options()
    // Windows with more rows than are combined at once, and more than one of them.
    options.historyDistance = 2_500
    let projections = try ProjectionStore(of: store, types, at: scratch.path + "/projections", options: options)
    let moving = try projections.at(.zero)
    var position = 0
    for round in 0..<60 {
      let distance = [1, 20, 700, end][random.below(4)]
      position = min(max(0, position + random.below(2 * distance + 1) - distance), end)
      let place = Position(rawValue: UInt64(position))
      try moving.move(to: place)
      if round % 3 > 0 { continue }
      let replay = try ProjectionReplay(types, of: store, in: scratch.path + "/replay")
      _ = try replay.fold(through: place)
      #expect(try digests(of: moving) == replay.tableStore.digests(), "at \(place)")
      replay.close()
    }
  }

  /// Returns the digest of each table, counted from its rows.
  private func digests(of past: PastProjections) throws -> [TableDigest] {
    try past.read { reading throws(ProjectionError) in
      let names = ProjectionFold.tableNames(of: [ChatState.self, ChatSearch.self])
      let seeds = RowHashSeed.name.seeds(of: names)
      do throws(TablesError) {
        return try names.indices.map { number throws(TablesError) in
          var digest = TableDigest()
          try reading.reading.withRows(of: number) { rows throws(TablesError) in
            while try rows.moveOn(.upwards) {
              rows.key.withUnsafeBytes { key in
                rows.value.withUnsafeBytes { digest.add(RowHash(key: key, value: $0, seed: seeds[number])) }
              }
            }
          }
          return digest
        }
      } catch {
        throw .tables(error)
      }
    }
  }
}
