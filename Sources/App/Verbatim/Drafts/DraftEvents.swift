// The events of drafts for an app.
public import Chat
public import EventLog

/// A draft was saved or changed.
public struct DraftUpdatedEvent: Hashable, Sendable {
  /// The user, channel and thread of the draft.
  public let key: Draft.Key
  /// The draft's content.
  public let draft: Composition
  /// The edit that produced the content.
  public let edit: Edit
  /// The time at which the event was recorded.
  public let at: Timestamp
  /// The event's position in the log.
  public let position: Position

  /// The user's id.
  public var user: User.ID { key.user }
  /// The channel's id.
  public var channel: Channel.ID { key.channel }
  /// The id of the thread's parent message; nil for a draft of the channel.
  public var thread: Message.ID? { key.thread }

  /// Creates the event from a change; nil if the change is another.
  public init?(_ change: Change) {
    guard case .draft(let key, .updated(let draft, let edit)) = change.event.change else { return nil }
    (self.key, self.draft, self.edit) = (key, draft, edit)
    (at, position) = (change.event.origin.at, change.position)
  }
}

/// A draft was deleted.
public struct DraftDeletedEvent: Hashable, Sendable {
  /// The user, channel and thread of the draft.
  public let key: Draft.Key
  /// The reason of the deletion.
  public let reason: Draft.DeletionReason
  /// The time at which the event was recorded.
  public let at: Timestamp
  /// The event's position in the log.
  public let position: Position

  /// The user's id.
  public var user: User.ID { key.user }
  /// The channel's id.
  public var channel: Channel.ID { key.channel }
  /// The id of the thread's parent message; nil for a draft of the channel.
  public var thread: Message.ID? { key.thread }

  /// Creates the event from a change; nil if the change is another.
  public init?(_ change: Change) {
    guard case .draft(let key, .deleted(let reason, _)) = change.event.change else { return nil }
    (self.key, self.reason) = (key, reason)
    (at, position) = (change.event.origin.at, change.position)
  }
}
