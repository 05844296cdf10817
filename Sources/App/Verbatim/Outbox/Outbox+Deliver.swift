// Delivering what waits in an outbox.
internal import Chat
internal import EventLog
internal import Locks
internal import Projections

extension Outbox {
  /// Submits what waits, in order, each once; returns when nothing waits any more.
  ///
  /// What the domain refuses is kept in ``refused`` with its reason, and the next goes on. Whatever may pass (a full
  /// disk, another process that has the turn, a closed workspace, a cancelled task) stops the delivery before the entry
  /// it met, and so does what cannot be read: the rest waits for another delivery.
  ///
  /// A process may die at any point: the next delivery submits under the same id what nobody noted to be delivered, and
  /// gets the first receipt. Deliveries that are asked for at the same time come one behind the other.
  @discardableResult
  public func deliver(to workspace: Workspace) async throws(DeliveryStop) -> Delivery {
    var delivery = Delivery()
    guard await writerLock.take(1) else { throw DeliveryStop(delivery: delivery, reason: .cancelled) }
    defer { writerLock.giveBack(1) }
    do throws(OutboxError) {
      try await deliver(to: workspace, &delivery)
      try await tidy()
    } catch {
      // What was noted before is noted for good if that can be; nothing is lost if not.
      try? await tidy()
      throw DeliveryStop(delivery: delivery, reason: error)
    }
    return delivery
  }

  private func deliver(to workspace: Workspace, _ delivery: inout Delivery) async throws(OutboxError) {
    while let next = content.withLock({ $0.next() }) {
      if isClosed { throw .closed }
      switch next {
      case .damaged(let range): throw .damaged(path: path, range)
      case .unreadable(let id, let reason): throw .unreadable(path: path, id, reason)
      case .entry(let entry): try await deliver(entry, to: workspace, &delivery)
      }
    }
  }

  private func deliver(
    _ entry: Entry, to workspace: Workspace, _ delivery: inout Delivery
  ) async throws(OutboxError) {
    let submitted: Submitted
    do throws(SubmitError) {
      submitted = try await workspace.submit(Submission(entry, by: owner))
    } catch {
      guard let (intent, reason) = error.verdict else { throw .undelivered(entry.id, error) }
      let refused = Refused(entry: entry, intent: intent, reason: reason)
      delivery.refused.append(refused)
      // Decided again behind the next, it might be granted.
      try await note(.refused(entry.id, intent: intent, reason: reason), syncs: true)
      return
    }
    delivery.delivered.append((entry, submitted))
    // What was recorded is found again by its id, though the note of it were lost. What came to nothing is not: decided
    // again behind the next, it might come to something.
    try await note(.delivered(entry.id), syncs: submitted.receipt == nil)
  }
}

extension SubmitError {
  /// The no that stays a no, however often it is asked again; nil for what may pass.
  fileprivate var verdict: (intent: Int?, reason: String)? {
    switch self {
    case .refused(let refusal, let intent): (intent, refusal.description)
    case .append(.log), .full, .noDevice, .openElsewhere, .composerBusy, .cancelled, .closed, .readOnly, .failed: nil
    case .conflict, .append: (nil, description)
    }
  }
}
