// Notifications about appends, within a process and through the server.
internal import Dispatch
internal import Locks

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The news that a log has grown: from appends of this process at once, from those of others by `NOTIFY`.
///
/// A notification is sent after the commit, on a connection of its own: within the transaction of the append it would
/// make all commits of the server wait for each other. Those of appends that follow each other fast are sent as one,
/// since each is a transaction. It is only a hint, and one that is lost costs a second.
internal final class Channel: Sendable {
  private struct State {
    /// The number of notifications, of this process and of others.
    var count: UInt64 = 0
    var listens = false
    /// Whether the thread that listens runs.
    var isRunning = false
    var isClosed = false
    /// Whether a notification is to be sent.
    var isDue = false
    /// The time from which on the next notification may be sent.
    var next = DispatchTime.now()
  }

  /// The time between two notifications at least.
  private static let spacing = DispatchTimeInterval.milliseconds(2)

  private let name: String
  private let address: PostgresAddress
  /// Whether the server can send notifications, and the address does not forbid it.
  private let notifies: Bool
  private let state = Locked(State())
  private let signal = Signal()
  private let sender = DispatchQueue(label: "verbatim.notify")
  private let listener = DispatchQueue(label: "verbatim.listen")
  private let sending = Locked<Connection?>(nil)

  init(_ name: String, of address: PostgresAddress, canListen: Bool) {
    (self.name, self.address, notifies) = (name, address, canListen && address.notifies)
  }

  /// The number of notifications so far.
  var notificationCount: UInt64 { state.withLock { $0.count } }

  /// Blocks until there is a notification after the first `count`, or a time has passed, or the head is to be read
  /// since the server sends no notifications.
  func wait(for time: Duration, since count: UInt64) {
    let listens = state.withLock { state in
      if notifies, !state.isRunning, !state.isClosed {
        state.isRunning = true
        listener.async { [self] in listen() }
      }
      return state.listens
    }
    signal.sleep(for: min(time, listens ? .seconds(1) : .milliseconds(10))) { notificationCount != count }
  }

  /// Wakes the threads of this process, and sends a notification to the others soon.
  func notify() {
    let time: DispatchTime? = state.withLock { state in
      state.count += 1
      defer { state.isDue = true }
      return notifies && !state.isDue && !state.isClosed ? state.next : nil
    }
    signal.raise()
    guard let time else { return }
    if time <= .now() {
      sender.async { [self] in send() }
    } else {
      sender.asyncAfter(deadline: time) { [self] in send() }
    }
  }

  /// Ends both threads.
  func close() {
    state.withLock { $0.isClosed = true }
    signal.raise()
    sending.withLock { $0 = nil }
  }

  private func send() {
    state.withLock { state in
      state.isDue = false
      state.next = .now() + Self.spacing
    }
    sending.withLock { connection in
      do throws(PostgresError) {
        if connection?.isUsable != true {
          connection = try Connection(to: address)
          // Nothing is lost with it. Behind a pooler the setting would stay in a session that appends use, too.
          if connection?.isPooled == false { try connection?.execute("SET synchronous_commit = off") }
        }
        try connection?.execute("NOTIFY \(name)")
      } catch {
        connection = nil
      }
      // The notification of the last append may be sent after the log was closed, which has no session then.
      if state.withLock({ $0.isClosed }) { connection = nil }
    }
  }

  /// Waits for notifications until the channel is closed; connects anew after a failure.
  private func listen() {
    while !state.withLock({ $0.isClosed }) {
      do throws(PostgresError) {
        let connection = try Connection(to: address)
        // Behind a pooler the notifications would go to another session.
        if connection.isPooled { return }
        try connection.execute("LISTEN \(name)")
        raise(listens: true)
        while !state.withLock({ $0.isClosed }) {
          var descriptor = pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0)
          poll(&descriptor, 1, 200)
          if try connection.takeNotifications() { raise(listens: true) }
        }
      } catch {
        raise(listens: false)
        usleep(500_000)
      }
    }
  }

  private func raise(listens: Bool) {
    state.withLock { state in
      state.count += 1
      state.listens = listens
    }
    signal.raise()
  }
}
