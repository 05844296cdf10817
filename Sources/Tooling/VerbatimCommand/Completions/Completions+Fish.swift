// The completion script for fish.

/// Returns a script for fish: a line for each command, option and value.
func fishCompletions(of tables: [CommandTable]) -> String {
  let paths = tables.map { "'\($0.path)'" }.joined(separator: " ")
  return """
    # Completes the command verbatim in fish.
    set -g __verbatim_paths \(paths)

    # The command: the words of its path.
    function __verbatim_path
      set -l path verbatim
      set -l words (commandline -opc)
      for word in $words[2..-1]
        contains -- "$path $word" $__verbatim_paths; and set path "$path $word"
      end
      echo $path
    end

    function __verbatim_at
      test (__verbatim_path) = "$argv"
    end

    complete -c verbatim -f
    \(tables.flatMap(\.fishLines).joined(separator: "\n"))

    """
}

extension CommandTable {
  fileprivate var fishLines: [String] {
    let start = "complete -c verbatim -n '__verbatim_at \(path)'"
    let commands = members.map { "\(start) -a \($0.name) -d '\($0.summary.quotedForFish)'" }
    let own =
      members.isEmpty ? options.map { "\(start) \($0.fishOption)" } : ["\(start) -l help -d 'Shows the help.'"]
    let positionalLines = positionals.compactMap(\.fishPositional).map { "\(start) \($0)" }
    return commands + own + positionalLines
  }
}

extension CommandTable.Argument {
  fileprivate var fishOption: String {
    let end = "-d '\(help.quotedForFish)'"
    if kind == .flag { return "-l \(name) \(end)" }
    return "-l \(name) -x" + (values.map { " -a '\($0)'" } ?? "") + " " + end
  }

  fileprivate var fishPositional: String? { values.map { "-a '\($0)'" } }

  private var values: String? {
    if isDirectory { return "(__fish_complete_directories)" }
    return choices.isEmpty ? nil : choices.joined(separator: " ")
  }
}

extension String {
  /// The text, escaped for single quotes of fish.
  fileprivate var quotedForFish: String { replacing("\\", with: "\\\\").replacing("'", with: "\\'") }
}
