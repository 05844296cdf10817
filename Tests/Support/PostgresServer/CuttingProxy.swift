// A proxy between a program and a server that cuts connections.
import Foundation
import Locks

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A Unix socket that forwards to a server's socket, and now and then cuts a connection instead: before a request
/// arrived at the server, or after it, before the answer arrived at the program.
///
/// The thread sanitizer does not see that a `Mutex` excludes threads, so this uses `Locked`.
package final class CuttingProxy: Sendable {
  /// The directory of the socket.
  package let directory: String
  private let server: String
  private let listener: CInt
  private let random: Locked<UInt64>
  private let rate: Locked<Double>
  private let cuts = Locked((requests: 0, answers: 0))
  private let requests = Locked(0)
  private let interruption = Locked<(@Sendable () -> Void)?>(nil)

  /// Opens a proxy to the server with a socket in a directory, which cuts at a part of all messages.
  package init(to server: String, cutting rate: Double, seed: UInt64) throws {
    (directory, self.server) = ("/tmp/verbatim-proxy-\(UInt64.random(in: 0 ... .max))", server)
    random = Locked(seed)
    self.rate = Locked(rate)
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    listener = Self.socket()
    let isBound = Self.withAddress(directory + "/.s.PGSQL.5432") { [listener] in bind(listener, $0, $1) } == 0
    guard isBound, listen(listener, 64) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    Thread.detachNewThread { [self] in accept() }
  }

  /// The number of cuts before a request, and before an answer.
  package var counts: (requests: Int, answers: Int) { cuts.withLock { $0 } }

  /// The number of requests that arrived at the server.
  package var requestCount: Int { requests.withLock { $0 } }

  /// Changes the part of all messages at which a connection is cut.
  package func cut(at rate: Double) { self.rate.withLock { $0 = rate } }

  /// Runs the closure once the server has sent its next answer, before the program gets it.
  package func interrupt(_ body: @escaping @Sendable () -> Void) { interruption.withLock { $0 = body } }

  /// Ends the proxy; connections that are open stay.
  package func close() {
    shutdown(listener, Int32(SHUT_RDWR))
    try? FileManager.default.removeItem(atPath: directory)
  }

  private func accept() {
    while true {
      let client = Foundation.accept(listener, nil, nil)
      guard client >= 0 else { return }
      let server = Self.socket()
      guard Self.withAddress(self.server + "/.s.PGSQL.5432", { connect(server, $0, $1) }) == 0 else {
        Foundation.close(client)
        Foundation.close(server)
        continue
      }
      Thread.detachNewThread { [self] in forward(client, server) }
    }
  }

  private func forward(_ client: CInt, _ server: CInt) {
    defer {
      Foundation.close(client)
      Foundation.close(server)
    }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      var ends = [
        pollfd(fd: client, events: Int16(POLLIN), revents: 0), pollfd(fd: server, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&ends, 2, -1) > 0 else { return }
      for (from, to, end) in [(client, server, ends[0]), (server, client, ends[1])] where end.revents != 0 {
        let count = read(from, &buffer, buffer.count)
        guard count > 0 else { return }
        if isCut() {
          cuts.withLock { if from == client { $0.requests += 1 } else { $0.answers += 1 } }
          return
        }
        if from == client { requests.withLock { $0 += 1 } } else { takeInterruption()?() }
        var sent = 0
        while sent < count {
          let more = buffer.withUnsafeBytes { send(to, $0.baseAddress! + sent, count - sent, Int32(MSG_NOSIGNAL)) }
          guard more > 0 else { return }
          sent += more
        }
      }
    }
  }

  private func takeInterruption() -> (@Sendable () -> Void)? {
    interruption.withLock { interruption in
      defer { interruption = nil }
      return interruption
    }
  }

  private func isCut() -> Bool {
    let rate = rate.withLock { $0 }
    return random.withLock { state in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(state >> 11) / Double(1 << 53) < rate
    }
  }

  private static func socket() -> CInt {
    #if canImport(Glibc)
      Foundation.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    #else
      Foundation.socket(AF_UNIX, SOCK_STREAM, 0)
    #endif
  }

  private static func withAddress<R>(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> R) -> R {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
  }
}
