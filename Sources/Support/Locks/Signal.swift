// Wakes threads that wait for something to change.
internal import Dispatch

/// Lets threads wait until somebody says that something changed.
///
/// A waiter enrols, looks once more whether what he waits for is there already, and only then sleeps: so nothing is
/// missed between the look and the sleep.
package final class Signal: Sendable {
  private struct State {
    var waiters: [UInt64: DispatchSemaphore] = [:]
    var next: UInt64 = 0
  }

  private let state = Locked(State())

  package init() {}

  /// Wakes all who wait.
  package func raise() {
    let woken = state.withLock { state in
      let waiters = state.waiters
      state.waiters.removeAll(keepingCapacity: true)
      return waiters
    }
    for semaphore in woken.values { semaphore.signal() }
  }

  /// Sleeps until ``raise()`` or for a time, unless the condition holds already.
  package func sleep<E: Error>(for time: Duration, unless condition: () throws(E) -> Bool) throws(E) {
    let semaphore = DispatchSemaphore(value: 0)
    let number = state.withLock { state in
      state.next += 1
      state.waiters[state.next] = semaphore
      return state.next
    }
    defer { state.withLock { state in state.waiters[number] = nil } }
    if try condition() { return }
    // Who waits for longer looks again in between.
    let (seconds, attoseconds) = min(time, .seconds(3600)).components
    let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
    _ = semaphore.wait(timeout: .now() + .nanoseconds(max(0, nanoseconds)))
  }
}
