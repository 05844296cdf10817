// Threads for calls that wait, apart from those that run tasks.
internal import Dispatch

/// Some threads on which calls may wait for a disk or a lock.
///
/// They are not of the pool on which tasks run, which has one thread for a processor and stands still when those wait.
package final class WorkerPool: Sendable {
  private let queues: [DispatchQueue]
  private let loads: Locked<[Int]>

  /// Workers, so many at once.
  package init(label: String, count: Int = 8) {
    // A queue that runs one after the other has a thread beside the pool's.
    queues = (0..<count).map { DispatchQueue(label: "\(label).\($0)") }
    loads = Locked(Array(repeating: 0, count: count))
  }

  /// Runs a call on the worker that has least to do.
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
