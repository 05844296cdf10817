// The connections of a log, each used by one thread at a time.
internal import Locks

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The idle connections to a server; a thread that finds none opens one.
internal final class ConnectionPool: Sendable {
  private struct State {
    var idle: [Connection] = []
    var isClosed = false
  }

  private let address: PostgresAddress
  private let patience: Duration
  private let state: Locked<State>
  /// The number of idle connections that are kept.
  private static let idleMax = 4

  /// Creates a pool with a first connection; statements are retried for a time after a connection was lost.
  init(to address: PostgresAddress, _ first: Connection, retryingFor patience: Duration) {
    (self.address, self.patience) = (address, patience)
    state = Locked(State(idle: [first]))
  }

  /// Runs the closure with a connection; again with another one while the server cannot be reached.
  ///
  /// `isRetry` is whether an earlier attempt was made, which may have been executed although it failed. Attempts are
  /// made for a time at most, if one is given that is shorter than that of the pool.
  func run<R>(
    for time: Duration? = nil, _ body: (Connection, _ isRetry: Bool) throws(PostgresError) -> R
  ) throws(PostgresError) -> R {
    let patience = min(patience, time ?? patience)
    var deadline: ContinuousClock.Instant?
    var (isRetry, pause) = (false, UInt32(10_000))
    while true {
      do throws(PostgresError) { return try attempt(isRetry, body) } catch {
        guard error.isTransient, .now < deadline ?? .now + patience, !state.withLock({ $0.isClosed }) else {
          throw error
        }
      }
      deadline = deadline ?? .now + patience
      isRetry = true
      // The other idle connections are probably dead, too.
      state.withLock { $0.idle.removeAll { !$0.isUsable } }
      usleep(pause)
      pause = min(2 * pause, 500_000)
    }
  }

  private func attempt<R>(
    _ isRetry: Bool, _ body: (Connection, _ isRetry: Bool) throws(PostgresError) -> R
  ) throws(PostgresError) -> R {
    let connection = try take()
    do throws(PostgresError) {
      let result = try body(connection, isRetry)
      putBack(connection)
      return result
    } catch {
      // A server that became a standby refuses writes on a working connection: another one may lead to the primary.
      if !error.isTransient { putBack(connection) }
      throw error
    }
  }

  /// Closes the idle connections, and those in use when they are returned.
  func close() {
    state.withLock { state in
      state.idle = []
      state.isClosed = true
    }
  }

  /// Takes an idle connection, or opens one; it is used by the caller alone.
  func take() throws(PostgresError) -> Connection {
    let idle = try state.withLock { state throws(PostgresError) in
      if state.isClosed { throw .connection("it was closed") }
      return state.idle.popLast()
    }
    if let idle { return idle }
    return try Connection(to: address)
  }

  /// Gives a connection back.
  func putBack(_ connection: Connection) {
    state.withLock { state in
      if connection.isUsable, !state.isClosed, state.idle.count < Self.idleMax { state.idle.append(connection) }
    }
  }
}
