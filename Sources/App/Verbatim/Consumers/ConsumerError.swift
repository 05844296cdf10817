// The errors that end a consumer.
public import Chat
public import EventLog
public import Projections

/// The error that ended a consumer; the event at which it ended is the next one at the next start.
public enum ConsumerError: Error, Sendable {
  /// The handler threw an error for the event at a position.
  case notHandled(Consumer.ID, at: Position, any Error)
  /// An effect of the event at a position was refused; `intent` is its index among the effects, from 0.
  case refused(Consumer.ID, at: Position, Refusal, intent: Int)
  /// The user of the consumer may not read the event at a position, since they are deactivated or do not exist.
  case userRefused(Consumer.ID, at: Position, Refusal)
  /// The position or the effects could not be recorded.
  case notRecorded(Consumer.ID, SubmitError)
  /// The name belongs to the deliveries or the expiry of the workspace.
  case reserved(Consumer.ID)
  /// The consumer was ended while it ran.
  case ended(Consumer.ID)
  /// The next event cannot be read.
  case changes(Consumer.ID, ChangesError)
  /// The state cannot be read.
  case projections(Consumer.ID, ProjectionError)
  /// The file of the consumer cannot be opened.
  case storage(Consumer.ID, path: String, reason: String)
}

extension ConsumerError: CustomStringConvertible {
  /// One sentence: what failed, on what, what to do.
  public var description: String {
    switch self {
    case .notHandled(let id, let position, let error):
      "The consumer \(id) ended at event \(position), which its handler could not handle: correct the handler, or skip "
        + "the event. \(error)"
    case .refused(let id, let position, let refusal, let index):
      "The consumer \(id) ended at event \(position), since effect \(index) of it was refused: correct the handler, or "
        + "skip the event. \(refusal)"
    case .userRefused(let id, let position, let refusal):
      "The consumer \(id) ended at event \(position), which its user may not read. \(refusal)"
    case .notRecorded(.deliveries, let error): "What is due was not delivered. \(error)"
    case .notRecorded(let id, let error): "The position of the consumer \(id) was not recorded. \(error)"
    case .reserved(let id):
      "The name \(id) is that of a part of the workspace itself: give the consumer another name."
    case .ended(let id): "The consumer \(id) was ended while it ran: start it again to begin anew."
    case .changes(let id, let error): "The consumer \(id) cannot read the next event. \(error)"
    case .projections(let id, let error): "The consumer \(id) cannot read its position. \(error)"
    case .storage(let id, let path, let reason):
      "The file \(path) of the consumer \(id) cannot be opened: \(reason)."
    }
  }
}
