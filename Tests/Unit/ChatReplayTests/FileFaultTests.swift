// Tests that `verify` detects and locates damaged files: each fault is injected into a copy.
import Foundation
import Testing
import TestThreads

@Suite("A file that is not as it was written", .waitsForProcesses)
struct FileFaultTests {
  // Its snapshots are taken here: how many automatic ones there are depends on how fast the machine takes them.
  private static let common = Result {
    let workplace = try Workplace(messages: 20)
    for command in [["snapshot"], ["submit", "user", "zoe", "--as", "zoe"], ["snapshot"]] {
      let run = try Saboteur().run([command[0], workplace.path] + command.dropFirst())
      guard run.code == 0 else { throw Workplace.Unmade(output: run.output) }
    }
    return workplace
  }
  private let workplace: Workplace

  init() throws { workplace = try Workplace(of: try Self.common.get()) }

  @Test func `verify detects a flipped bit in a block`() throws {
    try workplace.flipBit(of: "channelCreated")
    let (code, report) = try Saboteur().verify(workplace)
    #expect(code == 1)
    #expect(report.verdict(of: "log") == "fails")
    #expect(report.verdict(of: "folds") == "not made")
    #expect(report.advice.first?.contains("`Saboteur log salvage \(workplace.path)`") == true)
    let fault = try #require(report.faults.first)
    #expect(fault.contains("block"))
  }

  // What broke: the comparison with expected digests folded the damaged log, failed, and the report was lost.
  @Test func `verify reports a damaged log also with expected digests`() throws {
    let file = workplace("expected.jsonl")
    try Data().write(to: URL(fileURLWithPath: file))
    #expect(try Saboteur().run(["verify", workplace.path, "--expect", file]).code == 2)
    try Data(#"{"expected":1,"log":"00","distance":1}"#.utf8).write(to: URL(fileURLWithPath: file))
    try workplace.flipBit(of: "channelCreated")
    let (code, report) = try Saboteur().verify(workplace, ["--expect", file])
    #expect(code == 1 && !report.faults.isEmpty)
    #expect(report.verdict(of: "log") == "fails" && report.verdict(of: "expected") == "not made")
  }

  @Test func `verify detects a removed block`() throws {
    let last = try workplace.removeBlock(number: 20)
    let (code, report) = try Saboteur().verify(workplace)
    #expect(code == 1)
    #expect(report.faults.contains { $0.contains("\(last)") || $0.contains("\(last + 1)") }, "\(report.faults) \(last)")
  }

  @Test func `verify detects a truncated log`() throws {
    try workplace.truncateLog()
    let run = try Saboteur().run(["verify", workplace.path])
    #expect(run.code == 1)
    #expect(run.output.contains("log"))
    #expect(run.output.contains("is not verified"))
  }

  @Test func `verify detects a wrong index entry while folds and tables hold`() throws {
    try workplace.exchangeAppendsInIndex()
    let (code, report) = try Saboteur().verify(workplace)
    #expect(code == 1)
    #expect(report.faults.contains { $0.contains("index") })
    // The log itself is intact, and so are all tables folded from it.
    #expect(report.verdict(of: "folds") == "holds")
    #expect(report.verdict(of: "tables") == "holds")
  }

  @Test func `verify notes checkpoints with which it compared nothing, since they are damaged`() throws {
    let path = workplace.path + "/projections/checkpoints"
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(try !Saboteur().run(["verify", workplace.path]).output.contains("no checkpoint"))
    bytes[bytes.count / 2] ^= 4
    try bytes.write(to: URL(fileURLWithPath: path))
    #expect(try Saboteur().run(["verify", workplace.path]).output.contains("bytes that are no checkpoint"))
  }

  @Test func `verify detects a wrong row in a projection`() throws {
    let folder = try workplace.folder(withTable: "popularity.streams")
    try workplace.setRow("4711", ofKey: "channel/general", in: "popularity.streams", at: folder)
    let (code, report) = try Saboteur().verify(workplace)
    #expect(code == 1)
    #expect(report.verdict(of: "tables") == "fails")
    #expect(report.findings.count == 1)
    #expect(report.advice == ["Rebuild the tables and snapshots: `Saboteur rebuild \(workplace.path)`."])
    let row = try #require(report.findings.first?.difference.rows.first)
    #expect(row.table == "popularity.streams")
    #expect(row.keyText == "channel/general")
    #expect(row.texts[1] == "4711")
    #expect(row.texts[0] != "4711")
  }

  // Regression: `verify` silently skipped the tables of other projections, so that “holds” seemed to include them; and
  // its advice always named `verbatim`, whatever program was run.
  @Test func `verify lists tables of projections that the program does not contain`() throws {
    #expect(try Saboteur().verify(workplace).report.verdict(of: "other tables") == nil)
    // A program with an additional projection stores tables of its own.
    #expect(try Saboteur("history-1").run(["status", workplace.path]).code == 0)
    #expect(try Saboteur("history-1").run(["snapshot", workplace.path]).code == 0)
    let (code, report) = try Saboteur().verify(workplace)
    #expect(code == 0 && report.holds)
    #expect(report.verdict(of: "other tables") == "not made")
    let words = try #require(report.checks.first { $0.check == "other tables" }?.words)
    #expect(words.hasPrefix("1 projection that this program does not have: "), "\(words)")
    #expect(words.contains("popularity") && words.contains("history") && words.contains(" (projections/"), "\(words)")
    #expect(try Saboteur().run(["status", workplace.path]).output.contains("the tables of other programs: popularity"))
  }

  /// Returns a copy of the workspace whose log has lost its last events after another program folded them.
  private func loseEnd(_ commands: [[String]]) throws -> Workplace {
    let workplace = try Workplace(of: workplace)
    let (log, before) = (workplace("log"), workplace("log-before"))
    try FileManager.default.copyItem(atPath: log, toPath: before)
    for command in commands {
      let run = try Saboteur("history-1").run([command[0], workplace.path] + command.dropFirst())
      #expect(run.code == 0, "\(run.output)")
    }
    try FileManager.default.removeItem(atPath: log)
    try FileManager.default.moveItem(atPath: before, toPath: log)
    // The index would show it.
    try FileManager.default.removeItem(atPath: workplace("index"))
    return workplace
  }

  // What broke: checkpoints, snapshots and the tables of other programs past the end of the log were ignored, so that a
  // log that had lost its last events held.
  @Test func `verify and status report tables of another program past the end of the log`() throws {
    let workplace = try loseEnd([["submit", "user", "yan", "--as", "yan"], ["snapshot"]])
    // Both programs have the tables of the state.
    let folder = try workplace.folder(withTable: "state.users")
    for path in [folder, workplace("projections/snapshots")] { try FileManager.default.removeItem(atPath: path) }
    let (code, report) = try Saboteur().verify(workplace)
    #expect(code == 1 && report.verdict(of: "other tables") == "fails")
    #expect(report.faults.count == 1)
    #expect(report.faults.first?.contains(", and the log ends at ") == true, "\(report.faults)")
    let status = try Saboteur().run(["status", workplace.path])
    #expect(status.code == 1 && !status.output.contains("found no problem"))
  }

  @Test func `verify and status report a snapshot of another program past the end of the log`() throws {
    let workplace = try loseEnd([["submit", "user", "yan", "--as", "yan"], ["snapshot"]])
    for table in ["state.users", "history.notes"] {
      try FileManager.default.removeItem(atPath: try workplace.folder(withTable: table))
    }
    let (code, report) = try Saboteur().verify(workplace)
    #expect(code == 1 && report.verdict(of: "end") == "fails")
    #expect(
      !report.faults.isEmpty && report.faults.allSatisfy { $0.contains("its last events are missing") },
      "\(report.faults)")
    let status = try Saboteur().run(["status", workplace.path])
    #expect(status.code == 1 && !status.output.contains("found no problem"))
  }

