// The checks and findings of a verification.
internal import ChatReplay
internal import EventLog
internal import JSONLines
internal import Terminal

/// A report of the checks and findings of a verification.
struct VerificationReport {
  /// A check: its name, its verdict, and a description of the result.
  struct Check {
    let name: String
    let verdict: Verdict
    let words: String
  }

  /// The verdict of a check.
  enum Verdict: String {
    /// The check passed.
    case holds
    /// The check failed.
    case fails
    /// Nothing was available for comparison.
    case nothingToCompare = "nothing to compare with"
    /// The check was not made.
    case notMade = "not made"
  }

  /// A difference that was found.
  struct Finding {
    let difference: ExplainedDifference
    /// The event at its position, as stored.
    let event: RecordedEvent?
  }

  private(set) var checks: [Check] = []
  private(set) var findings: [Finding] = []
  /// Faults that are described by one sentence.
  private(set) var faults: [String] = []
  /// Notes that are not faults.
  var notes: [String] = []
  /// Steps that repair the faults.
  var advice: [String] = []

  var holds: Bool { findings.isEmpty && faults.isEmpty && !checks.contains { $0.verdict == .fails } }

  mutating func check(_ name: String, _ verdict: Verdict, _ words: String) {
    checks.append(Check(name: name, verdict: verdict, words: words))
  }

  mutating func report(_ fault: String) { if !faults.contains(fault) { faults.append(fault) } }

  /// Adds a difference, unless one with the same event, tables and description was added.
  mutating func report(_ difference: ExplainedDifference, _ event: RecordedEvent?) {
    let isKnown = findings.contains { finding in
      finding.difference.position == difference.position && finding.difference.what == difference.what
        && finding.difference.tables == difference.tables && difference.position != nil
    }
    if isKnown { return }
    findings.append(Finding(difference: difference, event: event))
  }
}

extension VerificationReport {
  /// Returns the text for people: a line per check, then each finding with its rows, then the verdict.
  func text(_ path: String, on paper: TextLayout) -> String {
    let column = (checks.map(\.name.count).max() ?? 0) + 2
    var lines = checks.map { check in paper.mark(check.verdict) + check.name.padded(to: column) + check.words.inOneLine
    }
    for finding in findings { lines += [""] + finding.lines(on: paper) }
    if !faults.isEmpty { lines.append("") }
    lines += faults.map { "✘ " + $0.inOneLine } + notes.map { "– " + $0.inOneLine }
    let count = findings.count + faults.count
    let verdict = holds ? "holds" : "is not verified: \(counted(count, "finding"))"
    let closing = ["The workspace at \(path) \(verdict)."] + advice
    return (lines + [""] + closing.map(\.inOneLine) + [""]).joined(separator: "\n")
  }

  /// The report as one line of JSON.
  var json: String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.key("holds")
      writer.bool(holds)
      writer.key("checks")
      writer.array { writer in
        for check in checks {
          writer.object { writer in
            writer.member("check", check.name)
            writer.member("verdict", check.verdict.rawValue)
            writer.member("words", check.words)
          }
        }
      }
      writer.key("findings")
      writer.array { writer in
        for finding in findings {
          writer.object { writer in
            writer.key("difference")
            finding.difference.write(to: &writer)
            guard let event = finding.event else { return }
            writer.key("event")
            writer.decoded(event)
          }
        }
      }
      writer.key("faults")
      writer.array { for fault in faults { $0.string(fault) } }
      writer.key("notes")
      writer.array { for note in notes { $0.string(note) } }
      writer.key("advice")
      writer.array { for sentence in advice { $0.string(sentence) } }
    }
    writer.endLine()
    return writer.text
  }
}

extension VerificationReport.Finding {
  fileprivate func lines(on paper: TextLayout) -> [String] {
    let lines = paper.lines(difference)
    guard let event else { return lines }
    return lines.prefix(1) + ["  the event: " + paper.line(event)] + lines.dropFirst()
  }
}
