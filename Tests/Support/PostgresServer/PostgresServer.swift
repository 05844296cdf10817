// A PostgreSQL server of the tests' own.
import ChildProcess
import Foundation

/// A server in a temporary directory, which is stopped and removed with this object or with the test process.
package final class PostgresServer: Sendable {
  /// The directory of the server's socket.
  package let directory: String
  /// The text that the server's own log has so far.
  package var log: String { (try? String(contentsOfFile: directory + "/log", encoding: .utf8)) ?? "" }
  private let child: Lock

  // Safe because the child is only used within the lock.
  private final class Lock: @unchecked Sendable {
    let lock = NSLock()
    let child: Child
    init(_ child: Child) { self.child = child }
  }

  /// The server that tests share, each with logs of its own.
  package static func shared() throws -> PostgresServer { try common.get() }
  private static let common = Result { try PostgresServer() }

  /// Starts a server with settings such as `synchronous_commit=off`, on a disk of its own if one is given.
  package convenience init(settings: [String] = [], on disk: SmallDisk? = nil) throws {
    try self.init(settings: settings, copy: nil, on: disk)
  }

  private init(settings: [String], copy: String?, on disk: SmallDisk? = nil) throws {
    let binaries = try Self.binaries()
    directory = (disk?.directory ?? "/tmp") + "/verbatim-postgres-\(UInt64.random(in: 0 ... .max))"
    let user = try Self.userOfServers(owning: directory)
    let options = (["max_connections=500", "listen_addresses=", "unix_socket_directories=\(directory)"] + settings).map
    { "-c '\($0)'" }
    let initdb = "initdb -D data -U verbatim --auth=trust --encoding=UTF8 --locale=C --no-sync"
    let script = """
      cd "$1" && PATH=$2:$PATH && { [ -d data ] || \(copy ?? initdb); } >/dev/null &&
        pg_ctl -D data -w -l log -o "$3" start >/dev/null && echo ready && while read -r line; do
          $line >/dev/null && echo ready
        done
      pg_ctl -D data -m immediate stop >/dev/null
      rm -rf "$1"
      """
    let child = try Child(
      user + ["sh", "-c", script, "sh", directory, binaries, options.joined(separator: " ")], inOwnGroup: true)
    self.child = Lock(child)
    try child.expect("ready")
  }

  /// Starts a standby of another server, which is initialised with a copy of it.
  package convenience init(following primary: PostgresServer, name: String, settings: [String] = []) throws {
    let primary = "host=\(primary.directory) user=verbatim application_name=\(name)"
    try self.init(settings: settings, copy: "pg_basebackup -D data -R -d '\(primary)' --checkpoint=fast --no-sync")
  }

  /// Stops the server as a crash does, and starts it again.
  package func crash() throws { try run("pg_ctl -D data -m immediate -w -l log restart") }

  /// Stops the server as a crash does, for good.
  package func kill() throws { try run("pg_ctl -D data -m immediate stop") }

  /// Makes a standby accept writes.
  package func promote() throws { try run("pg_ctl -D data -w promote") }

  private func run(_ command: String) throws {
    child.lock.lock()
    defer { child.lock.unlock() }
    child.child.send(command)
    try child.child.expect("ready")
  }

  /// Whether the server answers; one whose disk is full may accept no connection although it runs.
  package var isAnswering: Bool { (try? query("SELECT 1")) != nil }

  /// Takes the last blocks of a log back, as a server does that is restored from a backup: up to a position.
  package func lose(of log: String, after position: UInt64) throws {
    try query(
      """
      DELETE FROM verbatim.blocks WHERE last > \(position) AND log = (
        SELECT id FROM verbatim.logs WHERE name = '\(log)');
      UPDATE verbatim.logs SET (position, hash, blocks, recorded) = (
        SELECT position, hash, blocks, recorded FROM "heads of \(log)" WHERE position = \(position))
        WHERE name = '\(log)';
      """)
  }

  /// Remembers the head of a log, to which ``lose(of:after:)`` takes it back.
  package func rememberHead(of log: String) throws {
    try query(
      """
      CREATE TABLE "heads of \(log)" AS
        SELECT position, hash, blocks, recorded FROM verbatim.logs WHERE name = '\(log)';
      """)
  }

  deinit { stop() }

  /// Stops the server and removes its directory.
  package func stop() {
    child.lock.lock()
    defer { child.lock.unlock() }
    child.child.closeInput()
    child.child.wait()
  }

  /// Returns the address of the log with a name, in the database that every server has or in another.
  package func address(ofLog name: String, user: String = "verbatim", in database: String = "postgres") -> String {
    "postgres:///\(database)?host=\(directory)&user=\(user)&log=\(name)"
  }

  /// Returns what `psql` prints for statements, one line for each row.
  @discardableResult
  package func query(_ statements: String, in database: String = "postgres") throws -> [String] {
    let psql = try Child([
      Self.binaries() + "/psql", "-h", directory, "-U", "verbatim", "-d", database, "-qAtc", statements,
    ])
    let lines = try psql.lines()
    guard psql.wait() == .exit(0) else { throw Child.Failure.other(lines.joined(separator: "\n"), instead: "rows") }
    return lines
  }

  /// Creates a directory for a server; returns the beginning of the command that runs the server as its owner, since
  /// servers refuse to run as root.
  static func userOfServers(owning directory: String) throws -> [String] {
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    guard geteuid() == 0 else { return [] }
    guard let entry = getpwnam("postgres"), chown(directory, entry.pointee.pw_uid, entry.pointee.pw_gid) == 0 else {
      throw Child.Failure.other("chown", instead: "the user postgres")
    }
    return ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
  }

  /// Returns the directory of the newest server's programs.
  private static func binaries() throws -> String {
    #if os(macOS)
      let parents = ["/opt/homebrew/opt", "/usr/local/opt"]
      let names = { (name: String) in name.hasPrefix("postgresql@") }
    #else
      let parents = ["/usr/lib/postgresql"]
      let names = { (name: String) in Int(name) != nil }
    #endif
    for parent in parents {
      let found = ((try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []).filter(names).sorted()
      if let newest = found.last { return parent + "/" + newest + "/bin" }
    }
    throw Child.Failure.other("no PostgreSQL", instead: "a server, which Tools/setup --checks installs")
  }
}
