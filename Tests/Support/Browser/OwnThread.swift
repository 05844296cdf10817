// A trait of tests that block their thread while they wait for a browser.
import Dispatch
import Foundation
package import Testing

/// A trait of tests that run on threads of their own, so that they block none of those that tasks share.
package struct OwnThread: SuiteTrait, TestTrait, TestScoping {
  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(ThreadExecutor()) { try await function() }
  }
}

extension Trait where Self == OwnThread {
  /// The test runs on a thread of its own.
  package static var ownThread: OwnThread { OwnThread() }
}

/// The number of parts that run at the same time: with too many pages at once, all would be slow.
private let slots = DispatchSemaphore(value: max(2, ProcessInfo.processInfo.activeProcessorCount))

/// An executor that runs each part of a task on a new thread, in its turn.
private final class ThreadExecutor: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    Thread.detachNewThread {
      slots.wait()
      defer { slots.signal() }
      job.runSynchronously(on: self.asUnownedTaskExecutor())
    }
  }
}
