// Threat: the projections of a chat depend on the process that folds them, or are wrong after one was killed.
import ChatSamples
import ChatProjections
import ChatWorker
import ChildProcess
import EventLog
import Foundation
import SeededRandom
import Tables
import Testing
import TestThreads

@testable import Projections

@Suite(.waitsForProcesses) struct `Projections folded by several processes` {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func worker(_ words: [String], _ environment: [String: String] = [:]) throws -> Child {
    var changes: [String: String?] = environment
    changes["SWIFT_DETERMINISTIC_HASHING"] = .some(nil)
    return try Child(
      [Child.path(ofWorker: "ChatWorker"), words[0], scratch.path + "/log", scratch.path + "/" + words[1]]
        + words[2...],
      environment: changes)
  }

  @Test func `digests do not depend on the process's hash seed, time zone and language`() throws {
    var random = SeededRandom.printingSeed()
    let store = try scratch.log(inMemory: false)
    var history = History(SeededRandom(seed: random.next()))
    for _ in 0..<1500 { history.step() }
    let events = history.events + random.events(ofEach: 3)
    for start in stride(from: 0, to: events.count, by: 50) {
      try store.append(Array(events[start..<min(events.count, start + 50)]))
    }
    store.close()
    var hashes: Set<String> = []
    var answers: Set<[String]> = []
    let zones = ["UTC", "Asia/Kathmandu", "America/St_Johns", "Pacific/Apia"]
    let languages = ["C", "tr_TR.UTF-8", "de_DE.UTF-8", "ja_JP.UTF-8"]
    for number in 0..<8 {
      let environment = ["TZ": zones[number % 4], "LC_ALL": languages[(number / 2) % 4]]
      let child = try worker(["fold", "views \(number)", "100"], environment)
      var lines = try child.lines()
      #expect(child.wait() == .exit(0))
      hashes.insert(lines.removeFirst())
      answers.insert(lines)
    }
    #expect(hashes.count == 8)
    #expect(answers.count == 1, "seed \(random.seed)")
    let lines = try #require(answers.first)
    #expect(
      lines.count >= events.count / 100 && lines.count > 1 && lines.allSatisfy { $0.hasPrefix("checkpoint ") },
      "\(lines)")
  }

  @Test func `projections are correct after the folding process is killed at any moment`() throws {
    let isLong = ProcessInfo.processInfo.environment["VERBATIM_LONG_TESTS"] != nil
    var random = SeededRandom.printingSeed()
    var dropped = 0
    try scratch.log(inMemory: false).close()
    for round in 0..<(isLong ? 200 : 12) {
      let child = try worker(["goOn", "projections", "200", "\(random.next())"])
      try child.expect("ready")
      for _ in 0..<random.below(40) { try child.expect("did") }
      // Not a wait for a condition: it only varies the moment of the kill within a line.
      usleep(UInt32(random.below(20_000)))
      let ending = child.end()
      let said = try child.lines().filter { $0 != "did" }
      #expect(ending == .signal(SIGKILL) && said.isEmpty, "\(said)")
      let store = try scratch.log(inMemory: false)
      let projections = try scratch.projections(store)
      let place = "round \(round), seed \(random.seed)"
      let end = try store.head().position
      try projections.read { reading throws(ProjectionError) in
        #expect(reading.position == end, "\(place)")
        _ = try random.expectSame(reading.chat, Reference(store), place)
      }
      let isSame = try projections.engine.tableStore.lend { reading throws(TablesError) in
        try reading.recountedDigests() == reading.digests()
      }
      #expect(isSame, "\(place)")
      for report in projections.checkSnapshots() { #expect(report.damage == nil, "\(place)") }
      _ = try projections.checkpoint()
      if random.below(4) == 0 {
        let position = Position(rawValue: UInt64(random.below(Int(end.rawValue) + 1)))
        let past = try projections.at(position)
        try past.read { reading throws(ProjectionError) in
          _ = try random.expectSame(reading.chat, Reference(store, through: position), "\(place), at \(position)")
        }
        past.close()
      }
      projections.close()
      store.close()
      // Makes some of the killed processes rebuild from an empty table store.
      if random.below(4) == 0 {
        try FileManager.default.removeItem(atPath: scratch.path + "/projections/\(projections.fingerprint)")
        dropped += 1
      }
    }
    print("Killed, and folded from nothing \(dropped) times.")
  }
}
