// Threat: an export is imported as another log, or tampered lines are accepted.
import EventLog
import EventLogLMDB
import Foundation
import RandomNumbers
import Testing

@testable import VerbatimCommand

/// Creates a log with random appends.
private func randomLog(_ path: String, seed: UInt64, application: Name?) throws {
  var random = SplitMix64(seed: seed)
  let options = LMDBLog.Options(
    creates: true, genesis: .new(at: Timestamp(rawValue: -5_000_000), application: application))
  var configuration = EventStore.Configuration()
  configuration.clock = { Timestamp(rawValue: -1_000_000) }
  let store = try EventStore.open(at: path, options: options, configuration: configuration)
  defer { store.close() }
  let names: [Name] = [
    "a", "stream/ü", "\u{1F600} \"quoted\\", "x", "ein ganz langer Name für etwas, das es kaum gibt",
  ]
  let payloads: [[UInt8]] = [[], Array("text \"\n\u{2028}é".utf8), [0xFF, 0x00], Array(0...255), Array("{}".utf8)]
  for _ in 0..<random.number(1...60) {
    var appends: [PendingAppend] = []
    for _ in 0..<random.number(1...5) {
      let head = try store.head().position
      let events = (0..<random.number(1...4)).map { _ in
        ProposedEvent(
          stream: random.one(of: names), type: random.one(of: names), payload: random.one(of: payloads),
          actor: random.happens(500) ? random.one(of: names) : nil,
          device: random.happens(300) ? random.one(of: names) : nil,
          cause: random.happens(300) && head > .zero ? Position(rawValue: 1 + random.next() % head.rawValue) : nil)
      }
      appends.append(
        try store.start(
          Append(
            events, correlation: random.happens(300) ? random.one(of: names) : nil,
            proposal: random.happens(300) ? ProposalHash(rawValue: random.next()) : nil)))
    }
    for append in appends { _ = try append.wait() }
  }
}

/// Returns the chain hash of a log.
private func hash(_ path: String) -> [String] { verbatim("log", "stats", path, "--json").values("hash") }

struct `An export` {
  private let folder = Folder()

  @Test(arguments: 1...12)
  func `an imported export has the same chain hash and exports the same lines`(seed: Int) throws {
    try randomLog(folder("log"), seed: UInt64(seed), application: seed % 3 == 0 ? "somebody" : nil)
    #expect(verbatim("export", folder("log"), folder("lines")).code == .done)
    let run = verbatim("import", folder("copy"), folder("lines"))
    #expect(run.code == .done, "\(run.errors)")
    #expect(run.output.hasSuffix("The chain is the exported one.\n"))
    #expect(hash(folder("copy")) == hash(folder("log")))
    #expect(verbatim("log", "read", folder("copy")).output == verbatim("log", "read", folder("log")).output)
    #expect(verbatim("export", folder("copy")).output == verbatim("export", folder("log")).output)
    #expect(verbatim("log", "verify", folder("copy")).code == .done)
  }

  @Test func `an imported workspace shows the same channel`() throws {
    _ = verbatim("generate", folder("work"), "--messages", "120", "--keystrokes")
    let lines = verbatim("export", folder("work")).output
    #expect(verbatim("import", folder("copy"), "-", input: lines).code == .done)
    #expect(hash(folder("copy")) == hash(folder("work")))
    for path in [folder("work"), folder("copy")] {
      let show = verbatim("show", path, "general", "--as", "ada", "--time-zone", "UTC", "--columns", "80")
      #expect(show.code == .done)
      try Data(show.output.utf8).write(to: URL(filePath: path + ".shown"))
    }
    #expect(FileManager.default.contentsEqual(atPath: folder("work.shown"), andPath: folder("copy.shown")))
  }

  @Test func `an empty log can be exported and imported`() {
    _ = verbatim("log", "append", folder("log"), "--create")
    let run = verbatim("export", folder("log"))
    #expect(run.lines.count == 2)
    #expect(verbatim("import", folder("copy"), input: run.output).code == .done)
    #expect(verbatim("export", folder("copy")).output == run.output)
  }

