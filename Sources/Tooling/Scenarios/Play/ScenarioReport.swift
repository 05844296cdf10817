// The result of playing a scenario.
package import JSONLines

/// The result of playing a scenario: the differences, line by line.
public struct ScenarioReport: Sendable {
  /// The title of the scenario.
  public let title: String
  /// The number of lines played.
  public let lineCount: Int
  /// The expected and found values, in order.
  package let findings: [Finding]
  private let defects: [Mismatch]

  /// A difference from an expectation.
  public struct Mismatch: Hashable, Sendable {
    /// The line's number in the file: 1 for the first.
    public let line: Int
    /// The key of the expectation, and the path into its value.
    public let what: String
    /// The expected value as JSON.
    public let expected: String
    /// The found value as JSON; nil where there is none of that name.
    public let found: String?
    /// Additional information.
    public let reason: String?
  }

  /// The expected and the found value of one expectation.
  package struct Finding: Sendable {
    package let line: Int
    package let name: String
    package let expected: JSON
    package let found: JSON

    /// Whether the found value would also meet another expectation.
    package func holds(expecting other: JSON) -> Bool {
      Difference.all(name, expected: other, found: found).isEmpty
    }
  }

  init(title: String, lineCount: Int, findings: [Finding], defects: [Mismatch]) {
    (self.title, self.lineCount, self.findings, self.defects) = (title, lineCount, findings, defects)
  }

  /// The number of expectations.
  public var expectationCount: Int { findings.count }

  /// The differences in the order of lines.
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

  /// Whether all expectations were met.
  public var holds: Bool { mismatches.isEmpty }
}

extension ScenarioReport.Mismatch: CustomStringConvertible {
  /// The difference on one line: line number, key, expected and found value.
  public var description: String {
    let found = found ?? "no such key"
    return "line \(line): \(what): expected \(expected), found \(found)" + (reason.map { " (\($0))" } ?? "")
  }
}
