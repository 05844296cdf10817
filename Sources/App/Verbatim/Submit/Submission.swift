// What is submitted, and what comes of it.
public import Projections
public import Chat
public import EventLog

/// Something that somebody wants to happen: all of it, or nothing.
public struct Submission: Hashable, Sendable {
  /// What is wanted, in order; each is decided on what those before it come to.
  public var intents: [ChatIntent]
  /// Who wants it.
  public var actor: Author
  /// What the submit is called; a new id is made when nil. The same id again is the same submit again.
  public var id: AppendID?
  /// What must hold of streams when it is decided.
  public var expectations: [StreamExpectation]
  /// What it belongs to.
  public var correlation: Name?
  /// The event that caused it.
  public var cause: Position?

  /// A submission with its parts.
  public init(
    _ intents: [ChatIntent], by actor: Author, id: AppendID? = nil, expecting expectations: [StreamExpectation] = [],
    correlation: Name? = nil, cause: Position? = nil
  ) {
    (self.intents, self.actor, self.id) = (intents, actor, id)
    (self.expectations, self.correlation, self.cause) = (expectations, correlation, cause)
  }
}

/// What came of a submit: it is on the disk.
public struct Submitted: Hashable, Sendable {
  /// Where what happened stands in the log; nil when all that was wanted was so already.
  public let receipt: Receipt?
  /// Behind what happened, or where the log ended when there was nothing to do: who reads here or further sees it.
  public let position: Position

  internal init(receipt: Receipt) { (self.receipt, position) = (receipt, receipt.positions.upperBound) }

  internal init(nothingAt position: Position) { (receipt, self.position) = (nil, position) }
}

/// Why a submit came to nothing.
public enum SubmitError: Error, Sendable {
  /// The domain says no; nothing has changed. `intent` says which of them it was about, from 0.
  case refused(Refusal, intent: Int)
  /// A stream is not as it was expected: somebody wrote first.
  case conflict(AppendConflict)
  /// It cannot be appended as it is: its id was used for something else, it is too large, its cause is unknown.
  case append(AppendError)
  /// So many wait already, and it was asked not to wait.
  case full(waiting: Int)
  /// Another has written to the composer: nothing more is recorded here, and what was typed is still in it.
  case openElsewhere(Composer.Key)
  /// Something is being submitted from the composer, and what it comes to may change what is in it.
  case composerBusy(Composer.Key)
  /// A composer belongs to a device, and it is not told on which the user is.
  case noDevice(User.ID)
  /// The task was cancelled before it was this submit's turn; nothing was or will be recorded of it.
  case cancelled
  /// The workspace was closed; nothing was or will be recorded of it.
  case closed
  /// This program cannot fold an event of the log, and so decides nothing.
  case readOnly(ProjectionStop)
  /// The disk or the system refused. Whether anything was recorded is not known where the disk failed under way: the
  /// same submission with this id tells, and is recorded once.
  case failed(AppendID?, ProjectionError)
}

extension SubmitError {
  /// The domain's no, if it is one.
  public var refusal: Refusal? {
    if case .refused(let refusal, _) = self { refusal } else { nil }
  }
}

extension SubmitError: CustomStringConvertible {
  /// One sentence: what happened, to what, what to do.
  public var description: String {
    switch self {
    case .refused(let refusal, _): refusal.description
    case .conflict(let conflict): conflict.description
    case .append(let error): error.description
    case .full(let waiting):
      "\(waiting) events and submits wait to be appended, which is as many as may: wait, or submit again later."
    case .openElsewhere(let key):
      "The composer of \(key.user) on \(key.device) in \(key.channel) was written to elsewhere: "
        + "open it again to go on from there; what was typed here is still in this one."
    case .composerBusy(let key):
      "What the composer of \(key.user) on \(key.device) in \(key.channel) submits has no answer yet: "
        + "do this again once it has."
    case .noDevice(let user):
      "The client of \(user) does not tell its device, and a composer belongs to one: make the client with a device."
    case .cancelled: "The task was cancelled before its submit was taken up: nothing of it was recorded."
    case .closed: "The workspace was closed: open it again and submit again."
    case .readOnly(let stop): "Nothing can be submitted, for the state cannot be folded to the end. \(stop)"
    case .failed(let id?, let error): "\(error) Submit the same again with the id \(id) to learn what came of it."
    case .failed(nil, let error): error.description
    }
  }
}
