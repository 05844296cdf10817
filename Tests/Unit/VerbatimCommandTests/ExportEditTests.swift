// Threat: an edited export is imported as the log that was exported.
//
// An import without `--changed` compared the chain with the `hash` of the last line only if the line had one: without
// it, modified events were imported, and the report said that the lines end within a block. The time of the last line
// was not compared at all. Now each export ends with the hash of its lines' chain, and an import without `--changed`
// requires it.
import EventLog
import EventLogLMDB
import Foundation
import JSONLines
import Testing

@testable import VerbatimCommand

struct `An edited export` {
  private let folder = Folder()

  @Test func `an export without the hash of its last line is refused and writes nothing`() throws {
    let exported = try rawExport(in: folder)
    var lines = exported.lines
    lines[lines.count - 1] = try without("hash", in: lines[lines.count - 1])
    let count = lines.count
    for edits in [[], [("hello", "hallo")]] {
      let input = edits.reduce(text(lines)) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
      let refused = verbatim("import", folder("copy"), input: input)
      #expect(refused.code == .refused)
      #expect(
        refused.errors == """
          verbatim: Line \(count), the last, has no chain hash, so it is unknown whether the events are unchanged: \
          export the log again, or import the lines with --changed.\n
          """)
      #expect(!FileManager.default.fileExists(atPath: folder("copy")))
    }
    let taken = verbatim("import", folder("copy"), "--changed", input: text(lines))
    #expect(taken.code == .done)
    #expect(taken.output.hasSuffix("The last line has no hash, so it is unknown whether the events are unchanged.\n"))
    let reported = verbatim("import", folder("other"), "--changed", "--json", input: text(lines))
    #expect(reported.output.hasSuffix("\"same\":false}\n"))
  }

  // What broke: the workspace had content that no program could read, and nothing could be submitted to it.
  @Test func `encrypted content is refused in the lines of a workspace without keys`() throws {
    let exported = try rawExport(in: folder)
    let line = try #require(exported.lines.firstIndex { $0.contains("hello") })
    var lines = exported.lines
    lines[line] = lines[line].dropLast() + #","encrypted":"AAAA"}"#
    let refused = verbatim("import", folder("copy"), "--changed", input: text(lines))
    #expect(refused.code == .refused)
    #expect(refused.errors.contains("Line \(line + 1): it has encrypted content"), "\(refused.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder("copy")))
  }

  @Test func `an export that ends within a block has a hash of its own`() throws {
    let exported = try rawExport(in: folder, to: 6)
    let ending = try #require(exported.lines.last)
    #expect(ending.contains("\"cutHash\":\"") && !ending.contains("\"hash\""))
    let run = verbatim("import", folder("copy"), "--json", input: exported.output)
    #expect(run.code == .done, "\(run.errors)")
    #expect(ending.contains("\"cutHash\":\"\(run.values("hash")[0])\""))
    #expect(run.output.hasSuffix("\"cut\":true,\"same\":true}\n"))
    let edited = exported.output.replacingOccurrences(of: "hello", with: "hallo")
    let refused = verbatim("import", folder("edited"), input: edited)
    #expect(refused.code == .refused)
    #expect(refused.errors.contains("lines were changed, moved or omitted"))
    let both = exported.output.replacingOccurrences(of: "\"cutHash\":", with: "\"hash\":\"\",\"cutHash\":")
    #expect(verbatim("import", folder("both"), input: both).code == .misused)
    let late = ending.replacingOccurrences(of: "\"time\":\"1969", with: "\"time\":\"1968")
    let later = verbatim("import", folder("late"), input: text(exported.lines.dropLast() + [late]))
    #expect(later.code == .refused)
    #expect(later.errors.contains("Line 8 has 1968-"), "\(later.errors)")
  }

  @Test func `a hash of the first line that ends like a sentence is in quotation marks`() throws {
    var lines = try rawExport(in: folder).lines
    lines[0] = lines[0].replacing(/"genesis":"[0-9a-f]{64}/) { $0.output + "!" }
    let refused = verbatim("import", folder("copy"), input: text(lines))
    // Regression: the sentence ended with what the line has.
    #expect(refused.code == .refused && refused.errors.hasSuffix("!”.\n"), "\(refused.errors)")
  }

  @Test(arguments: Exports.allCases)
  func `an edited export is refused, or has the chain of the exported log`(_ kind: Exports) throws {
    let exported = try kind.run(in: folder)
    let original = try imported(exported.output)
    var refused = 0
    let proof = try #require(exported.lines.last?.firstMatch(of: /,"(hash|cutHash)":"[0-9a-f]{64}"/)).output.0
    for (number, edit) in try edits(of: exported.lines, in: kind.lines(exported.lines.count)).enumerated() {
      // Without the hash, no edit can be excluded.
      if number % 4 == 0, edit.input.contains(proof) {
        let unproved = edit.input.replacingOccurrences(of: proof, with: "")
        #expect(throws: Failure.self, "\(edit.what)") { try imported(unproved) }
      }
      do {
        #expect(try imported(edit.input) == original, "\(edit.what)")
      } catch let failure as Failure {
        refused += 1
        #expect(failure.code == .refused || failure.code == .misused, "\(edit.what)")
        #expect(failure.message?.isEmpty == false, "\(edit.what)")
      }
    }
    #expect(refused > 50)
  }

  /// Returns the head of the lines' chain, as the first pass of an import without `--changed` reads them.
  private func imported(_ lines: String) throws -> Head {
    try Data(lines.utf8).write(to: URL(filePath: folder("edited")))
    let input = try InputFile(file: folder("edited"))
    var blocks = ImportedBlocks(input.descriptor)
    let imported = try blocks.forEachBlock { _, _ throws(Failure) in }
    if let difference = imported.difference { throw Failure(.refused, difference) }
    return imported.head
  }
}

