// Drafts: unsent content of a user, shared by all of their devices.

// MARK: Identity

extension Draft {
  /// The primary key of a draft: user, channel and thread.
  public struct Key: Hashable, Codable, Sendable {
    /// The user who writes the draft.
    public let user: User.ID
    /// The channel of the draft.
    public let channel: Channel.ID
    /// The parent message of the thread; nil for the channel itself.
    public let thread: Message.ID?

    /// Creates the key of a user's draft for a channel or a thread in it.
    public init(by user: User.ID, in channel: Channel.ID, thread: Message.ID? = nil) {
      (self.user, self.channel, self.thread) = (user, channel, thread)
    }
  }
}

// MARK: State

/// The unsent content of a user for a channel or a thread.
///
/// The row of a deleted draft stays without content (a tombstone), to distinguish a late older change from a new one.
public struct Draft: Hashable, Sendable {
  /// The key of the draft.
  public let key: Key
  /// The unsent content; nil when the draft is deleted.
  public var content: Composition?
  /// The time of the first save.
  public var created: Timestamp
  /// The time of the last save.
  public var updated: Timestamp
  /// The edit that produced the content.
  public var edit: Edit

  package init(key: Key, content: Composition?, created: Timestamp, updated: Timestamp, edit: Edit) {
    (self.key, self.content, self.created, self.updated, self.edit) = (key, content, created, updated, edit)
  }

  /// The reason for deleting a draft.
  public enum DeletionReason: UInt8, CaseIterable, Hashable, Sendable {
    /// The user emptied the draft.
    case cleared = 1
    /// The content was sent.
    case sent
    /// The user discarded the draft.
    case discarded
    /// The channel, membership or thread of the draft is gone.
    case targetGone
  }
}

extension Draft {
  /// Returns the edit time of a change made with knowledge of this draft: by the local clock, but later than the stored
  /// edit, however far ahead the clock of the saving device is.
  package func changed(at now: Timestamp) -> Timestamp { max(now, edit.at + Microseconds(rawValue: 1)) }
}

// MARK: Events

extension Draft {
  /// An event of a draft.
  public enum Event: Hashable, Sendable {
    /// The content was replaced.
    indirect case updated(Composition, Edit)
    /// The draft was deleted.
    case deleted(DeletionReason, Edit)
    /// A change older than the stored one arrived and was ignored; or an already deleted draft was deleted by a later
    /// edit, which becomes the edit of its row.
    indirect case superseded(Composition?, Edit)
  }
}

// MARK: Intents

extension Draft {
  /// An intent on a draft; each carries the time of the last change to the content, by the clock of the device.
  public enum Intent: Hashable, Sendable {
    /// Replaces the content.
    case update(Composition, editedAt: Timestamp)
    /// Deletes the draft.
    case delete(DeletionReason, editedAt: Timestamp)
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
      // Content without anything worth keeping is a deletion: the user emptied the composer.
      if !content.hasContent {
        try check(content)
        return try decide(.delete(.cleared, editedAt: editedAt), on: key)
      }
      try check(content, for: key)
      let edit = Edit(at: editedAt, on: actor.device)
      if let draft, edit < draft.edit { return [.superseded(content, edit)] }
      // The same content written again later is a newer edit: if it were not recorded, a change from between the two
      // that arrives late would win here, but lose where it arrived in time.
      return draft?.content == content && draft?.edit == edit ? [] : [.updated(content, edit)]
    case .delete(let reason, let editedAt):
      guard let draft else { return [] }
      let edit = Edit(at: editedAt, on: actor.device)
      if draft.content == nil { return endsAnew(draft, reason, edit) ? [.superseded(nil, edit)] : [] }
      return edit < draft.edit ? [.superseded(nil, edit)] : [.deleted(reason, edit)]
    }
  }

  /// Returns whether deleting an already deleted draft is recorded: otherwise a change from between the two deletions
  /// that arrives late would win here, but lose where it arrived in time. `sent` is exempt: every sent message deletes
  /// its draft, whether there is one or not.
  private func endsAnew(_ draft: Draft, _ reason: Draft.DeletionReason, _ edit: Edit) -> Bool {
    reason != .sent && draft.edit < edit
  }

  private func check(_ content: Composition, for key: Draft.Key) throws(Refusal) {
    let channel = try known(key.channel)
    let permissions = permissions(in: channel)
    try permissions.needs(.read)
    if let thread = key.thread { _ = try reachable(Message.Key(key.channel, thread), in: channel, permissions) }
    try check(content)
  }
}

// MARK: Fold

extension Draft.Event {
  func fold(on key: Draft.Key, _ origin: EventOrigin, into state: inout some ChatStateStore) {
    switch self {
    case .updated(let content, let edit):
      let existing = state[key].flatMap { $0.content == nil ? nil : $0 }
      state[key] = Draft(
        key: key, content: content, created: existing?.created ?? origin.at, updated: origin.at, edit: edit)
    case .deleted(_, let edit):
      guard var draft = state[key] else { return }
      (draft.content, draft.updated, draft.edit) = (nil, origin.at, edit)
      state[key] = draft
    case .superseded(nil, let edit):
      guard let draft = state[key], draft.content == nil, draft.edit < edit else { return }
      state[key]?.edit = edit
    case .superseded: return
    }
  }
}
