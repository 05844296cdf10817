// Server-sent events with the head of a log.
package import EventLog
internal import Locks
package import WebServer

/// The head of a log as a stream of server-sent events, for any number of pages.
package final class HeadStream: Sendable {
  private let store: EventStore
  private let streams = Locked<[ObjectIdentifier: WebStream]>([:])
  private let task = Locked<Task<Void, Never>?>(nil)

  /// Creates the stream of the head of a store, and calls a closure after each growth, before pages learn of it.
  package init(of store: EventStore, onGrowth: @escaping @Sendable () -> Void) {
    self.store = store
    let following = Task { [weak self] in
      var position = (try? store.head().position) ?? .zero
      while !Task.isCancelled {
        // A log that cannot be read is reported by the answers that read it.
        guard (try? await store.wait(beyond: position)) != nil, !Task.isCancelled else { return }
        guard let self, let head = try? store.head() else { return }
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
    for stream in streams.withLock({ $0.values }) { stream.finish() }
  }

  /// Returns a response that sends the head now and whenever it has moved.
  package func response() -> WebResponse {
    let stream = WebStream()
    let id = ObjectIdentifier(stream)
    streams.withLock { $0[id] = stream }
    stream.onClose { [weak self] in self?.streams.withLock { _ = $0.removeValue(forKey: id) } }
    if let head = try? store.head() { stream.send(Self.event(head)) }
    return WebResponse(
      headers: [WebRequest.Field("Content-Type", "text/event-stream; charset=utf-8")], content: .stream(stream))
  }

  private func send(_ head: Head) {
    let event = Self.event(head)
    for stream in streams.withLock({ Array($0.values) }) { stream.send(event) }
  }

  private static func event(_ head: Head) -> [UInt8] {
    let data = "{\"head\":\(head.position),\"recorded\":\"\(head.recorded)\"}"
    return Array("id: \(head.position)\nevent: head\ndata: \(data)\n\n".utf8)
  }
}