/// The exports to edit.
enum Exports: CaseIterable {
  case raw
  case cut
  case chat

  /// Returns the lines whose members are edited: the first, the last, and events that together have all members.
  fileprivate func lines(_ count: Int) -> Set<Int> {
    switch self {
    case .raw: [0, 1, 2, count - 1]
    case .cut: [count - 2, count - 1]
    case .chat: [1]
    }
  }

  fileprivate func run(in folder: Folder) throws -> Run {
    switch self {
    case .raw: return try rawExport(in: folder)
    case .cut: return try rawExport(in: folder, to: 6)
    case .chat:
      _ = verbatim("generate", folder("work"), "--messages", "1", "--seed", "3", "--users", "2", "--channels", "1")
      return verbatim("export", folder("work"))
    }
  }
}

/// Exports a log of three blocks whose events together have all members.
private func rawExport(in folder: Folder, to end: Int? = nil) throws -> Run {
  let options = LMDBLog.Options(creates: true, genesis: .new(at: Timestamp(rawValue: -5_000_000)))
  var configuration = EventStore.Configuration()
  configuration.clock = { Timestamp(rawValue: -1_000_000) }
  let log = folder("log")
  let store = try EventStore.open(at: log, options: options, configuration: configuration)
  defer { store.close() }
  func event(_ payload: String, _ stream: Name = "a", cause: Position? = nil) -> ProposedEvent {
    ProposedEvent(stream: stream, type: "noted", payload: Array(payload.utf8), actor: "ada", device: "d", cause: cause)
  }
  _ = try store.appendBlocking([event("hello")])
  _ = try store.appendBlocking(
    Append([event("one", "b", cause: .first), event("")], correlation: "c", proposal: ProposalHash(rawValue: 7)))
  let bytes = ProposedEvent(stream: "b", type: "drawn", payload: [0xFF, 0])
  _ = try store.appendBlocking([event("two"), event("three", "b"), bytes, event("four", "c")])
  return end.map { verbatim("export", log, "--to", "\($0)") } ?? verbatim("export", log)
}

// MARK: Edits

/// An export with one edit.
private struct Edit {
  let what: String
  let input: String
}

