// Tests the argument parser with commands of this file.
import JSONLines
import Testing

@testable import VerbatimCommand

private struct Paint: Command {
  static let name = "paint"
  static let summary = "Paints a wall."
  static let details = "Walls stay painted."
  static var parameters: [Parameter<Self>] {
    [
      .positional("WALL", "The wall.", \.wall), .positional("SIDE", "Its side.", \.side),
      .flag("twice", "Paints it twice.", \.isTwice), .flag("secret", "Unmentioned.", \.isSecret).hidden,
      .option("colour", "C", "The colour.", \.colour), .option("coats", "N", "How many.", \.coats),
      .options("not", "PLACE", "What stays as it is.", \.spared),
    ]
  }

  var wall = ""
  var side = ""
  var isTwice = false
  var isSecret = false
  var colour: String?
  var coats: Int?
  var spared: [Int] = []

  func contradiction() -> String? { isTwice && coats != nil ? "--twice and --coats disagree." : nil }
  func run(in context: Context) -> ExitCode { .done }
}

/// A command whose last positional argument is optional.
private struct Sweep: Command {
  static let name = "sweep"
  static let summary = "Sweeps a floor."
  static var parameters: [Parameter<Self>] {
    [.positional("FLOOR", "The floor.", \.floor), .positional("BROOM", "With what.", \.broom).optional]
  }

  var floor = ""
  var broom = "any"

  func run(in context: Context) -> ExitCode { .done }
}

private var tools: CommandGroup {
  let house = CommandGroup(
    name: "house", summary: "What houses need.", details: "", members: [.command(Paint.self)])
  return CommandGroup(name: "tool", summary: "Does things.", details: "All of it.", members: [.group(house)])
}

private func paint(_ words: String...) throws -> Paint {
  guard case .run(let command as Paint) = try tools.parse(["house", "paint"] + words) else {
    throw Failure(.misused, "no command", usage: "")
  }
  return command
}

private func help(_ words: String...) throws -> String {
  guard case .help(let text) = try tools.parse(words) else {
    throw Failure(.misused, "no help", usage: "")
  }
  return text
}

private func complaint(_ words: String...) -> String {
  do {
    _ = try tools.parse(words)
    return "nothing"
  } catch {
    return error.message ?? ""
  }
}

struct Arguments {
  @Test func `flags, options and positional arguments parse in any order`() throws {
    let command = try paint("--colour", "red", "north", "--twice", "in")
    #expect(command.wall == "north")
    #expect(command.side == "in")
    #expect(command.colour == "red")
    #expect(command.isTwice)
    #expect(!command.isSecret)
    #expect(command.coats == nil)
  }

  @Test func `an equals sign attaches a value, even one with a dash or an equals sign, or an empty one`() throws {
    #expect(try paint("n", "i", "--colour=-a=b").colour == "-a=b")
    #expect(try paint("n", "i", "--colour=").colour == "")
    #expect(try paint("n", "i", "--coats=3").coats == 3)
  }

  @Test func `two dashes end the options, and one dash is a value`() throws {
    let command = try paint("--", "--twice", "-h")
    #expect(command.wall == "--twice")
    #expect(command.side == "-h")
    #expect(!command.isTwice)
    #expect(try paint("-", "i", "--colour", "-").colour == "-")
  }

