// Blocks a synchronous command until asynchronous work is done.
internal import Dispatch
internal import Locks

/// Runs an asynchronous closure, and blocks until it returns.
///
/// It runs on a queue of its own: the blocked thread may be one of the few of the shared pool.
func waited<R: Sendable>(_ body: @escaping @Sendable () async throws(Failure) -> R) throws(Failure) -> R {
  let outcome = Outcome<R>()
  let isDone = DispatchSemaphore(value: 0)
  let queue = OwnQueue()
  Task.detached(executorPreference: queue) {
    let result: Result<R, Failure>
    do throws(Failure) { result = .success(try await body()) } catch { result = .failure(error) }
    outcome.result.withLock { $0 = result }
    isDone.signal()
  }
  withExtendedLifetime(queue) { isDone.wait() }
  guard let result = outcome.result.withLock({ $0 }) else { preconditionFailure("the task has ended without a result") }
  return try result.get()
}

/// Runs an asynchronous closure, and blocks until it ends; it is cancelled when the command is interrupted.
func untilInterrupted(
  in context: Context, _ body: @escaping @Sendable () async throws(Failure) -> Void
) throws(Failure) {
  InterruptFlag.install(in: context)
  try waited { () async throws(Failure) in
    let running = Task {
      do throws(Failure) {
        try await body()
        return Result<Void, Failure>.success(())
      } catch {
        return .failure(error)
      }
    }
    let watching = Task {
      while !InterruptFlag.hasHappened, (try? await Task.sleep(for: .milliseconds(100))) != nil {}
      running.cancel()
    }
    let result = await running.value
    watching.cancel()
    try result.get()
  }
}

/// The result of the closure.
private final class Outcome<R: Sendable>: Sendable {
  let result = Locked<Result<R, Failure>?>(nil)
}

/// A task executor on a private queue.
private final class OwnQueue: TaskExecutor {
  private let queue = DispatchQueue(label: "verbatim.waiting")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