/// Returns all edits of one line, and of one member of some lines.
private func edits(of lines: [String], in edited: Set<Int>) throws -> [Edit] {
  var edits: [Edit] = []
  for number in lines.indices {
    func add(_ what: String, _ edited: [String]) {
      edits.append(Edit(what: "line \(number + 1): \(what)", input: text(edited)))
    }
    func replace(_ what: String, _ line: String) {
      var edited = lines
      edited[number] = line
      add(what, edited)
    }
    add("removed", lines.indices.filter { $0 != number }.map { lines[$0] })
    for place in [0, number + 1, lines.count - 1] where lines.indices.contains(place) {
      var edited = lines
      edited.insert(lines[number], at: place)
      add("repeated as line \(place + 1)", edited)
      edited.remove(at: place <= number ? number + 1 : number)
      if edited != lines { add("moved to line \(place + 1)", edited) }
    }
    replace("emptied", "")
    replace("cut", String(lines[number].dropLast()))
    guard edited.contains(number), case .object(let members) = try JSONParser.parse(Array(lines[number].utf8))
    else { continue }
    let other = try JSONParser.parse(Array(lines[(number + 1) % lines.count].utf8))
    for (what, members) in memberEdits(of: members, other) { replace(what, text(members)) }
    for (place, member) in members.enumerated() {
      guard case .object(let inner) = member.value else { continue }
      for (what, edited) in memberEdits(of: inner, .null) {
        replace("\(member.key) \(what)", text(members.replacing(place, with: .member(member.key, text(edited)))))
      }
    }
  }
  return edits
}

/// A member as text.
private struct WrittenMember {
  let text: String

  static func member(_ key: String, _ value: String) -> Self { Self(text: "\"\(key)\":\(value)") }
}

/// Returns all edits of one member: removed, renamed, repeated, moved, with another value.
private func memberEdits(of members: [JSON.Member], _ other: JSON) -> [(String, [WrittenMember])] {
  let written = members.map { WrittenMember.member($0.key, text($0.value)) }
  var edits: [(String, [WrittenMember])] = []
  for (place, member) in members.enumerated() {
    let (key, value) = (member.key, member.value)
    var rest = written
    rest.remove(at: place)
    edits.append(("without \(key)", rest))
    edits.append(("\(key) last", rest + [written[place]]))
    edits.append(("\(key) twice", written + [written[place]]))
    for name in key.lowercased().hasSuffix("hash") ? ["x", "hash", "cutHash"] : ["x", "data"] where name != key {
      edits.append(("\(key) named \(name)", members.replacing(place, with: .member(name, text(value)))))
    }
    var values = otherValues(than: value)
    if case .object(let members) = other { values += members.filter { $0.key == key }.map { text($0.value) } }
    for other in Set(values) where other != text(value) {
      edits.append(("\(key) \(other)", members.replacing(place, with: .member(key, other))))
    }
  }
  for added in ["actor", "device", "cause", "correlation", "proposal", "data"]
  where !members.contains(where: { $0.key == added }) {
    edits.append(("with \(added)", written + [.member(added, "\"1\"")]))
  }
  return edits
}

private func otherValues(than value: JSON) -> [String] {
  var values = ["null", "1", "\"\""]
  switch value {
  case .number(let text):
    values += [text + "0", "\"\(text)\""] + (Int(text).map { ["\($0 + 1)", "\($0 - 1)"] } ?? [])
  case .string(let string):
    var all = [string + "x", String(string.dropLast()), "0" + string, string.uppercased()]
    if let number = Int(string) { all += ["\(number + 1)", "\(number - 1)"] }
    for place in [string.count / 2] where !string.isEmpty {
      var characters = Array(string)
      characters[place] = characters[place] == "1" ? "2" : "1"
      all.append(String(characters))
    }
    values += all.map { text(.string($0)) }
  default: break
  }
  return values
}

extension [JSON.Member] {
  /// Returns the members as text, with one of them replaced.
  fileprivate func replacing(_ place: Int, with member: WrittenMember) -> [WrittenMember] {
    enumerated().map { $0.offset == place ? member : .member($0.element.key, text($0.element.value)) }
  }
}

private func text(_ value: JSON) -> String {
  var writer = JSONWriter()
  writer.value(value)
  return writer.text
}

private func text(_ members: [WrittenMember]) -> String { "{" + members.map(\.text).joined(separator: ",") + "}" }

private func text(_ lines: some Sequence<String>) -> String { lines.map { $0 + "\n" }.joined() }

/// Returns a line without one member of its data.
private func without(_ key: String, in line: String) throws -> String {
  guard case .object(let members) = try JSONParser.parse(Array(line.utf8)),
    let place = members.firstIndex(where: { $0.key == "data" }), case .object(let inner) = members[place].value
  else { return line }
  let rest = inner.filter { $0.key != key }.map { WrittenMember.member($0.key, text($0.value)) }
  return text(members.replacing(place, with: .member("data", text(rest))))
}
