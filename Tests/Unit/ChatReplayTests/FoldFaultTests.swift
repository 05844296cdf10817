// Tests that nondeterministic folds are detected, down to event, table, key and field.
import ChildProcess
import Foundation
import Testing
import TestThreads

@Suite("A fold that breaks the rules", .waitsForProcesses)
struct FoldFaultTests {
  /// Workspaces shared by the tests that only read them.
  private static let common = Result { try Workplace() }
  private static let small = Result { try Workplace(messages: 20) }

  @Test func `verify holds for projections without faults`() throws {
    let (code, report) = try Saboteur().verify(try Self.common.get())
    #expect(code == 0)
    #expect(report.holds)
    #expect(report.checks.map(\.verdict) == Array(repeating: "holds", count: 5))
    #expect(report.checks.map(\.check) == ["log", "events", "folds", "checkpoints", "tables"])
  }

  @Test func `verify detects dependence on set order in each run`() throws {
    let workplace = try Self.small.get()
    for _ in 1...(ProcessInfo.processInfo.environment["VERBATIM_LONG_TESTS"] == nil ? 4 : 20) {
      let (code, report) = try Saboteur("hash-order").verify(workplace)
      #expect(code == 1)
      let finding = try #require(report.findings.first { $0.difference.position != nil })
      #expect(finding.difference.position == 777)
      #expect(finding.event?.position == 777)
      #expect(finding.difference.tables == ["hashOrder.notes"])
      let row = try #require(finding.difference.rows.first)
      #expect(row.keyText == "names")
      #expect(row.texts.first == "no row")
      #expect(Set(row.texts.dropFirst()) == ["ada, ben", "ben, ada"])
    }
  }

  @Test func `verify detects dependence on the time zone`() throws {
    let (code, report) = try Saboteur("time-zone").verify(try Self.small.get())
    #expect(code == 1)
    let finding = try #require(report.findings.first)
    #expect(finding.difference.position == 777)
    #expect(finding.difference.tables == ["zone.notes"])
    let row = try #require(finding.difference.rows.first)
    #expect(row.keyText == "hour")
    #expect(row.texts == ["no row", "14 hours from Greenwich", "-3 hours from Greenwich"])
  }

  @Test func `verify detects dependence on the batch size`() throws {
    let (code, report) = try Saboteur("batch-size").verify(try Self.common.get())
    #expect(code == 1)
    let finding = try #require(report.findings.first { $0.difference.position != nil })
    #expect(finding.difference.position == 3_777)
    #expect(finding.difference.tables == ["forgetful.notes"])
    let row = try #require(finding.difference.rows.first)
    #expect(row.keyText == "seen")
    #expect(row.texts.first == "no row")
    #expect(row.texts[1] != row.texts[2])
  }

  @Test func `verify reports a crashed process with its signal`() throws {
    let run = try Saboteur("crash").run(["verify", try Self.small.get().path, "--json"])
    #expect(run.code == 1)
    #expect(run.output.contains("was terminated by signal"))
  }

  // What broke: only the second program decoded events, so that with one program none was, and the check held.
  @Test func `verify with one program decodes and encodes each event`() throws {
    let (code, report) = try Saboteur().verify(try Self.small.get(), ["--programs", "1"])
    let log = try #require(report.checks.first { $0.check == "log" }?.words)
    let events = try #require(report.checks.first { $0.check == "events" }?.words)
    #expect(code == 0 && report.verdict(of: "events") == "holds")
    #expect(events == "\(log.prefix { $0.isNumber }) events decoded and encoded to the same bytes")
  }
}

@Suite("A change of code that alters history", .waitsForProcesses)
struct HistoryTests {
  private let workplace: Workplace

  init() throws { workplace = try Workplace(fault: "history-1", messages: 20) }

  @Test func `verify detects changed history by expected digests`() throws {
    let file = workplace("expected.jsonl")
    let written = try Saboteur("history-1").verify(workplace, ["--write-expected", file])
    #expect(written.code == 0)
    #expect(try Saboteur("history-1").verify(workplace, ["--expect", file]).report.verdict(of: "expected") == "holds")
    // The faults are not found by checkpoints or stored tables: a fresh clone has neither.
    for derived in ["projections", "index"] { try? FileManager.default.removeItem(atPath: workplace(derived)) }
    let (code, report) = try Saboteur("history-2").verify(workplace, ["--expect", file])
    #expect(code == 1)
    #expect(report.verdict(of: "checkpoints") == "nothing to compare with")
    #expect(report.verdict(of: "expected") == "fails")
    let difference = try #require(report.findings.first?.difference)
    #expect(difference.tables == ["history.notes"])
    // For a log of some thousand events, the file has digests every few events.
    #expect(difference.stretch[0] <= 777 && difference.stretch[1] >= 777)
    #expect(difference.stretch[1] - difference.stretch[0] < 5)
  }

