// Reviews: what moderators decide about flagged messages and users.

// MARK: State

/// The review of a flagged message or user: its open flags, who reviews them, and every decision so far.
public struct Review: Hashable, Sendable {
  /// The flagged message or user.
  public let target: Flag.Target
  /// The number of flags raised since the last decision.
  public var flagCount: UInt32
  /// The time of the first of these flags; without any, that of the last decision.
  public var opened: Timestamp
  /// The author who claimed the review, and when; nil when nobody did.
  public var claim: EventOrigin?
  /// The decisions, in order.
  public var decisions: [Decision]

  package init(
    of target: Flag.Target, flagCount: UInt32, opened: Timestamp, claim: EventOrigin? = nil, decisions: [Decision] = []
  ) {
    (self.target, self.flagCount, self.opened) = (target, flagCount, opened)
    (self.claim, self.decisions) = (claim, decisions)
  }

  /// A decision of a moderator, which resolves all flags raised before it.
  public struct Decision: Hashable, Sendable {
    /// The outcome.
    public let outcome: Outcome
    /// The note for other moderators.
    public let note: UserText?
    /// The author and the time of the decision.
    public let origin: EventOrigin
    /// The number of flags that it resolved.
    public let flagCount: UInt32

    package init(_ outcome: Outcome, note: UserText?, _ origin: EventOrigin, flagCount: UInt32) {
      (self.outcome, self.note, self.origin, self.flagCount) = (outcome, note, origin, flagCount)
    }
  }

  /// The outcome of a decision: ``Chat/ID/dismissed``, ``Chat/ID/acted``, or an app's own.
  public typealias Outcome = Chat.ID<OutcomeName>

  /// The phantom type of ``Outcome``.
  public enum OutcomeName: Sendable {}

  /// The number of decisions so far.
  package var round: UInt32 { UInt32(clamping: decisions.count) }

  /// Whether there are flags to decide about.
  public var isOpen: Bool { flagCount > 0 }
}

extension ID where Named == Review.OutcomeName {
  /// The outcome of flags that needed no action.
  public static var dismissed: Review.Outcome { "dismissed" }
  /// The outcome of flags on which the moderator acted, such as by a deletion or a ban.
  public static var acted: Review.Outcome { "acted" }
}

// MARK: Events

extension Review {
  /// An event of a review.
  public enum Event: Hashable, Sendable {
    /// The author claimed the review: others leave it to them.
    case claimed
    /// The claim was released.
    case released
    /// The open flags were resolved.
    case resolved(Outcome, note: UserText?)
  }
}

// MARK: Intents

extension Review {
  /// An intent on a review.
  public enum Intent: Hashable, Sendable {
    /// Claims the review.
    case claim
    /// Releases the claim.
    case release
    /// Resolves the open flags.
    case resolve(Outcome, note: UserText?)
  }
}

// MARK: Decide

extension Decision {
  func decide(_ intent: Review.Intent, on target: Flag.Target) throws(Refusal) -> [Review.Event] {
    switch target {
    case .message(let key): try permissions(in: known(key.channel)).needs(.moderate)
    case .user: try needsAdministrator()
    }
    guard let review = state[target], review.isOpen else {
      // A repeated intent finds the flags resolved.
      if case .resolve(let outcome, let note) = intent, let last = state[target]?.decisions.last,
        last.outcome == outcome, last.note == note, last.origin.actor.user == actor.user
      {
        return []
      }
      throw .noFlags(target)
    }
    if let claim = review.claim, claim.actor.user != actor.user {
      // An administrator can release a claim of another moderator, and nobody else can do anything about it.
      guard case .release = intent, (try? needsAdministrator()) != nil else { throw .claimed(by: claim.actor) }
    }
    switch intent {
    case .claim: return review.claim == nil ? [.claimed] : []
    case .release: return review.claim == nil ? [] : [.released]
    case .resolve(let outcome, let note):
      if let note { try check(line: note) }
      return [.resolved(outcome, note: note)]
    }
  }
}

// MARK: Fold

extension Review.Event {
  func fold(on target: Flag.Target, _ origin: EventOrigin, into state: inout some ChatStateStore) {
    guard var review = state[target] else { return }
    switch self {
    case .claimed: review.claim = origin
    case .released: review.claim = nil
    case .resolved(let outcome, let note):
      review.decisions.append(Review.Decision(outcome, note: note, origin, flagCount: review.flagCount))
      (review.flagCount, review.opened, review.claim) = (0, origin.at, nil)
    }
    state[target] = review
  }
}
