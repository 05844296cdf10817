// The requests that wait in the submit queue.
internal import Chat
internal import ChatCodec
internal import EventLog

/// A request that waits in the submit queue.
// Safe because the caller writes it before it is queued, typed events join it only under the queue's lock while it
// waits there, and then the leader alone uses it until it calls `whenSettled`.
internal final class SubmitRequest: @unchecked Sendable {
  let work: Work
  /// The capacity that it takes: the number of intents or events, at least one.
  private(set) var size = 1
  /// The approximate size of its contents in bytes.
  private(set) var byteCount = 0
  /// The recorded composer events, for ``Work/typed(_:)``.
  private(set) var typed: [ChatEvent.Change] = []
  private var typedEvents: [ProposedEvent] = []
  /// The message that the composer was editing before the first of them.
  private var edited: Message.ID?
  /// Whether some of them are of an edit.
  private var isEdit = false
  /// The number of times that it was put back.
  private(set) var tries = 0
  /// Whether it was tried before, so that its events may be in the log.
  var wasPutBack: Bool { tries > 0 }
  private(set) var outcome: Result<Submitted, SubmitError> = .failure(.cancelled)
  var whenSettled: () -> Void = {}

  /// The size from which no further events join: an append must not grow without bound while none succeeds.
  private static let joinedByteCountMax = 1 << 20

  enum Work {
    /// Decide a submission; with an open composer, after everything recorded in it before.
    case submission(Submission, AppendIdentity, in: OpenComposer?)
    /// Append composer events that have already taken effect.
    case typed(OpenComposer, AppendID)
    /// Wait for all earlier requests.
    case flush
    /// Wait for all earlier requests, and close the queue.
    case close
  }

  init(_ work: Work) {
    self.work = work
    guard case .submission(let submission, let wanted, _) = work else { return }
    (size, byteCount) = (max(1, submission.intents.count), wanted.byteCount)
  }

  /// Whether intents are to be decided.
  var isSubmission: Bool {
    if case .submission = work { true } else { false }
  }

  /// Whether the request only waits for earlier ones.
  var isMark: Bool {
    switch work {
    case .submission, .typed: false
    case .flush, .close: true
    }
  }

  /// Adds events of a composer, which was editing a message before them, if the request is for the same composer;
  /// returns whether it added them.
  func join(
    _ composer: OpenComposer, _ changes: [ChatEvent.Change], _ events: [ProposedEvent], editing edited: Message.ID?
  ) -> Bool {
    guard case .typed(let own, _) = work, !wasPutBack, own === composer, byteCount < Self.joinedByteCountMax else {
      return false
    }
    if typed.isEmpty { self.edited = edited }
    if !isEdit { isEdit = edited != nil || changes.contains(where: \.beginsEdit) }
    size = typed.count + changes.count
    byteCount += events.reduce(0) { $0 + $1.payload.count }
    typed += changes
    typedEvents += events
    return true
  }

  /// The recorded events as they are appended: what is written in an edit belongs to the author of the message.
  func typedEvents(_ author: (Message.Key) -> User.ID?) -> [ProposedEvent] {
    guard isEdit else { return typedEvents }
    var (events, edited) = (typedEvents, edited)
    for (index, change) in typed.enumerated() {
      guard case .composer(let key, let event) = change else { continue }
      events[index].setContent(of: event, in: key, editing: &edited, author)
    }
    return events
  }

  func putBack() { tries += 1 }

  func settle(_ outcome: Result<Submitted, SubmitError>) {
    self.outcome = outcome
    whenSettled()
  }
}

/// The id and the proposal hash of a submit's append.
internal struct AppendIdentity {
  let id: AppendID
  /// Whether the id was made for this append, so that the log cannot contain it.
  let isNew: Bool
  let proposal: ProposalHash
  /// The encoded size in bytes.
  let byteCount: Int
}

extension ChatEvent.Change {
  fileprivate var beginsEdit: Bool {
    if case .composer(_, .editBegan) = self { true } else { false }
  }
}
