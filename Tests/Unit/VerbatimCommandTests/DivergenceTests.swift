// Threat: two different logs are reported as equal, or as different at a position that neither has.
import EventLog
import EventLogLMDB
import Foundation
import JSONLines
import Testing

@testable import VerbatimCommand

// `diff` compared events alone once the chains were known to differ. Where all events were equal, because a log was
// salvaged into a new one or committed in other blocks, it named the position behind the last event of both, at which
// neither log has an event. It now reports which of events, blocks and genesis differs first.
@Suite struct `The diff of two logs` {
  private let folder = Folder()
  private static let recorded = Timestamp(rawValue: 1_767_225_600_000_000)

  /// Creates a log of events `1`, `2` …, in blocks with the given numbers of events.
  private func log(_ name: String, _ genesis: Genesis, blocks: [Int], payload: (Int) -> String = { "\($0)" }) throws {
    let log = try LMDBLog.open(at: folder(name), options: LMDBLog.Options(creates: true, genesis: genesis))
    defer { log.close() }
    var number = 0
    var head = try log.head()
    for count in blocks {
      var block = CopiedBlock()
      for _ in 0..<count {
        number += 1
        let event = ProposedEvent(stream: "a", type: "said", payload: Array(payload(number).utf8))
        let digits = String(number)
        let id = AppendID("00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits)
        let append = Append([event], id: id)
        block.add(append, try #require(id), versions: [StreamVersion(rawValue: UInt64(number))])
      }
      head = try block.withBlock(after: head, at: Self.recorded) { block throws(LogError) in
        try log.append(block, after: head)
        return block.head
      }
    }
  }

  private func diff(_ one: String, _ other: String) throws -> (text: Run, json: JSON) {
    let json = verbatim("diff", folder(one), folder(other), "--json")
    return (verbatim("diff", folder(one), folder(other)), try JSONParser.parse(Array(json.output.utf8).dropLast()))
  }

  private func genesis(_ name: Name) -> Genesis { .new(at: Self.recorded, application: name) }

  @Test func `logs with the same events in other blocks differ in blocks`() throws {
    let genesis = genesis("test")
    try log("one", genesis, blocks: [2, 1, 2, 1])
    try log("other", genesis, blocks: [2, 3, 1])
    let (text, json) = try diff("one", "other")
    #expect(text.code == .refused)
    #expect(
      text.output == "The events are the same and were committed in different blocks from position 3 on.\n")
    #expect(json["differs"]?.text == "blocks" && json["position"]?.text == "3" && json["same"] == .bool(false))
  }

  @Test func `a log and its salvaged copy differ in genesis or blocks`() throws {
    try log("one", genesis("test"), blocks: [2, 1, 2, 1])
    #expect(verbatim("log", "salvage", folder("one"), "--into", folder("other")).code == .done)
    let (text, json) = try diff("one", "other")
    #expect(text.code == .refused)
    #expect(!text.output.contains("7"), "\(text.output)")
    let position = try #require(UInt64(json["position"]?.text ?? ""))
    #expect(position <= 6 && ["genesis", "blocks"].contains(json["differs"]?.text))
  }

  @Test func `separately created logs with equal blocks differ in genesis`() throws {
    try log("one", genesis("test"), blocks: [2, 1])
    try log("other", genesis("test"), blocks: [2, 1])
    let (text, json) = try diff("one", "other")
    #expect(
      text.output == "The 3 events are the same; the logs were created separately, so their chains differ.\n")
    #expect(json["differs"]?.text == "genesis" && json["position"]?.text == "3")
  }

  @Test func `separately created empty logs differ in genesis`() throws {
    try log("one", genesis("test"), blocks: [])
    try log("other", genesis("test"), blocks: [])
    let (text, json) = try diff("one", "other")
    #expect(text.output.hasPrefix("The 0 events are the same;"))
    #expect(json["position"]?.text == "0")
  }

  @Test func `logs differ at the first event that is different or missing`() throws {
    let genesis = genesis("test")
    try log("one", genesis, blocks: [2, 2])
    try log("other", genesis, blocks: [1, 3], payload: { $0 == 3 ? "else" : "\($0)" })
    try log("short", genesis, blocks: [2, 1])
    let (text, json) = try diff("one", "other")
    #expect(text.output.hasPrefix("The first event that differs is at position 3:\n"))
    #expect(json["differs"]?.text == "event" && json["one"]?["payload"]?.text == "3")
    #expect(json["other"]?["payload"]?.text == "else")
    let (shorter, _) = try diff("one", "short")
    #expect(shorter.output.hasSuffix("  \(folder("short")): ends before position 4\n"), "\(shorter.output)")
    #expect(try diff("one", "one").text.code == .done)
  }
}
