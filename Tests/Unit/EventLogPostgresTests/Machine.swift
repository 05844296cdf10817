// A machine of the tests: a directory for what it derives from logs.
import EventLog
import EventLogPostgres
import Foundation
import Testing

/// A directory for the data that a machine derives from logs.
final class Machine: Sendable {
  let directory = "/tmp/verbatim-machine-\(UInt64.random(in: 0 ... .max))"

  deinit { try? FileManager.default.removeItem(atPath: directory) }

  func open(_ address: String, creates genesis: Genesis? = nil) throws -> EventStore {
    try open(#require(PostgresAddress(address)), creates: genesis)
  }

  func open(
    _ address: PostgresAddress, creates genesis: Genesis? = nil,
    configuration: EventStore.Configuration = EventStore.Configuration()
  ) throws -> EventStore {
    var options = PostgresLog.Options(creates: genesis != nil, genesis: genesis)
    options.cacheDirectory = directory
    return try .open(at: address, options: options, configuration: configuration)
  }
}
