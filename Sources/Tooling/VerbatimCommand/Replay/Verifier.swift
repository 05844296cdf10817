// Verifies a workspace: its log, its events, its projections, and all stored data derived from them.
internal import ChatReplay
internal import ContentKeys
internal import ChatProjections
internal import Errors
internal import EventLog
internal import EventLogPostgres
internal import JSONLines
internal import Projections

/// A verification of a workspace by comparing several child processes.
struct Verifier {
  /// The number of times each program folds each batch, which exposes dependence on the order of a set.
  static let times = 8
  /// The number of attempts to find the first event after which two programs differ.
  private static let attempts = 5
  /// The number of events between positions at which programs are compared.
  static let distance = 50_000

  let path: String
  let executable: String
  /// The number of programs that fold.
  var count = 2
  /// The path of another build, to be compared with this one.
  var other: String?
  /// The seals that the log is compared with.
  var seals = SealChecks()
  var context: Context
  var report = VerificationReport()
  private var eventCount: UInt64 = 0

  init(_ path: String, by executable: String, in context: Context) {
    (self.path, self.executable, self.context) = (path, executable, context)
  }

  /// Runs all checks, or only that of the log where the log is damaged.
  mutating func verify() throws(Failure) {
    guard try verifyLog() else {
      for name in (seals.path == nil ? [] : ["seals"]) + ["events", "folds", "checkpoints", "tables"] {
        report.check(name, .notMade, "skipped, since the log is damaged")
      }
      return
    }
    try compareSeals()
    var programs = (0..<max(1, count)).map { FoldingProgram.folding(number: $0, by: executable) }
    programs += other.map { [.other(by: $0)] } ?? []
    try checkContent()
    let transcripts = try fold(programs)
    guard let first = transcripts.first, transcripts.count == programs.count else { return }
    let stored = try storedTables()
    let lasts = try fold([.checkingTables(by: executable), .fromSnapshot(by: executable)])
    checkEvents(transcripts)
    try compare(transcripts + lasts, programs)
    try checkCheckpoints(first)
    let known = Set(transcripts.compactMap(\.beginning).flatMap(\.fingerprints))
    checkTables(lasts, stored.filter { known.contains($0.fingerprint) })
    nameOtherTables(stored.filter { !known.contains($0.fingerprint) })
  }

  // MARK: The log

  private mutating func verifyLog() throws(Failure) -> Bool {
    var check: LogCheckLine?
    let run = ProgramRun(
      executable: executable, arguments: ["log", "verify", "--json", "--", path], name: context.program)
    try runAll([run]) { _, outcome throws(Failure) in
      try outcome.forEachLine { line throws(Failure) in check = try? LogCheckLine(line) }
      if check == nil { throw Failure(.unable, outcome.complaint) }
    }
    guard let check else { return false }
    eventCount = check.events
    for finding in check.findings { report.report(finding) }
    report.notes += check.notes
    let counts = "\(counted(check.events, "event")) in \(counted(check.blocks, "block"))"
    report.check(
      "log", check.findings.isEmpty ? .holds : .fails,
      check.findings.isEmpty
        ? "\(counts), undamaged" + (check.notes.isEmpty ? "; the index, too" : "")
        : "\(counts) are intact")
    if !check.holdsLog, PostgresAddress.isAddress(path) {
      report.advice.append("Restore a backup of the server.")
    } else if !check.holdsLog {
      report.advice.append(
        "Restore a backup, or salvage the intact blocks with `\(context.command("log", "salvage", path))`.")
    } else if !check.findings.isEmpty {
      report.advice.append("Delete the directory \((path + "/index").quotedForShell): it is rebuilt from the log.")
    }
    return check.holdsLog
  }

  private mutating func compareSeals() throws(Failure) {
    if seals.path == nil { return }
    switch try seals.compare(logAt: path, in: context) {
    case .success(let words): report.check("seals", .holds, words)
    case .failure(let finding):
      report.check("seals", .fails, "the comparison with the seals failed")
      report.report("\(finding)")
    }
  }

  // MARK: Content

  /// Classifies the content of each event of an erasable workspace.
  private mutating func checkContent() throws(Failure) {
    let store = try openEvents(path, in: context, isGuarded: false)
    defer { store.close() }
    if store.log.content.cipher == nil { return }
    let content = try asked { () throws(LogError) in try ContentReport(of: store.log) }
    for finding in content.findings { report.report("\(finding)") }
    var words = ["\(counted(content.readable, "event")) readable"]
    for (position, count) in content.erased.sorted(by: { $0.key < $1.key }) {
      words.append("\(counted(count, "event")) erased by the event at \(position)")
    }
    if content.unreadable > 0 { words.append("\(counted(content.unreadable, "event")) not readable") }
    report.check("content", content.unreadable == 0 ? .holds : .fails, words.joined(separator: ", "))
    for erasure in try asked({ () throws(LogError) in try store.erasures() }) where erasure.completed == nil {
      report.notes.append(
        "The erasure at position \(erasure.position) (\(erasure.scope)) is not completed: run "
          + "`\(context.command("erase", path)) --resume`.")
    }
  }

