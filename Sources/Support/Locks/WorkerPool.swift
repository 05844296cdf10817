// Threads for blocking calls, apart from those that run tasks.
internal import Dispatch

/// A pool of threads for calls that block on a disk or a lock; they begin in the order in which they are made.
///
/// They are separate from the concurrency pool, which has one thread for each processor and stalls when those block.
package final class WorkerPool: Sendable {
  private struct State {
    /// The calls that no worker has taken, in order.
    var waiting: [@Sendable () -> Void] = []
    /// The workers that take no calls.
    var idle: [DispatchQueue]
  }

  private let state: Locked<State>

  /// Creates `count` workers.
  package init(label: String, count: Int = 8) {
    // A serial queue has a thread outside the concurrency pool.
    state = Locked(State(idle: (0..<count).map { DispatchQueue(label: "\(label).\($0)") }))
  }

  /// Runs a call that may block on a worker, and returns its result without blocking the caller's thread.
  package func result<R: Sendable, Failure: Error>(
    of call: @escaping @Sendable () throws(Failure) -> R
  ) async throws(Failure) -> R {
    let result = await withCheckedContinuation { continuation in
      run { continuation.resume(returning: Result(catching: call)) }
    }
    return try result.get()
  }

  /// Runs a call on a worker.
  package func run(_ call: @escaping @Sendable () -> Void) {
    let worker = state.withLock { state in
      state.waiting.append(call)
      return state.idle.popLast()
    }
    guard let worker else { return }
    worker.async {
      while let call = self.next(for: worker) { call() }
    }
  }

  /// Takes the next call; without one, the worker is idle.
  private func next(for worker: DispatchQueue) -> (@Sendable () -> Void)? {
    state.withLock { state in
      if !state.waiting.isEmpty { return state.waiting.removeFirst() }
      state.idle.append(worker)
      return nil
    }
  }
}
