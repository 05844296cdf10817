// Reactions: how a user answers a message without words.

// MARK: Identity

extension Reaction {
  /// Whose reactions to which message.
  public struct Key: Hashable, Sendable {
    /// To which message.
    public let message: Message.Key
    /// Whose.
    public let user: User.ID

    /// The reactions of a user to a message.
    public init(to message: Message.Key, by user: User.ID) { (self.message, self.user) = (message, user) }
  }

  /// What a kind of reaction is called: `like`, `love`, an app's own.
  public typealias Kind = Chat.ID<KindName>

  /// What the ids of kinds of reactions name.
  public enum KindName: Sendable {}
}

// MARK: State

/// How a user reacts to a message.
public struct Reaction: Hashable, Sendable {
  /// Whose reactions to which message.
  public let key: Key
  /// In which ways, in the order in which they came.
  public var scores: [Score]

  package init(key: Key, scores: [Score]) { (self.key, self.scores) = (key, scores) }

  /// One way of reacting, and how strongly.
  public struct Score: Hashable, Sendable {
    /// In which way.
    public let kind: Kind
    /// How strongly: 1 or more.
    public let score: UInt32
    /// When.
    public let at: Instant

    package init(kind: Kind, score: UInt32, at: Instant) { (self.kind, self.score, self.at) = (kind, score, at) }
  }

  /// How strongly the user reacts in a way; nil when they do not.
  public func score(of kind: Kind) -> UInt32? { scores.first { $0.kind == kind }?.score }
}

// MARK: Events

extension Reaction {
  /// What can happen to the reactions of a user to a message.
  public enum Event: Hashable, Sendable {
    /// They react in this way, so strongly.
    case added(Kind, score: UInt32)
    /// They do not any more.
    case removed(Kind)
  }
}

// MARK: Intents

extension Reaction {
  /// What one can want of the reactions of a user to a message.
  public enum Intent: Hashable, Sendable {
    /// That they react in this way, so strongly: 1 or more.
    case add(Kind, score: UInt32)
    /// That they do not any more.
    case remove(Kind)
  }
}

// MARK: Decide

extension Decision {
  func decide(_ intent: Reaction.Intent, on key: Reaction.Key) throws(Refusal) -> [Reaction.Event] {
    let channel = try known(key.message.channel)
    _ = try known(key.user)
    guard key.user == actor.user else { throw .notYours(key.user) }
    let message = try reachable(key.message, in: channel)
    try needs(.read, in: channel)
    try needsPresence(of: message)
    try needsVisibleToAll(message)
    let scores = state[key]?.scores ?? []
    switch intent {
    case .add(let kind, let score):
      try needsThaw(of: channel)
      try needsFlag(.reactions, in: channel)
      try needs(.react, in: channel)
      guard score > 0 else { throw .zeroScore }
      return try add(kind, score, to: message, besides: scores)
    case .remove(let kind):
      try needsThaw(of: channel)
      return scores.contains { $0.kind == kind } ? [.removed(kind)] : []
    }
  }

  private func add(
    _ kind: Reaction.Kind, _ score: UInt32, to message: Message, besides scores: [Reaction.Score]
  ) throws(Refusal) -> [Reaction.Event] {
    let others = rules.reactionsPerUser == .one ? scores.map(\.kind).filter { $0 != kind } : []
    let replaced = others.map { Reaction.Event.removed($0) }
    if scores.contains(where: { ($0.kind, $0.score) == (kind, score) }) { return replaced }
    let left = message.reactions.filter { $0.count > 1 || !others.contains($0.kind) }
    if !left.contains(where: { $0.kind == kind }) {
      try check(left.count + 1, by: .reactionKinds, max: rules.limits.reactionKindsMax)
    }
    return replaced + [.added(kind, score: score)]
  }
}

// MARK: Fold

extension Reaction.Event {
  func fold(on key: Reaction.Key, _ stamp: EventOrigin, into state: inout some ChatStateStore) {
    var reaction = state[key] ?? Reaction(key: key, scores: [])
    let before = reaction.scores
    switch self {
    case .added(let kind, let score):
      let place = before.firstIndex { $0.kind == kind }
      let new = Reaction.Score(kind: kind, score: score, at: stamp.at)
      if let place { reaction.scores[place] = new } else { reaction.scores.append(new) }
      let former = place.map { Int64(before[$0].score) } ?? 0
      state[key.message]?.count(kind, by: place == nil ? 1 : 0, score: Int64(score) - former)
    case .removed(let kind):
      guard let place = before.firstIndex(where: { $0.kind == kind }) else { return }
      reaction.scores.remove(at: place)
      state[key.message]?.count(kind, by: -1, score: -Int64(before[place].score))
    }
    state[key] = reaction.scores.isEmpty ? nil : reaction
  }
}
