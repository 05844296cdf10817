// Tests that nondeterministic folds are detected, down to event, table, key and field.
import Foundation
import Testing

@Suite("A fold that breaks the rules")
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

  @Test func `verify detects dependence on set order in twenty of twenty runs`() throws {
    let workplace = try Self.small.get()
    for _ in 1...20 {
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
}

@Suite("A change of code that alters history")
struct HistoryTests {
  private let workplace: Workplace

  init() throws { workplace = try Workplace(fault: "history-1", messages: 60) }

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

  @Test func `verify detects changed history by comparison with an old build`() throws {
    // The old build is this one, with other projections.
    let old = workplace("old")
    try "#!/bin/sh\nVERBATIM_FAULT=history-1 exec '\(Saboteur.program)' \"$@\"\n"
      .write(toFile: old, atomically: false, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: old)
    for derived in ["projections", "index"] { try? FileManager.default.removeItem(atPath: workplace(derived)) }
    let (code, report) = try Saboteur("history-2").verify(workplace, ["--against", old])
    #expect(code == 1)
    let finding = try #require(report.findings.first { $0.difference.position != nil })
    #expect(finding.difference.position == 777)
    #expect(finding.difference.rows.map(\.table) == ["history.notes"])
    #expect(finding.difference.rows.first?.texts.suffix(2) == ["no row", "1"])
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
