// Compares a workspace with digests that a project keeps beside its code.
internal import ChatReplay
internal import Errors
internal import EventLog
internal import Files
internal import Foundation
internal import JSONLines

/// A file of expected digests.
struct ExpectedFile {
  let name: String
  let digests: ExpectedDigests

  /// Reads the file at a path.
  init(readFrom name: String) throws(Failure) {
    let bytes = try rethrow(FileSystem.bytes(of: name)) { (error: FileError) in
      Failure(.unable, "\(name) cannot be read (\(error)): check the path.")
    }
    if bytes.isEmpty { throw Failure(.misused, "\(name) is empty: create it with --write-expected.") }
    let lines = bytes.split(separator: UInt8(ascii: "\n")).map { Array($0) }
    digests = try rethrow(
      ExpectedDigests(lines: lines),
      as: { (defect: InputDefect) in Failure(.misused, "\(name), \(defect.description)") })
    self.name = name
  }
}

extension Verifier {
  /// Compares the fold with the digests in a file.
  mutating func compare(with expected: ExpectedFile) throws(Failure) {
    let file = expected.name
    func fails(_ words: String, _ fault: String) {
      report.check("expected", .fails, words)
      report.report(fault)
    }
    guard let last = expected.digests.digests.last?.position else {
      return fails("\(file) has no digests", "The file \(file) has no digests to compare with: write it again.")
    }
    guard genesisHash == expected.digests.log else {
      return fails(
        "\(file) belongs to another log",
        "The digests in \(file) belong to another log: use those of this log, or write them again.")
    }
    guard last <= head else {
      return fails(
        "\(file) has digests past the end of the log",
        "The digests in \(file) reach to position \(last), but the log ends at \(head), so its last events are missing:"
          + " restore a backup.")
    }
    // The end of an empty log is no position to which a program could fold.
    guard last > .zero else {
      return report.check("expected", .nothingToCompare, "\(file) has the digests of an empty log")
    }
    guard let transcript = try fold([.telling(each: expected.digests.distance, to: last, by: executable)]).first else {
      return report.check("expected", .notMade, "skipped, since a program failed")
    }
    let comparison = transcript.compare(with: expected.digests.digests)
    if let stretch = comparison.stretch { return try explain(comparison, in: stretch, file) }
    guard comparison.missing.isEmpty else {
      return fails(
        "\(file) has tables that this program does not have",
        "This program does not have the tables \(comparison.missing.joined(separator: ", ")) of \(file): fold with the "
          + "projections that have them, or write \(file) again.")
    }
    let count = expected.digests.digests.count - comparison.compared - comparison.passedOver
    guard count == 0 else {
      return fails(
        "\(file) has positions between those of its distance",
        "Of the positions in \(file), \(count) are no multiple of its distance, \(expected.digests.distance), and were "
          + "not compared: write it again.")
    }
    report.notes += comparison.notCompared(file)
    report.check(
      "expected", comparison.compared > 0 ? .holds : .nothingToCompare,
      comparison.compared > 0
        ? "\(counted(comparison.compared, "position")) equal to \(file)"
        : "\(file) has other revisions of projections")
  }

  /// Reports a difference from a file, with the rows where the event is known.
  private mutating func explain(
    _ comparison: DigestComparison, in stretch: ClosedRange<Position>, _ file: String
  ) throws(Failure) {
    report.advice.append("If the change was intended, give the projection another revision, and write \(file) again.")
    report.check("expected", .fails, "what \(file) expects differs from the fold of the events")
    let position = stretch.lowerBound == stretch.upperBound ? stretch.upperBound : nil
    var rows: [ExplainedRow] = []
    if let position {
      let program = FoldingProgram.telling(each: 1, to: nil, by: executable)
      let transcript = try fold([program.adding(["--changes", "\(position)"], to: nil)]).first
      rows = transcript?.changes.filter { comparison.tables.contains($0.table) } ?? []
    }
    report.report(
      ExplainedDifference(
        what: "the fold of the events differs from the digests of \(file)", position: position, stretch: stretch,
        tables: comparison.tables, rows: rows),
      try event(at: position))
  }

  /// Writes the file of digests.
  mutating func writeExpected(_ file: String) throws(Failure) {
    let distance = ExpectedDigests.distance(in: head)
    guard let transcript = try fold([.telling(each: distance, to: end, by: executable)]).first else { return }
    var writer = JSONWriter()
    ExpectedDigests(transcript, distance: distance).write(to: &writer)
    do { try Data(writer.bytes).write(to: URL(fileURLWithPath: file), options: .atomic) } catch {
      throw Failure(.unable, "\(file) cannot be written (\(error.localizedDescription)): give another path.")
    }
    report.check("expected", .holds, "\(counted(transcript.digests.count, "position")) written to \(file)")
  }
}
