// The page *Projections* is true: its example compiles, runs, and is the one below.
import Bytes
import EventLog
import Foundation
import Tables
import Testing
import Projections

// example
/// The number of events of each author, and the time of the last.
struct Activity: Projection {
  static let name = "activity"
  static let revision = "1"
  static let tableNames = ["actors"]
  static let actors = ProjectionTable<Activity, ActivityRow>("actors")

  private let actors: LiveTable<ActivityRow>

  init(_ tables: ProjectionTables) { actors = tables(Self.actors) }

  mutating func fold(_ event: EventView) throws {
    guard let actor = event.actor else { return }
    let key = actor.withUnsafeBytes { Array($0) }
    let recorded = event.recorded
    try actors.change(key) { row in
      row = ActivityRow(events: (row?.events ?? 0) + 1, last: recorded)
    }
  }
}

struct ActivityRow: BinaryRow {
  var events: UInt64
  var last: Timestamp

  init(events: UInt64, last: Timestamp) { (self.events, self.last) = (events, last) }

  init?(decoding bytes: RawSpan) {
    var reader = ByteReader(bytes)
    guard let events = reader.varint(), let last = reader.fixed64(), reader.isAtEnd else { return nil }
    self.init(events: events, last: Timestamp(rawValue: Int64(bitPattern: last)))
  }

  func encode(into writer: inout ByteWriter) {
    writer.varint(events)
    writer.fixed64(UInt64(bitPattern: last.rawValue))
  }
}
// end

@Suite struct `The page Projections` {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  @Test func `the example of the page counts events`() throws {
    let store = try scratch.log()
    let event = ProposedEvent(stream: "a", type: "b", payload: [], actor: "ada")
    for _ in 0..<3 { try store.appendNow([event]) }
    try read(store, scratch.path + "/projections")
    let projections = try ProjectionStore(of: store, [Activity.self], at: scratch.path + "/projections")
    let last = try #require(try store.events(limit: .max).last)
    try stand(projections)
    try projections.read { reading throws(ProjectionError) in
      let ada = try reading.row(of: Array("ada".utf8), in: Activity.actors)
      #expect(ada?.events == 3)
      #expect(ada?.last == last.recorded)
    }
  }

  @Test func `the page has the example of this file`() throws {
    let tests = URL(filePath: #filePath)
    let path = tests.deletingLastPathComponent().appending(
      path: "../../../Sources/Storage/Projections/Projections.docc/Projections.md")
    let page = try String(contentsOf: path, encoding: .utf8)
    let shown = page.components(separatedBy: "```swift\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
    let source = try String(contentsOf: tests, encoding: .utf8)
    #expect(shown == parts(of: source, indentedBy: 0) + parts(of: source, indentedBy: 4))
  }

  /// Returns the text between the marks of examples with an indentation.
  private func parts(of source: String, indentedBy width: Int) -> [String] {
    let indent = String(repeating: " ", count: width)
    return source.components(separatedBy: "\n\(indent)// example\n").dropFirst().map { text in
      let run = text.components(separatedBy: "\n\(indent)// end\n")[0]
      return run.components(separatedBy: "\n").map { $0.dropFirst(width) + "\n" }.joined()
    }
  }

  private func read(_ store: EventStore, _ directory: String) throws {
    // example
    let projections = try ProjectionStore(of: store, [Activity.self], at: directory)
    try projections.read { reading throws(ProjectionError) in
      let ada = try reading.row(of: Array("ada".utf8), in: Activity.actors)
      print(reading.position, ada?.events ?? 0)
    }
    projections.close()
    // end
  }

  private func stand(_ projections: ProjectionStore) throws {
    // example
    let past = try projections.at(Timestamp(rawValue: 1_767_225_600_000_000))
    try past.read { reading throws(ProjectionError) in print(reading.position) }
    try past.move(to: Position(rawValue: 1))
    past.close()
    // end
  }
}
