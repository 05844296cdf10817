// The streams of a browser's windows over one connection.
internal import Locks
package import WebServer

/// The streams of server-sent events of the windows of a browser, over one connection for each browser.
///
/// A browser opens six connections to a server of HTTP/1.1, for all of its windows together: with a stream for each
/// window, the sixth one would leave no connection for a request.
package final class StreamHubs: Sendable {
  private let hubs = Locked<[String: Hub]>([:])

  /// A connection, and the streams that it carries by their names.
  private struct Hub {
    let stream: WebStream
    var parts: [String: WebStream] = [:]
  }

  /// Creates hubs without connections.
  package init() {}

  /// Returns a response that sends the name of a new hub, and then the events of the streams that it carries, each with
  /// the name of its stream as its id.
  package func response() -> WebResponse {
    let (stream, name) = (WebStream(), String(UInt64.random(in: 0 ... .max), radix: 36))
    hubs.withLock { $0[name] = Hub(stream: stream) }
    stream.send(Array("event: hub\ndata: {\"hub\":\"\(name)\"}\n\n".utf8))
    stream.onClose { [weak self] in
      guard let hub = self?.hubs.withLock({ $0.removeValue(forKey: name) }) else { return }
      for part in hub.parts.values { part.close() }
    }
    return WebResponse(headers: Self.headers, content: .stream(stream))
  }

  /// Returns a stream for a request: carried by the hub that it names, or with a connection of its own if it names
  /// none; nil if there is no such hub.
  package func stream(for request: WebRequest) -> WebStream? {
    guard let hub = request.parameter("hub") else { return WebStream() }
    guard let name = request.parameter("to"), name.utf8.allSatisfy(Self.isPlain) else { return nil }
    let (part, earlier) = hubs.withLock { hubs -> (WebStream?, WebStream?) in
      guard let carrier = hubs[hub]?.stream else { return (nil, nil) }
      let part = WebStream(carriedBy: carrier, behind: Array("id: \(name)\n".utf8), end: Self.end)
      return (part, hubs[hub]?.parts.updateValue(part, forKey: name))
    }
    earlier?.close()
    return part
  }

  /// Returns the response to a request for a stream.
  package func response(on stream: WebStream, to request: WebRequest) -> WebResponse {
    if request.parameter("hub") == nil { return WebResponse(headers: Self.headers, content: .stream(stream)) }
    return WebResponse(
      headers: [WebRequest.Field("Content-Type", "application/json; charset=utf-8")], content: .bytes(Array("{}".utf8)))
  }

  /// Ends the stream of a hub that a request names.
  package func end(for request: WebRequest) {
    guard let hub = request.parameter("hub"), let name = request.parameter("to") else { return }
    hubs.withLock { $0[hub]?.parts.removeValue(forKey: name) }?.close()
  }

  /// Ends all connections.
  package func stop() { for hub in hubs.withLock({ $0.values }) { hub.stream.finish() } }

  /// Sends a comment on each connection, by which a browser that is gone is noticed.
  package func ping() { for hub in hubs.withLock({ $0.values }) { hub.stream.send(Array(": \n\n".utf8)) } }

  private static let end = Array("event: end\ndata: {}\n\n".utf8)
  private static let headers = [WebRequest.Field("Content-Type", "text/event-stream; charset=utf-8")]

  private static func isPlain(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte)
  }
}
