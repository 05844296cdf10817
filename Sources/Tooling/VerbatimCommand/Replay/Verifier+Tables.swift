// Verifies the data derived from a log: checkpoints, tables and snapshots.
internal import ChatProjections
internal import ChatReplay
internal import Errors
internal import EventLog
internal import Projections

extension DigestComparison {
  /// Returns which tables were not compared with a program or a file, one sentence for each reason.
  func notCompared(_ name: String) -> [String] {
    func sentence(_ beginning: String, _ tables: [String]) -> String? {
      tables.isEmpty ? nil : "\(beginning): \(tables.joined(separator: ", "))."
    }
    return [
      sentence("Not compared, since this program does not have these tables of \(name)", missing),
      sentence("Not compared, since \(name) does not have these tables", additional),
      sentence("Not compared, since \(name) has another revision of these tables", revised),
    ].compactMap(\.self)
  }
}

extension Verifier {
  mutating func checkCheckpoints(_ first: ReplayTranscript) throws(Failure) {
    let store = try openEvents(path, in: context, isGuarded: false)
    defer { store.close() }
    let recorded = try rethrow(
      ReplayedDigests.recorded(inWorkspaceAt: tablesPath(path, of: store), of: store.log),
      as: { (error: ReplayError) in Failure(error) })
    let directory = ProjectionSets.directory(ofWorkspaceAt: tablesPath(path, of: store))
    if (try? ProjectionStore.hasUnreadableCheckpoints(in: directory)) ?? false {
      report.notes.append(
        "The file of checkpoints has bytes that are no checkpoint: one was damaged, or its writing was interrupted. "
          + "Nothing was compared with it.")
    }
    let comparison = first.compare(with: recorded)
    guard let stretch = comparison.stretch else {
      var others = comparison.passedOver > 0 ? " (\(comparison.passedOver) of other revisions skipped)" : ""
      if !comparison.missing.isEmpty {
        others += ", without tables that this program does not have: \(comparison.missing.joined(separator: ", "))"
      }
      report.check(
        "checkpoints", comparison.compared > 0 ? .holds : .nothingToCompare,
        comparison.compared > 0
          ? "\(counted(comparison.compared, "checkpoint")) compared\(others)" : "nothing to compare with\(others)")
      return
    }
    report.advice.append("If the projection was changed, give it another revision; otherwise find the cause.")
    report.check(
      "checkpoints", .fails, "the checkpoint at position \(stretch.upperBound) differs from the fold of the events")
    report.report(
      ExplainedDifference(
        what: "the checkpoints of the first fold differ from the fold of the events", position: nil,
        stretch: stretch, tables: comparison.tables, rows: []),
      nil)
  }

  mutating func checkTables(_ transcripts: [ReplayTranscript], _ stored: [TablesOnDisk]) {
    guard !transcripts.isEmpty else { return report.check("tables", .notMade, "skipped, since a program failed") }
    let compared = transcripts.flatMap { $0.end?.compared ?? [] }
    let skipped = transcripts.flatMap { $0.end?.skipped ?? [] }
    let differences = transcripts.flatMap(\.mismatched)
    for difference in differences { report.report(difference, nil) }
    report.notes += skipped
    if stored.contains(where: \.isOffChain) {
      report.advice.append(
        "Compare the log with a backup; if it has every event, rebuild the tables and snapshots: "
          + "`\(context.command("rebuild", path, "--discard-ahead"))`.")
    } else if !differences.isEmpty, !isTailMissing {
      report.advice.append("Rebuild the tables and snapshots: `\(context.command("rebuild", path))`.")
    }
    let count = "\(counted(compared.count, "set")) of tables and snapshots compared with the events, row by row"
    if !differences.isEmpty {
      report.check("tables", .fails, "the stored tables differ from the fold of the events")
    } else if compared.isEmpty {
      report.check("tables", .nothingToCompare, skipped.isEmpty ? "there are none" : "not compared")
    } else {
      report.check("tables", .holds, count)
    }
  }

  /// Returns the tables stored in the workspace, with the status that their files record.
  func storedTables() throws(Failure) -> [TablesOnDisk] {
    let store = try openEvents(path, in: context, isGuarded: false)
    defer { store.close() }
    let directory = ProjectionSets.directory(ofWorkspaceAt: tablesPath(path, of: store))
    return try rethrow(
      ProjectionStore.storedTables(in: directory, of: store.log),
      as: { (error: ProjectionError) in Failure(.unable, error.description) })
  }

  /// Names the tables that no program folded, so that they are not taken for verified, and reports faults of their
  /// files.
  mutating func checkOtherTables(_ others: [TablesOnDisk]) {
    if others.isEmpty { return }
    var isFaulty = false
    for tables in others {
      switch tables.status {
      case .sound, .stale, .unreadable: continue
      case .damaged(let defect):
        report.advice.append("Open the workspace with the program that has the projections of \(tables).")
        report.report("The tables \(tables) \(defect).")
      case .offChain(let defect): report.report("The tables \(tables) \(defect).")
      }
      isFaulty = true
    }
    report.check(
      "other tables", isFaulty ? .fails : .notMade,
      "\(counted(others.count, "projection")) that this program does not have: "
        + others.map(\.description).joined(separator: "; "))
  }
}

extension TablesOnDisk {
  /// Whether the tables contradict the log.
  fileprivate var isOffChain: Bool {
    if case .offChain = status { true } else { false }
  }
}
