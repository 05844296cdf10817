// Wakes tasks that wait for the log to grow.
internal import Dispatch
internal import Locks

/// Lets tasks wait until the log, in whatever process it grows, ends past a position; one thread waits for all.
internal final class HeadWaiter: Sendable {
  private struct Waiter {
    let position: Position
    let continuation: CheckedContinuation<Result<Void, LogError>, Never>
  }

  private struct State {
    var waiters: [UInt64: Waiter] = [:]
    var next: UInt64 = 0
    var isWatching = false
  }

  private let state = Locked(State())
  private let thread = DispatchQueue(label: "verbatim.watch")

  /// Returns when the log ends past a position or the task is cancelled.
  func wait(beyond position: Position, of log: any Log) async throws(LogError) {
    let number = state.withLock { state in
      state.next += 1
      return state.next
    }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        enrol(number, Waiter(position: position, continuation: continuation), log)
      }
    } onCancel: {
      release(number)
    }
    try result.get()
  }

  private func enrol(_ number: UInt64, _ waiter: Waiter, _ log: any Log) {
    let mustWatch = state.withLock { state in
      state.waiters[number] = waiter
      if state.isWatching { return false }
      state.isWatching = true
      return true
    }
    // Cancelled before it was enrolled: the cancellation handler found nothing to release.
    if Task.isCancelled { release(number) }
    if mustWatch {
      thread.async { self.watch(log) }
    } else if let head = try? log.lastSeenHead().position, head > waiter.position {
      // The watcher may have seen this head before the waiter was enrolled, and would sleep until the next.
      release(number)
    }
  }

  private func release(_ number: UInt64) {
    let waiter = state.withLock { state in state.waiters.removeValue(forKey: number) }
    waiter?.continuation.resume(returning: .success(()))
  }

  private func watch(_ log: any Log) {
    while true {
      let result = Result<Position, LogError> { () throws(LogError) in try log.head().position }
      let released = state.withLock { state in
        var released: [Waiter] = []
        for (number, waiter) in state.waiters {
          if case .success(let head) = result, head <= waiter.position { continue }
          state.waiters[number] = nil
          released.append(waiter)
        }
        state.isWatching = !state.waiters.isEmpty
        return (waiters: released, isDone: !state.isWatching)
      }
      for waiter in released.waiters { waiter.continuation.resume(returning: result.map { _ in }) }
      if released.isDone { return }
      // A failure here is reported by `head`, which resumes every waiter with it.
      if case .success(let head) = result {
        _ = try? log.wait(beyond: head, until: .now + .milliseconds(100))
      }
    }
  }
}
