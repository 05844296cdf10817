// The deadline of what tests wait for, and the error that names what did not happen.
package import Dispatch
package import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The deadline of waits in tests.
///
/// It measures nothing: it is long enough for a slow machine, and there so that a wait in vain fails the test that
/// waits, and does not hang the suite.
package enum Deadline {
  package static let seconds = 120

  /// The deadline of a wait that begins now.
  package static var fromNow: DispatchTime { .now() + .seconds(seconds) }
}

/// The error of a wait in vain.
package struct Overdue: Error, CustomStringConvertible {
  package let description: String

  package init(_ awaited: String, seconds: Int) {
    description = "\(awaited) did not happen within \(seconds) seconds."
  }
}

extension DispatchSemaphore {
  /// Waits for a signal; throws ``Overdue`` at the deadline.
  package func wait(for awaited: String, within seconds: Int = Deadline.seconds) throws {
    if wait(timeout: .now() + .seconds(seconds)) == .timedOut { throw Overdue(awaited, seconds: seconds) }
  }
}

/// Runs a body that blocks on a thread of its own; throws ``Overdue`` when it has not returned at the deadline.
///
/// The thread is left to itself then. `stop` is called first: it ends what the body waits for, where it can.
package func blocking<R: Sendable>(
  _ awaited: String, within seconds: Int = Deadline.seconds, orElse stop: () -> Void = {},
  _ body: @escaping @Sendable () throws -> R
) throws -> R {
  let outcome = Outcome<R>()
  let hasReturned = DispatchSemaphore(value: 0)
  Thread.detachNewThread {
    outcome.end(with: Result { try body() })
    hasReturned.signal()
  }
  if hasReturned.wait(timeout: .now() + .seconds(seconds)) == .timedOut {
    stop()
    throw Overdue(awaited, seconds: seconds)
  }
  return try outcome.result.withLock { $0! }.get()
}

/// Runs an asynchronous body; throws ``Overdue`` when it has not returned at the deadline, even if it ignores that it
/// is cancelled.
package func within<R: Sendable>(
  _ awaited: String, seconds: Int = Deadline.seconds, _ body: @escaping @Sendable () async throws -> R
) async throws -> R {
  let outcome = Outcome<R>()
  let work = Task { outcome.end(with: await Result { try await body() }) }
  let timer = Task {
    try await Task.sleep(for: .seconds(seconds))
    outcome.end(with: .failure(Overdue(awaited, seconds: seconds)))
    work.cancel()
  }
  defer { timer.cancel() }
  return try await withCheckedThrowingContinuation { outcome.tell($0) }
}

/// The elements of a sequence, one by one, each of which is awaited until the deadline.
package actor Elements<Base: AsyncSequence & SendableMetatype> where Base.Element: Sendable {
  private var iterator: Base.AsyncIterator

  /// Begins to iterate at once.
  package init(of base: sending Base) { iterator = base.makeAsyncIterator() }

  /// Returns the next element, or nil at the end of the sequence.
  package nonisolated func next() async throws -> Base.Element? {
    try await within("the next element of a sequence") { try await self.advance() }
  }

  private func advance() async throws -> Base.Element? {
    var iterator = iterator
    defer { self.iterator = iterator }
    return try await iterator.next(isolation: self)
  }
}

/// The first result of a race, and the continuation that waits for it.
private final class Outcome<R: Sendable>: Sendable {
  let result = Mutex<Result<R, any Error>?>(nil)
  private let waiting = Mutex<CheckedContinuation<R, any Error>?>(nil)

  func end(with new: Result<R, any Error>) {
    let isFirst = result.withLock { result in
      defer { result = result ?? new }
      return result == nil
    }
    if isFirst { resume(with: new) }
  }

  func tell(_ continuation: CheckedContinuation<R, any Error>) {
    waiting.withLock { $0 = continuation }
    if let result = result.withLock({ $0 }) { resume(with: result) }
  }

  private func resume(with result: Result<R, any Error>) {
    let continuation = waiting.withLock { waiting in
      defer { waiting = nil }
      return waiting
    }
    continuation?.resume(with: result)
  }
}

extension Result where Failure == any Error, Success: Sendable {
  fileprivate init(_ body: () async throws -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }
}

/// Waits until a child process has ended or, with `WUNTRACED`, stopped; returns its status.
///
/// At the deadline it calls the closure, which has to kill the process, and returns nil.
package func status(
  of process: pid_t, options: CInt = 0, within seconds: Int = Deadline.seconds, orElse kill: () -> Void
) -> CInt? {
  var status: CInt = 0
  if waitpid(process, &status, options | WNOHANG) == process { return status }
  let awaited = "the end of process \(process)"
  let ended = try? blocking(awaited, within: seconds, orElse: kill) { () -> CInt in
    var status: CInt = 0
    while waitpid(process, &status, options) < 0, errno == EINTR {}
    return status
  }
  return ended
}

extension Process {
  /// Waits until the process has ended; kills it at the deadline.
  package func waitUntilExit(of name: String, within seconds: Int = Deadline.seconds) throws {
    try blocking("the end of \(name)", within: seconds, orElse: endAtOnce) { self.waitUntilExit() }
  }

  /// Returns what the process writes into a pipe when it has ended; kills it at the deadline.
  package func output(through pipe: Pipe, of name: String, within seconds: Int = Deadline.seconds) throws -> String {
    let output = try blocking("the output of \(name)", within: seconds, orElse: endAtOnce) {
      pipe.fileHandleForReading.readDataToEndOfFile()
    }
    try waitUntilExit(of: name, within: seconds)
    return String(decoding: output, as: UTF8.self)
  }

  private func endAtOnce() { kill(processIdentifier, SIGKILL) }
}
