// A counting semaphore that admits waiters in FIFO order and lets them give up.
internal import Dispatch
internal import Locks

/// A FIFO counting semaphore: a waiter is admitted once enough of the capacity is free.
internal final class AdmissionLimiter: Sendable {
  private struct Waiter {
    let number: UInt64
    let count: Int
    let wake: @Sendable (_ hasRoom: Bool) -> Void
  }

  private struct State {
    var free: Int
    var line: [Waiter] = []
    var next: UInt64 = 0
  }

  let size: Int
  private let state: Locked<State>

  init(for size: Int) {
    self.size = max(1, size)
    state = Locked(State(free: self.size))
  }

  /// The number of waiters.
  var inLine: Int { state.withLock { $0.line.count } }

  /// The capacity in use.
  var taken: Int { state.withLock { size - $0.free } }

  /// Takes capacity if enough is free and no waiter is queued; returns whether it did.
  func tryTake(_ count: Int) -> Bool {
    let count = min(count, size)
    return state.withLock { state in
      guard state.line.isEmpty, state.free >= count else { return false }
      state.free -= count
      return true
    }
  }

  /// Takes capacity as soon as enough is free; returns false if the task is cancelled first.
  func take(_ count: Int) async -> Bool {
    if tryTake(count) { return true }
    let number = newNumber()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        enrol(Waiter(number: number, count: min(count, size)) { continuation.resume(returning: $0) })
        // Cancelled before it was enrolled: the cancellation handler found nothing to remove.
        if Task.isCancelled { leave(number) }
      }
    } onCancel: {
      leave(number)
    }
  }

  /// Takes capacity as soon as enough is free; blocks the thread.
  func takeWaiting(_ count: Int) {
    if tryTake(count) { return }
    let arrived = DispatchSemaphore(value: 0)
    enrol(Waiter(number: newNumber(), count: min(count, size)) { _ in arrived.signal() })
    arrived.wait()
  }

  /// Releases capacity.
  func giveBack(_ count: Int) {
    let woken = state.withLock { state in
      state.free += min(count, size)
      return admit(&state)
    }
    for waiter in woken { waiter.wake(true) }
  }

  private func newNumber() -> UInt64 {
    state.withLock { state in
      state.next += 1
      return state.next
    }
  }

  private func enrol(_ waiter: Waiter) {
    let woken = state.withLock { state in
      state.line.append(waiter)
      return admit(&state)
    }
    for waiter in woken { waiter.wake(true) }
  }

  private func leave(_ number: UInt64) {
    let (gone, woken) = state.withLock { state -> (Waiter?, [Waiter]) in
      guard let index = state.line.firstIndex(where: { $0.number == number }) else { return (nil, []) }
      let gone = state.line.remove(at: index)
      return (gone, admit(&state))
    }
    gone?.wake(false)
    for waiter in woken { waiter.wake(true) }
  }

  /// Admits waiters from the head of the queue as long as capacity is free.
  private func admit(_ state: inout State) -> [Waiter] {
    var admitted: [Waiter] = []
    while let first = state.line.first, first.count <= state.free {
      state.free -= first.count
      admitted.append(state.line.removeFirst())
    }
    return admitted
  }
}
