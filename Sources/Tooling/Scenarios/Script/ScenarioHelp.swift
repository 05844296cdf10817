// What there is to know of the lines of scenarios, as text: made of the tables of verbs and of what can be expected.

extension Scenario {
  /// How lines are written: places, verbs, and what can be expected, each with what it does.
  public static var help: String {
    let places = section("where", TargetChange.keys.map { ($0.name, $0.help) })
    let verbs = Verb.groups.map { group in section(group.title.lowercased(), group.verbs.flatMap(\.rows)) }
    let probes = Probe.groups.map { group in
      section("expect: " + group.title.lowercased(), group.probes.map { ($0.name, $0.help) })
    }
    return ([places] + verbs + probes).joined(separator: "\n\n")
  }

  private static func section(_ title: String, _ rows: [(String, String)]) -> String {
    ([title + ":"] + rows.map { row($0.0, $0.1) }).joined(separator: "\n")
  }

  /// A name and what it does, in lines of 96 columns.
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
  /// The verb and the keys beside it.
  fileprivate var rows: [(String, String)] {
    [(name, "\(value): \(help)")] + arguments.map { ("  " + $0.name, $0.help) }
  }
}

extension String {
  fileprivate func padded(to count: Int) -> String {
    self + String(repeating: " ", count: max(2, count - self.count))
  }
}
