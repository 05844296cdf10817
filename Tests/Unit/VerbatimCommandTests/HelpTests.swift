// Threat: a command lacks a usable help text, or a program cannot read its output.
import Foundation
import Testing

@testable import VerbatimCommand

/// A command with its path of words.
private struct NamedCommand {
  let path: String
  let type: any Command.Type

  /// All commands of the program.
  static var all: [NamedCommand] { commands(of: .verbatim, path: "verbatim") }

  private static func commands(of group: CommandGroup, path: String) -> [NamedCommand] {
    group.members.flatMap { member in
      switch member {
      case .group(let group): commands(of: group, path: path + " " + group.name)
      case .command(let type): [NamedCommand(path: path + " " + type.name, type: type)]
      }
    }
  }

  /// The paths of all commands.
  static var paths: [String] { all.map(\.path) }

  /// Creates the command at a path.
  init(_ path: String) { self = Self.all.first { $0.path == path }! }

  private init(path: String, type: any Command.Type) { (self.path, self.type) = (path, type) }

  /// The parameters of the command, without hidden ones.
  var table: CommandTable { CommandGroup.verbatim.tables.first { $0.path == path }! }
}

/// The commands without --json, with the reason.
private let withoutJSON = [
  "verbatim compose": "it is a conversation in a terminal",
  "verbatim show": "it draws; `verbatim query messages --json` has what is drawn",
  "verbatim log append": "its lines are JSON", "verbatim log read": "its lines are JSON",
  "verbatim log tail": "its lines are JSON", "verbatim log salvage": "its lines are JSON",
  "verbatim export": "its lines are JSON", "verbatim submit": "its lines are JSON",
  "verbatim completions": "it shows a script", "verbatim demo": "it shows commands, most of which have it",
  "verbatim studio": "it shows pages in a browser", "verbatim seal-key": "it shows the public key",
  "verbatim rotate-key": "there is nothing to report",
]

@Suite struct `Every command` {
  @Test(arguments: NamedCommand.paths)
  func `every command has examples that parse, and its help shows them`(path: String) throws {
    let command = NamedCommand(path)
    #expect(!command.type.examples.isEmpty)
    for example in command.type.examples {
      let words = example.words
      #expect(words.prefix(while: { $0 != "verbatim" }).isEmpty, "\(example)")
      guard case .run(let parsed) = try CommandGroup.verbatim.parse(Array(words.dropFirst())) else {
        Issue.record("\(example) only asks for help")
        continue
      }
      #expect(type(of: parsed) == command.type, "\(example)")
      #expect(example.hasPrefix(command.path + " "))
    }
    let help = verbatim(command.path.split(separator: " ").dropFirst().map(String.init) + ["--help"], input: [])
    #expect(help.code == .done)
    #expect(help.output.hasSuffix("\n\nexamples:\n" + command.type.examples.map { "  \($0)\n" }.joined()))
    #expect(help.lines.allSatisfy { $0.count <= 120 })
  }

  @Test(arguments: NamedCommand.paths)
  func `every command has JSON output, or a reason to have none`(path: String) {
    let command = NamedCommand(path)
    let hasJSON = command.table.arguments.contains { $0.kind == .flag && $0.name == "json" }
    #expect(hasJSON != (withoutJSON[command.path] != nil))
    #expect(command.type.summary.hasSuffix("."))
  }
}

extension String {
  /// The words of a shell command, up to a redirection or a pipe.
  fileprivate var words: [String] {
    var words: [String] = []
    var (word, quote): (String?, Bool) = (nil, false)
    for letter in self {
      switch letter {
      case "'":
        quote.toggle()
        word = word ?? ""
      case " " where !quote:
        if let word { words.append(word) }
        word = nil
      default: word = (word ?? "") + String(letter)
      }
    }
    let all = words + [word].compactMap(\.self)
    return Array(all.prefix { ![">", "<", "|"].contains($0) })
  }
}
