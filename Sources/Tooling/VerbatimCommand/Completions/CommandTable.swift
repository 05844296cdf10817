// All commands with their arguments, as completions see them.

/// A command or a group, with what can stand behind it.
struct CommandTable {
  /// The words before it and its own: `verbatim query`.
  let path: String
  /// What it does.
  let summary: String
  /// The commands of a group; none of a command.
  let members: [(name: String, summary: String)]
  /// The arguments of a command; none of a group.
  let arguments: [Argument]

  /// An argument, whatever command takes it.
  struct Argument {
    let kind: ParameterKind
    let name: String
    let placeholder: String
    let help: String
    let choices: [String]
    let isRepeatable: Bool

    /// Whether it is a directory.
    var isDirectory: Bool { kind != .flag && ["DIR", "NEWDIR", "TO"].contains(placeholder) }
  }

  /// The options that it has, those that ask for help included.
  var options: [Argument] {
    let help = Argument(
      kind: .flag, name: "help", placeholder: "", help: "Shows how it is used.", choices: [], isRepeatable: false)
    return arguments.filter { $0.kind != .positional } + [help]
  }

  /// The arguments that have their place.
  var positionals: [Argument] { arguments.filter { $0.kind == .positional } }
}

extension CommandGroup {
  /// All that there is in a group, itself first.
  var tables: [CommandTable] { tables(path: name) }

  private func tables(path: String) -> [CommandTable] {
    let own = CommandTable(
      path: path, summary: summary, members: members.map { ($0.name, $0.summary) }, arguments: [])
    return [own]
      + members.flatMap { member in
        switch member {
        case .group(let group): group.tables(path: path + " " + group.name)
        case .command(let type): [type.table(path: path + " " + type.name)]
        }
      }
  }
}

extension Command {
  fileprivate static func table(path: String) -> CommandTable {
    let arguments = parameters.filter { !$0.isHidden }.map { parameter in
      CommandTable.Argument(
        kind: parameter.kind, name: parameter.name, placeholder: parameter.placeholder, help: parameter.help,
        choices: parameter.choices, isRepeatable: parameter.isRepeatable)
    }
    return CommandTable(path: path, summary: summary, members: [], arguments: arguments)
  }
}
