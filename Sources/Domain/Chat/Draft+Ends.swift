// Which drafts end because there is nowhere left to send them.

// MARK: Places

extension Draft {
  /// For where drafts are that are asked for together.
  public enum Scope: Hashable, Sendable {
    /// For a channel and the threads in it.
    case channel(Channel.ID)
    /// For the thread of a message.
    case thread(Message.Key)
    /// Of a user, for a channel and the threads in it.
    case member(Member.Key)

    /// In which channel.
    public var channel: Channel.ID {
      switch self {
      case .channel(let id): id
      case .thread(let key): key.channel
      case .member(let key): key.channel
      }
    }

    /// Whether a draft is one of them.
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
  /// Whether one is for a place that comes first, or of the lesser user for the same: that of a channel comes before
  /// those of its threads.
  public static func < (a: Draft.Key, b: Draft.Key) -> Bool {
    if a.channel != b.channel { return a.channel < b.channel }
    if a.thread == b.thread { return a.user < b.user }
    guard let thread = a.thread, let other = b.thread else { return a.thread == nil }
    return thread < other
  }
}

// MARK: Decide

extension Decision {
  /// Changes, and behind each the ends of the drafts that have nowhere left to go after it.
  ///
  /// They ask for no right: whoever may delete a channel ends by it what others have not sent there.
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

  /// The deletion of a draft. It holds whatever the clock of a device said, so that only a change made later is kept.
  private func end(of key: Draft.Key) -> ChatEvent.Change? {
    guard let draft = state[key] else { return nil }
    return .draft(key, .deleted(.targetGone, max(draft.edit, Edit(at: instant, on: actor.device))))
  }
}

extension ChatEvent.Change {
  /// Among which drafts are those that end with it; nil when none does.
  fileprivate var endedDrafts: Draft.Scope? {
    switch self {
    case .channel(let id, .deleted), .channel(let id, .truncated): .channel(id)
    case .message(let key, .deleted(forGood: true)), .message(let key, .ephemeralCancelled): .thread(key)
    case .member(let key, .left), .member(let key, .removed): .member(key)
    default: nil
    }
  }
}