  // MARK: Folding

  /// Runs programs and returns their transcripts; crashes and failures are reported.
  mutating func fold(_ programs: [FoldingProgram]) throws(Failure) -> [ReplayTranscript] {
    var transcripts: [ReplayTranscript] = []
    var failures: [String] = []
    let (path, count) = (path, eventCount)
    let progress = ProgressLine("events", in: context)
    defer { progress.end() }
    let runs = programs.map { $0.run(at: path, as: context.program) }
    try runAll(runs, whileRunning: { progress.reach(lastPosition(in: $0), of: count) }) {
      number, outcome throws(Failure) in
      let name = programs[number].name
      var transcript = ReplayTranscript(of: name)
      try outcome.forEachLine { line throws(Failure) in
        let line = try rethrow(
          ReplayLine(line: line),
          as: { (defect: InputDefect) in
            Failure(.unable, "The output of \(name) cannot be read: \(defect.description)")
          })
        transcript.add(line)
      }
      switch outcome.end {
      case .exited where transcript.end != nil: break
      case .exited:
        // A failure of the first program would affect this process too; the other build's error is the user's to fix.
        if number == 0 || programs[number].isOther { throw Failure(.unable, outcome.complaint) }
        failures.append("\(name.capitalizedFirst) failed: \(outcome.complaint)")
      case .signalled(let signal):
        failures.append(
          "\(name.capitalizedFirst) was terminated by signal \(signal): a projection or a stored table crashes it.")
      }
      transcripts.append(transcript)
    }
    for failure in failures { report.report(failure) }
    return failures.isEmpty ? transcripts : []
  }

  private mutating func checkEvents(_ transcripts: [ReplayTranscript]) {
    let count = transcripts.compactMap { $0.end?.recoded }.max() ?? 0
    let faults = transcripts.flatMap(\.faults)
    for fault in faults { report.report(fault) }
    report.check(
      "events", faults.isEmpty ? .holds : .fails,
      "\(counted(count, "event")) decoded and encoded"
        + (faults.isEmpty ? " to the same bytes" : ": \(counted(faults.count, "finding"))"))
  }

  // MARK: Comparison

  /// Compares the transcripts with the first one, and locates the differences.
  private mutating func compare(_ transcripts: [ReplayTranscript], _ programs: [FoldingProgram]) throws(Failure) {
    guard let first = transcripts.first else { return }
    var isSame = true
    var compared = 0
    for (number, transcript) in transcripts.enumerated() {
      for difference in transcript.unstable {
        isSame = false
        report.report(difference, try event(at: difference.position))
      }
      guard number > 0 else { continue }
      let comparison = first.compare(with: transcript.digests)
      compared = max(compared, comparison.compared)
      if comparison.compared == 0, comparison.passedOver > 0 {
        report.notes.append("\(transcript.name) has other projections than this program: nothing was compared with it.")
      }
      // Programs that fold once are not narrowed down further once a difference is known.
      if comparison.firstDifferent != nil, isSame || number < programs.count {
        isSame = false
        let program = number < programs.count ? programs[number] : nil
        try narrow(comparison, first, transcript, program.map { (programs[0], $0) })
      }
    }
    if !isSame {
      report.advice.append(
        "Find the input of the projection other than events: the order of a set, a clock, a time zone, kept memory.")
    }
    let names = counted(transcripts.count, "program")
    report.check(
      "folds", isSame ? .holds : .fails,
      isSame
        ? "\(names) agree at \(counted(compared, "position")), each stretch folded \(Self.times) times"
        : "the same events have different results")
  }

  /// Reports the first event after which two programs differ, and the rows that it makes different.
  private mutating func narrow(
    _ comparison: DigestComparison, _ first: ReplayTranscript, _ other: ReplayTranscript,
    _ pair: (FoldingProgram, FoldingProgram)?
  ) throws(Failure) {
    guard let end = comparison.firstDifferent else { return }
    let what = "\(first.name) and \(other.name) have different results"
    let stretch = comparison.lastSame.next...end
    var position: Position?
    var rows: [ExplainedRow] = []
    if let pair {
      let options = ["--events-from", "\(stretch.lowerBound)", "--to", "\(end)"]
      // Nondeterministic programs may agree in one attempt and differ in the next.
      for _ in 0..<Self.attempts where position == nil {
        let transcripts = try fold([pair.0.adding(options), pair.1.adding(options)])
        if transcripts.count == 2 { position = transcripts[0].firstEvent(differingFrom: transcripts[1]) }
      }
      if let position {
        let transcripts = try fold([pair.0, pair.1].map { $0.adding(["--changes", "\(position)"]) })
        if transcripts.count == 2 { rows = transcripts[0].rows(differingFrom: transcripts[1]) }
      }
    }
    let tables = position == nil ? comparison.tables : nil
    report.report(
      ExplainedDifference(what: what, position: position, stretch: stretch, tables: tables, rows: rows),
      try event(at: position))
  }

