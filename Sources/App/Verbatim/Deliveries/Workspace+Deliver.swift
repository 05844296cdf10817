// Deliveries: scheduled messages are sent, and reminders recorded, when they are due.
public import Chat
internal import ChatProjections
internal import Errors
internal import EventLog
internal import Projections

extension Workspace {
  /// Sends the scheduled messages and records the reminders that are due now; returns their number.
  ///
  /// Each is sent or recorded once, whatever is killed when and however many processes deliver: both are decided on the
  /// state, in which a delivered message is no longer scheduled. A message that its author may not send any more is
  /// recorded as failed; nothing is recorded while its author is deactivated.
  @discardableResult
  public func deliverDue() async throws(ConsumerError) -> Int {
    var passed: Set<Due> = []
    return try await deliverDue(as: Self.deliveries, passing: &passed)
  }

  /// Sends scheduled messages and records reminders when they are due, until the task is cancelled.
  ///
  /// Of several processes that do so under one name one works, and another takes over within a second of its end. What
  /// is scheduled while it works is noticed within a second.
  public func deliverContinuously(as id: Consumer.ID = "deliveries") async throws(ConsumerError) {
    guard let file = try await ConsumerFile.locked(for: id, in: path) else { return }
    var (passed, head): (Set<Due>, Position?) = ([], nil)
    while !Task.isCancelled {
      let now = try rethrow(self.head()) { ConsumerError.projections(id, $0) }
      // What was refused may be accepted after a change.
      if now != head { passed = [] }
      head = now
      _ = try await deliverDue(as: id, passing: &passed)
      try? await Task.sleep(for: .milliseconds(500))
    }
    withExtendedLifetime(file) {}
  }

  private static let deliveries: Consumer.ID = "deliveries"

  private func deliverDue(as id: Consumer.ID, passing passed: inout Set<Due>) async throws(ConsumerError) -> Int {
    let result = await offThread { workspace in
      Result { () throws(ProjectionError) in
        let now = workspace.now
        return try workspace.lend(withOthers: false) { reading in
          Result { () throws(ProjectionError) in try reading.chat.dues(through: now) }
        }.get()
      }
    }
    var count = 0
    for due in try rethrow(result.get(), as: { ConsumerError.projections(id, $0) }) where !passed.contains(due) {
      do throws(SubmitError) {
        switch due {
        case .reminder(let key, _): try await submit(.saved(key, .remind), by: .system)
        case .message(let key, _): try await submit(.scheduled(key, .deliver), by: .user(key.author))
        }
        count += 1
      } catch {
        switch error {
        case .cancelled: return count
        case .refused: passed.insert(due)
        default: throw .notRecorded(id, error)
        }
      }
    }
    return count
  }
}
