// A queue that hands concurrent requests in batches to one leader at a time.
internal import Dispatch

/// A FIFO queue of requests that one leader at a time takes in batches.
///
/// A caller that adds a request while there is no leader can lead itself and needs no other thread. Requests that
/// arrive during its batch are left to a thread reserved for them.
package final class GroupCommitQueue<Request: Sendable>: Sendable {
  /// Processes a batch.
  package typealias Lead = @Sendable ([Request]) -> Void

  private struct State {
    var waiting: [Request] = []
    /// Whether a leader is taking batches.
    var isLed = false
    /// Whether some waiting requests must not wait longer than the batch before them takes.
    var isUrgent = false
    /// Whether the thread is scheduled to lead for the requests that can wait.
    var isScheduled = false
  }

  /// The size limits of a batch: a larger one would delay the first request for the sake of the last.
  package struct Limits: Sendable {
    /// The maximum number of items in a batch's requests.
    package var countMax: Int
    /// The maximum number of bytes in a batch.
    package var byteCountMax: Int
    /// The milliseconds that a deferrable request waits for others to join its batch.
    package var delay: Int

    package init(countMax: Int, byteCountMax: Int, delay: Int = 0) {
      (self.countMax, self.byteCountMax, self.delay) = (countMax, byteCountMax, delay)
    }
  }

  private let state = Locked(State())
  private let thread: DispatchQueue
  private let limits: Limits
  private let weight: @Sendable (Request) -> (count: Int, byteCount: Int)

  /// Creates an empty queue; `weight` returns the number of items and of bytes in a request.
  package init(
    label: String, limits: Limits, weight: @escaping @Sendable (Request) -> (count: Int, byteCount: Int)
  ) {
    thread = DispatchQueue(label: label)
    (self.limits, self.weight) = (limits, weight)
  }

  /// The number of waiting requests.
  package var count: Int { state.withLock { $0.waiting.count } }

  /// Whether a batch is being processed and no further request is waiting.
  package var hasTakenAll: Bool { state.withLock { $0.isLed && $0.waiting.isEmpty } }

  /// Adds a request; the queue's thread leads when there is no leader.
  package func add(_ request: Request, _ lead: @escaping Lead) {
    if enqueue([request]) { thread.async { self.leadOn(lead) } }
  }

  /// Adds a request; when there is no leader, the caller leads for one batch.
  package func addAndLead(_ request: Request, _ lead: @escaping Lead) { addAndLead([request], lead) }

  /// Adds one or more requests together; when there is no leader, the caller leads for one batch.
  package func addAndLead(_ requests: [Request], _ lead: @escaping Lead) {
    guard enqueue(requests) else { return }
    lead(state.withLock { takeBatch(&$0) })
    if state.withLock({ goesOn(&$0, lead) }) { thread.async { self.leadOn(lead) } }
  }

  /// Merges a deferrable request into the last waiting one, or appends it as a request of its own.
  package func addLater(joining: (Request) -> Bool, else make: () -> Request, _ lead: @escaping Lead) {
    state.withLock { state in
      if let last = state.waiting.last, joining(last) { return }
      state.waiting.append(make())
      schedule(&state, lead)
    }
  }

  /// Returns taken requests to the head of the queue and schedules a retry.
  package func putBack(_ requests: [Request], _ lead: @escaping Lead) {
    if requests.isEmpty { return }
    state.withLock { state in
      state.waiting.insert(contentsOf: requests, at: 0)
      schedule(&state, after: 250, lead)
    }
  }

  /// Removes a request that no batch has taken yet; returns whether there was one.
  package func remove(where isWanted: (Request) -> Bool) -> Bool {
    state.withLock { state in
      guard let index = state.waiting.lastIndex(where: isWanted) else { return false }
      state.waiting.remove(at: index)
      return true
    }
  }

  /// Appends requests; returns whether the caller must lead now.
  private func enqueue(_ requests: [Request]) -> Bool {
    state.withLock { state in
      state.waiting += requests
      state.isUrgent = true
      if state.isLed { return false }
      state.isLed = true
      return true
    }
  }

  /// Leads batch after batch while urgent requests wait; the caller has become the leader before.
  private func leadOn(_ lead: @escaping Lead) {
    repeat { lead(state.withLock { takeBatch(&$0) }) } while state.withLock { goesOn(&$0, lead) }
  }

  /// Returns whether urgent requests are waiting; gives up the lead if not.
  private func goesOn(_ state: inout State, _ lead: @escaping Lead) -> Bool {
    state.isLed = state.isUrgent
    if !state.isLed, !state.waiting.isEmpty { schedule(&state, lead) }
    return state.isLed
  }

  /// Schedules a batch for the waiting requests after a delay.
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
