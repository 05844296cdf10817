// Finds the command that the arguments name, and parses its parameters.
internal import Errors
internal import JSONLines

/// The result of parsing arguments.
enum Request {
  /// A command to run.
  case run(any Command)
  /// A help text to print.
  case help(String)
}

extension CommandGroup {
  /// Parses the arguments, given without the program's name; throws a failure with the usage line of the command.
  func parse(_ arguments: [String]) throws(Failure) -> Request {
    try parse(arguments[...], path: name)
  }

  private func parse(_ rest: ArraySlice<String>, path: String) throws(Failure) -> Request {
    guard let word = rest.first else {
      throw Failure(.misused, "`\(path)` needs a command: \(names).", usage: usage(path))
    }
    if isHelp(word) { return .help(help(path)) }
    if word == "help" { return try helpOf(rest.dropFirst(), path: path) }
    guard let member = members.first(where: { $0.name == word }) else { throw stranger(word, path) }
    let rest = rest.dropFirst()
    let path = path + " " + word
    switch member {
    case .group(let group): return try group.parse(rest, path: path)
    case .command(let type): return try parse(type, rest, path: path)
    }
  }

  private func parse<C: Command>(
    _ type: C.Type, _ rest: ArraySlice<String>, path: String
  ) throws(Failure) -> Request {
    if rest.prefix(while: { $0 != "--" }).contains(where: isHelp) { return .help(type.help(path)) }
    var parsing = CommandParsing<C>(path: path)
    return .run(try parsing.parse(rest))
  }

  private func helpOf(_ words: ArraySlice<String>, path: String) throws(Failure) -> Request {
    guard !words.isEmpty else { return .help(help(path)) }
    return try parse(words + ["--help"], path: path)
  }

  private func stranger(_ word: String, _ path: String) -> Failure {
    let kind = word.hasPrefix("-") ? "an option" : "a command"
    let known = word.hasPrefix("-") ? ["--help"] : members.map(\.name)
    let advice = nearest(to: word, among: known).map { "did you mean \($0)?" } ?? "use one of \(names)."
    return Failure(.misused, "\(word) is not \(kind) of `\(path)`: \(advice)", usage: usage(path))
  }

  private var names: String { members.map(\.name).joined(separator: ", ") }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}

private func isHelp(_ word: String) -> Bool { word == "--help" || word == "-h" }

/// The parsing of one command's arguments.
private struct CommandParsing<C: Command> {
  let path: String
  var command = C()
  var given: Set<String> = []
  var positionals = C.parameters.filter { $0.kind == .positional }[...]

  init(path: String) { self.path = path }

  mutating func parse(_ arguments: ArraySlice<String>) throws(Failure) -> C {
    var rest = arguments
    var endsOptions = false
    while let word = rest.popFirst() {
      if endsOptions || word == "-" || !word.hasPrefix("-") {
        try positional(word)
      } else if word == "--" {
        endsOptions = true
      } else {
        try option(word, &rest)
      }
    }
    if let missing = positionals.first(where: { !$0.isOptional && !given.contains($0.name) }) {
      throw error("\(missing.name) is missing: \(missing.help)")
    }
    if let contradiction = command.contradiction() { throw error(contradiction) }
    return command
  }

  private mutating func positional(_ word: String) throws(Failure) {
    guard let argument = positionals.first else {
      throw error("“\(word)” is one argument too many: leave it out, or quote arguments that contain spaces.")
    }
    if argument.isRepeatable { given.insert(argument.name) } else { positionals.removeFirst() }
    try set(argument, word, shown: argument.name)
  }

  private mutating func option(_ word: String, _ rest: inout ArraySlice<String>) throws(Failure) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let parameter = C.parameters.first(where: { $0.kind != .positional && "--" + $0.name == parts[0] })
    else { throw stranger(parts[0]) }
    guard given.insert(parameter.name).inserted || parameter.isRepeatable else {
      throw error("\(parts[0]) is given twice: leave one out.")
    }
    switch (parameter.kind, parts.count) {
    case (.flag, 1): try set(parameter, "", shown: parts[0])
    case (.flag, _): throw error("\(parts[0]) takes no value: leave “=\(parts[1])” out.")
    case (_, 2): try set(parameter, parts[1], shown: parts[0])
    default: try set(parameter, try value(of: parts[0], &rest), shown: parts[0])
    }
  }

  /// Returns the word after an option; a value that begins with a dash must be attached with `=`, unless a digit
  /// follows.
  private func value(of option: String, _ rest: inout ArraySlice<String>) throws(Failure) -> String {
    guard let value = rest.first, !value.hasPrefix("-") || value == "-" || value.dropFirst().first?.isASCIIDigit == true
    else {
      throw error(
        "\(option) needs a value: write \(option) VALUE, or \(option)=VALUE if it begins with a dash.")
    }
    rest.removeFirst()
    return value
  }

  private mutating func set(_ parameter: Parameter<C>, _ text: String, shown: String) throws(Failure) {
    try rethrow(
      parameter.set(&command, text),
      as: { (defect: ValueDefect) in error("\(shown) is “\(text)” and must be \(defect.expected).") })
  }

  private func stranger(_ word: String) -> Failure {
    let known = C.parameters.filter { $0.kind != .positional && !$0.isHidden }.map { "--" + $0.name }
    let advice =
      nearest(to: word, among: known + ["--help"]).map { "did you mean \($0)?" }
      ?? "`\(path) --help` lists the options."
    return error("\(word) is not an option of `\(path)`: \(advice)")
  }

  private func error(_ message: String) -> Failure {
    Failure(.misused, message, usage: C.usage(path))
  }
}