  @Test func `an export has the attributes that CloudEvents requires`() throws {
    let log = logWithEvents(2, in: folder)
    let run = verbatim("export", log)
    #expect(run.values("specversion") == ["1.0", "1.0", "1.0", "1.0"])
    #expect(run.values("id") == ["from-1", "1", "2", "to-2"])
    #expect(Set(run.values("source")).count == 1)
    #expect(run.values("type") == ["verbatim.export.began.1", "said", "said", "verbatim.export.ended.1"])
    #expect(run.values("subject") == ["a", "b"])
    #expect(run.values("time").count == 4)
    #expect(run.values("data")[1...2] == ["1", "2"])
    for line in run.lines {
      let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      for key in object.keys where key != "data_base64" {
        #expect(key.utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }, "\(key)")
      }
    }
  }

  @Test func `an export has the lines of the page on exported events`() throws {
    let genesis = Genesis(
      id: AppendID(high: 0x019B_76DA_A800_7000, low: 0x8000_0000_0000_0000),
      created: Timestamp(rawValue: 1_767_225_600_000_000))
    var configuration = EventStore.Configuration()
    configuration.clock = { genesis.created }
    let options = LMDBLog.Options(creates: true, genesis: genesis)
    let store = try EventStore.open(at: folder("log"), options: options, configuration: configuration)
    let event = ProposedEvent(stream: "channel/1", type: "noted", payload: Array("hello".utf8))
    _ = try store.appendBlocking([event], id: AppendID(high: 0x019B_76DA_A800_7000, low: 0x8000_0000_0000_0001))
    store.close()
    let page = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources/Tooling/VerbatimCommand/VerbatimCommand.docc/ExportedEvents.md")
    let parts = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "```\n")
    try #require(parts.count == 3)
    #expect(parts[1].replacingOccurrences(of: "\n ", with: "") == verbatim("export", folder("log")).output)
  }

  @Test func `a partial export names its range and imports only from the first event`() {
    let log = logWithEvents(5, in: folder)
    let part = verbatim("export", log, "--from", "3", "--to", "4")
    #expect(part.values("id") == ["from-3", "3", "4", "to-4"])
    let run = verbatim("import", folder("copy"), input: part.output)
    #expect(run.code == .refused)
    #expect(run.errors.hasPrefix("verbatim: Line 1: the lines begin with position 3"))
    let cut = verbatim("export", log, "--to", "4").output
    let partial = verbatim("import", folder("copy"), input: cut)
    #expect(partial.code == .done)
    #expect(verbatim("log", "read", folder("copy")).output == verbatim("log", "read", log, "--to", "4").output)
    #expect(verbatim("export", log, "--from", "4", "--to", "3").code == .misused)
  }

  // What broke: the last line stated a log of no blocks, with the hash of the genesis.
  @Test func `an export from behind the end of the log has the end in its last line`() {
    let log = logWithEvents(5, in: folder)
    let past = verbatim("export", log, "--from", "9", "--to", "12")
    #expect(past.values("id") == ["from-9", "to-5"])
    #expect(past.lines.last == verbatim("export", log).lines.last)
  }

  // What broke: JSON has six bytes for a control character, so that the export of an event of 6 MiB could be a line
  // that was too long for an import.
  @Test func `an import reads lines of more bytes than an event has`() {
    let line = [UInt8](repeating: UInt8(ascii: "x"), count: 33 << 20)
    let run = verbatim(["import", folder("copy")], input: line)
    #expect(run.code == .misused && run.errors.hasPrefix("verbatim: Line 1: the line is not JSON"), "\(run.errors)")
  }

  @Test func `the export of a damaged log leaves no file`() throws {
    let log = logWithEvents(3, in: folder)
    let file = URL(filePath: log + "/log/data.mdb")
    var data = try Data(contentsOf: file)
    var start = data.startIndex
    while let range = data.range(of: Data("VBL1".utf8), in: start..<data.endIndex) {
      data[range.lowerBound + 30] ^= 1
      start = range.upperBound
    }
    try data.write(to: file)
    #expect(verbatim("export", log, folder("lines")).code == .refused)
    #expect(!FileManager.default.fileExists(atPath: folder("lines")))
  }

  @Test func `an export creates a new file and never overwrites one`() throws {
    let log = logWithEvents(3, in: folder)
    #expect(verbatim("export", log, folder("lines")).code == .done)
    #expect(verbatim("export", log, folder("lines")).code == .unable)
    #expect(verbatim("export", folder("none"), folder("other")).code == .unable)
    #expect(!FileManager.default.fileExists(atPath: folder("other")))
    #expect(verbatim("import", folder("copy"), folder("nothing")).code == .unable)
  }
}

