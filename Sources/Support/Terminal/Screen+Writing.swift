// Writes what a screen answered to the terminal.

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

extension Screen {
  /// Writes bytes to a terminal, all of them, unless it is gone: then whoever reads it learns of that.
  package static func write(_ bytes: [UInt8], to descriptor: Int32 = 1) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { send(descriptor, $0) }
      if count > 0 { rest = rest.dropFirst(count) } else if count == 0 || !isTemporary(errno, descriptor) { return }
    }
  }
}

private func send(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}

/// Whether a write can be tried again; waits until there is room, if it lacked that.
private func isTemporary(_ code: Int32, _ descriptor: Int32) -> Bool {
  guard code == EAGAIN else { return code == EINTR }
  var slot = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
  return poll(&slot, 1, -1) >= 0 || errno == EINTR
}
