// Ends a command that otherwise runs for ever when its user interrupts it.
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A flag that SIGINT, SIGTERM and SIGHUP set instead of ending the process.
enum InterruptFlag {
  private static let happened = Atomic(false)

  /// Whether one of the signals arrived.
  static var hasHappened: Bool { happened.load(ordering: .relaxed) }

  /// Installs the handler; in a process of another program nothing is installed, and the flag stays unset.
  static func install(in context: Context) {
    // The first use initializes the flag, which a handler must not do.
    happened.store(false, ordering: .relaxed)
    guard context.ownsProcess else { return }
    // A command that is to outlive its terminal was started with SIGHUP ignored, as `nohup` does.
    let signals = isIgnored(SIGHUP) ? [SIGINT, SIGTERM] : [SIGINT, SIGTERM, SIGHUP]
    handle(signals) { _ in InterruptFlag.happened.store(true, ordering: .relaxed) }
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    sigaction(number, nil, &action)
    return withUnsafeBytes(of: action) { $0.load(as: Int.self) } == 1
  }
}

/// Installs a handler for signals and unblocks them, even if the parent process blocked them.
func handle(_ signals: [Int32], _ handler: @convention(c) (Int32) -> Void) {
  var set = sigset_t()
  sigemptyset(&set)
  for number in signals {
    signal(number, handler)
    sigaddset(&set, number)
  }
  pthread_sigmask(SIG_UNBLOCK, &set, nil)
}
