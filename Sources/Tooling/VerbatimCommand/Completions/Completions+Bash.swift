// The completion script for bash.

/// Returns a script for bash, which needs nothing but bash itself, in any version since 3.2.
func bashCompletions(of tables: [CommandTable]) -> String {
  """
  # Completes the command verbatim in bash.
  _verbatim() {
    local current=${COMP_WORDS[COMP_CWORD]} path= depth= word= option= i count=0
    local members= options= valued= places= choices=
    # The command: the words of its path.
    for ((i = 0; i < COMP_CWORD; i++)); do
      word=${COMP_WORDS[i]}
      [ "$i" -gt 0 ] || word=verbatim
      case "${path:+$path }$word" in
        \(tables.map { "'\($0.path)'" }.joined(separator: "|"))) path="${path:+$path }$word" ;;
      esac
    done
    case $path in
  \(tables.map(\.bashCase).joined(separator: "\n"))
    esac
    # The number of positional values so far, and the option that lacks its value.
    set -- $path
    depth=$#
    for ((i = depth; i < COMP_CWORD; i++)); do
      word=${COMP_WORDS[i]}
      if [ -n "$option" ]; then option=
      elif [[ " $valued " == *" $word "* ]]; then option=$word
      elif [[ $word != -* ]]; then count=$((count + 1)); fi
    done
    COMPREPLY=()
    if [ -n "$option" ]; then
      case "$path $option" in
  \(tables.flatMap(\.bashValues).joined(separator: "\n"))
      esac
    elif [[ $current == -* ]]; then
      choices=$options
    elif [ -n "$members" ]; then
      choices=$members
    else
      set -- $places
      shift "$count" 2>/dev/null || set --
      case $1 in
        directory) choices=/ ;;
        ?*,*) choices=${1//,/ } ;;
      esac
    fi
    if [ "$choices" = / ]; then
      compopt -o filenames 2>/dev/null
      while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -d -- "$current")
    else
      while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$choices" -- "$current")
    fi
  }
  complete -F _verbatim verbatim

  """
}

extension CommandTable {
  fileprivate var bashCase: String {
    let valued = options.filter { $0.kind == .option }.map { "--" + $0.name }
    let values = positionals.map { argument in
      argument.isDirectory ? "directory" : argument.choices.isEmpty ? "-" : argument.choices.joined(separator: ",")
    }
    let members = members.map(\.name).joined(separator: " ")
    let options = options.map { "--" + $0.name }.joined(separator: " ")
    return "    '\(path)') members='\(members)' options='\(options)' valued='\(valued.joined(separator: " "))'"
      + " places='\(values.joined(separator: " "))' ;;"
  }

  fileprivate var bashValues: [String] {
    options.filter { $0.isDirectory || !$0.choices.isEmpty }.map { option in
      let choices = option.isDirectory ? "/" : option.choices.joined(separator: " ")
      return "      '\(path) --\(option.name)') choices='\(choices)' ;;"
    }
  }
}
