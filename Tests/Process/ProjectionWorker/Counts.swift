// Projections that tests fold, here and in other processes: event counts by stream, and one that throws.
package import Bytes
package import EventLog
import Tables
package import Projections

/// Counts the events of each stream, and adds up their payloads.
package struct Counts: Projection {
  package static let name = "counts"
  package static let revision = "1"
  package static let tableNames = ["streams", "types"]
  package static let streams = ProjectionTable<Counts, CountRow>("streams")
  package static let types = ProjectionTable<Counts, CountRow>("types")

  private let streams: LiveTable<CountRow>
  private let types: LiveTable<CountRow>

  package init(_ tables: ProjectionTables) { (streams, types) = (tables(Self.streams), tables(Self.types)) }

  package mutating func fold(_ event: EventView) throws {
    let bytes = UInt64(event.payload.byteCount)
    try streams.change(event.stream.array) { $0.count(bytes) }
    // A type's row is removed with every seventh event, so that rows are created and removed.
    let type = event.type.array
    if event.position.rawValue.isMultiple(of: 7) {
      try types.set(nil, for: type)
    } else {
      try types.change(type) { $0.count(bytes) }
    }
  }
}

/// Throws at an event whose payload is “poison”, after it has changed its table.
package struct Fragile: Projection {
  package static let name = "fragile"
  package static let revision = "1"
  package static let tableNames = ["seen"]
  package static let seen = ProjectionTable<Fragile, CountRow>("seen")

  private let seen: LiveTable<CountRow>

  package init(_ tables: ProjectionTables) { seen = tables(Self.seen) }

  package mutating func fold(_ event: EventView) throws {
    try seen.change(Array("all".utf8)) { $0.count(1) }
    if event.payload.array == Array("poison".utf8) { throw Poison() }
  }

  package struct Poison: Error, CustomStringConvertible { package var description: String { "it is poison" } }
}

package struct CountRow: BinaryRow, Equatable {
  package var events: UInt64 = 0
  package var bytes: UInt64 = 0

  package init(events: UInt64 = 0, bytes: UInt64 = 0) { (self.events, self.bytes) = (events, bytes) }

  package init?(decoding stored: RawSpan) {
    var reader = ByteReader(stored)
    guard let events = reader.varint(), let bytes = reader.varint(), reader.isAtEnd else { return nil }
    (self.events, self.bytes) = (events, bytes)
  }

  package func encode(into writer: inout ByteWriter) {
    writer.varint(events)
    writer.varint(bytes)
  }
}

extension CountRow? {
  package mutating func count(_ bytes: UInt64) {
    let row = self ?? CountRow()
    self = CountRow(events: row.events + 1, bytes: row.bytes + bytes)
  }
}

extension RawSpan {
  package var array: [UInt8] { withUnsafeBytes { Array($0) } }
}

/// Stores the payload of every event, so that its table is large.
package struct Hoard: Projection {
  package static let name = "hoard"
  package static let revision = "1"
  package static let tableNames = ["payloads"]
  package static let payloads = ProjectionTable<Hoard, PayloadRow>("payloads")

  private let payloads: LiveTable<PayloadRow>

  package init(_ tables: ProjectionTables) { payloads = tables(Self.payloads) }

  package mutating func fold(_ event: EventView) throws {
    let key = withUnsafeBytes(of: event.position.rawValue.bigEndian) { Array($0) }
    try payloads.set(PayloadRow(payload: event.payload.array), for: key)
  }
}

package struct PayloadRow: BinaryRow {
  package let payload: [UInt8]

  package init(payload: [UInt8]) { self.payload = payload }
  package init?(decoding stored: RawSpan) { payload = stored.array }
  package func encode(into writer: inout ByteWriter) { payload.withUnsafeBytes { writer.bytes($0) } }
}
