// Threat: a program on this machine, or a page in its browser, crashes or blocks the server, or is answered wrongly.
import Foundation
import Locks
import SeededRandom
import Testing
import WebClient

@testable import WebServer

/// A server that says what it was asked.
private func echo(
  _ change: (inout WebServer.Options) -> Void = { _ in },
  refuse: @escaping @Sendable (WebRequest) -> WebResponse? = { _ in nil }
) throws -> WebServer {
  var options = WebServer.Options()
  change(&options)
  let handlers = WebServer.Handlers(refuse: refuse) { request in
    let query = request.query.map { " \($0.name)=\($0.value)" }.joined()
    return WebResponse(status: 200, text: "\(request.method) \(request.path)\(query) \(request.body.count) bytes")
  }
  return try WebServer(handlers, options: options)
}

extension WebServer {
  fileprivate func ask(_ head: String, body: String = "") async throws -> String {
    try await #require(Connection(to: port)).ask(head, body: body)
  }
}

@Suite struct `A web server` {
  @Test func `requests are answered with path, parameters, fields and body`() async throws {
    let server = try echo()
    defer { server.stop() }
    let answer = try await server.ask("POST /a/b%20c?x=1+2&y=%C3%A4 HTTP/1.1\r\nContent-Length: 3", body: "abc")
    #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(answer.contains("Content-Type: text/plain; charset=utf-8\r\n"))
    #expect(answer.hasSuffix("\r\n\r\nPOST /a/b c x=1 2 y=ä 3 bytes"))
    #expect(try await server.ask("GET / HTTP/1.1").hasSuffix("GET / 0 bytes"))
    let head = try await server.ask("HEAD /a HTTP/1.1")
    #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n") && head.hasSuffix("\r\n\r\n"))
    let chunks = "Transfer-Encoding: chunked"
    let body = "2\r\nab\r\n1\r\nc\r\n0\r\n\r\n"
    #expect(try await server.ask("PUT /c HTTP/1.1\r\n\(chunks)", body: body).hasSuffix("3 bytes"))
  }

  @Test func `a connection serves many requests`() async throws {
    let server = try echo()
    defer { server.stop() }
    let connection = try #require(Connection(to: server.port))
    for number in 0..<50 {
      connection.send("GET /\(number) HTTP/1.1\r\nHost: localhost\r\n\r\n")
      #expect(await connection.receive(until: " bytes").hasSuffix("GET /\(number) 0 bytes"))
    }
  }

  @Test func `only this machine is listened to`() async throws {
    let server = try echo()
    defer { server.stop() }
    #expect(Connection(to: server.port) != nil)
    #expect(Connection(to: server.port, at: "127.0.0.2") == nil)
  }

  @Test func `a port in use is an error that says so`() async throws {
    let server = try echo()
    defer { server.stop() }
    let error = #expect(throws: WebServerError.self) { try echo { $0.port = server.port } }
    #expect(error?.description == "Port \(server.port) is in use: choose another, or none for one that is free.")
  }

  @Test(arguments: [
    "/../etc/passwd", "/a/../../b", "/%2e%2e/etc/passwd", "/a/%2E%2e", "/./a", "//evil.example/a", "/a//b", "/a%00b",
    "/a%0d%0aX-Injected:%201", "/%", "/%4", "/%zz", "/%ff", "/a\\..\\b", "/a%5c..%5cb", "a", "http://evil.example/",
    // A combining mark and the slash before it are one character of a string.
    "/../%CC%81a", "/a/../%CC%81", "/%CC%81/../%CC%81",
  ])
  func `a path that could mean another is refused`(path: String) async throws {
    let server = try echo()
    defer { server.stop() }
    let answer = try await server.ask("GET \(path) HTTP/1.1")
    #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(answer)")
    #expect(!answer.contains("X-Injected"))
  }

  @Test func `a parameter with a control character is refused`() async throws {
    let server = try echo()
    defer { server.stop() }
    #expect(try await server.ask("GET /?a=%0d%0ab HTTP/1.1").hasPrefix("HTTP/1.1 400 "))
    #expect(try await server.ask("GET /?a=%ff HTTP/1.1").hasPrefix("HTTP/1.1 400 "))
  }

