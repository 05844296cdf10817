// A child process, driven through pipes.
package import Foundation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A process that a test started; it is killed with this object.
package final class Child {
  package let process: pid_t
  private var input: CInt
  private let output: CInt
  private let isInOwnGroup: Bool
  private var unread: [UInt8] = []
  private var isAtEnd = false
  private var ending: Ending?

  /// The end of a process; one that hung was killed at the deadline.
  package enum Ending: Hashable { case exit(CInt), signal(CInt), hung(seconds: Int) }

  /// A failure of a child process.
  package enum Failure: Error {
    case notStarted(String, errno: CInt)
    case silent(seconds: Int, after: String)
    case ended(Ending, instead: String)
    case other(String, instead: String)
  }

  /// Returns the path of a worker, which is built into the same directory as the tests.
  package static func path(ofWorker name: String) -> String {
    #if os(Linux)
      let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
      return tests[..<(tests.lastIndex(of: "/") ?? tests.startIndex)] + "/" + name
    #else
      let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? .main
      return bundle.bundleURL.deletingLastPathComponent().path + "/" + name
    #endif
  }

  private static let ignoringBrokenPipes: Void = { ignoreBrokenPipes() }()

  /// Starts a program, looked up on the PATH unless it is a path, in this process's environment with changes.
  ///
  /// In its own process group, it is signalled together with all processes that it starts.
  package init(
    _ arguments: [String], environment changes: [String: String?] = [:], inOwnGroup isInOwnGroup: Bool = false
  ) throws {
    self.isInOwnGroup = isInOwnGroup
    let spawning = Spawning(arguments, environment: changes, group: isInOwnGroup ? .ofItsOwn : .ofItsParent)
    (process, input, output) = try Spawning.inTurn { try Self.start(spawning, arguments[0]) }
    // A process that reads nothing must not block the sender.
    _ = fcntl(input, F_SETFL, O_NONBLOCK)
  }

  deinit {
    end()
    closeInput()
    close(output)
  }

  /// Sends a line.
  package func send(_ line: String = "") { send(Array((line + "\n").utf8)) }

  /// Sends bytes; stops if the process has closed its input. A process that has read none at the deadline is killed.
  package func send(_ bytes: [UInt8], within seconds: Int = Deadline.seconds) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN {
        var slot = pollfd(fd: input, events: Int16(POLLOUT), revents: 0)
        if poll(&slot, 1, CInt(seconds * 1000)) != 0 { continue }
        FileHandle.standardError.write(Data("process \(process) read nothing within \(seconds) seconds\n".utf8))
        return signal(SIGKILL)
      }
      if count <= 0 { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Closes the process's input.
  package func closeInput() {
    if input >= 0 { close(input) }
    input = -1
  }

  /// Returns the next line; nil when the process has ended or closed its output.
  ///
  /// The deadline measures nothing: it lets a child that hangs fail the test instead of blocking it.
  package func line(within seconds: Int = Deadline.seconds) throws -> String? {
    try bytes(endedBy: UInt8(ascii: "\n"), within: seconds).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the bytes up to the next terminator; nil when the process has ended or closed its output.
  ///
  /// Nil for no deadline is for a thread that reads for other threads, which have a deadline.
  package func bytes(endedBy end: UInt8, within seconds: Int?) throws -> [UInt8]? {
    var searched = 0
    while true {
      if let end = unread[searched...].firstIndex(of: end) {
        let bytes = Array(unread[..<end])
        unread.removeSubrange(...end)
        return bytes
      }
      searched = unread.count
      if isAtEnd { return nil }
      var waiting = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      let isReady = poll(&waiting, 1, seconds.map { CInt($0 * 1000) } ?? -1) > 0
      if !isReady, let seconds {
        throw Failure.silent(seconds: seconds, after: String(decoding: unread, as: UTF8.self))
      }
      if isReady { receive() }
    }
  }

  /// The bytes read but not yet returned: at the end, the text after the last line.
  package var rest: String { String(decoding: unread, as: UTF8.self) }

  /// Waits for a line that begins with a word; returns its other words.
  @discardableResult
  package func expect(_ word: String) throws -> [String] {
    guard let line = try line() else { throw Failure.ended(wait(), instead: word) }
    let words = line.split(separator: " ").map(String.init)
    guard words.first == word else { throw Failure.other(line, instead: word) }
    return Array(words.dropFirst())
  }

  /// Returns all lines until the process closes its output.
  package func lines() throws -> [String] {
    var lines: [String] = []
    while let line = try line() { lines.append(line) }
    return lines
  }

  package func signal(_ number: CInt) { if ending == nil { kill(isInOwnGroup ? -process : process, number) } }

  /// Waits until the process has ended; kills it at the deadline.
  @discardableResult
  package func wait(within seconds: Int = Deadline.seconds) -> Ending {
    if let ending { return ending }
    let ending: Ending
    switch status(of: process, within: seconds, orElse: { signal(SIGKILL) }) {
    case nil: ending = .hung(seconds: seconds)
    case let status? where status & 0x7F == 0: ending = .exit(status >> 8 & 0xFF)
    case let status?: ending = .signal(status & 0x7F)
    }
    self.ending = ending
    return ending
  }

  /// Waits until the process has stopped itself; kills it at the deadline.
  package func waitUntilStopped(within seconds: Int = Deadline.seconds) throws {
    let status = status(of: process, options: WUNTRACED, within: seconds) { signal(SIGKILL) }
    if status == nil { throw Failure.silent(seconds: seconds, after: "it was to stop itself") }
  }

  /// Kills the process, if it has not ended, and waits for its end.
  @discardableResult
  package func end() -> Ending {
    signal(SIGKILL)
    return wait()
  }

  /// Closes the process's input, and waits until it has ended.
  @discardableResult
  package func finish() throws -> Ending {
    closeInput()
    _ = try lines()
    return wait()
  }

  private func receive() {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(output, &bytes, bytes.count)
    if count > 0 { unread += bytes[..<count] } else { isAtEnd = true }
  }

  private static func start(_ spawning: Spawning, _ name: String) throws -> (pid_t, CInt, CInt) {
    var down: [CInt] = [-1, -1]
    var up: [CInt] = [-1, -1]
    guard pipe(&down) == 0, pipe(&up) == 0 else { throw Failure.notStarted("a pipe", errno: errno) }
    for end in down + up { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer {
      close(down[0])
      close(up[1])
    }
    // A write to a child that has ended must fail the test, not end its process.
    _ = Self.ignoringBrokenPipes
    let (process, code) = spawning.start { actions in
      posix_spawn_file_actions_adddup2(&actions, down[0], 0)
      posix_spawn_file_actions_adddup2(&actions, up[1], 1)
    }
    guard code == 0 else {
      close(down[1])
      close(up[0])
      throw Failure.notStarted(name, errno: code)
    }
    return (process, down[1], up[0])
  }
}

private func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

/// Options that the user who runs the tests can set.
package enum Choice {
  /// Whether long-running tests are enabled.
  package static let isLong = ProcessInfo.processInfo.environment["VERBATIM_LONG_TESTS"] != nil
}
