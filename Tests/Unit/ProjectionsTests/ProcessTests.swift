// Threat: projections of several processes on one table store miss each other's events; or a process is killed at any
// moment.
import ChildProcess
import EventLog
import EventLogLMDB
import Foundation
import SeededRandom
import Tables
import Testing
import ProjectionWorker
import TestThreads

@testable import Projections

@Suite(.waitsForProcesses) struct `Projections in several processes` {
  private let scratch: Scratch
  private let store: EventStore
  private var directory: String { scratch.path + "/projections" }

  init() throws {
    scratch = try Scratch()
    store = try scratch.log()
  }

  private func worker(_ command: String, _ random: inout SeededRandom) throws -> Child {
    let child = try Child([
      Child.path(ofWorker: "ProjectionWorker"), command, scratch.path + "/log", directory, "counts", "50",
      "\(random.next())",
    ])
    try child.expect("ready")
    return child
  }

  @Test func `processes that alternate see the events of each other`() throws {
    var random = SeededRandom.printingSeed()
    let children = [try worker("obey", &random), try worker("obey", &random)]
    var (last, changes) = (0, 0)
    for step in 0..<(Choice.isLong ? 20_000 : 3_000) {
      let index = random.below(2)
      if index != last { changes += 1 }
      last = index
      children[index].send(random.below(3) == 0 ? "read" : "append")
      let end = try children[index].expect("at")
      let head = try store.head().position
      #expect(end == ["\(head)", "\(head)"], "step \(step)")
    }
    #expect(changes > 1_000)
    try expectSameDigests(children)
  }

  @Test func `concurrent processes count every event and have equal digests`() throws {
    var random = SeededRandom.printingSeed()
    let children = try (0..<3).map { _ in try worker("obey", &random) }
    for _ in 0..<(Choice.isLong ? 20 : 3) {
      for child in children { child.send("run 200") }
      for child in children {
        let words = try child.expect("at")
        #expect(words.count == 2 && words[0] == words[1])
      }
    }
    try expectSameDigests(children)
  }

  private func expectSameDigests(_ children: [Child]) throws {
    var digests: Set<[String]> = []
    for child in children {
      child.send("digests")
      digests.insert(try child.expect("digests"))
      #expect(try child.finish() == .exit(0))
    }
    let fresh = try ProjectionStore(of: store, [Counts.self], at: scratch.path + "/fresh")
    let own = try #require(try fresh.checkpoint()).digests.flatMap { [$0.table, "\($0.digest)"] }
    #expect(digests == [own])
    let history = try store.events(limit: .max)
    try fresh.read { reading throws(ProjectionError) in #expect(try Counted(reading) == Counted(history)) }
  }

  @Test func `projections are correct after a kill at any moment`() throws {
    var random = SeededRandom.printingSeed()
    var (snapshots, checkpoints, dropped) = (0, 0, 0)
    for round in 0..<(Choice.isLong ? 200 : 20) {
      let children = try (0..<1 + random.below(2)).map { _ in try worker("churn", &random) }
      for child in children {
        for _ in 0..<random.below(12) { try child.expect("did") }
        // The sleep waits for nothing: it only varies the moment of the kill.
        usleep(UInt32(random.below(20_000)))
        let ending = child.end()
        let said = try child.lines().filter { $0 != "did" }
        #expect(ending == .signal(SIGKILL) && said.isEmpty, "\(said)")
      }
      let projections = try ProjectionStore(of: store, [Counts.self], at: directory)
      let history = try store.events(limit: .max)
      try projections.read { reading throws(ProjectionError) in
        #expect(reading.position == history.last?.position ?? .zero, "round \(round)")
        #expect(try Counted(reading) == Counted(history), "round \(round)")
      }
      try expectRecount(projections)
      for report in projections.checkSnapshots() { #expect(report.damage == nil, "round \(round)") }
      _ = try projections.checkpoint()
      let position = random.below(history.count + 1)
      let past = try projections.at(Position(rawValue: UInt64(position)))
      try past.read { reading throws(ProjectionError) in
        #expect(try Counted(reading) == Counted(Array(history.prefix(position))), "round \(round)")
      }
      past.close()
      (snapshots, checkpoints) = (projections.snapshots.count, try projections.checkpoints().count)
      projections.close()
      // So that the kill also hits a fold from a snapshot, or from the first event.
      if random.below(3) == 0 {
        try scratch.remove("projections/\(projections.fingerprint)")
        if random.below(2) == 0 { try? scratch.remove("projections/snapshots") }
        dropped += 1
      }
    }
    let events = try store.head().position
    print("Killed over \(events) events: \(checkpoints) checkpoints, \(snapshots) snapshots, \(dropped) times anew.")
  }

  private func expectRecount(_ projections: ProjectionStore) throws {
    let isSame = try projections.engine.tableStore.lend { reading throws(TablesError) in
      try reading.recountedDigests() == reading.digests()
    }
    #expect(isSame)
  }
}
