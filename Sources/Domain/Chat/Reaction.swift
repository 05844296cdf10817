// Reactions of users to messages.

// MARK: Identity

extension Reaction {
  /// The primary key of reactions: message and user.
  public struct Key: Hashable, Codable, Sendable {
    /// The message reacted to.
    public let message: Message.Key
    /// The user who reacts.
    public let user: User.ID

    /// Creates the key of a user's reactions to a message.
    public init(to message: Message.Key, by user: User.ID) { (self.message, self.user) = (message, user) }
  }

  /// The id of a kind of reaction: an emoji, `like`, `love`, or an app's own.
  ///
  /// Kinds are compared byte by byte: `❤` and `❤️`, with the selector of the colored form, are two kinds.
  public typealias Kind = Chat.ID<KindName>

  /// The phantom type of ``Kind``.
  public enum KindName: Sendable {}
}

// MARK: State

/// The reactions of a user to a message.
public struct Reaction: Hashable, Sendable {
  /// The key of the reactions.
  public let key: Key
  /// The reactions by kind, in the order in which they were first added.
  public var scores: [Score]

  package init(key: Key, scores: [Score]) { (self.key, self.scores) = (key, scores) }

  /// A reaction of one kind, with its score.
  public struct Score: Hashable, Sendable {
    /// The kind of reaction.
    public let kind: Kind
    /// The strength of the reaction: 1 or more.
    public let score: UInt32
    /// The time of the reaction.
    public let at: Timestamp

    package init(kind: Kind, score: UInt32, at: Timestamp) { (self.kind, self.score, self.at) = (kind, score, at) }
  }

  /// Returns the score of a kind; nil when the user has not added it.
  public func score(of kind: Kind) -> UInt32? { scores.first { $0.kind == kind }?.score }
}

// MARK: Events

extension Reaction {
  /// An event of the reactions of a user to a message.
  public enum Event: Hashable, Sendable {
    /// The user added a reaction of this kind, or changed its score.
    case added(Kind, score: UInt32)
    /// The user removed the reaction of this kind.
    case removed(Kind)
  }
}

// MARK: Intents

extension Reaction {
  /// An intent on the reactions of a user to a message.
  public enum Intent: Hashable, Sendable {
    /// Adds a reaction of this kind with a score of 1 or more, or changes its score.
    case add(Kind, score: UInt32)
    /// Removes the reaction of this kind.
    case remove(Kind)
  }
}

// MARK: Decide

extension Decision {
  func decide(_ intent: Reaction.Intent, on key: Reaction.Key) throws(Refusal) -> [Reaction.Event] {
    let channel = try known(key.message.channel)
    _ = try known(key.user)
    guard key.user == actor.user else { throw .notYours(key.user) }
    let permissions = permissions(in: channel)
    let message = try reachable(key.message, in: channel, permissions)
    try permissions.needs(.read)
    try needsPresence(of: message)
    try needsVisibleToAll(message)
    let scores = state[key]?.scores ?? []
    switch intent {
    case .add(let kind, let score):
      try permissions.needsRightToReact()
      guard score > 0 else { throw .zeroScore }
      return try add(kind, score, to: message, besides: scores)
    case .remove(let kind):
      try permissions.needsThaw()
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
  func fold(on key: Reaction.Key, _ origin: EventOrigin, into state: inout some ChatStateStore) {
    var reaction = state[key] ?? Reaction(key: key, scores: [])
    let before = reaction.scores
    switch self {
    case .added(let kind, let score):
      let index = before.firstIndex { $0.kind == kind }
      let new = Reaction.Score(kind: kind, score: score, at: origin.at)
      if let index { reaction.scores[index] = new } else { reaction.scores.append(new) }
      let former = index.map { Int64(before[$0].score) } ?? 0
      state[key.message]?.count(kind, by: index == nil ? 1 : 0, score: Int64(score) - former)
    case .removed(let kind):
      guard let index = before.firstIndex(where: { $0.kind == kind }) else { return }
      reaction.scores.remove(at: index)
      state[key.message]?.count(kind, by: -1, score: -Int64(before[index].score))
    }
    state[key] = reaction.scores.isEmpty ? nil : reaction
  }
}
