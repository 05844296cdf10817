// `verbatim completions`: prints the completion script of a shell.

/// The command that prints the completion script of a shell.
struct CompletionsCommand: Command {
  static let name = "completions"
  static let summary = "Shows a script with which a shell completes commands, options and their values."
  static let details = """
    bash reads it from a file that ~/.bashrc sources, zsh from a file `_verbatim` in a directory of $fpath,
    and fish from ~/.config/fish/completions/verbatim.fish.
    """
  static let examples = [
    "verbatim completions bash > verbatim.bash", "verbatim completions zsh > _verbatim",
    "verbatim completions fish > verbatim.fish",
  ]

  static var parameters: [Parameter<Self>] { [.positional("SHELL", "bash, zsh or fish.", \.shell)] }

  var shell = Shell.bash

  /// A shell with a completion script.
  enum Shell: String, CaseIterable, Sendable {
    case bash, zsh, fish
  }

  func run(in context: Context) throws(Failure) -> ExitCode {
    let tables = CommandGroup.verbatim.tables
    var output = Output(context.output)
    switch shell {
    case .bash: try output.write(Array(bashCompletions(of: tables).utf8))
    case .zsh: try output.write(Array(zshCompletions(of: tables).utf8))
    case .fish: try output.write(Array(fishCompletions(of: tables).utf8))
    }
    try output.flush()
    return .done
  }
}

extension CompletionsCommand.Shell: ArgumentValue {
  static var choices: [String] { allCases.map(\.rawValue) }

  init(argument text: String) throws(ValueDefect) {
    guard let shell = Self(rawValue: text) else { throw ValueDefect(expected: "bash, zsh or fish") }
    self = shell
  }
}
