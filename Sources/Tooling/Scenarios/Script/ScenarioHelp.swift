// The help on scenario lines, generated from the tables of verbs and probes.

extension Scenario {
  /// The help text: targets, verbs, and expectations, each with its description.
  public static var help: String {
    let targets = section("place", TargetChange.keys.map { ($0.name, $0.help) })
    let verbs = Verb.groups.map { group in section(group.title.lowercased(), group.verbs.flatMap(\.rows)) }
    let probes = Probe.groups.map { group in
      section("expect: " + group.title.lowercased(), group.probes.map { ($0.name, $0.help) })
    }
    return ([targets] + verbs + probes).joined(separator: "\n\n")
  }

  private static func section(_ title: String, _ rows: [(String, String)]) -> String {
    ([title + ":"] + rows.map { row($0.0, $0.1) }).joined(separator: "\n")
  }

  /// Returns a name and its description, wrapped to 96 columns.
  private static func row(_ name: String, _ text: String) -> String {
    let column = 22
    var lines = [""]
    var line = "  " + name.padded(to: column - 2)
    for word in text.split(separator: " ") {
      if line.count + word.count + 1 > 96 {
        lines.append(line)
        line = String(repeating: " ", count: column)
      }
      line += (line.hasSuffix(" ") ? "" : " ") + word
    }
    return (lines.dropFirst() + [line]).joined(separator: "\n")
  }
}

extension Verb {
  /// The rows of the verb and its arguments.
  fileprivate var rows: [(String, String)] {
    [(name, "\(value): \(help)")] + arguments.map { ("  " + $0.name, $0.help) }
  }
}

extension String {
  fileprivate func padded(to count: Int) -> String {
    self + String(repeating: " ", count: max(2, count - self.count))
  }
}
