// Threat: a digest misses a row or any of its bytes; or the same events yield other tables than before.
import Chat
import ChatCodec
import ChatSamples
import ChatProjections
import Digests
import EventLog
import Foundation
import SeededRandom
import Tables
import Testing

@testable import Projections

@Suite struct `Digests of tables` {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private struct Row {
    var key: [UInt8]
    var value: [UInt8]
  }

  private func digest(of rows: some Sequence<Row>, in table: String) -> TableDigest {
    let seed = Array(table.utf8).withUnsafeBytes { quickHash($0) }
    var digest = TableDigest()
    for row in rows {
      digest.add(
        row.key.withUnsafeBytes { key in row.value.withUnsafeBytes { RowHash(key: key, value: $0, seed: seed) } })
    }
    return digest
  }

  private func rows(of table: Int, _ reading: borrowing TableStoreReader) throws(TablesError) -> [Row] {
    var found: [Row] = []
    try reading.withRows(of: table) { rows throws(TablesError) in
      while try rows.moveOn(.upwards) {
        found.append(Row(key: rows.key.withUnsafeBytes { Array($0) }, value: rows.value.withUnsafeBytes { Array($0) }))
      }
    }
    return found
  }

  @Test func `a table's digest is the sum of its rows' hashes, and changes with any row and any byte`() throws {
    var random = SeededRandom.printingSeed()
    var history = History(random)
    for _ in 0..<20_000 { history.step() }
    let store = try scratch.log(inMemory: true)
    try store.append(history.events + random.events(ofEach: 8))
    let projections = try ProjectionStore(of: store, FrozenHistory.projections, at: scratch.path + "/projections")
    try projections.catchUp()
    try projections.flush()
    let folder = projections.engine.tableStore
    var empty: [String] = []
    var chance = random
    try folder.lend { reading throws(TablesError) in
      let digests = try reading.digests()
      for (number, name) in folder.tableNames.enumerated() {
        let (place, all) = ("\(name), seed \(random.seed)", try rows(of: number, reading))
        #expect(digest(of: all, in: name) == digests[number], "\(place)")
        if all.isEmpty { empty.append(name) }
        for _ in 0..<(all.isEmpty ? 0 : 12) { expectOther(than: digests[number], all, name, &chance) }
      }
    }
    // No projection stopped, and a search run is longer than this history; of the small one, every text can be in one.
    empty.removeAll { $0 == "small.open" }
    #expect(empty == ["stops", "search.words", "search.places"], "seed \(random.seed)")
  }

  /// Removes, adds and changes a row.
  private func expectOther(
    than digest: TableDigest, _ rows: [Row], _ table: String, _ random: inout SeededRandom
  ) {
    let (place, added) = (random.below(rows.count), Row(key: random.noise(9), value: random.noise(9)))
    #expect(self.digest(of: rows[..<place] + rows[(place + 1)...], in: table) != digest, "\(table)")
    #expect(self.digest(of: rows + [added], in: table) != digest, "\(table)")
    #expect(self.digest(of: rows + [rows[place]], in: table) != digest, "\(table)")
    #expect(self.digest(of: rows, in: table + "!") != digest, "\(table)")
    for path in [\Row.key, \Row.value] where !rows[place][keyPath: path].isEmpty {
      var others = rows
      let byte = random.below(rows[place][keyPath: path].count)
      others[place][keyPath: path][byte] ^= 1 << UInt8(random.below(8))
      #expect(self.digest(of: others, in: table) != digest, "\(table)")
    }
  }
}

@Suite struct `A fixed history` {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  @Test func `a fixed history yields fixed tables, in blocks of any size`() throws {
    let frozen = FrozenHistory()
    for size in [1, 7, 1000, frozen.events.count] {
      let store = try scratch.log(inMemory: true, "log-\(size)")
      for start in stride(from: 0, to: frozen.events.count, by: size) {
        try store.append(Array(frozen.events[start..<min(frozen.events.count, start + size)]))
      }
      let projections = try projections(store, "views-\(size)")
      try expectFrozen(projections, FrozenHistory.atOneInstant, "\(size) in a block")
    }
  }

