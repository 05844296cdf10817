// Deliveries: scheduled messages are sent, and reminders recorded, when they are due.
internal import Chat
internal import ChatProjections
internal import Errors
internal import EventLog
public import Projections

/// The deliveries that are due, and the process that delivers.
public struct DeliveryStatus: Hashable, Sendable {
  /// The number of scheduled messages and reminders that are due.
  public let dueCount: Int
  /// The process that delivers on this machine; nil if none does.
  public let process: Int32?
}

extension ID where Named == Consumer {
  /// The name of the deliveries among the consumers, which no consumer can have: its file is the lock of the process
  /// that delivers.
  internal static var deliveries: Consumer.ID { "deliveries" }
}

extension Workspace {
  /// Sends the scheduled messages and records the reminders that are due now; returns their number.
  ///
  /// Each is sent or recorded once, whatever is killed when and however many processes deliver: both are decided on the
  /// state, in which a delivered message is no longer scheduled. A message that its author may not send any more is
  /// recorded as failed; nothing is recorded while its author is deactivated, or has to wait in slow mode.
  @discardableResult
  public func deliverDue() async throws(ConsumerError) -> Int {
    var passed: Set<Due> = []
    return try await deliverDue(passing: &passed)
  }

  /// Sends scheduled messages and records reminders when they are due, until the task is cancelled.
  ///
  /// Of several processes that do so one works, and another takes over within a second of its end. What is scheduled
  /// while it works is noticed within a second. While another process holds the writer lock, the disk is full, or the
  /// server cannot be reached, it tries again: what is due stays due.
  public func deliverContinuously() async throws(ConsumerError) {
    guard let file = try await ConsumerFile.locked(for: .deliveries, in: path) else { return }
    var (passed, head): (Set<Due>, Position?) = ([], nil)
    while !Task.isCancelled {
      do throws(ConsumerError) {
        let found = await offThread { workspace in Result { () throws(ProjectionError) in try workspace.head() } }
        let now = try rethrow(found.get()) { ConsumerError.projections(.deliveries, $0) }
        // What was refused may be accepted after a change.
        if now != head { passed = [] }
        head = now
        _ = try await deliverDue(passing: &passed)
      } catch {
        guard error.passes, !submitQueue.isClosed else { throw error }
      }
      try? await Task.sleep(for: .milliseconds(500))
    }
    withExtendedLifetime(file) {}
  }

  /// Returns how many deliveries are due, and the process that delivers on this machine.
  public func deliveryStatus() async throws(ProjectionError) -> DeliveryStatus {
    let dues = try await dues()
    return DeliveryStatus(dueCount: dues.count, process: ConsumerFile.look(at: .deliveries, in: path)?.process)
  }

  /// Returns the reminders and scheduled messages that are due now.
  private func dues() async throws(ProjectionError) -> [Due] {
    let result = await offThread { workspace in
      Result { () throws(ProjectionError) in
        let now = workspace.now
        return try workspace.lend(withOthers: false) { reading in
          Result { () throws(ProjectionError) in try reading.chat.dues(through: now) }
        }.get()
      }
    }
    return try result.get()
  }

  private func deliverDue(passing passed: inout Set<Due>) async throws(ConsumerError) -> Int {
    let dues: [Due]
    do throws(ProjectionError) { dues = try await self.dues() } catch { throw .projections(.deliveries, error) }
    var count = 0
    // The authors whose messages wait, with the channels: in slow mode their other messages there wait, too, and a
    // submit of each in each pass would delay the deliveries of everybody else.
    var waiting: Set<Sender> = []
    for due in dues where !passed.contains(due) {
      if let sender = due.sender, waiting.contains(sender) { continue }
      do throws(SubmitError) {
        switch try await deliver(due) {
        case .delivered: count += 1
        case .failed: break
        case .unchanged: if let sender = due.sender { waiting.insert(sender) }
        }
      } catch {
        switch error {
        case .cancelled: return count
        case .refused: passed.insert(due)
        default: throw .notRecorded(.deliveries, error)
        }
      }
    }
    return count
  }

  /// Delivers what is due, unless another process did so before.
  private func deliver(_ due: Due) async throws(SubmitError) -> Delivery {
    switch due {
    case .reminder(let key, _):
      return try await submit(.saved(key, .remind), by: .system).receipt == nil ? .unchanged : .delivered
    case .message(let key, _):
      guard let receipt = try await submit(.scheduled(key, .deliver), by: .user(key.author)).receipt else {
        return .unchanged
      }
      // The message and the end of its schedule; a failure is one event.
      return receipt.positions.upperBound > receipt.positions.lowerBound ? .delivered : .failed
    }
  }
}

/// The outcome of a delivery.
private enum Delivery {
  /// The message was sent, or the reminder recorded.
  case delivered
  /// The message was recorded as failed.
  case failed
  /// Nothing was recorded: the message waits in slow mode, or is no longer due.
  case unchanged
}

/// The author and the channel of scheduled messages, which have one cooldown in slow mode.
private struct Sender: Hashable {
  let author: User.ID
  let channel: Channel.ID
}

extension Due {
  /// The author and the channel of a scheduled message; nil for a reminder.
  fileprivate var sender: Sender? {
    if case .message(let key, _) = self { Sender(author: key.author, channel: key.message.channel) } else { nil }
  }
}
