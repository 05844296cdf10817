// Threat: a command is there, and nobody is told how to use it, or a program cannot read what it shows.
import Foundation
import Testing

@testable import VerbatimCommand

/// A command with the words that lead to it.
private struct NamedCommand {
  let path: String
  let type: any Command.Type

  /// All that the program can do.
  static var all: [NamedCommand] { commands(of: .verbatim, path: "verbatim") }

  private static func commands(of group: CommandGroup, path: String) -> [NamedCommand] {
    group.members.flatMap { member in
      switch member {
      case .group(let group): commands(of: group, path: path + " " + group.name)
      case .command(let type): [NamedCommand(path: path + " " + type.name, type: type)]
      }
    }
  }

  /// The words of all.
  static var paths: [String] { all.map(\.path) }

  /// The command to which some words lead.
  init(_ path: String) { self = Self.all.first { $0.path == path }! }

  private init(path: String, type: any Command.Type) { (self.path, self.type) = (path, type) }

  /// The arguments that it takes; unmentioned ones are not among them.
  var table: CommandTable { CommandGroup.verbatim.tables.first { $0.path == path }! }
}

/// Commands that take no --json, and why.
private let withoutJSON = [
  "verbatim compose": "it is a conversation in a terminal",
  "verbatim show": "it draws; `verbatim query messages --json` has what is drawn",
  "verbatim log append": "its lines are JSON", "verbatim log read": "its lines are JSON",
  "verbatim log tail": "its lines are JSON", "verbatim log salvage": "its lines are JSON",
  "verbatim export": "its lines are JSON",
  "verbatim completions": "it shows a script", "verbatim demo": "it shows commands, most of which have it",
]

@Suite struct `Every command` {
  @Test(arguments: NamedCommand.paths)
  func `has examples that mean something, and shows them in its help`(path: String) throws {
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
  func `can be read by programs, or says why not`(path: String) {
    let command = NamedCommand(path)
    let hasJSON = command.table.arguments.contains { $0.kind == .flag && $0.name == "json" }
    #expect(hasJSON != (withoutJSON[command.path] != nil))
    #expect(command.type.summary.hasSuffix("."))
  }
}

extension String {
  /// The words of a shell's line, up to where it leads its output or another command.
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
