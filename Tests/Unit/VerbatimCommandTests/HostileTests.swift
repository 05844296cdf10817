// Threat: content of a log or an argument controls the user's terminal, or names another file.
import EventLog
import EventLogLMDB
import Foundation
import JSONLines
import Testing
import Verbatim

@testable import VerbatimCommand

// C1 controls, DEL and bidirectional controls in payloads and in names passed through `log read`, `log tail`, `log
// salvage`, `--json` and errors that quote an argument: only text that was drawn as lines had visible signs in their
// place. All output is now written by one type that inserts the signs, and JSON escapes the same characters.

/// The characters that a terminal interprets instead of printing them.
private let controls =
  (0x01...0x1F).map { $0 as UInt32 } + (0x7F...0x9F) + [0x061C, 0x200E, 0x200F]
  + (0x2028...0x202E) + (0x2066...0x2069)

/// All of these, and sequences that clear a screen, set a title and hide text.
private let hostile =
  String(String.UnicodeScalarView(controls.compactMap(Unicode.Scalar.init)))
  + "\u{1B}[2J\u{9B}2J\u{1B}]0;title\u{7}\u{1B}[8mhidden\u{1B}[0;31mred\u{202E}desrever"

/// The subset that a name of the log may contain: control characters are refused there, bidirectional controls are not.
private let hostileName = "a\u{202E}b\u{2066}c\u{200F}d\u{61C}e\u{2028}f"

/// Returns whether a text contains nothing that a terminal interprets except line ends.
private func isQuiet(_ text: String) -> Bool {
  text.unicodeScalars.allSatisfy { $0 == "\n" || !controls.contains($0.value) && $0.value != 0 }
}

private func expectQuiet(_ run: Run, _ words: [String], _ location: SourceLocation = #_sourceLocation) {
  #expect(isQuiet(run.output), "\(words): \(run.output.debugDescription)", sourceLocation: location)
  #expect(isQuiet(run.errors), "\(words): \(run.errors.debugDescription)", sourceLocation: location)
}

/// Returns a text as JSON, with every character escaped.
private func escaped(_ text: String) -> String {
  text.utf16.map { "\\u" + String(repeating: "0", count: 4 - String($0, radix: 16).count) + String($0, radix: 16) }
    .joined()
}

@Suite struct `Hostile text in a log` {
  private let folder = Folder()

  private func log() -> String {
    let name = escaped(hostileName)
    let line = """
      {"stream":"\(name)","type":"\(name)","payload":"\(escaped(hostile))","actor":"\(name)","device":"\(name)",\
      "correlation":"\(name)"}

      """
    let bytes = #"{"stream":"raw","type":"raw","payload64":"mwCA/w=="}"# + "\n"
    let run = verbatim("log", "append", folder("log"), "--create", input: line + bytes)
    #expect(run.code == .done, "\(run.errors)")
    expectQuiet(run, ["append"])
    return folder("log")
  }

  @Test(arguments: [
    ["log", "read", "LOG"], ["log", "read", "LOG", "--backward"], ["log", "read", "LOG", "--streams", ""],
    ["log", "read", "LOG", "--stream", hostileName], ["log", "tail", "LOG"], ["log", "salvage", "LOG"],
    ["log", "verify", "LOG"], ["log", "verify", "LOG", "--json"], ["log", "stats", "LOG"],
    ["log", "salvage", "LOG", "--into", "NEW"], ["events", "LOG"], ["events", "LOG", "--json"], ["tail", "LOG"],
    ["event", "LOG", "1"], ["event", "LOG", "1", "--json"], ["event", "LOG", "2"], ["export", "LOG"],
    ["export", "LOG", "-"], ["replay", "LOG"], ["replay", "LOG", "--json"], ["diff", "LOG@0", "LOG@1"],
    ["readers", "LOG"], ["status", "LOG"], ["verify", "LOG"],
  ])
  func `hostile text in a log is printed with visible signs`(words: [String]) throws {
    let log = log()
    let words = words.map { $0.replacing("LOG", with: log).replacing("NEW", with: folder("new")) }
    expectQuiet(verbatim(words, input: []), words)
  }

  @Test func `hostile text is preserved in JSON byte for byte`() throws {
    let log = log()
    let read = verbatim("log", "read", log)
    #expect(read.lines.count == 2)
    #expect(read.payloads == [hostile])
    let copy = folder("copy")
    let appended = verbatim(
      ["log", "append", copy, "--create", "--from-read"], input: Array(read.output.utf8))
    #expect(appended.code == .done, "\(appended.errors)")
    let (one, other) = (try EventStore.open(at: log), try EventStore.open(at: copy))
    defer {
      one.close()
      other.close()
    }
    #expect(try one.events(limit: 9).map(\.payload) == other.events(limit: 9).map(\.payload))
    #expect(try one.events(limit: 9).map(\.stream) == other.events(limit: 9).map(\.stream))
  }