  // What broke: `verify` ignored damaged tables of other programs.
  @Test func `verify and status report damaged tables of another program`() throws {
    #expect(try Saboteur("history-1").run(["status", workplace.path]).code == 0)
    let folder = try workplace.folder(withTable: "history.notes")
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: folder + "/data.mdb"))
    try file.truncate(atOffset: 4096)
    try file.close()
    let (code, report) = try Saboteur().verify(workplace)
    #expect(code == 1 && report.verdict(of: "other tables") == "fails" && report.verdict(of: "tables") == "holds")
    let status = try Saboteur().run(["status", workplace.path])
    #expect(status.code == 1 && status.output.contains(", of another program, are damaged ("), "\(status.output)")
  }

  @Test func `verify detects a snapshot replaced by an earlier one`() throws {
    let folder = try workplace.folder(withTable: "state.users")
    let snapshots = try workplace.snapshots(ofTablesIn: folder)
    try #require(snapshots.count > 1)
    let directory = workplace("projections/snapshots/" + URL(fileURLWithPath: folder).lastPathComponent)
    let (earlier, later) = (snapshots[snapshots.count - 2], snapshots[snapshots.count - 1])
    try FileManager.default.removeItem(atPath: "\(directory)/\(later)/data.mdb")
    try FileManager.default.copyItem(
      atPath: "\(directory)/\(earlier)/data.mdb", toPath: "\(directory)/\(later)/data.mdb")
    let (code, report) = try Saboteur().verify(workplace)
    #expect(code == 1)
    let difference = try #require(report.findings.first?.difference)
    #expect(difference.what.contains("the snapshot at position \(later)"))
  }

  @Test func `verify detects a wrong row in a snapshot`() throws {
    let folder = try workplace.folder(withTable: "popularity.streams")
    let last = try #require(try workplace.snapshots(ofTablesIn: folder).last)
    let directory = workplace("projections/snapshots/" + URL(fileURLWithPath: folder).lastPathComponent)
    try workplace.setRow("4711", ofKey: "channel/general", in: "popularity.streams", at: "\(directory)/\(last)")
    let (code, report) = try Saboteur().verify(workplace)
    #expect(code == 1)
    let difference = try #require(report.findings.first?.difference)
    #expect(difference.what.contains("the snapshot at position \(last)"))
  }
}
