// Pipes that wake a polling thread.

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A pipe that sends single bytes to a polling thread.
final class Pipe: Sendable {
  let reading: Int32
  private let writing: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    precondition(pipe(&ends) == 0, "no pipe can be opened: error \(errno)")
    (reading, writing) = (ends[0], ends[1])
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
  }

  deinit {
    close(reading)
    close(writing)
  }

  /// Sends a byte, unless the pipe is full; safe to call from a signal handler.
  func send(_ byte: UInt8) {
    withUnsafeBytes(of: byte) { _ = write(writing, $0.baseAddress, 1) }
  }

  /// Returns the distinct bytes that have arrived.
  func receive() -> Set<UInt8> {
    var bytes: Set<UInt8> = []
    var buffer = [UInt8](repeating: 0, count: 256)
    while true {
      let count = read(reading, &buffer, buffer.count)
      if count > 0 { bytes.formUnion(buffer[..<count]) } else if count == 0 || errno != EINTR { return bytes }
    }
  }
}

/// The pipe by which signal handlers notify the thread that waits for input.
struct SignalPipe: Sendable {
  /// A notification from a signal handler.
  enum News: UInt8 { case resized = 1, resumed }

  /// The pipe of the process; it is never closed, so that no handler writes to a reused descriptor.
  static let shared = SignalPipe()

  private let pipe = Pipe()

  /// The descriptor to poll.
  var descriptor: Int32 { pipe.reading }

  /// Sends a notification.
  func tell(_ news: News) { pipe.send(news.rawValue) }

  /// Returns the notifications since the last call.
  func hear() -> [News] { pipe.receive().sorted().compactMap(News.init) }
}
