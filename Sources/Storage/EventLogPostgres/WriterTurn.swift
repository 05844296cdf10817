// The writer lock of a log on a server: among the threads of a process, and among machines.
internal import Dispatch
internal import Locks

/// The turns of writers.
///
/// Threads of a process take turns by a semaphore. Machines do by an advisory lock of a session, which is kept for some
/// blocks, since handing it over takes several round trips, and given back when none follows soon.
internal final class WriterTurn: Sendable {
  private struct Lock {
    let connection: Connection
    /// The time at which it is handed to the next machine.
    let end: ContinuousClock.Instant
    var lastUse: ContinuousClock.Instant
  }

  /// The time for which the lock between machines is kept, and the time without an append after which it is not.
  private static let (kept, idle) = (Duration.milliseconds(10), Duration.milliseconds(1))
  /// The time for which the lock is not tried again after it was not granted: its holder is gone, and its session not
  /// yet.
  private static let pause = Duration.seconds(30)

  private let log: Int64
  private let pool: ConnectionPool
  private let timeout: Duration
  private let thread = DispatchSemaphore(value: 1)
  /// The lock between machines, while this process has it. It is changed only by the thread whose turn it is.
  private let lock = Locked<Lock?>(nil)
  /// The time before which the lock is not tried. It is used only by the thread whose turn it is.
  private let paused = Locked(ContinuousClock.now)
  private let releasing = DispatchQueue(label: "verbatim.turn")

  init(of log: Int64, in pool: ConnectionPool, timeout: Duration) {
    (self.log, self.pool, self.timeout) = (log, pool, timeout)
  }

  /// Waits for the turn; returns false when it was not given in time. With `amongMachines` it also tries to acquire the
  /// lock between machines, and runs the closure if it was acquired now.
  func begin(amongMachines: Bool, acquired: () -> Void) -> Bool {
    guard thread.wait(for: timeout) else { return false }
    if amongMachines, lock.withLock({ $0 == nil }), acquire() { acquired() }
    return true
  }

  /// Ends the turn.
  func end() {
    lock.withLock { lock in
      guard lock != nil else { return }
      let now = ContinuousClock.now
      lock?.lastUse = now
      if let held = lock, held.end <= now { release(&lock) } else { releaseSoon() }
    }
    thread.signal()
  }

  /// Gives the lock back.
  func close() { lock.withLock { release(&$0) } }

  /// Acquires the lock between machines; returns false where it is not granted within a second, for some time after
  /// that, and where sessions cannot hold locks, behind a pooler.
  private func acquire() -> Bool {
    guard paused.withLock({ $0 }) <= .now, let connection = try? pool.take() else { return false }
    do throws(PostgresError) {
      if connection.isPooled { throw .connection("a pooler") }
      try connection.execute(Schema.lock(log))
    } catch {
      if error.isLockTimeout { paused.withLock { $0 = .now + Self.pause } }
      pool.putBack(connection)
      return false
    }
    let now = ContinuousClock.now
    lock.withLock { $0 = Lock(connection: connection, end: now + Self.kept, lastUse: now) }
    return true
  }

  private func release(_ lock: inout Lock?) {
    guard let held = lock else { return }
    lock = nil
    // A session whose lock cannot be given back ends with its connection.
    if (try? held.connection.execute(Schema.unlock, [log])) != nil { pool.putBack(held.connection) }
  }

  /// Gives the lock back when no append follows.
  private func releaseSoon() {
    releasing.asyncAfter(deadline: .now() + .milliseconds(1)) { [weak self] in
      guard let self, thread.wait(timeout: .now()) == .success else { return }
      lock.withLock { lock in
        if let held = lock, held.lastUse.duration(to: .now) >= Self.idle { release(&lock) }
      }
      thread.signal()
    }
  }
}
