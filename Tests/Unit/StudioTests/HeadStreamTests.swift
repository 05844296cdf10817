// Threat: a page shows an old state of the log without a word, or its connection is kept when it is gone.
import EventLog
import Locks
import Testing
import WebClient
import WebServer

@testable import Studio

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite struct `The stream of a log's head` {
  /// A log that fails to be read while its server is away.
  private final class ServerLog: Log {
    private let log: any Log
    let isAway = Locked(false)
    /// Whether the head last seen cannot be read once there is an event.
    let isUnseen = Locked(false)
    /// The threads that have asked for the head.
    let askers = Locked<Set<Int>>([])

    init(_ log: any Log) { self.log = log }

    var genesis: Genesis { log.genesis }
    var content: LogContent { log.content }

    func head() throws(LogError) -> Head {
      askers.withLock { _ = $0.insert(pthread_self().hashValue) }
      if isAway.withLock({ $0 }) { throw .storage(StorageFailure("The server is away.")) }
      return try log.head()
    }

    func lastSeenHead() throws(LogError) -> Head {
      let head = try log.head()
      if head.position > .zero, isUnseen.withLock({ $0 }) { throw .storage(StorageFailure("All readers are in use.")) }
      return head
    }

    func append(_ block: BlockView, after head: Head) throws(LogError) { try log.append(block, after: head) }

    func blocks(
      from position: Position, _ direction: Direction, checks: Checks, _ body: (BlockView) throws(LogError) -> Step
    ) throws(LogError) { try log.blocks(from: position, direction, checks: checks, body) }

    func wait(beyond position: Position, until deadline: ContinuousClock.Instant) throws(LogError) -> Bool {
      try log.wait(beyond: position, until: deadline)
    }

    func withWriterLock(_ body: () -> Void) throws(LogError) { try log.withWriterLock(body) }
    func close() { log.close() }
  }

  private let log: ServerLog
  private let store: EventStore
  private static let lost = "event: lost\ndata: {}\n\n"

  init() {
    let genesis = Genesis.new()
    log = ServerLog(InMemoryLog(genesis: genesis))
    store = EventStore(log: log, index: InMemoryIndex(genesis: genesis))
  }

  /// Asks for the stream.
  private func connect(_ site: WebServer) throws -> Connection {
    let connection = try #require(Connection(to: site.port))
    connection.send("GET /api/head HTTP/1.1\r\nHost: localhost\r\n\r\n")
    return connection
  }

  /// Returns the response to a page that asks for the head.
  private static func response(by head: HeadStream) -> WebResponse {
    let stream = WebStream()
    head.show(on: stream)
    return WebResponse(content: .stream(stream))
  }

  private func append() throws {
    _ = try store.appendBlocking([ProposedEvent(stream: "a", type: "said.1", payload: [])])
  }

  // What broke: the first error ended the stream, and pages waited for events in vain when the server was back.
  @Test func `says that the log cannot be read, and goes on when it can`() async throws {
    let growth = Locked(0)
    let stream = HeadStream(of: store, retryingAfter: .zero) { growth.withLock { $0 += 1 } }
    let site = try WebServer(WebServer.Handlers { _ in Self.response(by: stream) })
    let first = try connect(site)
    #expect(await first.receive(until: "}\n\n").contains("event: head"))
    log.isAway.withLock { $0 = true }
    #expect(await first.receive(until: Self.lost).contains(Self.lost))
    // A page that comes meanwhile learns it, too.
    let second = try connect(site)
    #expect(await second.receive(until: Self.lost).contains(Self.lost))
    log.isAway.withLock { $0 = false }
    for connection in [first, second] {
      #expect(await connection.receive(until: #""head":0"#).contains("event: head"))
    }
    try append()
    for connection in [first, second] {
      #expect(await connection.receive(until: #""head":1"#).contains("event: head"))
    }
    #expect(growth.withLock { $0 } == 2)
    stream.stop()
    site.stop()
  }

  // What broke: the log had grown, and one failure to read its new head ended the stream without a word.
  @Test func `goes on when the head could not be read once after a growth`() async throws {
    let stream = HeadStream(of: store, retryingAfter: .zero) {}
    let site = try WebServer(WebServer.Handlers { _ in Self.response(by: stream) })
    let connection = try connect(site)
    #expect(await connection.receive(until: "}\n\n").contains("event: head"))
    log.isUnseen.withLock { $0 = true }
    try append()
    #expect(await connection.receive(until: #""head":1"#).contains(Self.lost))
    log.isUnseen.withLock { $0 = false }
    try append()
    #expect(await connection.receive(until: #""head":2"#).contains("event: head"))
    stream.stop()
    site.stop()
  }

  // What broke: where the log was on a server, a page that connected blocked a thread that all tasks share.
  @Test func `asks the server for nothing when a page connects`() {
    let stream = HeadStream(of: store) {}
    stream.show(on: WebStream())
    #expect(!log.askers.withLock { $0 }.contains(pthread_self().hashValue))
    stream.stop()
  }

  // What broke: while the log did not grow, nothing was sent, so that pages that were closed kept their connections.
  @Test func `lets go of a page that is closed while the log is quiet`() async throws {
    let stream = HeadStream(of: store) {}
    let closed = Locked(false)
    let site = try WebServer(
      WebServer.Handlers { _ in
        let response = Self.response(by: stream)
        if case .stream(let content) = response.content {
          content.onClose { closed.withLock { $0 = true } }
        }
        return response
      })
    var connection: Connection? = try connect(site)
    _ = await connection?.receive(until: "event: head")
    connection = nil
    let deadline = ContinuousClock.now + .seconds(60)
    while !closed.withLock({ $0 }), ContinuousClock.now < deadline {
      stream.ping()
      await Task.yield()
    }
    #expect(closed.withLock { $0 })
    stream.stop()
    site.stop()
  }
}
