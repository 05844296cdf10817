// Threads for blocking calls, apart from those that run tasks.
internal import Dispatch

/// A pool of threads for calls that block on a disk or a lock.
///
/// They are separate from the concurrency pool, which has one thread for each processor and stalls when those block.
package final class WorkerPool: Sendable {
  private let queues: [DispatchQueue]
  private let loads: Locked<[Int]>

  /// Creates `count` workers.
  package init(label: String, count: Int = 8) {
    // A serial queue has a thread outside the concurrency pool.
    queues = (0..<count).map { DispatchQueue(label: "\(label).\($0)") }
    loads = Locked(Array(repeating: 0, count: count))
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

  /// Runs a call on the least loaded worker.
  package func run(_ call: @escaping @Sendable () -> Void) {
    let number = loads.withLock { loads in
      let number = loads.indices.min { loads[$0] < loads[$1] } ?? 0
      loads[number] += 1
      return number
    }
    queues[number].async {
      call()
      self.loads.withLock { $0[number] -= 1 }
    }
  }
}
