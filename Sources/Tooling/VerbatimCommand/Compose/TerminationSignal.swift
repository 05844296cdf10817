// Lets a session end in order when its process receives a terminating signal.
internal import Dispatch
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A flag that terminating signals set, and a pipe that wakes the waiting session.
enum TerminationSignal {
  private static let isWanted = Atomic(false)
  // Safe because it is written once, before the handler that reads it is installed.
  nonisolated(unsafe) private static var ends: (read: Int32, write: Int32) = (-1, -1)

  /// Whether a terminating signal was received.
  static var hasCome: Bool { isWanted.load(ordering: .acquiring) }

  /// Installs the handler; a raw mode entered later restores the terminal before this handler runs.
  static func install() {
    var pair: [Int32] = [-1, -1]
    guard pipe(&pair) == 0 else { return }
    ends = (pair[0], pair[1])
    // The first use initializes the flag, which a handler must not do.
    isWanted.store(false, ordering: .relaxed)
    handle([SIGHUP, SIGINT, SIGTERM]) { _ in
      let code = errno
      TerminationSignal.isWanted.store(true, ordering: .releasing)
      var byte: UInt8 = 0
      _ = write(TerminationSignal.ends.write, &byte, 1)
      errno = code
    }
  }

  /// Calls the closure on a thread of its own when a terminating signal is received.
  static func whenItComes(_ tell: @escaping @Sendable () -> Void) {
    let source = ends.read
    guard source >= 0 else { return }
    DispatchQueue(label: "verbatim.ending").async {
      var byte: UInt8 = 0
      while read(source, &byte, 1) < 0, errno == EINTR {}
      tell()
    }
  }
}
