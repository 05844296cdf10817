// Threat: a program that reads `verbatim events --json` breaks because a key was renamed, or meets a key that only the
// compiler explains.
import Foundation
import JSONLines
import Testing

@testable import VerbatimCommand

private let fixtures = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Fixtures/events")

/// The pages of the command.
let documentation = URL(filePath: #filePath).deletingLastPathComponent().appending(
  path: "../../../Sources/Tooling/VerbatimCommand/VerbatimCommand.docc")

/// The stored events of the fixtures, as lines that `log append` accepts.
private func storedEvents() throws -> (names: [String], lines: String) {
  var (names, lines): ([String], String) = ([], "")
  let paths = try FileManager.default.subpathsOfDirectory(atPath: fixtures.path(percentEncoded: false)).sorted()
  for path in paths where path.hasSuffix(".bin") {
    let name = String(path.dropLast(4))
    let text = try String(contentsOf: fixtures.appending(path: name + ".txt"), encoding: .utf8)
    var line: [String] = []
    for head in text.split(separator: "\n") where head.hasPrefix("# ") {
      let parts = head.dropFirst(2).split(separator: ": ", maxSplits: 1)
      if parts[0] != "recorded_us" { line.append("\"\(parts[0])\":\"\(parts[1])\"") }
    }
    let payload = try Data(contentsOf: fixtures.appending(path: path)).base64EncodedString()
    lines += "{\(line.joined(separator: ",")),\"payload64\":\"\(payload)\"}\n"
    names.append(name)
  }
  return (names, lines)
}

/// The frozen JSON of the stored events.
func frozenEvents() throws -> [JSON] {
  let text = try String(contentsOf: fixtures.appending(path: "events.jsonl"), encoding: .utf8)
  return try text.split(separator: "\n").map { try JSONParser.parse(Array($0.utf8)) }
}

extension JSON {
  /// All keys in the value.
  fileprivate var keys: [String] {
    switch self {
    case .object(let members): members.flatMap { [$0.key] + $0.value.keys }
    case .array(let values): values.flatMap(\.keys)
    default: []
    }
  }
}

@Suite struct `The JSON of events` {
  private let folder = Folder()

  @Test func `events of every stored form have the JSON that is frozen in the fixtures`() throws {
    let path = folder("log")
    let (names, lines) = try storedEvents()
    #expect(verbatim("log", "append", path, "--create", input: lines).code == .done)
    let shown = verbatim("events", path, "--json").lines
    #expect(shown.count > 100 && shown.count == names.count)
    var found = ""
    for (name, line) in zip(names, shown) {
      let json = try JSONParser.parse(Array(line.utf8))
      let event = try #require(json["event"], "no event in \(line)")
      #expect(json["payload"] == nil && json["payload64"] == nil)
      guard case .object(let members) = event, members.count == 2, case .object = members[1].value else {
        Issue.record("not a row and a change: \(line)")
        continue
      }
      for key in event.keys { #expect(!key.hasPrefix("_") && !key.contains("."), "\(key) in \(line)") }
      found += "{\"fixture\":\"\(name)\",\"event\":\(event.text)}\n"
    }
    let file = fixtures.appending(path: "events.jsonl")
    guard let frozen = try? String(contentsOf: file, encoding: .utf8) else {
      try found.write(to: file, atomically: true, encoding: .utf8)
      Issue.record("Fixtures/events/events.jsonl was missing, and is written: look at it, and keep it")
      return
    }
    for (expected, found) in zip(frozen.split(separator: "\n"), found.split(separator: "\n")) {
      #expect(found == expected)
    }
    #expect(frozen.count == found.count)
    let words = verbatim("events", path).output
    #expect(!words.contains("unreadable") && !words.contains("Optional") && !words.contains("Chat."))
    #expect(words.contains(" composerTyped ") && words.contains(" memberBanned "))
  }

  @Test func `each type of event is in the fixtures, and each of its members on the page of events`() throws {
    let (_, lines) = try storedEvents()
    for type in EventType.choices { #expect(lines.contains("\"type\":\"\(type)."), "\(type)") }
    let page = try String(contentsOf: documentation.appending(path: "Events.md"), encoding: .utf8)
    for line in try frozenEvents() {
      guard case .object(let members)? = line["event"], case .object(let values) = members[1].value else { continue }
      let section = page.components(separatedBy: "\n### \(members[0].key)\n").last?.components(separatedBy: "\n#").first
      let row = section?.split(separator: "\n").first { $0.hasPrefix("| `\(members[1].key)` |") } ?? ""
      for value in values {
        let key = value.key == "payload64" ? "payload" : value.key
        #expect(row.contains("`\(key)`"), "\(members[0].key), \(members[1].key), \(value.key)")
      }
      #expect(row != "", "\(members[0].key), \(members[1].key)")
    }
  }
}
