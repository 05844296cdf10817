// Pipes that wake whoever polls.

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A pipe through which single bytes are sent to a thread that polls.
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

  /// Sends a byte, unless the pipe is full; a signal handler may do this.
  func send(_ byte: UInt8) {
    withUnsafeBytes(of: byte) { _ = write(writing, $0.baseAddress, 1) }
  }

  /// The bytes that have come.
  func receive() -> Set<UInt8> {
    var bytes: Set<UInt8> = []
    var buffer = [UInt8](repeating: 0, count: 256)
    while true {
      let count = read(reading, &buffer, buffer.count)
      if count > 0 { bytes.formUnion(buffer[..<count]) } else if count == 0 || errno != EINTR { return bytes }
    }
  }
}

/// Where signal handlers leave word for whoever waits for input.
struct SignalPipe: Sendable {
  /// What has happened.
  enum News: UInt8 { case resized = 1, resumed }

  /// The process's own, which is never closed, so that no handler writes to what has taken its number.
  static let shared = SignalPipe()

  private let pipe = Pipe()

  /// What to poll.
  var descriptor: Int32 { pipe.reading }

  /// Leaves word.
  func tell(_ news: News) { pipe.send(news.rawValue) }

  /// What was left since.
  func hear() -> [News] { pipe.receive().sorted().compactMap(News.init) }
}
