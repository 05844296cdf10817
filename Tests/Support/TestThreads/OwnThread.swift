// A trait of tests that block their thread while they wait for another process.
import Dispatch
import Foundation
package import Testing

/// A trait of tests that run on threads of their own, so that they block none of those that tasks share.
///
/// There are only as many shared threads as processors: two tests that wait for minutes in them would stop all others,
/// whose own deadlines would pass.
package struct OwnThread: SuiteTrait, TestTrait, TestScoping {
  private let executor: ThreadExecutor

  fileprivate init(on executor: ThreadExecutor) { self.executor = executor }

  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(executor) { try await function() }
  }
}

extension Trait where Self == OwnThread {
  /// The test waits for processes that it started.
  package static var waitsForProcesses: OwnThread { OwnThread(on: .forProcesses) }

  /// The test waits for pages of a browser.
  package static var waitsForBrowser: OwnThread { OwnThread(on: .forBrowsers) }
}

/// An executor that runs each part of a task on a new thread, in its turn.
private final class ThreadExecutor: TaskExecutor {
  static let forProcesses = ThreadExecutor()
  static let forBrowsers = ThreadExecutor()

  /// The number of parts that run at the same time: with too many processes or pages at once, all would be slow.
  private let slots = DispatchSemaphore(value: max(2, ProcessInfo.processInfo.activeProcessorCount))

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    Thread.detachNewThread {
      self.slots.wait()
      defer { self.slots.signal() }
      job.runSynchronously(on: self.asUnownedTaskExecutor())
    }
  }
}
