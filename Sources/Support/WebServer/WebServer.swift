// A web server for the programs of this machine.
internal import CMicroHTTPD
internal import Locks

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A web server that only programs of this machine can reach: it listens at 127.0.0.1.
///
/// One thread serves all connections; while a request is being answered, and while a stream has nothing to send, its
/// connection is suspended and costs no time. Requests are limited in size, number and time.
public final class WebServer: Sendable {
  /// The limits of a server, and its port.
  public struct Options: Sendable {
    /// The port; 0 for one that is free.
    public var port: UInt16 = 0
    /// The maximum size of a body in bytes.
    public var bodyMax = 16 << 20
    /// The maximum number of connections; further ones wait until one is closed. While all are taken, those are closed,
    /// the oldest first, that have brought no request that was let in.
    public var connectionsMax = 512
    /// The time after which a connection is closed on which nothing arrives, in seconds.
    public var idleSeconds = 60
    /// The time within which a body must have been received.
    public var bodyTimeout: Duration = .seconds(60)

    /// Creates the default options.
    public init() {}
  }

  /// The closures that answer requests.
  public struct Handlers: Sendable {
    /// Refuses a request by its head, before its body is received; nil to go on.
    public var refuse: @Sendable (WebRequest) -> WebResponse?
    /// Answers a request.
    public var answer: @Sendable (WebRequest) async -> WebResponse

    /// Creates the closures.
    public init(
      refuse: @escaping @Sendable (WebRequest) -> WebResponse? = { _ in nil },
      answer: @escaping @Sendable (WebRequest) async -> WebResponse
    ) {
      (self.refuse, self.answer) = (refuse, answer)
    }
  }

  /// The port at which it listens.
  public let port: UInt16
  private let daemon: Locked<OpaquePointer?>
  private let core: ServerCore

  /// Starts a server.
  public init(_ handlers: Handlers, options: Options = Options()) throws(WebServerError) {
    core = ServerCore(handlers, options)
    let owner = Unmanaged.passUnretained(core).toOpaque()
    errno = 0
    let daemon = verbatim_start_web_server(
      options.port, UInt32(clamping: options.connectionsMax), UInt32(clamping: options.idleSeconds),
      ServerCore.headMax, ServerCore.handle, owner, ServerCore.completed, ConnectionRoom.changed,
      ServerCore.keepEscapes)
    guard let daemon else { throw WebServerError(port: options.port, code: errno) }
    port = verbatim_web_server_port(daemon)
    self.daemon = Locked(daemon)
  }

  deinit { stop() }

  /// Closes all connections, also those of streams, and stops listening. Further calls are no-ops.
  public func stop() {
    let running = daemon.withLock { daemon in
      defer { daemon = nil }
      return daemon
    }
    guard let running else { return }
    core.stop()
    MHD_stop_daemon(running)
  }
}

/// The error of starting a web server.
public struct WebServerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The port at which it was to listen.
  public let port: UInt16
  internal let code: Int32

  /// One sentence: what failed, on what, what to do.
  public var description: String {
    code == EADDRINUSE
      ? "Port \(port) is in use: choose another, or none for one that is free."
      : "A web server cannot listen at port \(port) (\(String(cString: strerror(code)))): choose another port."
  }
}
