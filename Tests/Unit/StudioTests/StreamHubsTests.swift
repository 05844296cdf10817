// Threat: the windows of a browser get each other's events, or keep streams that nobody reads.
import Locks
import Studio
import Testing
import WebClient
import WebServer

@Suite struct `The streams over one connection` {
  private let hubs = StreamHubs()

  private func request(_ hub: String? = nil, to name: String) -> WebRequest {
    let names = [("hub", hub), ("to", name)] as [(String, String?)]
    return WebRequest(
      method: "GET", path: "/", query: names.compactMap { name, value in value.map { WebRequest.Field(name, $0) } })
  }

  /// Opens a connection; returns it with the name of its hub.
  private func connect(_ site: WebServer) async throws -> (Connection, hub: String) {
    let connection = try #require(Connection(to: site.port))
    connection.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    let begin = await connection.receive(until: "}\n\n")
    let hub = try #require(begin.firstMatch(of: /event: hub\r?\ndata: {"hub":"([0-9a-z]+)"}/)?.1)
    return (connection, String(hub))
  }

  @Test func `are sent with their names, and end with the connection`() async throws {
    let site = try WebServer(WebServer.Handlers { [hubs] _ in hubs.response() })
    let (connection, hub) = try await connect(site)
    let streams = try ["a1", "b2"].map { try #require(hubs.stream(for: request(hub, to: $0))) }
    let closed = Locked<[Int]>([])
    for (index, stream) in streams.enumerated() { stream.onClose { closed.withLock { $0.append(index) } } }
    #expect(streams[0].send(Array("event: x\ndata: 1\n\n".utf8)))
    #expect(await connection.receive(until: "data: 1").contains("id: a1\nevent: x\ndata: 1"))
    // A stream that takes the name of another one replaces it without a word; one that is finished says so.
    let next = try #require(hubs.stream(for: request(hub, to: "a1")))
    #expect(closed.withLock { $0 } == [0] && !streams[0].send([0x20]))
    #expect(next.send(Array("event: x\ndata: 2\n\n".utf8)))
    next.finish()
    #expect(!next.send([0x20]))
    let received = await connection.receive(until: "event: end")
    #expect(received.contains("data: 2") && received.contains("id: a1\nevent: end"))
    connection.close()
    let deadline = ContinuousClock.now + .seconds(60)
    while closed.withLock({ $0 }) != [0, 1], ContinuousClock.now < deadline {
      hubs.ping()
      await Task.yield()
    }
    #expect(closed.withLock { $0 } == [0, 1])
    #expect(hubs.stream(for: request(hub, to: "c3")) == nil)
    site.stop()
  }

  @Test func `are ended one by one, and begun only with plain names`() async throws {
    let site = try WebServer(WebServer.Handlers { [hubs] _ in hubs.response() })
    let (_, hub) = try await connect(site)
    for name in ["a\nevent: x", "é", "A", "a b"] { #expect(hubs.stream(for: request(hub, to: name)) == nil) }
    #expect(hubs.stream(for: request("other", to: "a")) == nil)
    let (one, other) = (hubs.stream(for: request(hub, to: "a")), hubs.stream(for: request(hub, to: "b")))
    hubs.end(for: request(hub, to: "a"))
    #expect(one?.send([0x20]) == false && other?.send([0x20]) == true)
    hubs.stop()
    site.stop()
  }
}
