// Saved messages, with reminders.

// MARK: Identity

extension SavedMessage {
  /// The primary key of a saved message: user and message.
  public struct Key: Hashable, Codable, Sendable {
    /// The user who saved the message.
    public let user: User.ID
    /// The saved message.
    public let message: Message.Key

    /// Creates the key of a message that a user saved.
    public init(by user: User.ID, _ message: Message.Key) { (self.user, self.message) = (user, message) }
  }
}

// MARK: State

/// A message that a user saved for later, with a note and a reminder.
public struct SavedMessage: Hashable, Sendable {
  /// The key of the saved message.
  public let key: Key
  /// The time at which the message was first saved.
  public let saved: Timestamp
  /// The user's note.
  public var note: UserText?
  /// The time of the reminder; nil when there is none.
  public var remindAt: Timestamp?
  /// The time at which the user was reminded; nil while the reminder is ahead, or when there is none.
  public var reminded: Timestamp?

  package init(key: Key, saved: Timestamp, note: UserText?, remindAt: Timestamp?, reminded: Timestamp? = nil) {
    (self.key, self.saved, self.note) = (key, saved, note)
    (self.remindAt, self.reminded) = (remindAt, reminded)
  }

  /// The time of the reminder that is ahead; nil when there is none.
  public var reminder: Timestamp? { reminded == nil ? remindAt : nil }
}

// MARK: Events

extension SavedMessage {
  /// An event of a saved message.
  public enum Event: Hashable, Sendable {
    /// The message was saved, or its note and reminder were replaced.
    case saved(note: UserText?, remindAt: Timestamp?)
    /// The message was removed from the saved ones.
    case removed
    /// The user was reminded.
    case reminded
  }
}

// MARK: Intents

extension SavedMessage {
  /// An intent on a saved message.
  public enum Intent: Hashable, Sendable {
    /// Saves the message, or replaces its note and reminder.
    case save(note: UserText?, remindAt: Timestamp?)
    /// Removes the message from the saved ones.
    case remove
    /// Records that the user was reminded; a no-op until the reminder is due.
    case remind
  }
}

// MARK: Decide

extension Decision {
  func decide(_ intent: SavedMessage.Intent, on key: SavedMessage.Key) throws(Refusal) -> [SavedMessage.Event] {
    _ = try known(key.user)
    try needsRight(toActFor: key.user)
    let existing = state[key]
    switch intent {
    case .save(let note, let remindAt):
      if let note { try check(line: note) }
      if let existing, existing.note == note, existing.remindAt == remindAt { return [] }
      let channel = try known(key.message.channel)
      let permissions = permissions(in: channel)
      try permissions.needs(.read)
      try needsPresence(of: reachable(key.message, in: channel, permissions))
      if let remindAt { try check(.until(remindAt)) }
      return [.saved(note: note, remindAt: remindAt)]
    case .remove: return existing == nil ? [] : [.removed]
    case .remind: return existing?.reminder.map { $0 <= instant } == true ? [.reminded] : []
    }
  }
}

// MARK: Fold

extension SavedMessage.Event {
  func fold(on key: SavedMessage.Key, _ origin: EventOrigin, into state: inout some ChatStateStore) {
    switch self {
    case .saved(let note, let remindAt):
      state[key] = SavedMessage(key: key, saved: state[key]?.saved ?? origin.at, note: note, remindAt: remindAt)
    case .removed: state[key] = nil
    case .reminded: state[key]?.reminded = origin.at
    }
  }
}
