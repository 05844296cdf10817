// How much may wait: who finds no room waits for it in order, and may give up.
internal import Dispatch
internal import Locks

/// Room for so many who wait for something; those who find none stand in line for it.
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

  /// How many stand in line for it.
  var inLine: Int { state.withLock { $0.line.count } }

  /// How much of it is taken.
  var taken: Int { state.withLock { size - $0.free } }

  /// Takes room if there is enough and nobody stands in line.
  func tryTake(_ count: Int) -> Bool {
    let count = min(count, size)
    return state.withLock { state in
      guard state.line.isEmpty, state.free >= count else { return false }
      state.free -= count
      return true
    }
  }

  /// Takes room as soon as there is enough; answers false when the task is cancelled before.
  func take(_ count: Int) async -> Bool {
    if tryTake(count) { return true }
    let number = newNumber()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        enrol(Waiter(number: number, count: min(count, size)) { continuation.resume(returning: $0) })
        // Cancelled before it stood in line: nobody else takes it out.
        if Task.isCancelled { leave(number) }
      }
    } onCancel: {
      leave(number)
    }
  }

  /// Takes room as soon as there is enough; the thread waits.
  func takeWaiting(_ count: Int) {
    if tryTake(count) { return }
    let arrived = DispatchSemaphore(value: 0)
    enrol(Waiter(number: newNumber(), count: min(count, size)) { _ in arrived.signal() })
    arrived.wait()
  }

  /// Gives room back.
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
      guard let place = state.line.firstIndex(where: { $0.number == number }) else { return (nil, []) }
      let gone = state.line.remove(at: place)
      return (gone, admit(&state))
    }
    gone?.wake(false)
    for waiter in woken { waiter.wake(true) }
  }

  /// Gives room to those who stand first in line, as far as it goes.
  private func admit(_ state: inout State) -> [Waiter] {
    var admitted: [Waiter] = []
    while let first = state.line.first, first.count <= state.free {
      state.free -= first.count
      admitted.append(state.line.removeFirst())
    }
    return admitted
  }
}
