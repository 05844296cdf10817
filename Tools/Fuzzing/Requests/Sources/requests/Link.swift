// A connection to the server that waits for a limited time.
import Foundation

/// A connection to a port of this machine.
final class Link {
  private(set) var descriptor: Int32

  /// Connects; with `waits` false the connection may not be made yet.
  init(to port: UInt16, waits: Bool = true) throws(Failure) {
    #if canImport(Glibc)
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    guard descriptor >= 0 else { throw Failure("There is no socket left: \(String(cString: strerror(errno))).") }
    // Parts that are sent one by one arrive so.
    var isOn: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
    if !waits { _ = fcntl(descriptor, F_SETFL, O_NONBLOCK) }
    var there = sockaddr_in()
    there.sin_family = sa_family_t(AF_INET)
    there.sin_port = port.bigEndian
    there.sin_addr.s_addr = inet_addr("127.0.0.1")
    let code = withUnsafePointer(to: &there) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard code == 0 || errno == EINPROGRESS else {
      let reason = String(cString: strerror(errno))
      close()
      throw Failure("Port \(port) cannot be reached: \(reason).")
    }
  }

  deinit { close() }

  /// Closes the connection; with a reset, what the server has not read is discarded.
  func close(withReset: Bool = false) {
    guard descriptor >= 0 else { return }
    if withReset {
      var linger = linger(l_onoff: 1, l_linger: 0)
      setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
    }
    Foundation.close(descriptor)
    descriptor = -1
  }

  /// Whether the connection is made, and neither side has closed it.
  var isOpen: Bool {
    var event = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    guard poll(&event, 1, 0) == 1, event.revents & Int16(POLLHUP | POLLERR) == 0 else { return false }
    var byte: UInt8 = 0
    return recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) != 0
  }

  /// Sends bytes; returns false when the server has closed the connection, or takes nothing for a second.
  @discardableResult
  func send(_ bytes: some Sequence<UInt8>) -> Bool {
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let flags = Int32(MSG_NOSIGNAL | MSG_DONTWAIT)
      let count = rest.withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, flags) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        var event = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        if poll(&event, 1, 1_000) != 1 { return false }
      } else {
        return false
      }
    }
    return true
  }

  /// Receives until a condition holds, the server closes the connection, or nothing comes for so long.
  func receive(milliseconds: Int32, until isEnough: ([UInt8]) -> Bool) -> (bytes: [UInt8], isClosed: Bool) {
    var received: [UInt8] = []
    while !isEnough(received) {
      var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&event, 1, milliseconds) == 1 else { return (received, false) }
      let count = withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 1) { buffer in
        let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
        if count > 0 { received += buffer.prefix(count) }
        return count
      }
      if count <= 0 { return (received, true) }
    }
    return (received, false)
  }
}
