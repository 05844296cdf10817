// Which connections make room for others.
internal import CMicroHTTPD
internal import Locks

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The connections of a server: how many there are, and which have brought no request that was let in.
///
/// Without it, clients that send parts of a head now and then, or are refused again and again, keep all connections
/// busy, and nobody else gets in. While all are taken, the older half of these is closed every ``patience``.
internal final class ConnectionRoom: Sendable {
  /// The time that a new connection has at least to bring its first request.
  private static let patience = Duration.milliseconds(100)

  private let state = Locked(State())
  private let connectionsMax: Int

  private struct State {
    var count = 0
    /// The connections without a request that was let in.
    var strangers: [OpaquePointer: Stranger] = [:]
    /// Whether a task is making room.
    var isMakingRoom = false
  }

  private struct Stranger {
    let socket: Int32
    let arrival = ContinuousClock.now
  }

  init(connectionsMax: Int) { self.connectionsMax = connectionsMax }

  /// Called when a connection was accepted, or is about to be closed.
  static let changed: MHD_NotifyConnectionCallback = { owner, connection, _, change in
    let core = Unmanaged<ServerCore>.fromOpaque(owner!).takeUnretainedValue()
    if change == .CONNECTION_NOTIFY_STARTED { core.room.enter(connection!) } else { core.room.leave(connection!) }
  }

  /// The connection has brought a request that was let in: it is not closed for others.
  func admit(_ connection: OpaquePointer) { state.withLock { _ = $0.strangers.removeValue(forKey: connection) } }

  private func enter(_ connection: OpaquePointer) {
    let stranger = Stranger(socket: verbatim_socket(connection))
    let isFull = state.withLock { state in
      state.count += 1
      state.strangers[connection] = stranger
      if state.count < connectionsMax || state.isMakingRoom { return false }
      state.isMakingRoom = true
      return true
    }
    if isFull { Task { await makeRoom() } }
  }

  private func leave(_ connection: OpaquePointer) {
    state.withLock { state in
      state.count -= 1
      state.strangers[connection] = nil
    }
  }

  /// Closes the oldest connections as long as all are taken.
  private func makeRoom() async {
    var isFull = true
    while isFull {
      try? await Task.sleep(for: Self.patience)
      isFull = state.withLock { state in
        state.isMakingRoom = state.count >= connectionsMax && !state.strangers.isEmpty
        if state.isMakingRoom { Self.closeOlderHalf(&state.strangers) }
        return state.isMakingRoom
      }
    }
  }

  private static func closeOlderHalf(_ strangers: inout [OpaquePointer: Stranger]) {
    let latest = ContinuousClock.now - patience
    let old = strangers.filter { $0.value.arrival <= latest }.sorted { $0.value.arrival < $1.value.arrival }
    for (connection, stranger) in old.prefix((old.count + 1) / 2) {
      strangers[connection] = nil
      // Safe because a connection leaves, in the lock, before its socket is closed: the number means no other one yet.
      shutdown(stranger.socket, Int32(SHUT_RDWR))
    }
  }
}
