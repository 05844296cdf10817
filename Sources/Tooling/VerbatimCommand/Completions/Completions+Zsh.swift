// The completion script for zsh.

/// Returns a script for zsh: a function for each command, called by that of its group.
func zshCompletions(of tables: [CommandTable]) -> String {
  """
  #compdef verbatim
  # Completes the command verbatim in zsh.

  \(tables.reversed().map(\.zshFunction).joined(separator: "\n\n"))

  if [ "$funcstack[1]" = _verbatim ]; then
    _verbatim "$@"
  else
    compdef _verbatim verbatim
  fi

  """
}

extension CommandTable {
  private var function: String { "_" + path.replacing(" ", with: "_") }

  fileprivate var zshFunction: String { members.isEmpty ? leafFunction : groupFunction }

  private var groupFunction: String {
    let rows = members.map { "    '\($0.name):\($0.summary.quotedForZsh.replacing(":", with: "\\:"))'" }
    let cases = members.map { "    \($0.name)) \(function)_\($0.name) ;;" }
    return """
      \(function)() {
        local -a commands=(
      \(rows.joined(separator: "\n"))
        )
        if ((CURRENT == 2)); then
          _describe command commands
          return
        fi
        local command=$words[2]
        shift words
        ((CURRENT--))
        case $command in
      \(cases.joined(separator: "\n"))
        esac
      }
      """
  }

  private var leafFunction: String {
    let specs = options.map(\.zshOption) + positionals.map(\.zshPositional)
    let lines = specs.map { "    '\($0)'" }.joined(separator: " \\\n")
    return "\(function)() {\n  _arguments \\\n\(lines)\n}"
  }
}

extension CommandTable.Argument {
  fileprivate var zshOption: String {
    let help = "[\(help.inBrackets)]"
    let start = isRepeatable ? "*" : ""
    return kind == .flag ? "\(start)--\(name)\(help)" : "\(start)--\(name)=\(help):\(placeholder):\(action)"
  }

  fileprivate var zshPositional: String { ":\(placeholder):\(action)" }

  private var action: String {
    if isDirectory { return "_files -/" }
    return choices.isEmpty ? " " : "(\(choices.map { $0.replacing(":", with: "\\:") }.joined(separator: " ")))"
  }
}

extension String {
  /// The text, escaped for single quotes of zsh.
  fileprivate var quotedForZsh: String { replacing("'", with: "'\\''") }

  /// The text, escaped for the brackets of an option.
  fileprivate var inBrackets: String {
    quotedForZsh.replacing("\\", with: "\\\\").replacing("'\\\\''", with: "'\\''").replacing("[", with: "\\[")
      .replacing("]", with: "\\]").replacing(":", with: "\\:")
  }
}
