// Delivery of an outbox's entries.
internal import Chat
internal import EventLog
internal import Locks
internal import Projections

extension Outbox {
  /// Submits the waiting entries in order, each once; returns when none waits.
  ///
  /// A refused entry is kept in ``refused`` with its reason, and delivery continues. A transient failure (a full disk,
  /// a writer lock held by another process, a closed workspace, a cancelled task, the slow mode of a channel) stops the
  /// delivery before the entry, and so does an entry that cannot be decoded: the rest waits for another delivery.
  ///
  /// It is crash-safe: the next delivery submits an entry without a recorded outcome under the same id and gets the
  /// first receipt. Concurrent deliveries run one after the other.
  @discardableResult
  public func deliver(to workspace: Workspace) async throws(DeliveryStop) -> Delivery {
    var delivery = Delivery()
    guard await deliveryLock.take(1) else { throw DeliveryStop(delivery: delivery, reason: .cancelled) }
    defer { deliveryLock.giveBack(1) }
    do throws(OutboxError) {
      try await deliver(to: workspace, &delivery)
      try await tidy()
    } catch {
      // Records written before are synced if possible; nothing is lost if not.
      try? await tidy()
      throw DeliveryStop(delivery: delivery, reason: error)
    }
    return delivery
  }

  private func deliver(to workspace: Workspace, _ delivery: inout Delivery) async throws(OutboxError) {
    while let next = content.withLock({ $0.next }) {
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
      let failure = error.refusal.map { RecordedFailure($0) } ?? .text(UserText(reason))
      try await deliverComposer(of: entry, for: failure, to: workspace)
      let refused = Refused(entry: entry, intent: intent, reason: reason)
      delivery.refused.append(refused)
      // Durable at once: decided again after the next entry, it might be granted.
      try await note(.refused(entry.id, intent: intent, reason: reason), syncs: true)
      return
    }
    delivery.delivered.append((entry, submitted))
    // A recorded submit is found by its id even if this record is lost. A no-op is not: decided again after the next
    // entry, it might have an effect.
    try await note(.delivered(entry.id), syncs: submitted.receipt == nil)
  }

  /// Submits what a refused entry says of the composer, so that later entries continue from the composer as it is here:
  /// the message, the edit or the command was refused, and the content has left the composer.
  private func deliverComposer(
    of entry: Entry, for reason: RecordedFailure, to workspace: Workspace
  ) async throws(OutboxError) {
    guard entry.intents.count > 1 else { return }
    let intents = entry.intents.compactMap { intent -> ChatIntent? in
      guard case .composer(let key, .record(let events)) = intent else { return nil }
      return .composer(key, .record(events.flatMap { $0.unsent(reason) }))
    }
    if intents.isEmpty { return }
    do throws(SubmitError) {
      try await workspace.submit(Submission(intents, by: owner, id: entry.id.next, correlation: entry.correlation))
    } catch {
      // A composer that cannot be recorded, such as one of an unknown channel, stays out of the log.
      if error.verdict == nil { throw .undelivered(entry.id, error) }
    }
  }
}

extension Composer.Event {
  /// The events for a send that failed at delivery; other events are unchanged.
  fileprivate func unsent(_ failure: RecordedFailure) -> [Composer.Event] {
    switch self {
    case .sent(_, let kept): [.sendRefused(failure), .cleared(keeping: kept)]
    case .editEnded(.saved): [.sendRefused(failure), .editEnded(.cancelled)]
    case .commandExecuted(let id): [.commandFailed(id, failure)]
    default: [self]
    }
  }
}

extension AppendID {
  /// The id of what is submitted in place of a refused entry; not that of another entry, whose random bits differ.
  fileprivate var next: AppendID {
    withBytes { bytes in
      let halves = bytes.load(as: (UInt64, UInt64).self)
      return AppendID(high: UInt64(bigEndian: halves.0), low: UInt64(bigEndian: halves.1) ^ 1)
    }
  }
}

extension SubmitError {
  /// The final refusal, which a retry would repeat; nil for a transient failure.
  fileprivate var verdict: (intent: Int?, reason: String)? {
    switch self {
    // Slow mode passes.
    case .refused(.coolingDown, _): nil
    case .refused(let refusal, let intent): (intent, refusal.description)
    case .append(.log), .full, .noDevice, .openElsewhere, .composerBusy, .cancelled, .closed, .readOnly, .failed: nil
    case .conflict, .append: (nil, description)
    }
  }
}
