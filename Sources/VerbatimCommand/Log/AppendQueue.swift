// Submits appends that follow each other without waiting for each, and keeps them in order.
internal import Dispatch
internal import EventLog

/// Appends that are on their way, in the order in which they stand in the log.
struct AppendQueue {
  /// An append whose outcome comes.
  // Safe because the task writes the outcome before it signals, and it is read after waiting for that.
  private final class Pending: @unchecked Sendable {
    var outcome: Result<Receipt, AppendError> = .failure(.empty)
    let isSettled = DispatchSemaphore(value: 0)
    let numbered: NumberedAppend

    init(_ numbered: NumberedAppend) { self.numbered = numbered }
  }

  private let store: EventStore
  private let executor = InOrder()
  private var pending: [Pending] = []

  init(_ store: EventStore) { self.store = store }

  /// Sends appends on their way, behind those that were before.
  mutating func submit(_ appends: ArraySlice<NumberedAppend>) {
    for numbered in appends {
      let one = Pending(numbered)
      pending.append(one)
      let store = store
      Task(executorPreference: executor) {
        do throws(AppendError) {
          one.outcome = .success(try await store.append(one.numbered.append))
        } catch {
          one.outcome = .failure(error)
        }
        one.isSettled.signal()
      }
    }
  }

  /// Waits for all that are on their way; answers in their order.
  mutating func settle() -> [(numbered: NumberedAppend, outcome: Result<Receipt, AppendError>)] {
    defer { pending.removeAll(keepingCapacity: true) }
    return pending.map { one in
      one.isSettled.wait()
      return (one.numbered, one.outcome)
    }
  }
}

/// Runs tasks on one thread at a time, first come, first served.
///
/// A store puts an append into its queue before it first suspends: so tasks that begin in order append in order.
private final class InOrder: TaskExecutor {
  private let queue = DispatchQueue(label: "verbatim.lines")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
