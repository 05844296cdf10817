// A machine of the tests: a directory for what it derives from logs.
package import EventLog
package import EventLogPostgres
import Foundation

/// A directory for the data that a machine derives from logs, removed with the object.
package final class Machine: Sendable {
  /// The path of the directory.
  package let directory = "/tmp/verbatim-machine-\(UInt64.random(in: 0 ... .max))"

  package init() {}

  deinit { try? FileManager.default.removeItem(atPath: directory) }

  /// Opens the log at an address; creates it with a genesis.
  package func open(_ address: String, creates genesis: Genesis? = nil) throws -> EventStore {
    guard let address = PostgresAddress(address) else { throw OpenError.missing(path: address) }
    return try open(address, creates: genesis)
  }

  /// Opens the log at an address; creates it with a genesis.
  package func open(
    _ address: PostgresAddress, creates genesis: Genesis? = nil,
    configuration: EventStore.Configuration = EventStore.Configuration()
  ) throws -> EventStore {
    var options = PostgresLog.Options(creates: genesis != nil, genesis: genesis)
    options.cacheDirectory = directory
    return try .open(at: address, options: options, configuration: configuration)
  }

  /// Creates a log on the server that tests share.
  package func makeStore(
    _ genesis: Genesis, _ configuration: EventStore.Configuration = EventStore.Configuration()
  ) throws -> EventStore {
    let text = try PostgresServer.shared().address(ofLog: "log\(UInt64.random(in: 0 ... .max))")
    guard let address = PostgresAddress(text) else { throw OpenError.missing(path: text) }
    return try open(address, creates: genesis, configuration: configuration)
  }
}