  /// The old build is this one, with other projections.
  private func oldBuild() throws -> String {
    let old = workplace("old")
    try writeScript("#!/bin/sh\nVERBATIM_FAULT=history-1 exec '\(Saboteur.program)' \"$@\"\n", to: old)
    return old
  }

  // What broke: events were compared by the rows of all tables, so that one which only one build has was found at the
  // first event; and tables of the other build were taken for verified.
  @Test func `tables that only one build has do not hide the event that both fold differently`() throws {
    let (code, report) = try Saboteur("history-2-more").verify(workplace, ["--against", try oldBuild()])
    #expect(code == 1)
    let finding = try #require(report.findings.first { $0.difference.position != nil })
    #expect(finding.difference.position == 777)
    #expect(finding.difference.rows.map(\.table) == ["history.notes"])
    #expect(
      report.notes.contains("Not compared, since the other program does not have these tables: additional.notes."))
    #expect(report.verdict(of: "other tables") == "not made")
  }

  @Test func `verify detects changed history by comparison with an old build`() throws {
    let old = try oldBuild()
    for derived in ["projections", "index"] { try? FileManager.default.removeItem(atPath: workplace(derived)) }
    let (code, report) = try Saboteur("history-2").verify(workplace, ["--against", old])
    #expect(code == 1)
    let finding = try #require(report.findings.first { $0.difference.position != nil })
    #expect(finding.difference.position == 777)
    #expect(finding.difference.rows.map(\.table) == ["history.notes"])
    #expect(finding.difference.rows.first?.texts.suffix(2) == ["no row", "1"])
  }

  // What broke: tables that only the file has, and a file without digests, were skipped silently, and it held.
  @Test func `a file of expected digests fails where nothing is compared with its tables`() throws {
    let file = workplace("expected.jsonl")
    #expect(try Saboteur("history-1").verify(workplace, ["--write-expected", file]).code == 0)
    let fewer = try Saboteur().verify(workplace, ["--expect", file])
    #expect(fewer.code == 1 && fewer.report.verdict(of: "expected") == "fails")
    #expect(fewer.report.faults.contains { $0.hasPrefix("This program does not have the tables history.notes of ") })
    let more = try Saboteur("history-2-more").verify(workplace, ["--expect", file])
    #expect(more.report.findings.contains { $0.difference.tables == ["history.notes"] })

    let text = try String(contentsOfFile: file, encoding: .utf8)
    let name = #""table":"history.notes","revision":"#
    try #require(text.contains(name + #""1""#))
    try text.replacing(name + #""1""#, with: name + #""0""#).write(toFile: file, atomically: true, encoding: .utf8)
    let revised = try Saboteur("history-1").verify(workplace, ["--expect", file])
    #expect(revised.code == 0 && revised.report.verdict(of: "expected") == "holds")
    #expect(
      revised.report.notes == ["Not compared, since \(file) has another revision of these tables: history.notes."])

    try String(text.prefix { $0 != "\n" }).write(toFile: file, atomically: true, encoding: .utf8)
    let empty = try Saboteur("history-1").verify(workplace, ["--expect", file])
    #expect(empty.code == 1 && empty.report.verdict(of: "expected") == "fails")
    #expect(empty.report.faults == ["The file \(file) has no digests to compare with: write it again."])
  }

  @Test func `verify detects changed history by recorded checkpoints`() throws {
    let (code, report) = try Saboteur("history-2").verify(workplace)
    #expect(code == 1)
    #expect(report.verdict(of: "checkpoints") == "fails")
    let difference = try #require(report.findings.first { $0.difference.what.contains("checkpoint") }?.difference)
    #expect(difference.tables == ["history.notes"])
    #expect(difference.stretch[0] <= 777 && difference.stretch[1] >= 777)
  }
}
