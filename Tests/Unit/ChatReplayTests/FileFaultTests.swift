// Files that are not as they were written: each fault is planted in a copy, and found where it is.
import Foundation
import Testing

@Suite("A file that is not as it was written")
struct FileFaultTests {
  private static let common = Result { try Workplace() }
  private let workplace: Workplace

  init() throws { workplace = try Workplace(of: try Self.common.get()) }

  @Test func `has a bit of a word flipped in a block`() throws {
    try workplace.flipBit(of: "channelCreated")
    let (code, report) = try Saboteur().verify(workplace)
    #expect(code == 1)
    #expect(report.verdict(of: "log") == "fails")
    #expect(report.verdict(of: "folds") == "not made")
    #expect(report.advice.first?.contains("`Saboteur log salvage \(workplace.path)`") == true)
    let fault = try #require(report.faults.first)
    #expect(fault.contains("block"))
  }

  @Test func `has a block removed`() throws {
    let last = try workplace.removeBlock(number: 20)
    let (code, report) = try Saboteur().verify(workplace)
    #expect(code == 1)
    #expect(report.faults.contains { $0.contains("\(last)") || $0.contains("\(last + 1)") }, "\(report.faults) \(last)")
  }

  @Test func `is cut off`() throws {
    try workplace.truncateLog(by: 40_000)
    let run = try Saboteur().run(["verify", workplace.path])
    #expect(run.code == 1)
    #expect(run.output.contains("log"))
    #expect(run.output.contains("does not hold"))
  }

  @Test func `has a wrong entry in its index`() throws {
    try workplace.exchangeAppendsInIndex()
    let (code, report) = try Saboteur().verify(workplace)
    #expect(code == 1)
    #expect(report.faults.contains { $0.contains("index") })
    // The log itself is whole, and so is all that is folded from it.
    #expect(report.verdict(of: "folds") == "holds")
    #expect(report.verdict(of: "tables") == "holds")
  }

  @Test func `has a wrong row in a view`() throws {
    let folder = try workplace.folder(withTable: "popularity.streams")
    try workplace.setRow("4711", ofKey: "channel/general", in: "popularity.streams", at: folder)
    let (code, report) = try Saboteur().verify(workplace)
    #expect(code == 1)
    #expect(report.verdict(of: "tables") == "fails")
    #expect(report.findings.count == 1)
    #expect(report.advice == ["Fold the tables and snapshots again: `Saboteur rebuild \(workplace.path)`."])
    let row = try #require(report.findings.first?.difference.rows.first)
    #expect(row.table == "popularity.streams")
    #expect(row.keyText == "channel/general")
    #expect(row.texts[1] == "4711")
    #expect(row.texts[0] != "4711")
  }

  // `verify` looked at the tables of its own views and passed over all others without a word, so that “holds” seemed to
  // be said of them, too; and its advice named `verbatim` whatever program was run.
  @Test func `may be that this program does not have, which are named`() throws {
    #expect(try Saboteur().verify(workplace).report.verdict(of: "other tables") == nil)
    // A program with one view more keeps tables of its own.
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

  @Test func `is a snapshot of an earlier position`() throws {
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

  @Test func `is a snapshot with a wrong row`() throws {
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
