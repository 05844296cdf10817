// Requests that arrive together are dealt with together, by one leader at a time.
internal import Dispatch

/// Requests that wait, in the order in which they came, and are taken in batches by one leader at a time.
///
/// Who brings a request while nobody leads may lead itself, and needs no other thread. What comes meanwhile is left to
/// a thread that is kept for it.
package final class GroupCommitQueue<Request: Sendable>: Sendable {
  /// Deals with a batch.
  package typealias Lead = @Sendable ([Request]) -> Void

  private struct State {
    var waiting: [Request] = []
    /// Whether somebody takes batches.
    var isLed = false
    /// Whether some that wait must not wait longer than it takes to lead the batch before them.
    var isUrgent = false
    /// Whether the thread will come to lead for those that can wait a little.
    var isScheduled = false
  }

  /// How large a batch may be: more would delay the first for the sake of the last.
  package struct Limits: Sendable {
    /// How many things that requests bring.
    package var countMax: Int
    /// How many bytes.
    package var byteCountMax: Int
    /// How many milliseconds those wait that can, for others to come.
    package var delay: Int

    package init(countMax: Int, byteCountMax: Int, delay: Int = 0) {
      (self.countMax, self.byteCountMax, self.delay) = (countMax, byteCountMax, delay)
    }
  }

  private let state = Locked(State())
  private let thread: DispatchQueue
  private let limits: Limits
  private let weight: @Sendable (Request) -> (count: Int, byteCount: Int)

  /// No requests; `weight` tells how many things one brings, and how many bytes they take.
  package init(
    label: String, limits: Limits, weight: @escaping @Sendable (Request) -> (count: Int, byteCount: Int)
  ) {
    thread = DispatchQueue(label: label)
    (self.limits, self.weight) = (limits, weight)
  }

  /// How many wait.
  package var count: Int { state.withLock { $0.waiting.count } }

  /// Adds a request; the thread leads when nobody does.
  package func add(_ request: Request, _ lead: @escaping Lead) {
    if enqueue([request]) { thread.async { self.leadOn(lead) } }
  }

  /// Adds a request; when nobody leads, the caller does, for one batch.
  package func addAndLead(_ request: Request, _ lead: @escaping Lead) { addAndLead([request], lead) }

  /// Adds requests that come together, of which there is one at least; when nobody leads, the caller does, for one
  /// batch.
  package func addAndLead(_ requests: [Request], _ lead: @escaping Lead) {
    guard enqueue(requests) else { return }
    lead(state.withLock { takeBatch(&$0) })
    if state.withLock({ goesOn(&$0, lead) }) { thread.async { self.leadOn(lead) } }
  }

  /// Joins what can wait a little to the request that came last, or adds it as one of its own.
  package func addLater(joining: (Request) -> Bool, else make: () -> Request, _ lead: @escaping Lead) {
    state.withLock { state in
      if let last = state.waiting.last, joining(last) { return }
      state.waiting.append(make())
      schedule(&state, lead)
    }
  }

  /// Puts requests that were taken back to the front, to be taken again in a while.
  package func putBack(_ requests: [Request], _ lead: @escaping Lead) {
    if requests.isEmpty { return }
    state.withLock { state in
      state.waiting.insert(contentsOf: requests, at: 0)
      schedule(&state, after: 250, lead)
    }
  }

  /// Takes back a request that nobody has taken yet; answers whether there was one.
  package func remove(where isWanted: (Request) -> Bool) -> Bool {
    state.withLock { state in
      guard let place = state.waiting.lastIndex(where: isWanted) else { return false }
      state.waiting.remove(at: place)
      return true
    }
  }

  /// Puts requests into the queue; answers whether somebody must now lead, which is then expected.
  private func enqueue(_ requests: [Request]) -> Bool {
    state.withLock { state in
      state.waiting += requests
      state.isUrgent = true
      if state.isLed { return false }
      state.isLed = true
      return true
    }
  }

  /// Leads batch after batch while some that wait are urgent; the lead was taken before.
  private func leadOn(_ lead: @escaping Lead) {
    repeat { lead(state.withLock { takeBatch(&$0) }) } while state.withLock { goesOn(&$0, lead) }
  }

  /// Whether there is more to lead now; gives up the lead if not.
  private func goesOn(_ state: inout State, _ lead: @escaping Lead) -> Bool {
    state.isLed = state.isUrgent
    if !state.isLed, !state.waiting.isEmpty { schedule(&state, lead) }
    return state.isLed
  }

  /// Sees to it that what waits is led for in a while.
  private func schedule(_ state: inout State, after delay: Int? = nil, _ lead: @escaping Lead) {
    if state.isScheduled { return }
    state.isScheduled = true
    thread.asyncAfter(deadline: .now() + .milliseconds(delay ?? limits.delay)) { [self] in
      let leads = self.state.withLock { state in
        state.isScheduled = false
        if state.waiting.isEmpty { return false }
        state.isUrgent = true
        if state.isLed { return false }
        state.isLed = true
        return true
      }
      if leads { leadOn(lead) }
    }
  }

  private func takeBatch(_ state: inout State) -> [Request] {
    var total = (count: 0, byteCount: 0)
    var taken = 0
    while taken < state.waiting.count {
      let weight = weight(state.waiting[taken])
      total = (total.count + weight.count, total.byteCount + weight.byteCount)
      if taken > 0, total.count > limits.countMax || total.byteCount > limits.byteCountMax { break }
      taken += 1
    }
    if taken == state.waiting.count {
      let batch = state.waiting
      state.waiting.removeAll(keepingCapacity: true)
      state.isUrgent = false
      return batch
    }
    let batch = Array(state.waiting[..<taken])
    state.waiting.removeFirst(taken)
    return batch
  }
}
