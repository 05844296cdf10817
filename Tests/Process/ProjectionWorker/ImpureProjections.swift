// Projections that read state outside the events, as no projection may; tests check that they are detected.
package import EventLog
import Tables
package import Projections

/// Records the first stream in a set of the last events' streams, which depends on the process's hash seed.
package struct HashOrder: Projection {
  package static let name = "hash-order"
  package static let revision = "1"
  package static let tableNames = ["first"]

  private let first: LiveTable<CountRow>
  private var last: [[UInt8]] = []

  package init(_ tables: ProjectionTables) { first = tables(ProjectionTable<HashOrder, CountRow>("first")) }

  package mutating func fold(_ event: EventView) throws {
    last = last.suffix(9) + [event.stream.array]
    let streams = Set(last)
    for stream in streams.prefix(1) { try first.change(stream) { $0.count(1) } }
  }
}

/// Records the time of folding.
package struct Clock: Projection {
  package static let name = "clock"
  package static let revision = "1"
  package static let tableNames = ["times"]

  private let times: LiveTable<CountRow>

  package init(_ tables: ProjectionTables) { times = tables(ProjectionTable<Clock, CountRow>("times")) }

  package mutating func fold(_ event: EventView) throws {
    let now = UInt64(bitPattern: Timestamp.now.rawValue)
    try times.set(CountRow(events: now, bytes: 0), for: event.stream.array)
  }
}
