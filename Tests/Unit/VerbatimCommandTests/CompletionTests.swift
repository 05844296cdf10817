// Threat: a shell completes unknown words, omits a command, or fails to load the script.
import ChildProcess
import Foundation
import Testing
import TestThreads

@testable import VerbatimCommand

@Suite(.waitsForProcesses) struct `Shell completions` {
  private let folder = Folder()

  private func script(_ shell: String) -> String { verbatim("completions", shell).output }

  /// Runs completion in bash for some lines of words; returns the proposals for the last word of each.
  private func offered(_ lines: [[String]]) throws -> [[String]] {
    var program = script("bash") + "\ncd '\(folder.path)'\n"
    program += "try() { COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _verbatim; echo \"${COMPREPLY[*]}\"; }\n"
    for line in lines { program += "try " + line.map(\.quotedForShell).joined(separator: " ") + "\n" }
    let (output, code) = try run("bash", program)
    try #require(code == 0)
    return output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map { line in
      line.split(separator: " ").map(String.init)
    }
  }

  private func run(_ shell: String, _ program: String) throws -> (output: String, code: Int32) {
    let file = folder("script.\(shell)")
    try Data(program.utf8).write(to: URL(filePath: file))
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [shell, file]
    let (output, errors) = (Pipe(), Pipe())
    (process.standardOutput, process.standardError) = (output, errors)
    try process.run()
    let text = try process.output(through: output, of: shell)
    #expect(try process.output(through: errors, of: shell) == "")
    return (text, process.terminationStatus)
  }

  @Test func `bash completes exactly the commands and options`() throws {
    let tables = CommandGroup.verbatim.tables
    let found = try offered(
      tables.map { $0.path.split(separator: " ").map(String.init) + [$0.members.isEmpty ? "--" : ""] })
    #expect(tables.count > 30)
    for (table, found) in zip(tables, found) {
      #expect(found == (table.members.isEmpty ? table.options.map { "--" + $0.name } : table.members.map(\.name)))
    }
  }

  @Test func `bash completes values from short lists, and directories`() throws {
    try FileManager.default.createDirectory(atPath: folder("chat"), withIntermediateDirectories: false)
    try Data().write(to: URL(filePath: folder("chip")))
    let found = try offered([
      ["verbatim", "qu"], ["./verbatim", "query", "channels", "--by", ""], ["verbatim", "completions", ""],
      ["verbatim", "show", "ch"], ["verbatim", "show", "--as", "ada", "ch"], ["verbatim", "show", "chat", "ch"],
      ["verbatim", "log", "salvage", "a", "--into", ""], ["verbatim", "events", "chat", "--type", "messageSe"],
      ["verbatim", "show", "--as", ""],
    ])
    #expect(
      found == [
        ["query"], ["lastActivity", "unreadFirst", "name"], ["bash", "zsh", "fish"], ["chat"], ["chat"], [], ["chat"],
        ["messageSent"], [],
      ])
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `each shell's script contains all commands and options`(shell: String) {
    let script = script(shell)
    for table in CommandGroup.verbatim.tables {
      let place = shell == "zsh" ? "_" + table.path.replacing(" ", with: "_") + "()" : table.path
      #expect(script.contains(place), "\(table.path)")
      for option in table.options {
        #expect(script.contains(shell == "fish" ? "-l \(option.name) " : "--\(option.name)"), "\(option.name)")
      }
    }
    #expect(!script.contains("in-process"))
  }

  @Test(.enabled(if: isThere("fish"))) func `fish completes commands, values and options`() throws {
    let lines = ["verbatim que", "verbatim query channels chat --by ", "verbatim completions ", "verbatim status --j"]
    let (output, code) = try run(
      "fish", script("fish") + lines.map { "complete -C '\($0)' | string split -f1 \\t\n" }.joined())
    #expect(code == 0)
    #expect(
      output.split(separator: "\n") == [
        "query", "lastActivity", "name", "unreadFirst", "bash", "fish", "zsh", "--json",
      ])
  }

  @Test(.enabled(if: isThere("zsh"))) func `zsh loads the script and defines a function for each command`() throws {
    let functions = CommandGroup.verbatim.tables.map { "_" + $0.path.replacing(" ", with: "_") }
    let program =
      "autoload -U compinit; compinit -u -D\n" + script("zsh") + "\necho $_comps[verbatim]\n"
      + "for name in \(functions.joined(separator: " ")); do (( $+functions[$name] )) || echo no $name; done\n"
    let (output, code) = try run("zsh", program)
    #expect(code == 0 && output == "_verbatim\n")
  }

  @Test func `an unsupported shell is an argument error`() {
    let run = verbatim("completions", "tcsh")
    #expect(run.code == .misused)
    #expect(run.errors.hasPrefix("verbatim: SHELL is “tcsh” and must be bash, zsh or fish."))
  }
}

/// Returns whether a program is installed.
private func isThere(_ program: String) -> Bool {
  ["/usr/bin/", "/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"].contains {
    FileManager.default.isExecutableFile(atPath: $0 + program)
  }
}
