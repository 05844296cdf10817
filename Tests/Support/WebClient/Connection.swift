// A client that sends bytes as they are, also such as no browser would.
import Foundation

/// A connection to a port of this machine.
///
/// It waits on threads of its own: those that run the tests also run what answers the requests.
package final class Connection: Sendable {
  private let descriptor: Int32

  /// Connects; nil when nothing listens there.
  package init?(to port: UInt16, at address: String = "127.0.0.1") {
    #if canImport(Glibc)
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var there = sockaddr_in()
    there.sin_family = sa_family_t(AF_INET)
    there.sin_port = port.bigEndian
    there.sin_addr.s_addr = inet_addr(address)
    let code = withUnsafePointer(to: &there) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    if code != 0 {
      Foundation.close(descriptor)
      return nil
    }
  }

  deinit { Foundation.close(descriptor) }

  /// Ends the connection on both sides.
  package func close() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// Sends text; returns false when the server has closed the connection.
  @discardableResult
  package func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  /// Sends bytes.
  @discardableResult
  package func send(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      if count <= 0 { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Receives until the text has a part, or the server closes the connection.
  package func receive(until part: String? = nil) async -> String {
    await withCheckedContinuation { received in
      Thread.detachNewThread { received.resume(returning: self.receiveOnThread(until: part)) }
    }
  }

  private func receiveOnThread(until part: String?) -> String {
    var received: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      if let part, String(decoding: received, as: UTF8.self).contains(part) { break }
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count <= 0 { break }
      received += buffer[..<count]
    }
    return String(decoding: received, as: UTF8.self)
  }

  /// Sends a request whose connection ends with it, and returns the response.
  package func ask(_ head: String, body: String = "") async -> String {
    send(head + "\r\nHost: localhost\r\nConnection: close\r\n\r\n" + body)
    return await receive()
  }
}
