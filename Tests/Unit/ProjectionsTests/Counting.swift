// A reference count of a log in dictionaries, events drawn from a seed, and a directory for a test.
import EventLog
import EventLogLMDB
import Foundation
import SeededRandom
import Tables
import ProjectionWorker
import Projections

/// A reference count of events, in dictionaries.
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

  init(_ reading: ProjectionReader) throws(ProjectionError) {
    streams = try reading.rows(of: Counts.streams)
    types = try reading.rows(of: Counts.types)
  }
}

extension ProjectionReader {
  func rows<Owner: Projection>(of table: ProjectionTable<Owner, CountRow>) throws(ProjectionError) -> [[UInt8]:
    CountRow]
  {
    var rows: [[UInt8]: CountRow] = [:]
    try forEachRow(of: table) { key, row in
      rows[Array(key)] = row
      return true
    }
    return rows
  }
}

/// A directory that is removed with the test, and events drawn from a seed.
final class Scratch: Sendable {
  let path = FileManager.default.temporaryDirectory.path + "/views-tests-\(UUID().uuidString)"

  init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func log() throws -> EventStore {
    try EventStore.open(at: path + "/log", options: LMDBLog.Options(creates: true))
  }
}

extension EventStore {
  func appendNow(_ events: [ProposedEvent]) throws { _ = try appendBlocking(events) }
}

extension Scratch {
  func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path + "/" + name) }
}
