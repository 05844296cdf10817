// The usage and help texts of commands.

extension Command {
  /// Returns the usage of the command, wrapped into lines.
  static func usage(_ path: String) -> String {
    let words = parameters.filter { !$0.isHidden }.sorted { a, b in
      a.kind == .positional && b.kind != .positional
    }.map {
      ($0.kind == .positional && !$0.isOptional ? $0.name : "[\($0.written)]") + ($0.isRepeatable ? "…" : "")
    }
    return wrapped(["usage: " + path] + words, indentedBy: 4)
  }

  /// Returns the full help text of the command.
  static func help(_ path: String) -> String {
    let shown = parameters.filter { !$0.isHidden }
    let arguments = shown.filter { $0.kind == .positional }.map { ($0.written, $0.help) }
    let options = shown.filter { $0.kind != .positional }.map { ($0.written, $0.help) }
    let sections = [
      summary, usage(path), section("arguments", arguments), section("options", options + [helpRow]), details,
      exampleSection,
    ]
    return sections.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
  }
}

extension Command {
  private static var exampleSection: String {
    examples.isEmpty ? "" : (["examples:"] + examples.map { "  " + $0 }).joined(separator: "\n")
  }
}

extension CommandGroup {
  /// Returns the usage line of the group.
  func usage(_ path: String) -> String { "usage: \(path) COMMAND …" }

  /// Returns the help text of the group: its commands, and the details that apply to all of them.
  func help(_ path: String) -> String {
    let commands = members.map { ($0.name, $0.summary) }
    let more = "`\(path) COMMAND --help` describes a command."
    let sections = [
      summary, usage(path), section("commands", commands), section("options", [helpRow]), details, more,
    ]
    return sections.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
  }
}

extension Parameter {
  /// The argument as written on the command line, with its placeholder.
  var written: String {
    switch kind {
    case .flag: "--\(name)"
    case .option: "--\(name) \(placeholder)"
    case .positional: name
    }
  }
}

private let helpRow = ("-h, --help", "Shows this text.")

private func section(_ title: String, _ rows: [(String, String)]) -> String {
  guard !rows.isEmpty else { return "" }
  let column = 20
  let lines = rows.map { name, text in
    let padding = String(repeating: " ", count: max(2, column - name.count))
    let words = ("  " + name + padding + text).split(separator: " ", omittingEmptySubsequences: false)
    return wrapped(words.map(String.init), indentedBy: column + 2)
  }
  return ([title + ":"] + lines).joined(separator: "\n")
}

/// Wraps words into lines at single spaces; lines after the first are indented.
private func wrapped(_ words: [String], indentedBy indent: Int) -> String {
  let width = 96
  var lines: [String] = []
  var current: String?
  for word in words {
    guard let line = current else {
      current = word
      continue
    }
    let fits = line.count + 1 + word.count <= width
    if !fits { lines.append(line) }
    current = fits ? line + " " + word : String(repeating: " ", count: indent) + word
  }
  return (lines + [current ?? ""]).joined(separator: "\n")
}
