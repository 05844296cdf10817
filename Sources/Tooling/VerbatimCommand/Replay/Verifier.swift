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
  /// The file of digests that the fold must have.
  var expected: ExpectedFile?
  var context: Context
  var report = VerificationReport()
  /// The head of the log when the verification began, up to which all programs fold: others may append meanwhile.
  private(set) var head = Position.zero
  /// The hash of the log's genesis, which identifies the log.
  private(set) var genesisHash = ""
  /// Whether checkpoints or snapshots are past the end of the log.
  private(set) var isTailMissing = false

  init(_ path: String, by executable: String, in context: Context) {
    (self.path, self.executable, self.context) = (path, executable, context)
  }

  /// The end of the programs; nil for an empty log, whose end is no position.
  var end: Position? { head == .zero ? nil : head }

  /// Runs all checks, or only that of the log where the log is damaged.
  mutating func verify() throws(Failure) {
    let checks = ["events", "folds", "checkpoints", "tables"] + (expected == nil ? [] : ["expected"])
    guard try verifyLog() else {
      return skip((seals.path == nil ? [] : ["seals"]) + checks, since: "the log is damaged")
    }
    try findEnd()
    try compareSeals()
    var programs = FoldingProgram.folding(max(1, count), to: end, by: executable)
    programs += other.map { [.other(to: end, by: $0)] } ?? []
    try checkContent()
    let transcripts = try fold(programs)
    guard let first = transcripts.first, transcripts.count == programs.count else {
      return skip(checks, since: "a program failed")
    }
    let stored = try storedTables()
    let lasts = try fold([.checkingTables(to: end, by: executable), .fromSnapshot(to: end, by: executable)])
    checkEvents(transcripts)
    try compare(transcripts + lasts, programs)
    try checkCheckpoints(first)
    checkTables(lasts, stored)
    let known = Set(first.beginning?.fingerprints ?? [])
    checkOtherTables(stored.filter { !known.contains($0.fingerprint) })
    if let expected { try compare(with: expected) }
  }

  private mutating func skip(_ checks: [String], since reason: String) {
    for name in checks { report.check(name, .notMade, "skipped, since \(reason)") }
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
      let index =
        PostgresAddress.isAddress(path) ? "of the index on this machine" : (path + "/index").quotedForShell
      report.advice.append("Delete the directory \(index): it is rebuilt from the log.")
    }
    return check.holdsLog
  }

  /// Reads the head of the log, and reports data derived from events past it.
  private mutating func findEnd() throws(Failure) {
    let store = try openEvents(path, in: context, isGuarded: false)
    defer { store.close() }
    head = try asked { () throws(LogError) in try store.head().position }
    genesisHash = "\(store.log.genesis.hash)"
    let directory = ProjectionSets.directory(ofWorkspaceAt: tablesPath(path, of: store))
    let missing = try rethrow(
      ProjectionStore.missingTails(in: directory, of: store.log),
      as: { (error: ProjectionError) in Failure(.unable, error.description) })
    isTailMissing = !missing.isEmpty
    if !isTailMissing { return }
    report.check("end", .fails, "the log ends before the positions of checkpoints or snapshots")
    for tail in missing { report.report(tail.description) }
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
    let (path, count) = (path, head.rawValue)
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
        let complaint = outcome.complaint
        if number == 0 || programs[number].isOther {
          let none = "\(runs[number].executable) ended without a replay: name a build of this program."
          throw Failure(.unable, complaint.isEmpty ? none : complaint)
        }
        failures.append("\(name.capitalizedFirst) failed: \(complaint)")
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
    let isComplete = count >= head.rawValue
    let all = isComplete ? counted(count, "event") : "only \(count) of \(counted(head.rawValue, "event"))"
    report.check(
      "events", faults.isEmpty && isComplete ? .holds : .fails,
      "\(all) decoded and encoded"
        + (faults.isEmpty ? " to the same bytes" : ": \(counted(faults.count, "finding"))"))
  }

  // MARK: Comparison

  /// Compares the transcripts with the first one, and locates the differences.
  private mutating func compare(_ transcripts: [ReplayTranscript], _ programs: [FoldingProgram]) throws(Failure) {
    guard let first = transcripts.first else { return }
    var isSame = true
    var compared: [Int] = []
    var uncompared: [String] = []
    for (number, transcript) in transcripts.enumerated() {
      for difference in transcript.unstable {
        isSame = false
        report.report(difference, try event(at: difference.position))
      }
      guard number > 0 else { continue }
      let comparison = first.compare(with: transcript.digests)
      compared.append(comparison.compared)
      if comparison.compared == 0 { uncompared.append(transcript.name) }
      report.notes += comparison.notCompared(transcript.name)
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
      return report.check("folds", .fails, "the same events have different results")
    }
    guard let least = compared.min(), uncompared.isEmpty else {
      let names = uncompared.isEmpty ? "another fold" : uncompared.joined(separator: " and ")
      return report.check("folds", .nothingToCompare, "the first fold has no digests in common with \(names)")
    }
    report.check(
      "folds", .holds,
      "\(counted(transcripts.count, "program")) agree at \(counted(least, "position")), \(programs.count) of them "
        + "after folding each stretch \(Self.times) times")
  }

  /// Reports the first event after which two programs differ, and the rows that it makes different.
  private mutating func narrow(
    _ comparison: DigestComparison, _ first: ReplayTranscript, _ other: ReplayTranscript,
    _ pair: (FoldingProgram, FoldingProgram)?
  ) throws(Failure) {
    guard let stretch = comparison.stretch else { return }
    let what = "\(first.name) and \(other.name) have different results"
    // Tables that only one of them has, or at another revision, differ after each event.
    let common = comparison.isComplete ? nil : comparison.common
    var position: Position?
    var rows: [ExplainedRow] = []
    if let pair {
      let options = ["--events-from", "\(stretch.lowerBound)"]
      // Nondeterministic programs may agree in one attempt and differ in the next.
      for _ in 0..<Self.attempts where position == nil {
        let transcripts = try fold([pair.0, pair.1].map { $0.adding(options, to: stretch.upperBound) })
        if transcripts.count == 2 { position = transcripts[0].firstEvent(differingFrom: transcripts[1], in: common) }
      }
      if let position {
        let transcripts = try fold([pair.0, pair.1].map { $0.adding(["--changes", "\(position)"], to: nil) })
        if transcripts.count == 2 { rows = transcripts[0].rows(differingFrom: transcripts[1]) }
        if let common { rows.removeAll { !common.contains($0.table) } }
      }
    }
    let tables = position == nil ? comparison.tables : nil
    report.report(
      ExplainedDifference(what: what, position: position, stretch: stretch, tables: tables, rows: rows),
      try event(at: position))
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
