// The deadline of waits in tests, and the error that names the awaited result.
package import Dispatch
package import Foundation
import Locks

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The deadline of waits in tests.
///
/// It does not measure performance: it is long enough for a slow machine, and lets a wait for a missing event fail its
/// test instead of blocking the suite. VERBATIM_TEST_DEADLINE sets another: a shorter one for a developer who looks for
/// the cause of a failure, a longer one where long rounds run beside other work.
package enum Deadline {
  package static let seconds =
    ProcessInfo.processInfo.environment["VERBATIM_TEST_DEADLINE"].flatMap { Int($0) } ?? 600

  /// The deadline of a wait that begins now.
  package static var fromNow: DispatchTime { .now() + .seconds(seconds) }
}

/// The error of a wait past its deadline.
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

/// Runs a blocking body on a thread of its own; throws ``Overdue`` when it has not returned at the deadline.
///
/// The thread is then abandoned. `stop` is called first: it ends the awaited operation, where possible.
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

/// Runs an asynchronous body; throws ``Overdue`` when it has not returned at the deadline, even if it ignores its
/// cancellation.
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

  /// Begins to iterate immediately.
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
  let result = Locked<Result<R, any Error>?>(nil)
  private let waiting = Locked<CheckedContinuation<R, any Error>?>(nil)

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
/// At the deadline it calls the closure, which must kill the process, and returns nil.
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

  /// Returns the output of a process through a pipe after its end; kills it at the deadline.
  package func output(through pipe: Pipe, of name: String, within seconds: Int = Deadline.seconds) throws -> String {
    let output = try blocking("the output of \(name)", within: seconds, orElse: endAtOnce) {
      pipe.fileHandleForReading.readDataToEndOfFile()
    }
    try waitUntilExit(of: name, within: seconds)
    return String(decoding: output, as: UTF8.self)
  }

  private func endAtOnce() { kill(processIdentifier, SIGKILL) }
}
