// The output of a replay, for programs and for people.
internal import ChatReplay
internal import EventLog
internal import JSONLines
internal import Terminal

/// A writer of replay lines to a descriptor.
struct ReplayOutput {
  /// Whether no line so far reports a fault.
  private(set) var holds = true
  private var output: Output
  private var writer = JSONWriter()
  private var failure: Failure?
  private var last: ReplayedDigests?
  private var hasEnded = false
  private let isJSON: Bool
  private let checksTables: Bool
  private let paper: TextLayout

  init(_ descriptor: Int32, isJSON: Bool, checksTables: Bool) {
    output = Output(descriptor, ofCheck: true)
    (self.isJSON, self.checksTables) = (isJSON, checksTables)
    paper = TextLayout(of: descriptor)
  }

  /// Writes a line; returns whether the replay should go on.
  mutating func tell(_ line: ReplayLine) -> Bool {
    if line.isBad { holds = false }
    if case .ended = line { hasEnded = true }
    do throws(Failure) {
      if isJSON {
        writer.removeAll()
        line.write(to: &writer)
        try output.write(writer.bytes)
        // The parent process reads the progress from these lines.
        if case .digests = line { try output.flush() }
      } else {
        try output.write(styled: text(line).map { $0 + "\n" }.joined())
      }
    } catch {
      failure = error
    }
    return failure == nil && !output.isClosed
  }

  /// Writes the remaining lines; throws for a replay that a closed output stopped before it found a fault.
  mutating func finish() throws(Failure) {
    if let failure { throw failure }
    if output.isClosed, holds, !hasEnded {
      throw Failure(.unable, "The output was closed before the replay ended: replay again.")
    }
    try output.flush()
  }

  // MARK: Readable output

  private mutating func text(_ line: ReplayLine) -> [String] {
    switch line {
    case .began: return []
    case .digests(let digests):
      defer { last = digests }
      return paper.lines(digests, after: last)
    case .event(let event): return ["\(event.position)  \(event.digest)"]
    case .change(_, let row): return paper.lines(row)
    case .unstable(let difference), .mismatched(let difference): return paper.lines(difference)
    case .stopped(let stop): return ["\(stop)".visible(inOneLine: true)]
    case .unreadable(let position, let reason):
      return ["The event at position \(position) \(reason)".visible(inOneLine: true)]
    case .ended(let end):
      let rate = UInt64(end.eventsPerSecond).grouped
      return ["\(end.events.grouped) events up to position \(end.position), \(rate) a second."]
        + (checksTables ? comparedLines(end) : [])
    }
  }

  /// Returns which stored tables and snapshots were compared, and which were not.
  private func comparedLines(_ end: ReplayEnd) -> [String] {
    let compared =
      end.compared.isEmpty
      ? "No stored tables or snapshots were compared."
      : "Compared with the fold, row by row: \(end.compared.joined(separator: ", "))."
    return [compared.visible(inOneLine: true)] + end.skipped.map { "– " + $0.visible(inOneLine: true) }
  }
}

extension ReplayLine {
  /// Whether the line reports a fault.
  var isBad: Bool {
    switch self {
    case .unstable, .mismatched, .stopped, .unreadable: true
    case .began, .digests, .event, .change, .ended: false
    }
  }
}

/// The width and colors of text output for people.
struct TextLayout {
  let columns: Int
  let hasColors: Bool
  private let descriptor: Int32

  init(of descriptor: Int32) {
    columns = WindowSize(of: descriptor).columns
    hasColors = Descriptor(descriptor).hasColors
    self.descriptor = descriptor
  }

  /// Returns the mark in front of a check.
  func mark(_ verdict: VerificationReport.Verdict) -> String {
    let line =
      switch verdict {
      case .holds: Line("✔ ", .colored(.green))
      case .fails: Line("✘ ", .colored(.red))
      case .nothingToCompare, .notMade: Line("– ", .dim)
      }
    return line.row(cutTo: 2).text(hasLooks: hasColors)
  }

  /// Returns an event in one line.
  func line(_ event: RecordedEvent) -> String {
    EventLines(upTo: event.position, Times(nil), on: descriptor).fitting([event]).line(event)
  }

  /// Returns the digests at a position, without those that are unchanged.
  func lines(_ digests: ReplayedDigests, after before: ReplayedDigests?) -> [String] {
    let known = Set(before?.tables.map { "\($0.name) \($0.digest)" } ?? [])
    let rows = digests.tables.filter { !known.contains("\($0.name) \($0.digest)") }
      .map { [$0.name, $0.revision, $0.digest] }
    let columns = [TextTable.Column("table"), .init("revision"), .init("digest")]
    let table = rows.isEmpty ? [] : TextTable(columns, rows).lines(columns: self.columns, hasColors: hasColors)
    return ["At position \(digests.position), block \("\(digests.hash)".prefix(16))…:"] + table.map { "  " + $0 }
  }

  /// Returns a difference: its description, its position, and the rows with the fields that differ.
  func lines(_ difference: ExplainedDifference) -> [String] {
    let stretch = difference.stretch
    let positionText =
      difference.position.map { ": after the event at position \($0)" }
      ?? (stretch.upperBound == .zero
        ? ""
        : stretch.lowerBound == stretch.upperBound
          ? ": at position \(stretch.upperBound)"
          : ": somewhere from position \(stretch.lowerBound) to \(stretch.upperBound)")
    let tables = difference.tables.joined(separator: ", ")
    let heading = difference.what + positionText + (tables.isEmpty ? "" : ", in \(tables)")
    return ["✘ " + heading.visible(inOneLine: true)] + difference.rows.flatMap { lines($0).map { "  " + $0 } }
  }

  /// Returns a row: its table, its key, and each field that differs between the cases.
  func lines(_ row: ExplainedRow) -> [String] {
    let names = row.differingFields
    let column = (row.cases.map(\.name.count).max() ?? 0) + 2
    var lines = ["\(row.table)  \(row.keyText)".visible(inOneLine: true)]
    if let damaged = row.cases.first(where: \.isDamaged) {
      return lines + ["  " + damaged.name.padded(to: column) + "damaged: the row differs from the written one"]
    }
    for one in row.cases where one.fields == nil { lines.append("  " + one.name.padded(to: column) + "no row") }
    for name in names {
      lines.append("  " + name.inOneLine)
      for one in row.cases where one.fields != nil {
        lines.append("    " + one.name.padded(to: column) + (one.text(of: name)?.inOneLine ?? "not there"))
      }
    }
    return lines
  }
}