struct `Tampered lines of an export` {
  private let folder = Folder()

  /// The lines of a small workspace, which the tests edit.
  private static let lines: [String] = {
    let folder = Folder()
    _ = verbatim("generate", folder("work"), "--messages", "12", "--seed", "3", "--users", "4", "--channels", "1")
    return verbatim("export", folder("work")).lines
  }()

  private func expectRefusal(
    _ beginning: String, _ code: ExitCode = .refused, line: Int = #line, _ edit: (inout [String]) -> Void
  ) {
    let place = SourceLocation(
      fileID: #fileID, filePath: #filePath, line: line, column: 1)
    let folder = Folder()
    var lines = Self.lines
    edit(&lines)
    let run = verbatim("import", folder("copy"), input: lines.map { $0 + "\n" }.joined())
    #expect(run.code == code, sourceLocation: place)
    #expect(run.errors.hasPrefix("verbatim: " + beginning), "\(run.errors)", sourceLocation: place)
    #expect(!FileManager.default.fileExists(atPath: folder("copy")), sourceLocation: place)
  }

  @Test func `inconsistent lines are refused with their number before anything is written`() {
    expectRefusal("Line 5: the position is 5 and must be 4") { $0.remove(at: 4) }
    expectRefusal("Line 6: the position is 4 and must be 5") { $0.insert($0[4], at: 5) }
    expectRefusal("Line 5: the position is 5 and must be 4") { $0.swapAt(4, 5) }
    expectRefusal("Line 5: the version of user/ben is 9") {
      $0[4].edit(#""version":"\#($0[4].value("version"))""#, #""version":"9""#)
    }
    expectRefusal("Line 4: the block is 7 after block") { $0[3].edit(#""block":"1""#, #""block":"7""#) }
    expectRefusal("Line 4: its time is 2025-") { $0[3].edit(#""time":"2026-"#, #""time":"2025-"#) }
    expectRefusal("Line 6: its cause, 9, is not an earlier position") {
      $0[5].edit(#""append""#, #""cause":"9","append""#)
    }
    expectRefusal("Line 3: it has another correlation") { $0[2].edit(#""append""#, #""correlation":"c","append""#) }
    expectRefusal("Line 3: only the first event of an append has a proposal") {
      $0[2].edit(#""data"#, #""proposal":"00000000000000ff","data"#)
    }
    expectRefusal("Line 12: the append ") { lines in
      lines[11].edit(lines[11].value("append"), lines[1].value("append"))
    }
    expectRefusal("Line 1: the genesis of the log has the hash") { $0[0].edit("T08:00:00", "T07:00:00") }
    expectRefusal("Line 1: the lines begin with position 2") {
      $0[0].edit(#""from":1"#, #""from":2"#)
      $0[0].edit("from-1", "from-2")
    }
    expectRefusal("The input ends after line ") { $0.removeLast() }
    expectRefusal("The input ends after line 3 ") { $0.removeLast($0.count - 3) }
  }

  @Test func `malformed lines are refused with their number`() {
    expectRefusal("Line 1: it is not the first line", .misused) { $0.removeFirst() }
    expectRefusal("Line 4: the line is not JSON (byte ", .misused) { $0[3].removeLast() }
    expectRefusal("Line 4: the line is not JSON", .misused) { $0.insert(" ", at: 3) }
    expectRefusal("Line 4: “subjekt” is not a key of the line", .misused) { $0[3].edit("{", #"{"subjekt":"a","#) }
    expectRefusal("Line 4: “subject” of the line is missing", .misused) { $0[3].edit(#""subject":"#, #""subjekt":"#) }
    expectRefusal("Line 4: “source” is “urn:uuid:", .misused) { $0[3].edit("urn:uuid:0", "urn:uuid:1") }
    expectRefusal("Line 4: “specversion” is “2.0”", .misused) { $0[3].edit(#""1.0""#, #""2.0""#) }
    expectRefusal("Line 4: “id” is “03”", .misused) { $0[3].edit(#""id":"3""#, #""id":"03""#) }
    expectRefusal("Line 4: “time” is “2026-13-", .misused) { $0[3].edit("2026-01-", "2026-13-") }
    expectRefusal("Line 4: “data_base64” is not base64", .misused) {
      $0[3].edit(#""data_base64":""#, #""data_base64":"?"#)
    }
    expectRefusal("Line 4: “subject” of the line is not a valid name", .misused) {
      $0[3].edit(#""subject":""#, #""subject":"\#(String(repeating: "x", count: 400))"#)
    }
    expectRefusal("The input is empty", .misused) { $0.removeAll() }
  }

  @Test func `excess and missing lines at the end are refused`() {
    expectRefusal("Line ") { $0.append($0[1]) }
    expectRefusal("Line ") { lines in lines[lines.count - 1].edit(#""blocks":"#, #""blocks":1"#) }
    expectRefusal("Line ") { lines in
      lines.remove(at: lines.count - 2)
    }
  }

  @Test func `a chat event must be decodable and in canonical form`() {
    expectRefusal("Line 4: ") { $0[3].edit(#""type":"userCreated.1""#, #""type":"userCreated.9""#) }
    expectRefusal("Line 4: ") { $0[3].edit(#""type":"userCreated.1""#, #""type":"channelCreated.1""#) }
    expectRefusal("Line 4: ") { lines in
      // A field that no event has.
      let end = lines[3].range(of: #""data_base64":""#)!.upperBound
      let bytes = Data(base64Encoded: String(lines[3][end...].dropLast(2)))! + [0xF8, 0x01, 0x01]
      lines[3] = lines[3][..<end] + bytes.base64EncodedString() + "\"}"
    }
  }

  @Test func `changed lines form another chain, which is refused without --changed`() throws {
    var lines = Self.lines
    let place = try #require(lines.firstIndex { $0.contains("userCreated") })
    let old = lines[place]
    let start = try #require(old.range(of: #""data_base64":""#)?.upperBound)
    var bytes = try #require(Data(base64Encoded: String(old[start...].dropLast(2))))
    let name = try #require(bytes.range(of: Data("Ada".utf8)))
    bytes.replaceSubrange(name, with: Data("Eva".utf8))
    lines[place] = old[..<start] + bytes.base64EncodedString() + "\"}"
    let input = lines.map { $0 + "\n" }.joined()
    let exported = try #require(Self.lines.last?.range(of: #""hash":""#)?.upperBound)
    let hashBefore = String(Self.lines[Self.lines.count - 1][exported...].prefix(64))
    let refused = verbatim("import", folder("copy"), input: input)
    #expect(refused.code == .refused)
    #expect(refused.errors.contains("and their last line has \(hashBefore), so lines were changed"))
    #expect(!FileManager.default.fileExists(atPath: folder("copy")))
    let taken = verbatim("import", folder("copy"), "--changed", "--json", input: input)
    #expect(taken.code == .done)
    #expect(taken.values("exportedHash") == [hashBefore])
    #expect(taken.values("hash") == hash(folder("copy")))
    #expect(taken.output.hasSuffix("\"same\":false}\n"))
    #expect(verbatim("export", folder("copy")).lines.dropLast() == lines.dropLast())
    #expect(refused.errors.contains("The chain hash of the lines is \(hash(folder("copy"))[0])"))
  }
}

struct `An interrupted import` {
  private let folder = Folder()

  private func work() -> String {
    _ = verbatim("generate", folder("work"), "--messages", "100", "--users", "5")
    _ = verbatim("export", folder("work"), folder("lines"))
    return folder("work")
  }

  /// Returns the position of the last event of each block.
  private func blockEnds(_ path: String) throws -> [Position] {
    let log = try LMDBLog.open(at: path)
    defer { log.close() }
    var ends: [Position] = []
    try log.blocks(from: .first, .forward, checks: .none) { block in
      ends.append(block.last)
      return .next
    }
    return ends
  }

  @Test func `a resumed import appends the missing blocks`() throws {
    let work = work()
    let ends = try blockEnds(work)
    for end in [ends[0], ends[ends.count / 2], ends[ends.count - 1]] {
      let copy = folder("copy-\(end)")
      #expect(verbatim("import", copy, input: verbatim("export", work, "--to", "\(end)").output).code == .done)
      let without = verbatim("import", copy, folder("lines"))
      #expect(without.code == .unable)
      #expect(without.errors.contains("--resume continues an interrupted import"))
      let run = verbatim("import", copy, folder("lines"), "--resume")
      #expect(run.code == .done, "\(run.errors)")
      #expect(hash(copy) == hash(work))
      #expect(verbatim("log", "verify", copy).code == .done)
    }
    #expect(verbatim("import", folder("new"), folder("lines"), "--resume").code == .done)
  }

  @Test func `a resumed import refuses a log that is not a prefix of the lines`() throws {
    let work = work()
    _ = verbatim("generate", folder("other"), "--messages", "20", "--users", "5")
    let another = verbatim("import", folder("other"), folder("lines"), "--resume")
    #expect(another.code == .refused)
    #expect(another.errors.contains("is not a prefix of the lines"))
    // A part of a block is not a prefix of the chain.
    let ends = try blockEnds(work)
    let place = try #require(ends.indices.dropFirst().first { ends[$0].rawValue > ends[$0 - 1].rawValue + 1 })
    let within = ends[place].rawValue - 1
    _ = verbatim("import", folder("part"), input: verbatim("export", work, "--to", "\(within)").output)
    #expect(verbatim("import", folder("part"), folder("lines"), "--resume").code == .refused)
    // Nor is a log that is longer than the lines.
    let short = verbatim("export", work, "--to", "\(ends[0])").output
    #expect(verbatim("import", work, "--resume", input: short).code == .refused)
  }

  @Test(.enabled(if: program != nil, "the program was not built"))
  func `a killed import can be resumed from a pipe`() throws {
    _ = verbatim("generate", folder("work"), "--messages", "1500", "--users", "3")
    _ = verbatim("export", folder("work"), folder("lines"))
    let script = """
      "$V" import "$L/copy" < "$L/lines" & pid=$!
      for i in {1..3000}; do
        n=$("$V" log stats "$L/copy" --json 2>/dev/null | sed 's/.*"blocks":\\([0-9]*\\).*/\\1/')
        [ "${n:-0}" -gt 20 ] && break; sleep 0.01
      done
      kill -KILL $pid; wait $pid 2>/dev/null; echo "killed at $n"
      cat "$L/lines" | "$V" import "$L/copy" --resume
      ls "$L"
      """
    let run = try shell(script, log: folder.path)
    #expect(run.output.contains("The chain is the exported one."), "\(run.output)")
    #expect(run.output.hasSuffix("copy\nlines\nwork\n"), "\(run.output)")
    #expect(hash(folder("copy")) == hash(folder("work")))
  }
}

extension String {
  /// Replaces the first occurrence of a text.
  fileprivate mutating func edit(_ part: String, _ new: String) {
    guard let range = range(of: part) else { return }
    replaceSubrange(range, with: new)
  }

  /// Returns the text under a key of a line.
  fileprivate func value(_ key: String) -> String {
    let json = try? JSONSerialization.jsonObject(with: Data(utf8)) as? [String: Any]
    return json?[key] as? String ?? ""
  }
}
