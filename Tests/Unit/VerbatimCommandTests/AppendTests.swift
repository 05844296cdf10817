// The input, errors and receipts of `verbatim log append`.
import JSONLines
import EventLog
import EventLogLMDB
import Foundation
import Testing

@testable import VerbatimCommand

private let id = "018f2c6a-0000-7000-8000-000000000001"
private let range = "from 0 to \(UInt64.max)"

/// Returns a line with one event and additional members.
private func good(_ more: String) -> String { #"{"stream":"a","type":"t","payload":"",\#(more)}"# }

private let id2 = "018f2c6a-0000-7000-8000-000000000002"

struct Appends {
  private let folder = Folder()
  private var log: String { folder("log") }

  private func append(_ lines: String..., options: String...) -> Run {
    verbatim(["log", "append", log, "--create"] + options, input: Array(lines.joined(separator: "\n").utf8))
  }

  @Test func `each appended line returns a receipt`() throws {
    let run = append(line("a", "x"), line("b", "y"))
    #expect(run.code == .done)
    #expect(run.errors == "")
    try #require(run.lines.count == 2)
    let form =
      #/
      {"id":"[0-9a-f-]{36}","positions":\[2,2],"recorded":"[0-9T:.-]{26}Z",
      "streams":\[{"stream":"b","versions":\[1,1]}]}
      /#
    #expect(run.lines[1].wholeMatch(of: form) != nil)
  }

  @Test func `an event keeps all of its members`() {
    let full = #"""
      {"id":"\#(id)","correlation":"c","expect":[{"stream":"s","is":"none"},{"stream":"t","is":"any"}],\#
      "events":[{"stream":"s","type":"t","payload":"a","actor":"me","device":"here"},\#
      {"stream":"s","type":"t","payload64":"AP8="}]}
      """#
    #expect(append(line("a", "x"), full, #"{"stream":"s","type":"u","payload":"","cause":1}"#).code == .done)
    let lines = verbatim("log", "read", log).lines
    let pattern = #/"recorded":"[^"]*"/#
    let shown = lines[1...2].map { $0.replacing(pattern, with: "R") }
    let end = #""append":"\#(id)","correlation":"c""#
    #expect(
      shown[0] == #"{"position":2,"stream":"s","version":1,R,"type":"t","actor":"me","device":"here","#
        + end + #","payload":"a"}"#)
    #expect(shown[1] == #"{"position":3,"stream":"s","version":2,R,"type":"t","# + end + #","payload64":"AP8="}"#)
    #expect(lines[3].contains(#""cause":1,"append""#))
  }

  @Test func `events are in the order of their lines`() {
    let count = 5000
    let lines = (1...count).map { line("s\($0 % 7)", "\($0)") }.joined()
    let run = verbatim("log", "append", log, "--create", input: lines)
    #expect(run.lines.count == count)
    #expect(verbatim("log", "read", log).payloads == (1...count).map(String.init))
  }

  @Test func `a thousand lines share far fewer commits`() throws {
    let lines = (1...1000).map { line("s", "\($0)") }.joined()
    #expect(verbatim("log", "append", log, "--create", input: lines).code == .done)
    let store = try EventStore.open(at: log)
    #expect(try store.head().blocks < 100)
  }

  @Test func `lines with ids and causes share commits, and a retry returns the same receipts`() throws {
    let lines = (1...1000).map { number in
      good(#""cause":1,"id":"018f2c6a-0000-7000-8000-\#(String(format: "%012d", number))""#)
    }.joined(separator: "\n")
    #expect(append(line("s", "0")).code == .done)
    let first = verbatim("log", "append", log, input: lines)
    #expect(first.code == .done)
    let second = verbatim("log", "append", log, input: lines)
    #expect(second.output == first.output)
    let head = try EventStore.open(at: log).head()
    #expect(head.position.rawValue == 1001)
    #expect(head.blocks < 100)
  }

  @Test func `a version conflict stops the input and keeps earlier appends`() {
    let run = append(
      line("a", "1"), line("a", "2"), good(#""expect":[{"stream":"a","version":1}]"#), line("a", "4"))
    #expect(run.code == .refused)
    #expect(run.lines.count == 2)
    #expect(run.errors.hasPrefix("verbatim: Line 5: The stream a was expected at version 1 and is at version 2"))
    #expect(run.errors.hasSuffix("Lines 1 to 3 were appended and stay.\n"))
    #expect(verbatim("log", "read", log).payloads == ["1", "2"])
  }

  @Test func `expected versions include the lines before`() {
    let lines = (0..<5).map { good(#""expect":[{"stream":"a","version":\#($0)}]"#) }
    #expect(append(lines.joined(separator: "\n")).code == .done)
    let exists = #"{"stream":"b","type":"t","payload":"","expect":[{"stream":"b","is":"exists"}]}"#
    #expect(append(exists).code == .refused)
    #expect(append(exists).errors.hasSuffix("Nothing was appended.\n"))
  }

  @Test func `an append id reused for other events stops the input`() {
    let line = { (id: String, text: String) in #"{"id":"\#(id)","stream":"a","type":"t","payload":"\#(text)"}"# }
    let run = append(line(id, "1"), line(id, "1"), line(id, "2"), line(id2, "3"))
    #expect(run.code == .refused)
    #expect(run.lines.count == 2)
    #expect(run.lines.first == run.lines.last)
    #expect(run.errors.hasPrefix("verbatim: Line 3: The append id \(id) was used for other events, at position 1"))
    #expect(verbatim("log", "read", log).payloads == ["1"])
  }

  @Test func `a cause that is not in the log stops the input`() {
    let run = append(line("a", "1"), #"{"stream":"a","type":"t","payload":"2","cause":2}"#, line("a", "3"))
    #expect(run.code == .refused)
    #expect(run.errors.contains("position 2 as its cause, which is not in the log yet"))
    #expect(verbatim("log", "read", log).payloads == ["1"])
    #expect(append(line("a", "2"), #"{"stream":"a","type":"t","payload":"3","cause":2}"#).code == .done)
  }

  @Test func `an invalid line stops the input after the lines before it`() {
    let run = append(line("a", "1"), "", "  ", "{]", line("a", "2"))
    #expect(run.code == .misused)
    #expect(run.errors.hasPrefix("verbatim: Line 5: The line is not JSON (byte 2: a key in quotes is missing)"))
    #expect(run.errors.hasSuffix("Line 1 was appended and stays.\n"))
    #expect(verbatim("log", "read", log).payloads == ["1"])
  }

  @Test func `bytes that are not UTF-8 are refused with the number of their line`() {
    let bytes = Array(#"{"stream":"a","type":"t","payload":""#.utf8) + [0xFF] + Array("\"}\n".utf8)
    let run = verbatim(["log", "append", log, "--create"], input: bytes)
    #expect(run.code == .misused)
    #expect(run.errors.contains("Line 1: The line is not JSON (byte 37: the string that begins here is not UTF-8)"))
  }

  @Test func `contradictory expectations are invalid input`() {
    let both = #"[{"stream":"a","is":"none"},{"stream":"a","is":"exists"}]"#
    let run = append(#"{"stream":"a","type":"t","payload":"1","expect":\#(both)}"#)
    #expect(run.code == .misused)
    #expect(run.errors.hasPrefix("verbatim: Line 1: The stream a cannot be expected not to exist and to exist"))
  }

  @Test func `with --together all lines are one append`() throws {
    let run = append(
      #"{"stream":"a","type":"t","payload":"1","id":"\#(id)","expect":[{"stream":"a","is":"none"}]}"#,
      #"{"correlation":"c","events":[\#(line("b", "2")),\#(line("a", "3"))]}"#.filter { $0 != "\n" },
      options: "--together")
    #expect(run.code == .done)
    #expect(run.values("id") == [id])
    #expect(run.lines.count == 1)
    #expect(try EventStore.open(at: log).head().blocks == 1)
    #expect(verbatim("log", "read", log).values("correlation") == ["c", "c", "c"])
  }

  @Test func `with --together an error appends nothing`() {
    let conflict = #"{"stream":"a","type":"t","payload":"2","expect":[{"stream":"a","version":1}]}"#
    let refused = append(line("a", "1"), conflict, options: "--together")
    #expect(refused.code == .refused)
    #expect(refused.errors.hasPrefix("verbatim: Lines 1 to 3: "))
    #expect(append(line("a", "1"), "{}", options: "--together").code == .misused)
    let ids = [id, id2].map { #"{"id":"\#($0)","stream":"a","type":"t","payload":""}"# }
    let two = append(ids[0], ids[1], options: "--together")
    #expect(two.code == .misused)
    #expect(two.errors.contains("Line 2: “id” differs from that of an earlier line"))
    #expect(append("", options: "--together").code == .misused)
    #expect(verbatim("log", "read", log).output == "")
  }

  @Test func `empty input appends nothing`() {
    #expect(append("").code == .done)
    #expect(append("").output == "")
    #expect(verbatim("log", "verify", log).code == .done)
  }

  @Test func `a workspace's log refuses raw appends`() throws {
    let genesis = Genesis.new(application: "acme.chat")
    _ = try EventStore.open(at: log, options: LMDBLog.Options(creates: true, genesis: genesis))
    let run = append(line("a", "1"))
    #expect(run.code == .refused)
    #expect(
      run.errors == """
        verbatim: The log at \(log) belongs to a chat workspace (acme.chat): append through that.\n
        """)
  }

  @Test func `a missing log is created only with --create`() {
    let run = verbatim("log", "append", log, input: line("a", "1"))
    #expect(run.code == .unable)
    #expect(!FileManager.default.fileExists(atPath: log))
  }
}

struct `Invalid lines of append` {
  @Test(arguments: [
    (#"[]"#, "the line must be an object and is an array."),
    (#"{"stream":"a","type":"t"}"#, "The line must have either “payload” or “payload64”."),
    (good(#""payload64":"""#), "The line must have either “payload” or “payload64”."),
    (#"{"type":"t","payload":""}"#, "“stream” of the line is missing: add it."),
    (#"{"stream":"a","payload":""}"#, "“type” of the line is missing: add it."),
    (good(#""actr":"x""#), "“actr” is not a key of the line: did you mean “actor”?"),
    (good(#""x":"x""#), "“x” is not a key of the line: leave it out."),
    (good(#""position":1"#), "“position” is not a key of the line: leave it out."),
    (#"{"stream":1,"type":"t","payload":""}"#, "“stream” of the line must be a text and is a number."),
    (#"{"stream":"a","type":"t","payload":null}"#, "“payload” of the line must be a text and is null."),
    (#"{"stream":"a","type":"t","payload":{}}"#, "“payload” of the line must be a text and is an object."),
    (good(#""actor":null"#), "“actor” of the line must be a text and is null."),
    (good(#""cause":"1""#), "“cause” of the line must be a whole number and is a text."),
    (good(#""cause":1.0"#), "“cause” of the line is 1.0 and must be a whole number \(range)."),
    (good(#""cause":1e2"#), "“cause” of the line is 1e2 and must be a whole number \(range)."),
    (good(#""cause":-1"#), "“cause” of the line is -1 and must be a whole number \(range)."),
    (
      good(#""cause":18446744073709551616"#),
      "“cause” of the line is 18446744073709551616 and must be a whole number \(range)."
    ),
    (good(#""cause":0"#), "“cause” of the line is 0 and must be at least 1."),
    (
      #"{"stream":"","type":"t","payload":""}"#,
      "“stream” of the line is not a valid name (it is empty: give it 1 to 320 bytes)."
    ),
    (
      #"{"stream":"a\n","type":"t","payload":""}"#,
      "“stream” of the line is not a valid name (it has a control character: leave it out)."
    ),
    (
      #"{"stream":"a","type":"t","payload64":"A"}"#,
      "“payload64” of the line is not base64: encode it with padding and without line breaks."
    ),
    (good(#""id":"x""#), "“id” of the line is “x” and must be a UUID."),
    (#"{"events":[]}"#, "“events” of the line is empty: add an event."),
    (#"{"events":{}}"#, "“events” of the line must be an array and is an object."),
    (#"{"events":[1]}"#, "the event must be an object and is a number."),
    (
      #"{"events":[{"stream":"a","type":"t","payload":""}],"stream":"a"}"#,
      "“stream” is not a key of the line: leave it out."
    ),
    (
      #"{"events":[{"stream":"a","type":"t","payload":"","id":"x"}]}"#,
      "“id” is not a key of the event: leave it out."
    ),
    (good(#""expect":{}"#), "“expect” of the line must be an array and is an object."),
    (good(#""expect":[{"stream":"a"}]"#), "The expectation must have either “is” or “version”."),
    (
      good(#""expect":[{"stream":"a","is":"any","version":1}]"#),
      "The expectation must have either “is” or “version”."
    ),
    (
      good(#""expect":[{"stream":"a","is":"some"}]"#),
      "“is” of the expectation is “some” and must be any, none or exists."
    ),
    (good(#""expect":[{"is":"any"}]"#), "“stream” of the expectation is missing: add it."),
    (
      good(#""expect":[{"stream":"a","is":"any","x":1}]"#),
      "“x” is not a key of the expectation: leave it out."
    ),
  ])
  func `an invalid line throws the defect of its member`(line: String, defect: String) {
    #expect(throws: InputDefect(defect)) { try Append(line: Array(line.utf8)) }
  }

  @Test func `a recorded line requires its append id and refuses expectations`() throws {
    let read = #"{"position":1,"stream":"a","version":1,"recorded":"r","type":"t","append":"\#(id)","payload":""}"#
    #expect(try Append(recordedLine: Array(read.utf8)).id == AppendID(id))
    for key in ["position", "version", "recorded", "append"] {
      let line = read.replacing(try Regex(#""\#(key)":[^,]*,"#), with: "")
      #expect(throws: InputDefect("“\(key)” of the line is missing: add it.")) {
        try Append(recordedLine: Array(line.utf8))
      }
    }
    for key in ["id", "expect", "events", "x"] {
      #expect(throws: InputDefect.self) {
        try Append(recordedLine: Array(read.replacing("{", with: "{\"\(key)\":\"\(id)\",").utf8))
      }
    }
    #expect(throws: InputDefect.self) { try Append(recordedLine: Array(read.replacing(":1,", with: ":0,").utf8)) }
  }
}

struct `Appending recorded lines` {
  private let folder = Folder()

  @Test func `recorded lines recreate the log with its append ids and causes`() {
    let first = folder("first")
    let second = folder("second")
    let events = #"{"stream":"a","type":"t","payload":"1"},{"stream":"b","type":"t","payload64":"/w=="}"#
    let together = #"{"events":[\#(events)],"correlation":"c"}"#
    let input = [together, #"{"stream":"a","type":"u","payload":"é\u0000","cause":1,"actor":"x"}"#, together]
      .joined(separator: "\n")
    #expect(verbatim("log", "append", first, "--create", input: input).code == .done)
    let read = verbatim("log", "read", first)
    let copied = verbatim("log", "append", second, "--create", "--from-read", input: read.output)
    #expect(copied.code == .done)
    #expect(copied.lines.count == 3)
    let again = verbatim("log", "read", second)
    #expect(withoutTimes(again) == withoutTimes(read))
    let repeated = verbatim("log", "append", second, "--from-read", input: read.output)
    #expect(repeated.output == copied.output)
    #expect(verbatim("log", "append", second, input: read.output).code == .misused)
  }

  @Test func `a recorded append in two parts is refused`() {
    let line = { (append: String, payload: String, more: String) in
      #"{"position":1,"stream":"a","version":1,"recorded":"r","type":"t","append":"\#(append)","#
        + #""payload":"\#(payload)"\#(more)}"#
    }
    let parts = [line(id, "1", ""), line(id2, "2", ""), line(id, "3", "")].joined(separator: "\n")
    let run = verbatim("log", "append", folder("log"), "--create", "--from-read", input: parts)
    #expect(run.code == .refused)
    #expect(run.errors.contains("Line 3: The append id \(id) was used for other events"))
    let differing = [line(id, "1", ""), line(id, "2", #","correlation":"c""#)].joined(separator: "\n")
    let second = verbatim("log", "append", folder("other"), "--create", "--from-read", input: differing)
    #expect(second.code == .misused)
    #expect(second.errors.contains("Line 2: The line has another correlation"))
    #expect(verbatim("log", "append", folder("log"), "--together", "--from-read").code == .misused)
  }

  private func withoutTimes(_ run: Run) -> [String] {
    run.lines.map { $0.replacing(#/"recorded":"[^"]*"/#, with: "") }
  }
}
