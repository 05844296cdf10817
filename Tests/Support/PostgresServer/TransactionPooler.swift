// A pooler of connections between a program and a server.
import ChildProcess
import Foundation

/// PgBouncer with pooling of transactions: each statement of a connection can be executed by another server process.
package final class TransactionPooler: Sendable {
  /// The directory of the pooler's socket.
  package let directory: String
  // Safe because the child is only used when this object is created and removed.
  private nonisolated(unsafe) let child: Child

  /// Whether PgBouncer is installed.
  package static var isInstalled: Bool { program != nil }
  private static var program: String? {
    ["/usr/sbin/pgbouncer", "/opt/homebrew/bin/pgbouncer", "/usr/local/bin/pgbouncer"]
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Starts a pooler that shares some connections to a server among all its clients.
  package init(to server: PostgresServer, connections count: Int) throws {
    directory = "/tmp/verbatim-pooler-\(UInt64.random(in: 0 ... .max))"
    let user = try PostgresServer.userOfServers(owning: directory)
    let settings = """
      [databases]
      * = host=\(server.directory) user=verbatim
      [pgbouncer]
      listen_addr =
      listen_port = 5432
      unix_socket_dir = \(directory)
      auth_type = any
      pool_mode = transaction
      default_pool_size = \(count)
      ignore_startup_parameters = options
      """
    try settings.write(toFile: directory + "/settings", atomically: true, encoding: .utf8)
    guard let program = Self.program else { throw Child.Failure.other("no PgBouncer", instead: "one") }
    // What it says later is discarded: a pipe that nobody reads would fill, and stop it.
    let script = #""$1" "$2" 2>&1 | sed -u -n "s/.*process up.*/ready/p""#
    child = try Child(user + ["sh", "-c", script, "sh", program, directory + "/settings"], inOwnGroup: true)
    try child.expect("ready")
  }

  deinit {
    child.end()
    try? FileManager.default.removeItem(atPath: directory)
  }

  /// Returns the address of the log with a name, through the pooler.
  package func address(ofLog name: String) -> String {
    "postgres:///postgres?host=\(directory)&user=verbatim&log=\(name)"
  }
}
