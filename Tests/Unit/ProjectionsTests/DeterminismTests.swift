// Threat: the same events give other rows, depending on their blocks, the process, or another input of a projection.
import ChildProcess
import Digests
import EventLog
import EventLogLMDB
import Foundation
import Locks
import SeededRandom
import Tables
import Testing
import ProjectionWorker
import TestThreads

@testable import Projections

@Suite struct `The same events give the same digests` {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  @Test func `digests do not depend on blocks and checkpoints and are the same live and rebuilt`() throws {
    var random = SeededRandom.printingSeed()
    let events = random.events(3_000)
    var found: Set<[Checkpoint.Digest]> = []
    var count = 0
    for batch in [1, 7, 1_000, events.count] {
      let store = EventStore.inMemory()
      let live = try projections(store, at: "live \(batch)", every: 500)
      for start in stride(from: 0, to: events.count, by: batch) {
        try store.appendNow(Array(events[start..<min(start + batch, events.count)]))
        try live.catchUp()
      }
      for distance in [100, 999, 100_000] as [UInt64] {
        let fresh = try projections(store, at: "fresh \(batch) \(distance)", every: distance)
        found.insert(try digests(of: fresh))
        count += 1
      }
      found.insert(try digests(of: live))
      count += 1
    }
    #expect(count == 16)
    #expect(found.count == 1)
    #expect(found.first?.count { $0.digest == TableDigest() } == 0)
  }

  private func projections(_ store: EventStore, at folder: String, every distance: UInt64) throws -> ProjectionStore {
    var options = ProjectionStore.Options()
    options.checkpointDistance = distance
    return try ProjectionStore(
      of: store, [Counts.self, Fragile.self], at: scratch.path + "/" + folder, options: options)
  }

  /// Returns the digests at the end, which also equal those recomputed from the rows.
  private func digests(of projections: ProjectionStore) throws -> [Checkpoint.Digest] {
    let digests = try #require(try projections.checkpoint()).digests
    let recounted = try projections.engine.tableStore.lend { reading throws(TablesError) in
      try reading.recountedDigests()
    }
    #expect(Array(recounted.dropFirst()) == digests.map(\.digest))
    return digests
  }
}

/// Changes its row with the first event of a stretch, and with the third in every other fold.
private struct Fickle: Projection {
  static let name = "fickle"
  static let revision = "1"
  static let tableNames = ["rows"]
  private static let foldCount = Locked(0)

  private let rows: LiveTable<CountRow>

  init(_ tables: ProjectionTables) { rows = tables(ProjectionTable<Fickle, CountRow>("rows")) }

  mutating func fold(_ event: EventView) throws {
    let position = event.position.rawValue
    if position == 1 { try rows.set(CountRow(events: 1), for: [1]) }
    guard position == 3 else { return }
    let count = Self.foldCount.withLock { count in
      count += 1
      return count
    }
    if count % 2 == 0 { try rows.set(CountRow(events: 3), for: [1]) }
  }
}

@Suite struct `A report of a nondeterministic fold` {
  // What broke: the row of the fold in which the event changes nothing was reported as it was before the stretch, not
  // as earlier events of the stretch had changed it.
  @Test func `the rows of an event are those after the earlier events of the stretch`() throws {
    let scratch = try Scratch()
    var random = SeededRandom.printingSeed()
    let store = EventStore.inMemory()
    try store.appendNow(random.events(4))
    let replay = try ProjectionReplay([Fickle.self], of: store, in: scratch.path + "/replay")
    defer { replay.close() }
    let report = try #require(try replay.fold(through: try store.head().position, times: 2))
    #expect(report.position == Position(rawValue: 3))
    let row = try #require(report.rows.first)
    func count(_ value: [UInt8]?) -> String? {
      value.flatMap { replay.fields(of: $0, key: row.key, in: row.table) }?.first?.text
    }
    #expect(report.rows.count == 1 && count(row.before) == "1")
    #expect(Set([count(row.one), count(row.other)]) == ["1", "3"])
  }
}

@Suite(.waitsForProcesses) struct `Projections folded in several processes` {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    var random = SeededRandom.printingSeed()
    let store = try scratch.log()
    while try store.head().position.rawValue < 2_000 { try store.appendNow(random.events(1 + random.below(60))) }
    store.close()
  }

  @Test func `digests do not depend on hash seed and time zone and language`() throws {
    var hashes: Set<String> = []
    var answers: Set<[String]> = []
    let zones = ["UTC", "Asia/Kathmandu", "America/St_Johns", "Pacific/Apia"]
    let languages = ["C", "tr_TR.UTF-8", "de_DE.UTF-8", "ja_JP.UTF-8"]
    for number in 0..<8 {
      let environment = ["TZ": zones[number % 4], "LC_ALL": languages[(number / 2) % 4]]
      var lines = try fold("counts,fragile", at: "views \(number)", environment)
      hashes.insert(lines.removeFirst())
      answers.insert(lines)
    }
    #expect(hashes.count == 8)
    #expect(answers.count == 1)
    #expect(answers.first?.count == 10)
    #expect(answers.first?.allSatisfy { $0.hasPrefix("checkpoint ") } == true)
  }

  @Test(arguments: ["hash-order", "clock"])
  func `checkpoints detect a projection with another input than the events`(projection: String) throws {
    for run in 0..<3 {
      let lines = try fold("counts," + projection, at: "projections").dropFirst()
      if run == 0 {
        #expect(lines.count == 10)
      } else {
        #expect(lines.count == 1)
        #expect(lines.first?.hasPrefix("differs \(projection).") == true, "\(lines)")
      }
      // The checkpoints stay; the tables are rebuilt.
      for name in try FileManager.default.contentsOfDirectory(atPath: scratch.path + "/projections")
      where name != "checkpoints" {
        try scratch.remove("projections/" + name)
      }
    }
  }

  private func fold(_ projections: String, at folder: String, _ environment: [String: String] = [:]) throws -> [String]
  {
    var changes: [String: String?] = environment
    changes["SWIFT_DETERMINISTIC_HASHING"] = .some(nil)
    let child = try Child(
      [
        Child.path(ofWorker: "ProjectionWorker"), "fold", scratch.path + "/log", scratch.path + "/" + folder,
        projections, "200",
      ],
      environment: changes)
    let lines = try child.lines()
    #expect(child.wait() == .exit(0))
    return lines
  }
}