  @Test func `hostile text in a damaged block is printed with visible signs`() throws {
    let log = log()
    let file = URL(filePath: log + "/log/data.mdb")
    var data = try Data(contentsOf: file)
    var start = data.startIndex
    while let range = data.range(of: Data("hidden".utf8), in: start..<data.endIndex) {
      data[range.lowerBound] ^= 1
      start = range.upperBound
    }
    try data.write(to: file)
    for words in [["log", "verify", log], ["log", "salvage", log], ["log", "read", log], ["events", log]] {
      expectQuiet(verbatim(words, input: []), words)
    }
  }
}

@Suite struct `Hostile text in a workspace` {
  private let folder = Folder()

  @Test func `hostile text in a workspace is printed with visible signs by every reading command`() async throws {
    let path = folder("chat")
    let workspace = try Workspace.open(at: path)
    let ada = workspace.client(user: "ada", device: "phone")
    try await ada.me.create(name: UserText(hostile))
    try await workspace.client(user: "ben").me.create(name: UserText(hostileName))
    try await ada.channel("general").create("team", Channel.Profile(name: UserText(hostile)), members: ["ben"])
    try await ada.channel("general").send(hostile, id: "m1")
    try await ada.channel("general").send("plain", id: "m2")
    let draft = Draft.Key(by: "ada", in: "general")
    try await ada.submit(
      .draft(draft, .update(Composition(TypedText(hostile)), editedAt: Timestamp(rawValue: 1))))
    await workspace.close()
    let as_ada = ["--as", "ada"]
    let questions = [
      ["channels"], ["messages", "general"], ["message", "general", "m1"], ["members", "general"], ["users"],
      ["drafts"],
      ["composers"], ["unread"], ["reactions", "general", "m1"], ["search", "hidden"], ["threads"], ["mentions"],
    ]
    var commands = questions.flatMap { question -> [[String]] in
      let words = ["query", question[0], path] + question.dropFirst() + as_ada
      return [words, words + ["--json"]]
    }
    commands += [
      ["show", path, "general"] + as_ada, ["show", path, "general", "--format", "html"] + as_ada,
      ["biography", path, "m1"] + as_ada, ["biography", path, "m1", "--json"] + as_ada, ["events", path],
      ["events", path, "--json"], ["tail", path], ["event", path, "3"], ["event", path, "3", "--json"],
      ["status", path],
      ["status", path, "--json"], ["replay", path, "--changes", "1"], ["replay", path, "--changes", "3", "--json"],
      ["diff", path + "@1", path + "@5"], ["diff", path + "@1", path + "@5", "--json"], ["log", "read", path],
      ["log", "salvage", path], ["snapshot", path], ["rebuild", path], ["readers", path], ["log", "stats", path],
    ]
    var shown = 0
    for words in commands {
      let run = verbatim(words, input: [])
      // A tab is allowed in an HTML page.
      let output = words.contains("html") ? run.output.replacing("\t", with: " ") : run.output
      expectQuiet(Run(code: run.code, output: output, errors: run.errors), words)
      if run.output.contains("hidden") { shown += 1 }
    }
    #expect(shown >= 12, "\(shown) commands showed the text")
  }
}

@Suite struct `Hostile arguments` {
  private let folder = Folder()

  private func members(of group: CommandGroup, _ words: [String] = []) -> [[String]] {
    group.members.flatMap { member -> [[String]] in
      switch member {
      case .command: return [words + [member.name]]
      case .group(let group): return members(of: group, words + [member.name])
      }
    }
  }

  @Test func `a hostile argument is quoted with visible signs on one line by every command`() {
    let path = folder("none") + "/" + hostile
    for words in members(of: .verbatim) where words != ["demo"] {
      for arguments in [
        [hostile], ["--" + hostile], ["--json=" + hostile], [path], [path, path], [path, path, path],
        [path, path, "--as", hostile], [path, "--as", "ada"], [path, "1", "--as", "ada"], [path, "--at=" + hostile],
        [path, "general", "--as", "ada"], ["--", path, path],
      ] {
        // Nothing may be created in the test's working directory.
        if arguments.first == hostile, ["init", "generate", "import", "export", "backup"].contains(words[0]) {
          continue
        }
        let run = verbatim(words + arguments, input: [])
        #expect(run.code != .done || arguments[0] == hostile, "\(words) \(arguments)")
        expectQuiet(run, words + arguments)
        let message = run.errors.split(separator: "\n").first ?? ""
        #expect(run.code == .done || message.hasPrefix("verbatim: "), "\(words): \(run.errors)")
      }
    }
    expectQuiet(verbatim(hostile), [hostile])
    expectQuiet(verbatim("log", hostile), ["log", hostile])
    expectQuiet(verbatim("help", hostile), ["help", hostile])
  }