  @Test func `a fixed history yields fixed tables, live, rebuilt, and from a snapshot`() throws {
    let frozen = FrozenHistory()
    var random = SeededRandom.printingSeed()
    let store = try scratch.log(inMemory: false)
    let live = try projections(store, "live")
    var recovered = try projections(store, "recovered")
    let moment = random.below(frozen.blocks.count)
    for (number, block) in frozen.blocks.enumerated() {
      scratch.clock.instantOfHistory = block.instant
      try store.append(block.events)
      if random.once(in: 10) { try live.catchUp() }
      if number == moment { try recovered.takeSnapshot() }
    }
    try expectFrozen(live, FrozenHistory.overTime, "live")
    try expectFrozen(try projections(store, "again"), FrozenHistory.overTime, "folded again")
    try recovered.catchUp()
    let (snapshots, fingerprint) = (recovered.snapshots, recovered.fingerprint)
    recovered.close()
    try FileManager.default.removeItem(atPath: scratch.path + "/recovered/\(fingerprint)")
    recovered = try projections(store, "recovered")
    let from = recovered.recoveredFrom
    #expect(from != nil && snapshots == [from], "seed \(random.seed)")
    try expectFrozen(recovered, FrozenHistory.overTime, "from \(String(describing: from)), seed \(random.seed)")
  }

  private func projections(_ store: EventStore, _ name: String) throws -> ProjectionStore {
    try ProjectionStore(of: store, FrozenHistory.projections, at: scratch.path + "/" + name)
  }

  private func expectFrozen(_ projections: ProjectionStore, _ frozen: String, _ place: String) throws {
    let digests = try #require(try projections.checkpoint()).digests
    let found = FrozenHistory.projections.map { view in
      let lines = digests.filter { $0.projection == view.name }.map { "\($0.name) \($0.digest)\n" }
      return "\(view.name) " + FrozenHistory.short(lines.joined())
    }.joined(separator: ", ")
    #expect(projections.stops == [])
    #expect(
      found == frozen,
      """
      \(place): the tables are others than they were before.
      When what is folded into them was changed on purpose, give `ChatState.revision`, or `searchRevision`, a new
      number, so that no program takes the tables of another for its own, and write here what is found now.
      When what tests draw was changed, the events are others, too, as one test more says: write all of it anew.
      Else the fold depends on the machine, the build or the way: that is an error, in one of these tables:
      \(digests.map { "\($0.table) \($0.digest)" }.joined(separator: "\n"))
      """)
  }

  @Test func `a fixed history has fixed events`() {
    var text = ""
    for event in FrozenHistory().events {
      let proposed = encode(event)
      text += "\(proposed.stream) \(proposed.type) \(proposed.payload)\n"
    }
    #expect(
      FrozenHistory.short(text) == FrozenHistory.eventsHash, "What tests draw was changed: write all hashes anew.")
  }
}

/// A history with recorded table digests.
private struct FrozenHistory {
  static let projections: [any Projection.Type] = [ChatState.self, SmallSearch.self, ChatSearch.self]
  static let eventsHash = "5639b6aa2147a5cf"
  static let atOneInstant = "state c35ef43c4ea9faea, small 317c9b76438a53c7, search ed3ed6594a21e8a7"
  static let overTime = "state 0e93c4255f3d42c6, small 317c9b76438a53c7, search ed3ed6594a21e8a7"

  private(set) var blocks: [(instant: Timestamp, events: [ChatEvent])] = []

  init() {
    var random = SeededRandom(seed: 11)
    var history = History(random, hasLaterEvents: false)
    for _ in 0..<5000 {
      if case .success(let events) = history.step().outcome, !events.isEmpty {
        blocks.append((history.world.now, events))
      }
    }
    // The history is from before actions could be refused.
    let kinds = EventKind.allCases
    let later = kinds[kinds.firstIndex(of: .composerActionRefused)!...]
    let others = random.events(ofEach: 3).filter { !later.contains(EventKind($0)) }
    blocks.append((history.world.now, others))
  }

  var events: [ChatEvent] { blocks.flatMap(\.events) }

  /// Returns the hash of a text as sixteen digits.
  static func short(_ text: String) -> String {
    let digits = String(Array(text.utf8).withUnsafeBytes { quickHash($0) }, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