  // MARK: Derived tables

  private mutating func checkCheckpoints(_ first: ReplayTranscript) throws(Failure) {
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
    guard let end = comparison.firstDifferent else {
      let others = comparison.passedOver > 0 ? " (\(comparison.passedOver) of other revisions skipped)" : ""
      report.check(
        "checkpoints", comparison.compared > 0 ? .holds : .nothingToCompare,
        comparison.compared > 0
          ? "\(counted(comparison.compared, "checkpoint")) compared\(others)" : "nothing to compare with\(others)")
      return
    }
    report.advice.append("If the projection was changed, give it another revision; otherwise find the cause.")
    report.check("checkpoints", .fails, "the checkpoint at position \(end) differs from the fold of the events")
    report.report(
      ExplainedDifference(
        what: "the checkpoints of the first fold differ from the fold of the events", position: nil,
        stretch: comparison.lastSame.next...end, tables: comparison.tables, rows: []),
      nil)
  }

  private mutating func checkTables(_ transcripts: [ReplayTranscript], _ stored: [TablesOnDisk]) {
    let compared = transcripts.flatMap { $0.end?.compared ?? [] }
    let differences = transcripts.flatMap(\.mismatched)
    for difference in differences { report.report(difference, nil) }
    var fails = !differences.isEmpty
    for tables in stored {
      switch tables.status {
      case .sound, .unreadable: continue
      case .stale:
        report.notes.append(
          "The tables \(tables) were in use at the last system crash, and were not compared: the next opening "
            + "rebuilds them.")
      case .damaged(let defect), .offChain(let defect):
        fails = true
        report.report("The tables \(tables) \(defect).")
      }
    }
    if fails { report.advice.append("Rebuild the tables and snapshots: `\(context.command("rebuild", path))`.") }
    let verdict: VerificationReport.Verdict = fails ? .fails : compared.isEmpty ? .nothingToCompare : .holds
    report.check(
      "tables", verdict,
      verdict == .holds
        ? "\(counted(compared.count, "set")) of tables and snapshots compared with the events, row by row"
        : verdict == .fails
          ? "the stored tables differ from the fold of the events"
          : stored.contains { $0.status == .stale } ? "not compared" : "there are none")
  }

  /// Returns the tables stored in the workspace, with the status that their files record.
  private func storedTables() throws(Failure) -> [TablesOnDisk] {
    let store = try openEvents(path, in: context, isGuarded: false)
    defer { store.close() }
    let directory = ProjectionSets.directory(ofWorkspaceAt: tablesPath(path, of: store))
    return try rethrow(
      ProjectionStore.storedTables(in: directory, of: store.log),
      as: { (error: ProjectionError) in Failure(.unable, error.description) })
  }

  /// Names the tables that no program folded, so that they are not taken for verified.
  private mutating func nameOtherTables(_ others: [TablesOnDisk]) {
    if others.isEmpty { return }
    report.check(
      "other tables", .notMade,
      "\(counted(others.count, "projection")) that this program does not have: "
        + others.map(\.description).joined(separator: "; "))
  }

  func event(at position: Position?) throws(Failure) -> RecordedEvent? {
    guard let position else { return nil }
    let store = try openEvents(path, in: context, isGuarded: false)
    defer { store.close() }
    return try asked { () throws(LogError) in try store.events(from: position, limit: 1).first }
  }
}

/// Returns the last position in the lines of a replay; 0 if there is none.
private func lastPosition(in lines: [UInt8]) -> UInt64 {
  let words = String(decoding: lines, as: UTF8.self).split(separator: "{\"position\":")
  return words.dropFirst().last.flatMap { UInt64($0.prefix { $0.isNumber }) } ?? 0
}

/// The report of `verbatim log verify --json`.
private struct LogCheckLine {
  let events: UInt64
  let blocks: UInt64
  var findings: [String] = []
  var notes: [String] = []
  /// Whether only the index is faulty.
  var holdsLog = true

  init(_ line: [UInt8]) throws {
    var object = try ObjectReader(try JSONParser.parse(line), what: "the report")
    events = try object.integer("events") ?? 0
    blocks = try object.integer("blocks") ?? 0
    for json in try object.array("findings") ?? [] {
      var finding = try ObjectReader(json, what: "a finding")
      if try finding.text("place") != "index" { holdsLog = false }
      findings.append(try finding.text("description") ?? "")
    }
    for note in try object.array("notes") ?? [] { if case .string(let text) = note { notes.append(text) } }
  }
}

extension String {
  /// The text with its first letter in upper case.
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
