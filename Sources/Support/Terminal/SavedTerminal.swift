// The state of the terminal in raw mode, reachable from signal handlers.
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The saved state that restores a terminal from wherever the process ends.
enum SavedTerminal {
  private struct Taken {
    let input: Int32
    let output: Int32
    var before: termios
    var raw: termios
    /// The previous signal actions, indexed by signal number.
    let actions: UnsafeMutablePointer<sigaction>
  }

  private static let signalCount = 64
  private static let isTaken = Atomic(false)
  private static let isRaw = Atomic(false)
  // Safe because it is written only between taking and giving back, while no handler is installed, and never freed.
  nonisolated(unsafe) private static var terminal: UnsafeMutablePointer<Taken>?
  private static let leavingAtExit: Void = { _ = atexit { SavedTerminal.giveBack(abruptly: true) } }()

  /// The signals after which the process loses the terminal, including those by which a process crashes.
  private static let ends = [
    SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV,
  ]
  private static let others = [SIGTSTP, SIGCONT, SIGWINCH]

  /// Puts a terminal into raw mode.
  static func begin(input: Int32, output: Int32) throws(RawModeError) {
    for descriptor in [input, output] where isatty(descriptor) == 0 { throw .noTerminal(descriptor: descriptor) }
    var before = termios()
    guard tcgetattr(input, &before) == 0 else { throw .system(errno) }
    guard !isTaken.exchange(true, ordering: .acquiringAndReleasing) else { throw .alreadyRaw }
    var raw = before
    cfmakeraw(&raw)
    // Output of other writers, such as a crash report, has line ends of one byte.
    raw.c_oflag = before.c_oflag
    let actions = UnsafeMutablePointer<sigaction>.allocate(capacity: signalCount)
    actions.initialize(repeating: sigaction(), count: signalCount)
    let new = UnsafeMutablePointer<Taken>.allocate(capacity: 1)
    new.initialize(to: Taken(input: input, output: output, before: before, raw: raw, actions: actions))
    terminal = new
    // The first use initializes these, which must not happen in a handler.
    isRaw.store(false, ordering: .relaxed)
    _ = (leavingAtExit, SignalPipe.shared)
    for number in ends + others { install(number, keepingOldIn: actions + Int(number)) }
    // Even if the parent process blocked them.
    var all = set(of: ends + others)
    pthread_sigmask(SIG_UNBLOCK, &all, nil)
    takeOver()
  }

  /// Restores the terminal for good.
  static func end() {
    giveBack(abruptly: false)
    guard let terminal else { return }
    for number in ends + others { sigaction(number, terminal.pointee.actions + Int(number), nil) }
    // The memory is never freed: a handler on another thread may still read it.
    isTaken.store(false, ordering: .releasing)
  }

  /// Stops the job.
  static func suspend() { kill(0, SIGTSTP) }

  // MARK: Async-signal-safe functions

  private static func takeOver() {
    guard let terminal, isOurs(terminal) else { return }
    isRaw.store(true, ordering: .relaxed)
    tcsetattr(terminal.pointee.input, TCSANOW, &terminal.pointee.raw)
    say("\u{1B}[?2004h", to: terminal.pointee.output)
  }

  private static func giveBack(abruptly: Bool) {
    guard let terminal, isRaw.exchange(false, ordering: .relaxed), isOurs(terminal) else { return }
    say("\u{1B}[?2004l\u{1B}[?7h\u{1B}[?25h\u{1B}[0m", to: terminal.pointee.output)
    // There may be painted rows below the caret.
    if abruptly { say("\r\n\u{1B}[J", to: terminal.pointee.output) }
    tcsetattr(terminal.pointee.input, TCSANOW, &terminal.pointee.before)
  }

  /// Whether the process may configure the terminal: in the background it would be stopped for trying.
  private static func isOurs(_ terminal: UnsafeMutablePointer<Taken>) -> Bool {
    let foreground = tcgetpgrp(terminal.pointee.input)
    return foreground < 0 || foreground == getpgrp()
  }

  /// Writes only if the descriptor is writable: a process must not hang at exit because the output is not read.
  private static func say(_ words: StaticString, to output: Int32) {
    var slot = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
    guard poll(&slot, 1, 0) > 0 else { return }
    _ = write(output, words.utf8Start, words.utf8CodeUnitCount)
  }

  /// Handles a signal; calls async-signal-safe functions only.
  private static func handle(_ number: Int32) {
    let code = errno
    defer { errno = code }
    guard let terminal else { return }
    let old = terminal.pointee.actions + Int(number)
    switch number {
    case SIGWINCH: SignalPipe.shared.tell(.resized)
    case SIGCONT: goOn()
    case SIGTSTP:
      giveBack(abruptly: true)
      var own = sigaction()
      sigaction(number, old, &own)
      raise(number)
      // The process stops here, unless the earlier handler prevents it.
      var set = sigset_t()
      sigemptyset(&set)
      sigaddset(&set, number)
      pthread_sigmask(SIG_UNBLOCK, &set, nil)
      sigaction(number, &own, nil)
      goOn()
    default:
      giveBack(abruptly: true)
      sigaction(number, old, nil)
      // The signal is delivered when the handler has returned.
      raise(number)
    }
  }

  private static func goOn() {
    takeOver()
    SignalPipe.shared.tell(.resumed)
  }

  private static func install(_ number: Int32, keepingOldIn old: UnsafeMutablePointer<sigaction>) {
    sigaction(number, nil, old)
    // Signals that the parent process ignores, as nohup does, remain ignored.
    if isIgnoring(old.pointee) { return }
    var new = sigaction()
    setHandler(of: &new) { SavedTerminal.handle($0) }
    new.sa_mask = set(of: ends + others)
    new.sa_flags = Int32(SA_RESTART) | Int32(SA_ONSTACK)
    sigaction(number, &new, nil)
  }

  private static func set(of numbers: [Int32]) -> sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for number in numbers { sigaddset(&set, number) }
    return set
  }

  private static func setHandler(of action: inout sigaction, _ handler: @escaping @convention(c) (Int32) -> Void) {
    #if canImport(Glibc)
      action.__sigaction_handler.sa_handler = handler
    #else
      action.__sigaction_u.__sa_handler = handler
    #endif
  }

  private static func isIgnoring(_ action: sigaction) -> Bool {
    #if canImport(Glibc)
      unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    #else
      unsafeBitCast(action.__sigaction_u.__sa_handler, to: Int.self) == 1
    #endif
  }
}
