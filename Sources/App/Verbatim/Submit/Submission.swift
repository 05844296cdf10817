// A submission, its result, and the errors of submitting.
public import Projections
public import Chat
public import EventLog

/// Intents that are submitted together: all are granted, or none.
public struct Submission: Hashable, Sendable {
  /// The intents, in order; each is decided on the state that those before it leave.
  public var intents: [ChatIntent]
  /// The author of the intents.
  public var actor: Author
  /// The idempotency key; if nil, a new one is made. Submitting again with the same id is a retry.
  public var id: AppendID?
  /// The expected versions of streams, checked when the submission is decided.
  public var expectations: [StreamExpectation]
  /// The correlation id.
  public var correlation: Name?
  /// The event that caused the submission.
  public var cause: Position?

  /// Creates a submission.
  public init(
    _ intents: [ChatIntent], by actor: Author, id: AppendID? = nil, expecting expectations: [StreamExpectation] = [],
    correlation: Name? = nil, cause: Position? = nil
  ) {
    (self.intents, self.actor, self.id) = (intents, actor, id)
    (self.expectations, self.correlation, self.cause) = (expectations, correlation, cause)
  }
}

/// The result of a submit whose events are on the disk.
public struct Submitted: Hashable, Sendable {
  /// The receipt of the append; nil if the submit was a no-op.
  public let receipt: Receipt?
  /// The position of the submit's last event, or of the log's head for a no-op: a read at this position or later sees
  /// the effect.
  public let position: Position

  internal init(receipt: Receipt) { (self.receipt, position) = (receipt, receipt.positions.upperBound) }

  internal init(nothingAt position: Position) { (receipt, self.position) = (nil, position) }
}

/// The error of a failed submit.
public enum SubmitError: Error, Sendable {
  /// The domain refused an intent; nothing has changed. `intent` is the index of the refused intent, from 0.
  case refused(Refusal, intent: Int)
  /// A stream is not at its expected version: another writer appended first.
  case conflict(AppendConflict)
  /// The append is invalid: its id was used for something else, it is too large, or its cause is unknown.
  case append(AppendError)
  /// The queue is full, and the caller asked not to wait.
  case full(waiting: Int)
  /// Another process has written to the composer: nothing more is recorded here, and the composer keeps its contents.
  case openElsewhere(Composer.Key)
  /// A submit from the composer is running, and its outcome may change the contents.
  case composerBusy(Composer.Key)
  /// The client has no device, and a composer belongs to one.
  case noDevice(User.ID)
  /// The task was cancelled before the submit was taken from the queue; nothing was or will be recorded.
  case cancelled
  /// The workspace was closed; nothing was or will be recorded.
  case closed
  /// The chat state stopped before an event that this program cannot fold, so nothing is decided.
  case readOnly(ProjectionStop)
  /// The disk or the system failed. If the disk failed during the append, the outcome is unknown: a retry of the same
  /// submission with this id returns it, and is recorded once.
  case failed(AppendID?, ProjectionError)
}

extension SubmitError {
  /// The refusal, if the error is one.
  public var refusal: Refusal? {
    if case .refused(let refusal, _) = self { refusal } else { nil }
  }
}

extension SubmitError: CustomStringConvertible {
  /// One sentence: what failed, on what, what to do.
  public var description: String {
    switch self {
    case .refused(let refusal, _): refusal.description
    case .conflict(let conflict): conflict.description
    case .append(let error): error.description
    case .full(let waiting):
      "The submit queue is full with \(waiting) events and submits: wait, or submit again later."
    case .openElsewhere(let key):
      "The composer of \(key.user) on \(key.device) in \(key.channel) was written by another process: "
        + "open it again to continue from there; this one still has the text typed here."
    case .composerBusy(let key):
      "A submit of the composer of \(key.user) on \(key.device) in \(key.channel) is in progress: "
        + "try again when it has finished."
    case .noDevice(let user):
      "The client of \(user) has no device, which a composer needs: create the client with a device."
    case .cancelled: "The task was cancelled before its submit began: nothing was recorded; submit again."
    case .closed: "The workspace was closed: open it again and submit again."
    case .readOnly(let stop): "Nothing can be submitted, since the state cannot be folded to the end. \(stop)"
    case .failed(let id?, let error): "\(error) Retry the same submit with the id \(id) to get its outcome."
    case .failed(nil, let error): error.description
    }
  }
}