  @Test func `a body that is too large is refused before it is read, or while it is`() async throws {
    let server = try echo { $0.bodyMax = 100_000 }
    defer { server.stop() }
    let said = try await server.ask("POST / HTTP/1.1\r\nContent-Length: 100001")
    #expect(said.hasPrefix("HTTP/1.1 413 "))
    #expect(try await server.ask("POST / HTTP/1.1\r\nContent-Length: 99999999999999999999").hasPrefix("HTTP/1.1 4"))
    let connection = try #require(Connection(to: server.port))
    connection.send("POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
    let chunk = "2710\r\n" + String(repeating: "x", count: 10_000) + "\r\n"
    for _ in 0..<1_000 where !connection.send(chunk) { break }
    connection.send("0\r\n\r\n")
    #expect(await connection.receive().contains("200 OK") == false)
    #expect(try await server.ask("POST / HTTP/1.1\r\nContent-Length: 2", body: "ab").hasSuffix("2 bytes"))
  }

  @Test func `a body that comes slowly is not waited for`() async throws {
    let server = try echo { ($0.bodyTimeout, $0.idleSeconds) = (.zero, 2) }
    defer { server.stop() }
    let connection = try #require(Connection(to: server.port))
    connection.send("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n")
    connection.send("a")
    connection.send("bcdefghij")
    #expect(await connection.receive() == "")
    // Also when nothing comes at all.
    let silent = try #require(Connection(to: server.port))
    silent.send("POST / HT")
    #expect(await silent.receive().contains("200 OK") == false)
  }

  @Test func `a request is refused by its head, without its body`() async throws {
    let server = try echo(refuse: { request in
      request.header("host") == "localhost" ? nil : WebResponse(status: 403, text: "no")
    })
    defer { server.stop() }
    #expect(try await server.ask("POST / HTTP/1.1\r\nContent-Length: 1", body: "a").hasSuffix("1 bytes"))
    let connection = try #require(Connection(to: server.port))
    connection.send("POST / HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 1000\r\n\r\n")
    #expect(await connection.receive(until: "no").hasPrefix("HTTP/1.1 403 "))
    // A field that is there twice is none.
    let twice = try #require(Connection(to: server.port))
    twice.send("GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    #expect(await twice.receive().contains("200 OK") == false)
  }

  @Test func `a field whose name is not ASCII is refused`() async throws {
    let server = try echo()
    defer { server.stop() }
    for field in ["Coo\u{212A}ie: a=b", "X-Ä: b"] {
      let answer = try await server.ask("GET / HTTP/1.1\r\n\(field)")
      #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(field): \(answer)")
    }
    #expect(try await server.ask("GET / HTTP/1.1\r\nX-A: ä").hasPrefix("HTTP/1.1 200 "))
  }

  @Test func `a request is refused by its head before its length is looked at`() async throws {
    let server = try echo(refuse: { _ in WebResponse(status: 401, text: "no") })
    defer { server.stop() }
    let answer = try await server.ask("POST / HTTP/1.1\r\nContent-Length: 99999999999")
    #expect(answer.hasPrefix("HTTP/1.1 401 "), "\(answer)")
  }

  // Clients that sent parts of a head, or were refused, kept all connections busy as long as they sent a byte a
  // minute: nobody else got in. They now make room for others.
  @Test(.timeLimit(.minutes(10))) func `connections without a request that was let in make room for others`()
    async throws
  {
    let server = try echo(
      { ($0.connectionsMax, $0.idleSeconds) = (8, 3_600) },
      refuse: { $0.path == "/out" ? WebResponse(status: 401) : nil })
    defer { server.stop() }
    let good = try #require(Connection(to: server.port))
    func askAgain() async {
      good.send("GET /in HTTP/1.1\r\nHost: localhost\r\n\r\n")
      #expect(await good.receive(until: " bytes").hasSuffix("GET /in 0 bytes"))
    }
    await askAgain()
    let heads = ["", "G", "GET / HTTP/1.1\r\nHost: ", "GET /out HTTP/1.1\r\nHost: localhost\r\n\r\n"]
    let crowd = try (0..<40).map { number in
      let connection = try #require(Connection(to: server.port))
      connection.send(heads[number % heads.count])
      return connection
    }
    #expect(try await server.ask("GET /new HTTP/1.1").hasSuffix("GET /new 0 bytes"))
    await askAgain()
    for connection in crowd { connection.close() }
  }

  @Test func `a response cannot be split by what it contains`() async throws {
    let handlers = WebServer.Handlers { request in
      let value = request.body.isEmpty ? "a\r\nX-Injected: 1" : "a\nX-Injected: 1"
      return WebResponse(headers: [WebRequest.Field("Location", value)])
    }
    let server = try WebServer(handlers)
    defer { server.stop() }
    for head in ["GET / HTTP/1.1", "POST / HTTP/1.1\r\nContent-Length: 1"] {
      let answer = try await server.ask(head, body: head.hasPrefix("POST") ? "a" : "")
      #expect(answer.hasPrefix("HTTP/1.1 500 ") && !answer.contains("Injected"), "\(answer)")
    }
  }

  @Test func `many requests are answered at once, and those beyond the limit wait for room`() async throws {
    let (arrivals, arrive) = AsyncStream<CheckedContinuation<Void, Never>>.makeStream()
    var options = WebServer.Options()
    options.connectionsMax = 100
    let server = try WebServer(
      WebServer.Handlers { _ in
        await withCheckedContinuation { _ = arrive.yield($0) }
        return WebResponse(status: 200, text: "together")
      }, options: options)
    defer { server.stop() }
    func ask() throws -> Connection {
      let connection = try #require(Connection(to: server.port))
      connection.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
      return connection
    }
    var iterator = arrivals.makeAsyncIterator()
    let connections = try (0..<100).map { _ in try ask() }
    var held: [CheckedContinuation<Void, Never>] = []
    while held.count < 100, let next = await iterator.next() { held.append(next) }
    let waiting = try ask()
    for continuation in held { continuation.resume() }
    for connection in connections { #expect(await connection.receive(until: "together").contains("200 OK")) }
    connections[0].close()
    await iterator.next()?.resume()
    #expect(await waiting.receive(until: "together").contains("200 OK"))
  }

  @Test func `random bytes leave the server as it was`() async throws {
    var random = SeededRandom.printingSeed()
    let server = try echo()
    defer { server.stop() }
    let parts = [
      "GET ", "POST ", "/", "%", "%2e", " HTTP/1.1", " HTTP/9.9", "\r\n", "\n", ":", "Host: localhost",
      "Content-Length: ", "-1", "7", "18446744073709551616", "Transfer-Encoding: chunked", "Connection: close", "\0",
      "ä", "0\r\n\r\n", "?a=b&c",
    ]
    for _ in 0..<2_000 {
      guard let connection = Connection(to: server.port) else { continue }
      var bytes: [UInt8] = []
      for _ in 0..<random.below(20) {
        bytes += random.below(5) == 0 ? [UInt8(random.below(256))] : Array(parts[random.below(parts.count)].utf8)
      }
      // The connection is closed without waiting for an answer.
      connection.send(bytes)
    }
    // Until the last of them have been closed on the other side, too, there may be no room.
    var answer = ""
    while answer.isEmpty { answer = try await server.ask("GET /still HTTP/1.1") }
    #expect(answer.hasSuffix("GET /still 0 bytes"))
  }
}

@Suite struct `A stream of a web server` {
  private let streams = Streams()

  /// The streams that a server has begun.
  private final class Streams: Sendable {
    private let begun = Locked<[WebStream]>([])

    var first: WebStream? { begun.withLock { $0.first } }

    func begin() -> WebStream {
      let stream = WebStream()
      stream.send(Array("begin;".utf8))
      begun.withLock { $0.append(stream) }
      return stream
    }
  }

  private func streaming() throws -> WebServer {
    let streams = streams
    return try WebServer(
      WebServer.Handlers { _ in
        WebResponse(
          headers: [WebRequest.Field("Content-Type", "text/event-stream")], content: .stream(streams.begin()))
      })
  }

  @Test func `what is sent arrives as it comes, and in order`() async throws {
    let server = try streaming()
    defer { server.stop() }
    let connection = try #require(Connection(to: server.port))
    connection.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(await connection.receive(until: "begin;").contains("200 OK"))
    let stream = try #require(streams.first)
    for number in 0..<100 {
      #expect(stream.send(Array("event \(number);".utf8)))
      #expect(await connection.receive(until: ";").contains("event \(number);"))
    }
    stream.finish()
    #expect(await connection.receive(until: "0\r\n\r\n").contains("0\r\n\r\n"))
    #expect(!stream.send([1]))
  }

  @Test func `a client that leaves is noticed when something is sent`() async throws {
    let server = try streaming()
    defer { server.stop() }
    var connection = Connection(to: server.port)
    connection?.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    _ = await connection?.receive(until: "begin;")
    let stream = try #require(streams.first)
    await withCheckedContinuation { left in
      stream.onClose { left.resume() }
      connection = nil
      // A closed connection takes what is sent first, and answers that nobody is there.
      while stream.send([UInt8](repeating: 0x20, count: 100)) {}
    }
    #expect(!stream.send([1]))
  }

  @Test func `a client that takes nothing is disconnected, and the others go on`() async throws {
    let server = try streaming()
    defer { server.stop() }
    let slow = try #require(Connection(to: server.port))
    slow.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    _ = await slow.receive(until: "begin;")
    let stream = try #require(streams.first)
    var sent = 0
    while stream.send([UInt8](repeating: 0x20, count: 1 << 20)) { sent += 1 << 20 }
    // Beside what waits here, the system keeps some for the connection.
    #expect((WebStream.unsentMax - (1 << 20)..<4 * WebStream.unsentMax).contains(sent))
    let other = try #require(Connection(to: server.port))
    other.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(await other.receive(until: "begin;").contains("200 OK"))
  }

  // What broke: a part of more than 8 MiB was taken for a client that is too slow, although nothing waited before it.
  @Test(.timeLimit(.minutes(10))) func `a part that is larger than what may wait arrives, and more after it`()
    async throws
  {
    let server = try streaming()
    defer { server.stop() }
    let connection = try #require(Connection(to: server.port))
    connection.send("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    _ = await connection.receive(until: "begin;")
    let stream = try #require(streams.first)
    #expect(stream.send([UInt8](repeating: 0x20, count: WebStream.unsentMax + 1)))
    async let receiving = connection.receive()
    await stream.waitForRoom()
    #expect(stream.send(Array("more;".utf8)))
    stream.finish()
    let received = await receiving
    #expect(received.utf8.count > WebStream.unsentMax + 5)
  }

  @Test(.timeLimit(.minutes(10))) func `a sender that waits for room goes on when the client has left`() async throws {
    let server = try streaming()
    defer { server.stop() }
    var connection = Connection(to: server.port)
    connection?.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    _ = await connection?.receive(until: "begin;")
    let stream = try #require(streams.first)
    // More than the system keeps for the connection.
    #expect(stream.send([UInt8](repeating: 0x20, count: 32 << 20)))
    async let room: Void = stream.waitForRoom()
    connection = nil
    await room
    #expect(!stream.send([1]))
  }

  @Test func `a server stops with open streams and unanswered requests`() async throws {
    let (asked, ask) = AsyncStream<Void>.makeStream()
    let (released, release) = AsyncStream<Void>.makeStream()
    let server = try WebServer(
      WebServer.Handlers { request in
        ask.yield()
        if request.path == "/stream" { return WebResponse(content: .stream(WebStream())) }
        for await _ in released { break }
        return WebResponse(status: 200, text: "late")
      })
    let connections = ["/stream", "/wait"].compactMap { path in
      let connection = Connection(to: server.port)
      connection?.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
      return connection
    }
    var iterator = asked.makeAsyncIterator()
    for _ in connections { _ = await iterator.next() }
    server.stop()
    server.stop()
    for connection in connections { #expect(await connection.receive().contains("late") == false) }
    release.yield()
    #expect(Connection(to: server.port) == nil)
  }

  // What broke: it was found by reading. A server could be stopped between the check of a request and the suspension of
  // its connection; libmicrohttpd ends the process when it stops with a suspended one.
  @Test func `a connection is not suspended once its server has stopped`() async {
    await #expect(processExitsWith: .success) {
      // Not a connection: libmicrohttpd must not be called.
      let exchange = Exchange(try #require(OpaquePointer(bitPattern: 64)))
      exchange.stop()
      #expect(!exchange.suspend())
    }
  }
}
