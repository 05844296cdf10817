// Lets a session leave in order when its process is told to end.
internal import Dispatch
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Remembers that the process was told to end, and tells who waits for it.
enum Ending {
  private static let isWanted = Atomic(false)
  // Safe because it is written once, before the handler that reads it is installed.
  nonisolated(unsafe) private static var ends: (read: Int32, write: Int32) = (-1, -1)

  /// Whether the process is to end.
  static var hasCome: Bool { isWanted.load(ordering: .acquiring) }

  /// Installs the handler; a terminal that is taken over after that is given back first.
  static func install() {
    var pair: [Int32] = [-1, -1]
    guard pipe(&pair) == 0 else { return }
    ends = (pair[0], pair[1])
    // The first use makes the flag, which a handler must not do.
    isWanted.store(false, ordering: .relaxed)
    handle([SIGHUP, SIGINT, SIGTERM]) { _ in
      let code = errno
      Ending.isWanted.store(true, ordering: .releasing)
      var byte: UInt8 = 0
      _ = write(Ending.ends.write, &byte, 1)
      errno = code
    }
  }

  /// Calls back from a thread of its own when the process is to end.
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
