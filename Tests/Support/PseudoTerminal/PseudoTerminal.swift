// A program in a pseudoterminal, in which a test types and reads.
import ChildProcess
package import Foundation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A terminal with a program in it, which is killed with this object.
package final class PseudoTerminal {
  /// The end of a program; one that hung was killed at the deadline.
  package enum Ending: Hashable { case exit(CInt), signal(CInt), hung(seconds: Int) }

  /// A failure of the program, with the contents of the window.
  package enum Failure: Error, CustomStringConvertible {
    case notStarted(String, errno: CInt)
    case unknown(String, screen: String)
    case silent(seconds: Int, screen: String)
    case ended(screen: String)

    package var description: String {
      switch self {
      case .notStarted(let what, let errno): "\(what): \(String(cString: strerror(errno)))"
      case .unknown(let what, let screen): "the emulator does not know \(what)\n\(screen)"
      case .silent(let seconds, let screen): "nothing more came in \(seconds) seconds\n\(screen)"
      case .ended(let screen): "the program closed the terminal\n\(screen)"
      }
    }
  }

  /// The window after the bytes read so far.
  package private(set) var screen: EmulatedScreen
  package let process: pid_t
  private let control: CInt
  private var ending: Ending?

  /// Starts a program in a window, in this process's environment with changes.
  package init(
    _ arguments: [String], columns: Int = 40, rows: Int = 10, environment changes: [String: String?] = [:]
  ) throws {
    screen = EmulatedScreen(columns: columns, rows: rows)
    let spawning = Spawning(arguments, environment: changes, group: .sessionOfItsOwn)
    (control, process) = try Spawning.inTurn {
      let (control, path) = try Self.openTerminal(columns, rows)
      // The first terminal that the leader of a new session opens controls the session.
      let (process, code) = spawning.start { actions in
        posix_spawn_file_actions_addopen(&actions, 0, path, O_RDWR, 0)
        posix_spawn_file_actions_adddup2(&actions, 0, 1)
        posix_spawn_file_actions_adddup2(&actions, 0, 2)
      }
      if code == 0 { return (control, process) }
      close(control)
      throw Failure.notStarted(arguments[0], errno: code)
    }
  }

  deinit {
    signal(SIGKILL)
    wait()
    close(control)
  }

  /// The terminal's settings, as text that is equal for equal settings.
  package var settings: String {
    var settings = termios()
    guard tcgetattr(control, &settings) == 0 else { return "none: error \(errno)" }
    return "\(settings.c_iflag) \(settings.c_oflag) \(settings.c_cflag) \(settings.c_lflag) \(settings.c_cc)"
  }

  /// Types a text.
  package func send(_ text: String) throws { try send(Array(text.utf8)) }

  /// Types bytes; reads output in the meantime, so that neither side blocks the other.
  package func send(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let events = try wait(for: POLLIN | POLLOUT)
      if events & POLLOUT != 0 {
        let count = rest.withUnsafeBytes { write(control, $0.baseAddress, $0.count) }
        rest = rest.dropFirst(max(0, count))
      }
      if events & ~POLLOUT != 0, try !receive() { throw Failure.ended(screen: screen.dump) }
    }
  }

  /// Resizes the window.
  package func resize(columns: Int, rows: Int) {
    screen.resize(columns: columns, rows: rows)
    Self.setSize(of: control, columns, rows)
  }

  /// Reads until the window meets a condition.
  ///
  /// The deadline measures nothing: it lets a program that hangs fail the test instead of blocking it.
  package func wait(until isThere: (EmulatedScreen) -> Bool) throws {
    while !isThere(screen) {
      _ = try wait(for: POLLIN)
      guard try receive() else { throw Failure.ended(screen: screen.dump) }
    }
  }

  /// Reads until no program has the terminal open; returns the end of the program that was started.
  @discardableResult
  package func finish() throws -> Ending {
    repeat { _ = try wait(for: POLLIN) } while try receive()
    return wait()
  }

  /// Signals the program that was started.
  package func signal(_ number: CInt) { if ending == nil { kill(process, number) } }

  /// Signals the job in the foreground of the terminal.
  package func signalForeground(_ number: CInt) { killpg(tcgetpgrp(control), number) }

  /// Waits until the terminal is ready; throws after two minutes, which only a program that hangs takes.
  private func wait(for events: CInt, within seconds: Int = Deadline.seconds) throws -> CInt {
    var slot = pollfd(fd: control, events: Int16(events), revents: 0)
    while true {
      let count = poll(&slot, 1, CInt(seconds * 1000))
      if count > 0 { return CInt(slot.revents) }
      if count == 0 { throw Failure.silent(seconds: seconds, screen: screen.dump) }
    }
  }

  /// Processes the available output; returns whether there may be more.
  private func receive() throws -> Bool {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(control, &bytes, bytes.count)
    if count < 0, errno == EAGAIN || errno == EINTR { return true }
    guard count > 0 else { return false }
    do { try screen.feed(bytes[..<count]) } catch {
      throw Failure.unknown("\(error)", screen: screen.dump)
    }
    return true
  }

  @discardableResult
  private func wait() -> Ending {
    if let ending { return ending }
    let ending: Ending
    switch status(of: process, orElse: { signal(SIGKILL) }) {
    case nil: ending = .hung(seconds: Deadline.seconds)
    case let status? where status & 0x7F == 0: ending = .exit(status >> 8 & 0xFF)
    case let status?: ending = .signal(status & 0x7F)
    }
    self.ending = ending
    return ending
  }

  /// Opens a terminal; returns its controlling end, and the path of the other.
  private static func openTerminal(_ columns: Int, _ rows: Int) throws -> (control: CInt, path: String) {
    var control: CInt = -1
    var other: CInt = -1
    var path = [CChar](repeating: 0, count: 1024)
    guard openpty(&control, &other, &path, nil, nil) == 0 else { throw Failure.notStarted("a terminal", errno: errno) }
    close(other)
    _ = fcntl(control, F_SETFD, FD_CLOEXEC)
    _ = fcntl(control, F_SETFL, O_NONBLOCK)
    setSize(of: control, columns, rows)
    return (control, String(decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
  }

  private static func setSize(of terminal: CInt, _ columns: Int, _ rows: Int) {
    var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
  }
}
