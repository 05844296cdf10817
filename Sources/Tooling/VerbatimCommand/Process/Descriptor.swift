// A file descriptor with blocking reads and writes.
internal import Files
internal import Terminal

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A file, pipe or terminal that is open; the code that opened it closes it.
struct Descriptor {
  let rawValue: Int32

  init(_ rawValue: Int32) { self.rawValue = rawValue }

  /// Whether a read would not block; true at the end too.
  var isReadable: Bool { events(POLLIN, patience: 0) != 0 }

  /// Whether the reader at the other end has gone; never true for a file.
  var isClosed: Bool { events(0, patience: 0) & Int32(POLLERR | POLLHUP | POLLNVAL) != 0 }

  /// Whether colored text may be written.
  var hasColors: Bool { isTerminal && Style.areColorsWanted }

  /// Whether the descriptor is a terminal.
  var isTerminal: Bool { isatty(rawValue) != 0 }

  /// Blocks until something can be written, or never can be again.
  func waitUntilWritable() { _ = events(POLLOUT, patience: -1) }

  /// Appends bytes that were read to an array; returns their count, 0 at the end.
  func receive(into buffer: inout [UInt8], atMost count: Int) throws(FileError) -> Int {
    var (received, code) = (-1, CInt(0))
    buffer += [UInt8](unsafeUninitializedCapacity: count) { room, receivedCount in
      repeat {
        received = read(rawValue, room.baseAddress, count)
        code = errno
      } while received < 0 && code == EINTR
      receivedCount = max(0, received)
    }
    guard received >= 0 else { throw FileError(rawValue: code) }
    return received
  }

  /// Writes all of the bytes.
  func send(_ bytes: [UInt8]) throws(FileError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let sent = rest.withUnsafeBytes { write(rawValue, $0.baseAddress, $0.count) }
      let code = errno
      if sent >= 0 {
        rest = rest.dropFirst(sent)
        continue
      }
      guard code == EINTR || code == EAGAIN else { throw FileError(rawValue: code) }
      if code == EAGAIN { waitUntilWritable() }
    }
  }

  private func events(_ wanted: Int32, patience: Int32) -> Int32 {
    var slot = pollfd(fd: rawValue, events: Int16(wanted), revents: 0)
    return poll(&slot, 1, patience) > 0 ? Int32(slot.revents) : 0
  }
}

extension FileError {
  /// Whether the reader of the pipe has gone.
  var isClosedPipe: Bool { rawValue == EPIPE }
}
