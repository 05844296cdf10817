// Waiting for a semaphore for a duration.
package import Dispatch

extension DispatchSemaphore {
  /// Waits for the semaphore for a time at most, in milliseconds; returns whether it was signalled.
  package func wait(for time: Duration) -> Bool {
    // Without a look at the clock, where it is free.
    if wait(timeout: DispatchTime(uptimeNanoseconds: 1)) == .success { return true }
    let (seconds, attoseconds) = time.components
    let milliseconds = Int(clamping: seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
    return wait(timeout: .now() + .milliseconds(milliseconds)) == .success
  }
}
