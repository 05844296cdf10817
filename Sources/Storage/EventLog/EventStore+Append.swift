// Appending: queued requests and the thread that commits them.
internal import Dispatch
internal import Locks

extension EventStore {
  /// Appends events atomically; they are durable when the call returns.
  ///
  /// The calling thread blocks, and commits the batch itself when no other thread is about to. Appends of many threads
  /// and tasks that arrive together share a block; each gets its own result.
  @available(*, noasync, message: "it blocks until the disk has finished: use the async append")
  public func appendBlocking(_ append: Append) throws(AppendError) -> Receipt {
    let request = try admit(append)
    let arrived = DispatchSemaphore(value: 0)
    request.whenSettled = { arrived.signal() }
    queue.addAndLead(request) { self.lead($0) }
    arrived.wait()
    return try request.outcome.get()
  }

  /// Appends events atomically without blocking the calling thread; they are durable when the call returns.
  public func append(_ append: Append) async throws(AppendError) -> Receipt {
    let request = try admit(append)
    await withCheckedContinuation { continuation in
      request.whenSettled = { continuation.resume() }
      queue.add(request) { self.lead($0) }
    }
    return try request.outcome.get()
  }

  /// Enqueues an append and returns at once; the caller waits for the result later.
  ///
  /// Appends that one thread starts are in the log in the order in which it started them.
  public func start(_ append: Append) throws(AppendError) -> PendingAppend {
    let request = try admit(append)
    let arrived = DispatchSemaphore(value: 0)
    request.whenSettled = { arrived.signal() }
    queue.add(request) { self.lead($0) }
    return PendingAppend(request: request, arrived: arrived)
  }

  /// Appends events atomically; they are durable when the call returns.
  @available(*, noasync, message: "it blocks until the disk has finished: use the async append")
  public func appendBlocking(
    _ events: [ProposedEvent], expecting expectations: [StreamExpectation] = [], id: AppendID? = nil,
    correlation: Name? = nil
  ) throws(AppendError) -> Receipt {
    try appendBlocking(Append(events, expecting: expectations, id: id, correlation: correlation))
  }

  /// Appends events atomically without blocking the calling thread; they are durable when the call returns.
  public func append(
    _ events: [ProposedEvent], expecting expectations: [StreamExpectation] = [], id: AppendID? = nil,
    correlation: Name? = nil
  ) async throws(AppendError) -> Receipt {
    try await append(Append(events, expecting: expectations, id: id, correlation: correlation))
  }
}

/// An append in progress.
public struct PendingAppend: Sendable {
  fileprivate let request: AppendRequest
  fileprivate let arrived: DispatchSemaphore

  /// Blocks until the append is durable or refused; further calls return the same result.
  @available(*, noasync, message: "it waits for the disk")
  public func wait() throws(AppendError) -> Receipt {
    arrived.wait()
    arrived.signal()
    return try request.outcome.get()
  }
}

/// A queued append and its result.
// Safe because its caller writes it before it is queued, then only the committing thread until it calls `whenSettled`,
// and after that only its caller; queue and semaphore order the three.
internal final class AppendRequest: @unchecked Sendable {
  let append: Append
  let id: AppendID
  let byteCount: Int
  var outcome: Result<Receipt, AppendError> = .failure(.empty)
  var whenSettled: () -> Void = {}

  init(_ append: Append, id: AppendID, byteCount: Int) {
    self.append = append
    self.id = id
    self.byteCount = byteCount
  }

  func settle(_ outcome: Result<Receipt, AppendError>) {
    self.outcome = outcome
    whenSettled()
  }
}

extension EventStore {
  private func admit(_ append: Append) throws(AppendError) -> AppendRequest {
    let byteCount = try check(append)
    return AppendRequest(
      append, id: append.id ?? configuration.newID(configuration.clock()), byteCount: byteCount)
  }

  /// Checks an append as far as possible without the log; returns the total size of its payloads in bytes.
  package func check(_ append: Append) throws(AppendError) -> Int {
    guard !append.events.isEmpty else { throw .empty }
    var size = AppendSize()
    try check(append.events, beyond: &size)
    for (index, expectation) in append.expectations.enumerated() {
      for other in append.expectations[..<index] where other.stream == expectation.stream {
        guard other.agrees(with: expectation) else { throw .contradiction(other, expectation) }
      }
    }
    return size.byteCount
  }

  /// Checks the events of an append that follow those of a size, and adds theirs to it: an append that grows event by
  /// event is checked in linear time.
  package func check(_ events: [ProposedEvent], beyond size: inout AppendSize) throws(AppendError) {
    // Events are looked at where they are: a copy retains each of their parts.
    let events = events.span
    for index in size.count..<events.count {
      let count = events[index].payload.count
      guard count <= configuration.eventByteCountMax else {
        throw .eventTooLarge(index: index, byteCount: count, max: configuration.eventByteCountMax)
      }
      size.count += 1
      size.byteCount += count
      size.storedByteCountMax += events[index].storedByteCountMax
    }
    guard size.byteCount <= configuration.appendByteCountMax else {
      throw .appendTooLarge(byteCount: size.byteCount, max: configuration.appendByteCountMax)
    }
    // A block states its length in four bytes.
    guard size.storedByteCountMax <= 1 << 31 else {
      throw .appendTooLarge(byteCount: size.storedByteCountMax, max: 1 << 31)
    }
  }
}

/// The size of the events of an append that were checked.
package struct AppendSize {
  /// The number of events.
  package fileprivate(set) var count = 0
  /// The size of their payloads in bytes.
  package fileprivate(set) var byteCount = 0
  /// The maximum size of the events in a block.
  fileprivate var storedByteCountMax = 0

  /// Creates the size of no events.
  package init() {}
}

extension ProposedEvent {
  /// The maximum size of the event in a block: its payload, its names, and all numbers at their largest.
  fileprivate var storedByteCountMax: Int {
    var byteCount = payload.count + 128 + stream.text.utf8.count + type.text.utf8.count
    if let actor { byteCount += actor.text.utf8.count }
    if let device { byteCount += device.text.utf8.count }
    return byteCount
  }
}
