// Drafts: what a user has written and not sent, kept for all of their devices.

// MARK: Identity

extension Draft {
  /// Whose draft for where.
  public struct Key: Hashable, Sendable {
    /// Whose.
    public let user: User.ID
    /// For which channel.
    public let channel: Channel.ID
    /// For a reply in the thread of which message, if for a thread.
    public let thread: Message.ID?

    /// The draft of a user for a channel or a thread in it.
    public init(by user: User.ID, in channel: Channel.ID, thread: Message.ID? = nil) {
      (self.user, self.channel, self.thread) = (user, channel, thread)
    }
  }
}

// MARK: State

/// What a user has written for a channel or a thread and not sent.
///
/// The row of a deleted draft stays, without content, to tell an older change that comes late from a new one.
public struct Draft: Hashable, Sendable {
  /// Whose draft for where.
  public let key: Key
  /// What they have written; nil when the draft is deleted.
  public var content: Composition?
  /// When it was first saved.
  public var created: Instant
  /// When it was saved last.
  public var updated: Instant
  /// The edit that it comes from.
  public var edit: Edit

  package init(key: Key, content: Composition?, created: Instant, updated: Instant, edit: Edit) {
    (self.key, self.content, self.created, self.updated, self.edit) = (key, content, created, updated, edit)
  }

  /// Why a draft is deleted.
  public enum DeletionReason: UInt8, CaseIterable, Hashable, Sendable {
    /// Its user emptied it.
    case cleared = 1
    /// What it held was sent.
    case sent
    /// Its user threw it away.
    case discarded
    /// There is nowhere left to send it.
    case targetGone
  }
}

extension Draft {
  /// When a change is made by whoever knows of it: by their clock, and behind it, however far ahead the clock of the
  /// device is that saved it.
  package func changed(at now: Instant) -> Instant { max(now, edit.at + Microseconds(rawValue: 1)) }
}

// MARK: Events

extension Draft {
  /// What can happen to a draft.
  public enum Event: Hashable, Sendable {
    /// It holds this from now on.
    indirect case updated(Composition, Edit)
    /// It is gone.
    case deleted(DeletionReason, Edit)
    /// A change came that was made before the one that it holds; it changed nothing. Or a deletion came of what had
    /// been deleted by an earlier one: it is gone since the later.
    indirect case superseded(Composition?, Edit)
  }
}

// MARK: Intents

extension Draft {
  /// What one can want of a draft; each carries when its content changed last, by the device's own clock.
  public enum Intent: Hashable, Sendable {
    /// That it holds this.
    case update(Composition, editedAt: Instant)
    /// That it is gone.
    case delete(DeletionReason, editedAt: Instant)
  }
}

// MARK: Decide

extension Decision {
  func decide(_ intent: Draft.Intent, on key: Draft.Key) throws(Refusal) -> [Draft.Event] {
    _ = try known(key.user)
    try needsRight(toActFor: key.user)
    let draft = state[key]
    switch intent {
    case .update(let content, let editedAt):
      // Nothing is worth no draft: what is left of an emptied composer is a deletion.
      if !content.hasContent {
        try check(content)
        return try decide(.delete(.cleared, editedAt: editedAt), on: key)
      }
      try check(content, for: key)
      let edit = Edit(at: editedAt, on: actor.device)
      if let draft, edit < draft.edit { return [.superseded(content, edit)] }
      // Who writes the same again later has changed their mind again: without a trace of it, a change from in between
      // that arrives afterwards would hold here, and not where it arrived in time.
      return draft?.content == content && draft?.edit == edit ? [] : [.updated(content, edit)]
    case .delete(let reason, let editedAt):
      guard let draft else { return [] }
      let edit = Edit(at: editedAt, on: actor.device)
      if draft.content == nil { return endsAnew(draft, reason, edit) ? [.superseded(nil, edit)] : [] }
      return edit < draft.edit ? [.superseded(nil, edit)] : [.deleted(reason, edit)]
    }
  }

  /// Whether a deletion of what is gone already is noted: without a trace of it, a change from in between that arrives
  /// afterwards would hold here, and not where it arrived in time. Every message deletes what there may be of its
  /// draft, and leaves none.
  private func endsAnew(_ draft: Draft, _ reason: Draft.DeletionReason, _ edit: Edit) -> Bool {
    reason != .sent && draft.edit < edit
  }

  private func check(_ content: Composition, for key: Draft.Key) throws(Refusal) {
    let channel = try known(key.channel)
    try needs(.read, in: channel)
    if let thread = key.thread { _ = try reachable(Message.Key(key.channel, thread), in: channel) }
    try check(content)
  }
}

// MARK: Fold

extension Draft.Event {
  func fold(on key: Draft.Key, _ stamp: EventOrigin, into state: inout some ChatStateStore) {
    switch self {
    case .updated(let content, let edit):
      let standing = state[key].flatMap { $0.content == nil ? nil : $0 }
      state[key] = Draft(
        key: key, content: content, created: standing?.created ?? stamp.at, updated: stamp.at, edit: edit)
    case .deleted(_, let edit):
      guard var draft = state[key] else { return }
      (draft.content, draft.updated, draft.edit) = (nil, stamp.at, edit)
      state[key] = draft
    case .superseded(nil, let edit):
      guard let draft = state[key], draft.content == nil, draft.edit < edit else { return }
      state[key]?.edit = edit
    case .superseded: return
    }
  }
}
