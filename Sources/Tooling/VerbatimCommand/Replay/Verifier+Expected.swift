// Compares a workspace with digests that a project keeps beside its code.
internal import ChatReplay
internal import Errors
internal import EventLog
internal import Foundation
internal import JSONLines

extension Verifier {
  /// Compares with the digests in a file.
  mutating func hold(against file: String) throws(Failure) {
    let expected = try read(file)
    guard let last = expected.digests.last?.position else {
      return report.check("expected", .nothingToCompare, "\(file) holds no digests")
    }
    guard let transcript = try tell(each: expected.distance, to: "\(last)") else { return }
    if let log = transcript.beginning.map({ "\($0.log)" }), log != expected.log {
      report.check("expected", .fails, "\(file) belongs to another log")
      return report.report("The digests in \(file) belong to another log: use those of this log, or write them again.")
    }
    let comparison = transcript.compare(with: expected.digests)
    guard let end = comparison.firstDifferent else {
      let isSome = comparison.compared > 0
      return report.check(
        "expected", isSome ? .holds : .nothingToCompare,
        isSome
          ? "\(counted(comparison.compared, "position")) equal to \(file)"
          : "\(file) has other revisions of projections"
      )
    }
    report.advice.append("If the change was intended, give the projection another revision, and write \(file) again.")
    report.check("expected", .fails, "what \(file) expects differs from the fold of the events")
    let stretch = comparison.lastSame.next...end
    let isExact = stretch.lowerBound == end
    var rows: [ExplainedRow] = []
    if isExact,
      let transcript = try fold([.telling(each: 1, to: nil, by: executable).adding(["--changes", "\(end)"])]).first
    {
      rows = transcript.changes.filter { comparison.tables.contains($0.table) }
    }
    report.report(
      ExplainedDifference(
        what: "the fold of the events differs from the digests of \(file)", position: isExact ? end : nil,
        stretch: stretch,
        tables: comparison.tables, rows: rows),
      try event(at: isExact ? end : nil))
  }

  /// Writes the file of digests.
  mutating func writeExpected(_ file: String) throws(Failure) {
    let store = try openEvents(path, in: context, isGuarded: false)
    let end = try asked { () throws(LogError) in try store.head().position }
    store.close()
    let distance = ExpectedDigests.distance(in: end)
    guard let transcript = try tell(each: distance, to: "\(end)") else { return }
    var writer = JSONWriter()
    ExpectedDigests(transcript, distance: distance).write(to: &writer)
    do { try Data(writer.bytes).write(to: URL(fileURLWithPath: file), options: .atomic) } catch {
      throw Failure(.unable, "\(file) cannot be written (\(error.localizedDescription)): give another path.")
    }
    report.check("expected", .holds, "\(counted(transcript.digests.count, "position")) written to \(file)")
  }

  private mutating func tell(each distance: UInt64, to end: String) throws(Failure) -> ReplayTranscript? {
    try fold([.telling(each: distance, to: end, by: executable)]).first
  }

  private func read(_ file: String) throws(Failure) -> ExpectedDigests {
    let bytes: [UInt8]
    do { bytes = Array(try Data(contentsOf: URL(fileURLWithPath: file))) } catch {
      throw Failure(.unable, "\(file) cannot be read (\(error.localizedDescription)): check the path.")
    }
    let lines = bytes.split(separator: UInt8(ascii: "\n")).map { Array($0) }
    return try rethrow(
      ExpectedDigests(lines: lines),
      as: { (defect: InputDefect) in Failure(.misused, "\(file), \(defect.description)") })
  }
}