  @Test func `a line end in an argument cannot forge a second message`() {
    let run = verbatim("status", folder("x\nverbatim: All is well."))
    #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
    let misused = verbatim("log", "read", "a", "b\nverbatim: All is well.")
    #expect(misused.errors.hasPrefix("verbatim: “b␊verbatim: All is well.” is one argument too many"))
    #expect(misused.errors.contains("\nusage: verbatim log read"))
  }

  @Test func `a suggested command quotes a path so that a shell reads the same bytes`() throws {
    let path = folder("a b'\u{1B}[2J\u{9B}\n")
    let line = #"{"stream":"a","type":"t","payload":"payload"}"# + "\n"
    #expect(verbatim("log", "append", path, "--create", input: line).code == .done)
    let file = URL(filePath: path + "/log/data.mdb")
    var data = try Data(contentsOf: file)
    while let range = data.range(of: Data("payload".utf8)) { data[range.lowerBound] ^= 1 }
    try data.write(to: file)
    let run = verbatim("log", "verify", path)
    let advised = try #require(run.output.split(separator: "`").dropLast().last)
    let arguments = advised.dropFirst("verbatim log salvage ".count)
    #expect(advised.hasPrefix("verbatim log salvage $'"))
    let echoed = try shell("printf %s \(arguments)")
    #expect(echoed.output == path)
  }
}

// A path with bytes that are not UTF-8 was decoded with U+FFFD in their place, and the command silently worked on
// another path. Such an argument is now refused.
@Suite struct `Arguments that are not UTF-8` {
  @Test func `an argument that is not UTF-8 is refused, and others are unchanged`() throws {
    #expect(
      try Invocation.decoded([Array("status".utf8), Array("/tmp/ä\u{202E}".utf8), []]) == [
        "status", "/tmp/ä\u{202E}", "",
      ])
    for bytes in [[0xFF], [0x61, 0xC3], [0xED, 0xA0, 0x80], [0xC0, 0x80], [0x80]] as [[UInt8]] {
      var failure: Failure?
      do throws(Failure) { _ = try Invocation.decoded([Array("status".utf8), bytes]) } catch { failure = error }
      #expect(failure?.code == .misused)
      #expect(
        failure?.message?.hasPrefix("Argument 2, “") == true && failure?.message?.contains("is not UTF-8") == true)
    }
  }

  @Test(.enabled(if: program != nil, "the program was not built"))
  func `an argument that is not UTF-8 ends the program with exit code 2 and creates nothing`() throws {
    let folder = Folder()
    let run = try shell(#"cd "$L"; "$V" init $'new\xff'; echo "code $?"; ls | wc -l"#, log: folder.path)
    #expect(run.output.hasPrefix("verbatim: Argument 2, “new\u{FFFD}”, is not UTF-8:"), "\(run.output)")
    #expect(run.output.contains("\ncode 2\n0"))
  }

  @Test(.enabled(if: program != nil, "the program was not built"))
  func `a program with another name uses it in usage and advice`() throws {
    let folder = Folder()
    let log = logWithEvents(3000, in: folder)
    let script = #"ln -s "$V" "$L/chatter"; truncate -s 8192 "$L/log/data.mdb"; "$L/chatter" log read"#
    let mistake = try shell(script, log: log)
    #expect(mistake.output.hasPrefix("chatter: DIR is missing"), "\(mistake.output)")
    #expect(mistake.output.contains("usage: chatter log read DIR"))
    let verified = try shell(#""$L/chatter" log verify "$L""#, log: log)
    #expect(verified.output.contains("`chatter log salvage \(log)`"), "\(verified.output)")
  }
}

@Suite struct `The escapes of JSON` {
  @Test func `JSON escapes exactly the characters with visible signs`() throws {
    for value in (0...0x3100) as ClosedRange<UInt32> {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = String(Character(scalar))
      var writer = JSONWriter()
      writer.string("a" + text + "b")
      #expect(isQuiet(writer.text) && !writer.text.contains("\n"), "U+\(value)")
      #expect(try JSONParser.parse(writer.bytes) == .string("a" + text + "b"))
      let isEscaped = writer.text.hasPrefix("\"a\\")
      #expect(isEscaped == (controls.contains(value) || value == 0 || "\"\\".contains(text)), "U+\(value)")
    }
  }
}
