// All commands with their parameters, in the form that shell completions use.

/// A command or a group, with the words that can follow it.
struct CommandTable {
  /// The command words up to and including its own name: `verbatim query`.
  let path: String
  /// The summary of the command.
  let summary: String
  /// The members of a group; empty for a command.
  let members: [(name: String, summary: String)]
  /// The parameters of a command; empty for a group.
  let arguments: [Argument]

  /// A parameter, independent of the type of its command.
  struct Argument {
    let kind: ParameterKind
    let name: String
    let placeholder: String
    let help: String
    let choices: [String]
    let isRepeatable: Bool

    /// Whether the value is a directory.
    var isDirectory: Bool { kind != .flag && ["DIR", "NEWDIR", "TO"].contains(placeholder) }
  }

  /// The options, including help.
  var options: [Argument] {
    let help = Argument(
      kind: .flag, name: "help", placeholder: "", help: "Shows the help.", choices: [], isRepeatable: false)
    return arguments.filter { $0.kind != .positional } + [help]
  }

  /// The positional parameters.
  var positionals: [Argument] { arguments.filter { $0.kind == .positional } }
}

extension CommandGroup {
  /// The tables of the group and all of its members, the group first.
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
