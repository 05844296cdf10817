// Server-sent events with the head of a log.
package import EventLog
internal import Locks
package import WebServer

/// The head of a log as a stream of server-sent events, for any number of pages.
package final class HeadStream: Sendable {
  private let store: EventStore
  private let state = Locked(State())
  private let task = Locked<Task<Void, Never>?>(nil)

  private struct State {
    var streams: [ObjectIdentifier: WebStream] = [:]
    /// Whether the log cannot be read at present.
    var isLost = false
  }

  /// Creates the stream of the head of a store, and calls a closure after each growth, before pages learn of it.
  ///
  /// A log that cannot be read, as while its server is away, is tried again after a time.
  package init(
    of store: EventStore, retryingAfter time: Duration = .seconds(1), onGrowth: @escaping @Sendable () -> Void
  ) {
    self.store = store
    let following = Task { [weak self] in
      var position = (try? store.log.lastSeenHead().position) ?? .zero
      while !Task.isCancelled {
        let found: Head?
        do {
          try await store.wait(beyond: position)
          if Task.isCancelled { return }
          found = try store.log.lastSeenHead()
        } catch {
          self?.lose()
          found = await Self.readableHead(of: store, retryingAfter: time)
        }
        guard !Task.isCancelled, let self, let head = found else { return }
        position = head.position
        onGrowth()
        self.send(head)
      }
    }
    task.withLock { $0 = following }
  }

  deinit { stop() }

  /// Ends all streams; idempotent.
  package func stop() {
    task.withLock { $0?.cancel() }
    for stream in state.withLock({ $0.streams.values }) { stream.finish() }
  }

  /// Sends the head on a stream now and whenever it has moved.
  package func show(on stream: WebStream) {
    let id = ObjectIdentifier(stream)
    state.withLock { state in
      state.streams[id] = stream
      if let head = try? store.log.lastSeenHead() { stream.send(Self.event(head)) }
      if state.isLost { stream.send(Self.lost) }
    }
    stream.onClose { [weak self] in self?.state.withLock { _ = $0.streams.removeValue(forKey: id) } }
  }

  /// Sends a comment, by which a page that is gone is noticed while the log does not grow.
  package func ping() {
    state.withLock { for stream in $0.streams.values { stream.send(Array(": \n\n".utf8)) } }
  }

  private func send(_ head: Head) {
    state.withLock { state in
      state.isLost = false
      for stream in state.streams.values { stream.send(Self.event(head)) }
    }
  }

  private func lose() {
    state.withLock { state in
      state.isLost = true
      for stream in state.streams.values { stream.send(Self.lost) }
    }
  }

  /// Returns the head as soon as it can be read; nil when the task is cancelled.
  private static func readableHead(of store: EventStore, retryingAfter time: Duration) async -> Head? {
    while !Task.isCancelled {
      if let head = try? await store.offThread({ store throws(LogError) in try store.head() }) { return head }
      try? await Task.sleep(for: time)
    }
    return nil
  }

  private static func event(_ head: Head) -> [UInt8] {
    let data = "{\"head\":\(head.position),\"recorded\":\"\(head.recorded)\"}"
    return Array("event: head\ndata: \(data)\n\n".utf8)
  }

  private static let lost = Array("event: lost\ndata: {}\n\n".utf8)
}