  @Test func `a repeatable option keeps its values in order`() throws {
    #expect(try paint("n", "i", "--not", "3", "--colour", "red", "--not=1", "--not", "3").spared == [3, 1, 3])
    #expect(try paint("n", "i").spared == [])
    #expect(
      complaint("house", "paint", "n", "i", "--not", "1", "--not=x")
        == "--not is “x” and must be a number from 0 to 9223372036854775807.")
  }

  @Test func `an unknown option suggests the nearest known one`() {
    #expect(
      complaint("house", "paint", "n", "i", "--color") == """
        --color is not an option of `tool house paint`: did you mean --colour?
        """)
    #expect(complaint("house", "paint", "--caots=1").hasSuffix("did you mean --coats?"))
    #expect(complaint("house", "paint", "--xyzzy").hasSuffix("`tool house paint --help` lists the options."))
    #expect(complaint("house", "paint", "-t").hasPrefix("-t is not an option"))
    #expect(complaint("house", "--hepl") == "--hepl is not an option of `tool house`: did you mean --help?")
  }

  @Test func `a hidden option works and is neither listed nor suggested`() throws {
    #expect(try paint("n", "i", "--secret").isSecret)
    #expect(!complaint("house", "paint", "--secre").contains("--secret?"))
    #expect(try !help("house", "paint", "--help").contains("secret"))
  }

  @Test func `an unknown command suggests the nearest known one`() {
    #expect(complaint("house", "pain") == "pain is not a command of `tool house`: did you mean paint?")
    #expect(complaint("house", "demolish") == "demolish is not a command of `tool house`: use one of paint.")
    #expect(complaint() == "`tool` needs a command: house.")
    #expect(complaint("house") == "`tool house` needs a command: paint.")
  }

  @Test func `missing, excess, duplicate and valueless arguments are errors`() {
    #expect(complaint("house", "paint", "n") == "SIDE is missing: Its side.")
    #expect(complaint("house", "paint", "n", "i", "x").hasPrefix("“x” is one argument too many"))
    #expect(complaint("house", "paint", "--colour=a", "--colour=b") == "--colour is given twice: leave one out.")
    #expect(complaint("house", "paint", "n", "i", "--colour").hasPrefix("--colour needs a value"))
    #expect(complaint("house", "paint", "n", "i", "--colour", "--twice").hasPrefix("--colour needs a value"))
    #expect(complaint("house", "paint", "--twice=yes") == "--twice takes no value: leave “=yes” out.")
    #expect(complaint("house", "paint", "n", "i", "--twice", "--coats=1") == "--twice and --coats disagree.")
  }

  @Test(arguments: ["", "x", "-1", "+1", "1.0", "1e3", "99999999999999999999", "٣", " 1"])
  func `a count accepts digits only`(text: String) {
    #expect(
      complaint("house", "paint", "n", "i", "--coats=\(text)")
        == "--coats is “\(text)” and must be a number from 0 to 9223372036854775807.")
  }

  @Test func `an error contains the usage line of the command`() {
    #expect(throws: Failure.self) { try tools.parse(["house", "paint"]) }
    do { _ = try tools.parse(["house", "paint"]) } catch {
      #expect(error.usage == "usage: tool house paint WALL SIDE [--twice] [--colour C] [--coats N] [--not PLACE]…")
    }
  }

  @Test func `every command and group has a help text`() throws {
    for words in [["--help"], ["-h"], ["help"]] {
      guard case .help(let text) = try tools.parse(words) else { Issue.record("no help"); continue }
      #expect(text.contains("house               What houses need."))
    }
    let text = try help("house", "paint", "--help")
    #expect(try help("house", "paint", "n", "--wrong", "-h") == text)
    #expect(try help("help", "house", "paint") == text)
    #expect(try help("house", "help", "paint") == text)
    #expect(text.contains("  --colour C          The colour."))
    #expect(text.contains("  -h, --help          Shows this text."))
    #expect(text.hasSuffix("Walls stay painted.\n"))
  }

  @Test func `the edit distance counts insertions, deletions, replacements and transpositions`() {
    #expect(distance(from: Array("".utf8), to: Array("abc".utf8)) == 3)
    #expect(distance(from: Array("abc".utf8), to: Array("abc".utf8)) == 0)
    #expect(distance(from: Array("abcd".utf8), to: Array("acbd".utf8)) == 1)
    #expect(distance(from: Array("kitten".utf8), to: Array("sitting".utf8)) == 3)
  }
}

struct `An optional positional argument` {
  private func sweep(_ words: String...) throws(Failure) -> Sweep {
    let group = CommandGroup(name: "tool", summary: "", details: "", members: [.command(Sweep.self)])
    guard case .run(let command as Sweep) = try group.parse(["sweep"] + words) else {
      throw Failure(.misused, "no command", usage: "")
    }
    return command
  }

  @Test func `an omitted optional argument keeps its default value`() throws {
    #expect(try sweep("hall").broom == "any")
    #expect(try sweep("hall", "new").broom == "new")
    #expect(Sweep.usage("tool sweep") == "usage: tool sweep FLOOR [BROOM]")
  }

  @Test func `an optional argument leaves the others required and limits their number`() {
    #expect(throws: Failure.self) { try sweep() }
    #expect(throws: Failure.self) { try sweep("hall", "new", "more") }
  }
}
