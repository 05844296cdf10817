// What came of playing a scenario.
package import JSONLines

/// What came of playing a scenario: what differed, line by line.
public struct ScenarioReport: Sendable {
  /// What the scenario is about.
  public let title: String
  /// How many lines were played.
  public let lineCount: Int
  /// What was expected and found, in order.
  package let findings: [Finding]
  private let defects: [Mismatch]

  /// Something that was not as it was expected.
  public struct Mismatch: Hashable, Sendable {
    /// In which line: 1 for the first of the file.
    public let line: Int
    /// What was looked at, with the way into it.
    public let what: String
    /// What was expected, as JSON.
    public let expected: String
    /// What was found, as JSON; nil where there is nothing of that name.
    public let found: String?
    /// What more there is to say.
    public let reason: String?
  }

  /// What was looked at, with what was expected and found.
  package struct Finding: Sendable {
    package let line: Int
    package let name: String
    package let expected: JSON
    package let found: JSON

    /// Whether the same would be found where something else is expected.
    package func holds(expecting other: JSON) -> Bool {
      Difference.all(name, expected: other, found: found).isEmpty
    }
  }

  init(title: String, lineCount: Int, findings: [Finding], defects: [Mismatch]) {
    (self.title, self.lineCount, self.findings, self.defects) = (title, lineCount, findings, defects)
  }

  /// How often something was expected.
  public var expectationCount: Int { findings.count }

  /// All that was not as it was expected, in the order of lines.
  public var mismatches: [Mismatch] {
    let differences = findings.flatMap { finding in
      Difference.all(finding.name, expected: finding.expected, found: finding.found).map { difference in
        Mismatch(
          line: finding.line, what: difference.what, expected: difference.expected.written,
          found: difference.found?.written, reason: nil)
      }
    }
    return (differences + defects).enumerated().sorted { ($0.element.line, $0.offset) < ($1.element.line, $1.offset) }
      .map(\.element)
  }

  /// Whether all was as it was expected.
  public var holds: Bool { mismatches.isEmpty }
}

extension ScenarioReport.Mismatch: CustomStringConvertible {
  /// One line: where, what, expected, found.
  public var description: String {
    let found = found ?? "nothing of that name"
    return "line \(line): \(what): expected \(expected), found \(found)" + (reason.map { " (\($0))" } ?? "")
  }
}
