// What an app is told of drafts.
public import Chat
public import EventLog

/// A draft was saved, or holds something else.
public struct DraftUpdatedEvent: Hashable, Sendable {
  /// Whose draft for where.
  public let key: Draft.Key
  /// What it holds.
  public let draft: Composition
  /// The edit that it comes from.
  public let edit: Edit
  /// When it was recorded.
  public let at: Instant
  /// Where it stands in the log.
  public let position: Position

  /// Whose draft.
  public var user: User.ID { key.user }
  /// For which channel.
  public var channel: Channel.ID { key.channel }
  /// For a reply in the thread of which message, if for a thread.
  public var thread: Message.ID? { key.thread }

  /// The event that a change is; nil when it is another.
  public init?(_ change: Change) {
    guard case .draft(let key, .updated(let draft, let edit)) = change.event.change else { return nil }
    (self.key, self.draft, self.edit) = (key, draft, edit)
    (at, position) = (change.event.stamp.at, change.position)
  }
}

/// A draft is gone.
public struct DraftDeletedEvent: Hashable, Sendable {
  /// Whose draft for where.
  public let key: Draft.Key
  /// Why.
  public let reason: Draft.DeletionReason
  /// When it was recorded.
  public let at: Instant
  /// Where it stands in the log.
  public let position: Position

  /// Whose draft.
  public var user: User.ID { key.user }
  /// For which channel.
  public var channel: Channel.ID { key.channel }
  /// For a reply in the thread of which message, if for a thread.
  public var thread: Message.ID? { key.thread }

  /// The event that a change is; nil when it is another.
  public init?(_ change: Change) {
    guard case .draft(let key, .deleted(let reason, _)) = change.event.change else { return nil }
    (self.key, self.reason) = (key, reason)
    (at, position) = (change.event.stamp.at, change.position)
  }
}
