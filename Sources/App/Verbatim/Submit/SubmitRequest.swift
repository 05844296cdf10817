// What waits to be decided and appended.
internal import Chat
internal import EventLog

/// Something that waits for its turn to be decided and appended.
// Safe because its caller writes it before it is queued, what is typed is added to it only under the queue's lock while
// it waits there, and then the leader alone uses it until it calls `whenSettled`.
internal final class SubmitRequest: @unchecked Sendable {
  let work: Work
  /// How much room it takes: so many intents or events, and one at least.
  private(set) var size = 1
  /// How many bytes they take, about.
  private(set) var byteCount = 0
  /// What was done in a composer, of ``Work/typed(_:)``.
  private(set) var typed: [ChatEvent.Change] = []
  private(set) var typedEvents: [ProposedEvent] = []
  /// Whether it was tried before, so that the log may have it.
  private(set) var wasPutBack = false
  private(set) var outcome: Result<Submitted, SubmitError> = .failure(.cancelled)
  var whenSettled: () -> Void = {}

  /// From how many bytes on nothing more joins what was typed: an append must not grow for as long as none can be made.
  private static let joinedByteCountMax = 1 << 20

  enum Work {
    /// To decide what is wanted; of a composer that somebody has open, behind all that was done in it before.
    case submission(Submission, AppendIdentity, in: OpenComposer?)
    /// To record what was done in a composer and answered at once.
    case typed(OpenComposer, AppendID)
    /// To wait for all that came before.
    case flush
    /// To wait for all that came before, and to take nothing that comes behind.
    case close
  }

  init(_ work: Work) {
    self.work = work
    guard case .submission(let submission, let wanted, _) = work else { return }
    (size, byteCount) = (max(1, submission.intents.count), wanted.byteCount)
  }

  /// Whether it only waits for what came before.
  var isMark: Bool {
    switch work {
    case .submission, .typed: false
    case .flush, .close: true
    }
  }

  /// Adds what was done in a composer, when it is that composer's; answers whether it was.
  func join(_ composer: OpenComposer, _ changes: [ChatEvent.Change], _ events: [ProposedEvent]) -> Bool {
    guard case .typed(let own, _) = work, !wasPutBack, own === composer, byteCount < Self.joinedByteCountMax else {
      return false
    }
    size = typed.count + changes.count
    byteCount += events.reduce(0) { $0 + $1.payload.count }
    typed += changes
    typedEvents += events
    return true
  }

  func putBack() { wasPutBack = true }

  func settle(_ outcome: Result<Submitted, SubmitError>) {
    self.outcome = outcome
    whenSettled()
  }
}

/// What a submit's append is called, and what it came of.
internal struct AppendIdentity {
  let id: AppendID
  /// Whether the id was made for it, so that the log cannot have it.
  let isNew: Bool
  let proposal: ProposalHash
  /// How many bytes it has where it is kept.
  let byteCount: Int
}
