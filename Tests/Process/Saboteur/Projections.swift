// The projections of an app: a correct one, and others that depend on something besides the events, each differently.
import Bytes
import EventLog
import Foundation
import Tables
import Projections

/// Counts the events of each stream.
struct Popularity: Projection {
  static let name = "popularity"
  static let revision = "1"
  static let tableNames = ["streams"]

  private let streams: LiveTable<Note>

  init(_ tables: ProjectionTables) { streams = tables(ProjectionTable<Self, Note>("streams")) }

  mutating func fold(_ event: EventView) throws {
    try streams.change(event.stream.array) { $0.count() }
  }
}

/// The faults that can be chosen, each with its projections.
enum Fault {
  static func projections(named name: String?) -> [any Projection.Type] {
    switch name {
    case "hash-order": [HashOrder.self]
    case "time-zone": [ZoneOfItsOwn.self]
    case "batch-size": [Forgetful.self]
    case "crash": [Crashing.self]
    case "history-1": [HistoryBefore.self]
    case "history-2": [HistoryAfter.self]
    case "history-2-more": [HistoryAfter.self, Additional.self]
    default: []
    }
  }
}

/// The position of the event at which the faults occur.
private let fateful: UInt64 = 777

/// Records, at one event, two names of a set in the set's order.
struct HashOrder: Projection {
  static let name = "hashOrder"
  static let revision = "1"
  static let tableNames = ["notes"]

  private let notes: LiveTable<Note>

  init(_ tables: ProjectionTables) { notes = tables(ProjectionTable<Self, Note>("notes")) }

  mutating func fold(_ event: EventView) throws {
    guard event.position.rawValue == fateful else { return }
    let names: Set<String> = ["ada", "ben"]
    try notes.set(Note(names.joined(separator: ", ")), for: Array("names".utf8))
  }
}

/// Records, at one event, the hour in the process's time zone.
struct ZoneOfItsOwn: Projection {
  static let name = "zone"
  static let revision = "1"
  static let tableNames = ["notes"]

  private let notes: LiveTable<Note>

  init(_ tables: ProjectionTables) { notes = tables(ProjectionTable<Self, Note>("notes")) }

  mutating func fold(_ event: EventView) throws {
    guard event.position.rawValue == fateful else { return }
    let time = Date(timeIntervalSince1970: Double(event.recorded.rawValue) / 1_000_000)
    let hours = TimeZone.current.secondsFromGMT(for: time) / 3_600
    try notes.set(Note("\(hours) hours from Greenwich"), for: Array("hour".utf8))
  }
}

/// Counts the events since its creation, which is when rows were last written, and records the count at one event.
struct Forgetful: Projection {
  static let name = "forgetful"
  static let revision = "1"
  static let tableNames = ["notes"]

  private let notes: LiveTable<Note>
  private var seen = 0

  init(_ tables: ProjectionTables) { notes = tables(ProjectionTable<Self, Note>("notes")) }

  mutating func fold(_ event: EventView) throws {
    seen += 1
    guard event.position.rawValue == 3_777 else { return }
    try notes.set(Note("\(seen) seen"), for: Array("seen".utf8))
  }
}

/// Crashes its process.
struct Crashing: Projection {
  static let name = "crashing"
  static let revision = "1"
  static let tableNames = ["notes"]

  init(_ tables: ProjectionTables) { _ = tables(ProjectionTable<Self, Note>("notes")) }

  mutating func fold(_ event: EventView) throws {
    if event.position.rawValue == fateful { fatalError("as it was asked to") }
  }
}

/// A projection before a code change.
struct HistoryBefore: Projection {
  static let name = "history"
  static let revision = "1"
  static let tableNames = ["notes"]

  private let notes: LiveTable<Note>

  init(_ tables: ProjectionTables) { notes = tables(ProjectionTable<Self, Note>("notes")) }

  mutating func fold(_ event: EventView) throws {
    if event.position.rawValue >= fateful { try notes.change(Array("late".utf8)) { $0.count() } }
  }
}

/// The projection after the change, with an unchanged revision.
struct HistoryAfter: Projection {
  static let name = "history"
  static let revision = "1"
  static let tableNames = ["notes"]

  private let notes: LiveTable<Note>

  init(_ tables: ProjectionTables) { notes = tables(ProjectionTable<Self, Note>("notes")) }

  mutating func fold(_ event: EventView) throws {
    if event.position.rawValue > fateful { try notes.change(Array("late".utf8)) { $0.count() } }
  }
}

/// Counts all events, in a table that earlier programs do not have.
struct Additional: Projection {
  static let name = "additional"
  static let revision = "1"
  static let tableNames = ["notes"]

  private let notes: LiveTable<Note>

  init(_ tables: ProjectionTables) { notes = tables(ProjectionTable<Self, Note>("notes")) }

  mutating func fold(_ event: EventView) throws { try notes.change(Array("all".utf8)) { $0.count() } }
}

/// A row that contains a text.
struct Note: BinaryRow {
  var text: String

  init(_ text: String) { self.text = text }

  init?(decoding bytes: RawSpan) {
    guard let text = bytes.withUnsafeBytes({ String(validating: $0, as: UTF8.self) }) else { return nil }
    self.text = text
  }

  func encode(into writer: inout ByteWriter) {
    var text = text
    text.withUTF8 { writer.bytes(UnsafeRawBufferPointer($0)) }
  }
}

extension Note? {
  /// Increments the number in the row.
  fileprivate mutating func count() { self = Note("\((Int(self?.text ?? "") ?? 0) + 1)") }
}

extension RawSpan {
  fileprivate var array: [UInt8] { withUnsafeBytes { Array($0) } }
}
