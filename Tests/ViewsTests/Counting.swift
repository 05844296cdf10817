// Views that the tests fold: how many events each stream has, and what is longest; logs in memory and on a disk.
import Bytes
import EventLog
import EventLogLMDB
import Foundation
import SeededRandom
import Tables
import Views

/// Counts the events of each stream, and adds up their payloads.
struct Counts: View {
  static let name = "counts"
  static let revision = "1"
  static let tableNames = ["streams", "types"]
  static let streams = ViewTable<Counts, CountRow>("streams")
  static let types = ViewTable<Counts, CountRow>("types")

  private let streams: LiveTable<CountRow>
  private let types: LiveTable<CountRow>

  init(_ tables: ViewTables) { (streams, types) = (tables(Self.streams), tables(Self.types)) }

  mutating func fold(_ event: EventView) throws {
    let bytes = UInt64(event.payload.byteCount)
    try streams.change(event.stream.array) { $0.count(bytes) }
    // A type is forgotten with every seventh event, so that rows come and go.
    let type = event.type.array
    if event.position.rawValue.isMultiple(of: 7) {
      try types.set(nil, for: type)
    } else {
      try types.change(type) { $0.count(bytes) }
    }
  }
}

/// Throws at an event whose payload is “poison”, after it has changed its table.
struct Fragile: View {
  static let name = "fragile"
  static let revision = "1"
  static let tableNames = ["seen"]
  static let seen = ViewTable<Fragile, CountRow>("seen")

  private let seen: LiveTable<CountRow>

  init(_ tables: ViewTables) { seen = tables(Self.seen) }

  mutating func fold(_ event: EventView) throws {
    try seen.change(Array("all".utf8)) { $0.count(1) }
    if event.payload.array == Array("poison".utf8) { throw Poison() }
  }

  struct Poison: Error, CustomStringConvertible { var description: String { "it is poison" } }
}

struct CountRow: TableRow, Equatable {
  var events: UInt64 = 0
  var bytes: UInt64 = 0

  init(events: UInt64 = 0, bytes: UInt64 = 0) { (self.events, self.bytes) = (events, bytes) }

  init?(decoding stored: RawSpan) {
    var reader = ByteReader(stored)
    guard let events = reader.varint(), let bytes = reader.varint(), reader.isAtEnd else { return nil }
    (self.events, self.bytes) = (events, bytes)
  }

  func encode(into writer: inout ByteWriter) {
    writer.varint(events)
    writer.varint(bytes)
  }
}

extension CountRow? {
  mutating func count(_ bytes: UInt64) {
    let row = self ?? CountRow()
    self = CountRow(events: row.events + 1, bytes: row.bytes + bytes)
  }
}

extension RawSpan {
  var array: [UInt8] { withUnsafeBytes { Array($0) } }
}

/// What counting makes of events, in dictionaries.
struct Counted: Equatable {
  var streams: [[UInt8]: CountRow] = [:]
  var types: [[UInt8]: CountRow] = [:]

  init(_ events: [RecordedEvent] = []) {
    for event in events {
      let bytes = UInt64(event.payload.count)
      streams[Array(event.stream.text.utf8)].count(bytes)
      let type = Array(event.type.text.utf8)
      if event.position.rawValue.isMultiple(of: 7) { types[type] = nil } else { types[type].count(bytes) }
    }
  }

  init(_ reading: ViewReading) throws(ViewError) {
    streams = try reading.rows(of: Counts.streams)
    types = try reading.rows(of: Counts.types)
  }
}

extension ViewReading {
  func rows<Owner: View>(of table: ViewTable<Owner, CountRow>) throws(ViewError) -> [[UInt8]: CountRow] {
    var rows: [[UInt8]: CountRow] = [:]
    try forEachRow(of: table) { key, row in
      rows[Array(key)] = row
      return true
    }
    return rows
  }
}

/// A directory that goes with the test, and events drawn from a seed.
final class Scratch: Sendable {
  let path = FileManager.default.temporaryDirectory.path + "/views-tests-\(UUID().uuidString)"

  init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func log() throws -> EventStore {
    try EventStore.open(at: path + "/log", options: LMDBLog.Options(creates: true))
  }
}

extension SeededRandom {
  mutating func events(_ count: Int) -> [ProposedEvent] {
    (0..<count).map { _ in
      ProposedEvent(
        stream: Name(validatedText: "stream/\(below(20))"), type: Name(validatedText: "type\(below(5))"),
        payload: noise(below(30)))
    }
  }
}

extension Name {
  init(validatedText text: String) { self = (try? Name(text)) ?? "none" }
}

extension EventStore {
  func appendNow(_ events: [ProposedEvent]) throws { _ = try append(events) }
}

extension Scratch {
  func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path + "/" + name) }
}
