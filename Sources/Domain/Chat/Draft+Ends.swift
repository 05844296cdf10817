// The deletion of drafts whose channel, membership or thread is gone.

// MARK: Positions

extension Draft {
  /// A set of drafts that are queried together.
  public enum Scope: Hashable, Sendable {
    /// All drafts for a channel and its threads.
    case channel(Channel.ID)
    /// All drafts for the thread of a message.
    case thread(Message.Key)
    /// The drafts of one user for a channel and its threads.
    case member(Member.Key)

    /// The channel of the drafts.
    public var channel: Channel.ID {
      switch self {
      case .channel(let id): id
      case .thread(let key): key.channel
      case .member(let key): key.channel
      }
    }

    /// Returns whether a draft is in the scope.
    public func contains(_ key: Key) -> Bool {
      guard key.channel == channel else { return false }
      return switch self {
      case .channel: true
      case .thread(let message): key.thread == message.id
      case .member(let member): key.user == member.user
      }
    }
  }
}

extension Draft.Key: Comparable {
  /// Returns whether the first key precedes: by channel, then thread, then user; the channel's drafts precede those of
  /// its threads.
  public static func < (a: Draft.Key, b: Draft.Key) -> Bool {
    if a.channel != b.channel { return a.channel < b.channel }
    if a.thread == b.thread { return a.user < b.user }
    guard let thread = a.thread, let other = b.thread else { return a.thread == nil }
    return thread < other
  }
}

// MARK: Decide

extension Decision {
  /// Returns changes, each followed by the deletion of the drafts whose target it removes.
  ///
  /// The deletions need no capability: an author who may delete a channel also deletes the drafts of others in it.
  func endingDrafts(_ changes: [ChatEvent.Change]) -> [ChatEvent.Change] {
    guard rules.draftMessagesEnabled, changes.contains(where: { $0.endedDrafts != nil }) else { return changes }
    return changes.flatMap { change in [change] + drafts(endedBy: change).compactMap { end(of: $0) } }
  }

  private func drafts(endedBy change: ChatEvent.Change) -> [Draft.Key] {
    guard let scope = change.endedDrafts else { return [] }
    let keys = state.drafts(in: scope)
    guard case .channel(let id, .truncated(let number)) = change else { return keys }
    return keys.filter { key in
      guard let thread = key.thread, let parent = state[Message.Key(id, thread)] else { return false }
      return parent.number <= number
    }
  }

  /// Returns the deletion of a draft, which wins over the stored edit whatever its clock, but not over later ones.
  private func end(of key: Draft.Key) -> ChatEvent.Change? {
    guard let draft = state[key] else { return nil }
    return .draft(key, .deleted(.targetGone, max(draft.edit, Edit(at: instant, on: actor.device))))
  }
}

extension ChatEvent.Change {
  /// The scope of the drafts that the change can delete; nil when it deletes none.
  fileprivate var endedDrafts: Draft.Scope? {
    switch self {
    case .channel(let id, .deleted), .channel(let id, .truncated): .channel(id)
    case .message(let key, .deleted(forGood: true)), .message(let key, .ephemeralCancelled): .thread(key)
    case .member(let key, .left), .member(let key, .removed): .member(key)
    default: nil
    }
  }
}
