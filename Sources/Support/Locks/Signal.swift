// A condition variable whose waiters cannot miss a wakeup.
internal import Dispatch

/// A signal that threads wait for until another thread raises it.
///
/// A waiter enrols, checks its condition once more, and only then sleeps, so no change between the check and the sleep
/// is missed.
package final class Signal: Sendable {
  private struct State {
    var waiters: [UInt64: DispatchSemaphore] = [:]
    var next: UInt64 = 0
  }

  private let state = Locked(State())

  package init() {}

  /// Wakes all waiters.
  package func raise() {
    let woken = state.withLock { state in
      let waiters = state.waiters
      state.waiters.removeAll(keepingCapacity: true)
      return waiters
    }
    for semaphore in woken.values { semaphore.signal() }
  }

  /// Blocks until ``raise()`` or a timeout, unless the condition already holds.
  package func sleep<E: Error>(for time: Duration, unless condition: () throws(E) -> Bool) throws(E) {
    let semaphore = DispatchSemaphore(value: 0)
    let number = state.withLock { state in
      state.next += 1
      state.waiters[state.next] = semaphore
      return state.next
    }
    defer { state.withLock { state in state.waiters[number] = nil } }
    if try condition() { return }
    // A longer timeout ends early; the caller waits again.
    let (seconds, attoseconds) = min(time, .seconds(3600)).components
    let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
    _ = semaphore.wait(timeout: .now() + .nanoseconds(max(0, nanoseconds)))
  }
}
