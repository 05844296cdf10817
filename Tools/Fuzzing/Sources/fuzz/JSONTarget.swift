// The readers of JSON: of any value, of replays, of expected digests, of appends and of intents.
import Chat
@testable import ChatReplay
import EventLog
import Foundation
import JSONLines
@testable import VerbatimCommand

extension Target {
  /// A first byte for the reader, and the bytes of a line or of lines.
  static let json = Target("json", seeds: JSONTarget.seeds, check: JSONTarget.check)
}

private enum JSONTarget {
  static func check(_ input: [UInt8]) {
    let rest = Array(input.dropFirst())
    switch (input.first ?? 0) % 7 {
    case 0: checkValue(rest)
    case 1: checkReplayLine(rest)
    case 2: _ = try? ExpectedDigests(lines: rest.split(separator: 0x0A).map { Array($0) })
    case 3: _ = try? Append(line: rest)
    case 4: _ = try? Append(recordedLine: rest)
    case 5: checkIntent(rest)
    default: checkBase64(rest)
    }
  }

  /// A value must be written to text that is read as the same value; and so must each of its members.
  private static func checkValue(_ bytes: [UInt8]) {
    do throws(InputDefect) {
      let value = try JSONParser.parse(bytes)
      var writer = JSONWriter()
      writer.value(value)
      let again = try? JSONParser.parse(writer.bytes)
      require(again == value, "\(value) is written as \(writer.text)")
      var reader = try ObjectReader(value, what: "the value")
      for key in ["a", "position", "id"] {
        _ = try reader.integer(key)
        _ = try reader.texts(key + "s")
      }
      try reader.finish()
    } catch {
      require(!error.description.isEmpty, "a defect has no description")
    }
  }

  private static func checkReplayLine(_ bytes: [UInt8]) {
    guard let line = try? ReplayLine(line: bytes) else { return }
    var writer = JSONWriter()
    line.write(to: &writer)
    let again = try? ReplayLine(line: Array(writer.bytes.dropLast()))
    require(again == line, "\(line) is written as \(writer.text)")
  }

  private static func checkIntent(_ bytes: [UInt8]) {
    guard let json = try? JSONParser.parse(bytes) else { return }
    let defaults = IntentDefaults(user: "ada", message: { "m" }, editedAt: { Timestamp(rawValue: 0) })
    _ = try? ChatIntent(json: json, of: "the line", defaults)
  }

  private static func checkBase64(_ input: [UInt8]) {
    require(bytes(base64: base64(input)) == input, "\(input) is changed by base64")
    let text = String(decoding: input, as: UTF8.self)
    if let read = bytes(base64: text) { require(base64(read) == text, "\(text) is read as \(read)") }
  }

  static func seeds(_ fixtures: URL) throws -> [String: [UInt8]] {
    let events = try fixtures.appending(path: "events/events.jsonl").lines()
    let digests = try fixtures.appending(path: "logs/conversation/digests.jsonl").lines()
    var seeds: [String: [UInt8]] = [:]
    for (index, line) in (events.prefix(100) + digests.prefix(4)).enumerated() where line.count < 4000 {
      for mode: UInt8 in [0, 1, 3, 4, 5] { seeds["\(index)-\(mode)"] = [mode] + line }
    }
    seeds["digests"] = [2] + digests.prefix(4).joined(separator: [0x0A])
    let lines = [
      #"{"a":[null,true,-1.5e-7,"\ud83d\ude00\u0000\n"],"id":3,"positions":["b"]}"#,
      #"{"id":"019b7892-2014-7066-b27f-cda4b1dd4e2b","stream":"s","type":"t","text":"x","expect":[]}"#,
      #"{"events":[{"stream":"s","type":"t","base64":"AA==","actor":"a","device":"d","cause":1}],"correlation":"c"}"#,
      #"{"changed":3,"table":"t","before":"a","after":"b"}"#, #"{"stopped":"p","position":3,"reason":"r"}"#,
      #"{"unreadable":3,"reason":"r"}"#, #"{"event":3,"rows":"00"}"#, #"{"ended":3}"#, "AAECAw==",
      #"{"user":"ada","change":{"name":"A","extra":{"n":[1,null]}}}"#,
      #"{"ban":{"user":"ben","scope":"everywhere"},"lift":{}}"#,
      #"{"channel":"c","create":{"kind":"duo","name":"C","config":{"off":["quotes"]},"members":["ben"]}}"#,
      #"{"message":{"channel":"general"},"send":{"text":"Hello"}}"#,
    ]
    return seeds.merging(lines.seeds(modes: 0..<7)) { a, _ in a }
  }
}
