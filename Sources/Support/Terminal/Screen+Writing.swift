// Writes the bytes that a screen returns to the terminal.

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

extension Screen {
  /// Writes all bytes to a terminal; stops silently if the terminal is gone, which its reader detects.
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

/// Whether a write can be retried; waits until the descriptor is writable if its buffer was full.
private func isTemporary(_ code: Int32, _ descriptor: Int32) -> Bool {
  guard code == EAGAIN else { return code == EINTR }
  var slot = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
  return poll(&slot, 1, -1) >= 0 || errno == EINTR
}
