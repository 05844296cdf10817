// Ends a command that would go on for ever, when its user has had enough.
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Remembers SIGINT and SIGTERM instead of being ended by them.
enum InterruptFlag {
  private static let happened = Atomic(false)

  /// Whether one of the signals came.
  static var hasHappened: Bool { happened.load(ordering: .relaxed) }

  /// Installs the handler; in somebody else's process nothing is installed, and nothing ever happens.
  static func install(in context: Context) {
    // The first use makes the flag, which a handler must not do.
    happened.store(false, ordering: .relaxed)
    guard context.ownsProcess else { return }
    handle([SIGINT, SIGTERM]) { _ in InterruptFlag.happened.store(true, ordering: .relaxed) }
  }
}

/// Has signals handled, even if who started the process blocked them.
func handle(_ signals: [Int32], _ handler: @convention(c) (Int32) -> Void) {
  var set = sigset_t()
  sigemptyset(&set)
  for number in signals {
    signal(number, handler)
    sigaddset(&set, number)
  }
  pthread_sigmask(SIG_UNBLOCK, &set, nil)
}
