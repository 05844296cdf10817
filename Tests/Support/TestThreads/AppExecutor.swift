// An executor as an app may prefer it.
import Dispatch

/// An executor that an app may prefer for its tasks, which are then suspended at each `await`.
package final class AppExecutor: TaskExecutor {
  /// The executor.
  package static let shared = AppExecutor()

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    DispatchQueue.global().async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
