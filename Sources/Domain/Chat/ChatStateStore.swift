// The rows, by key, that the decider reads and the fold writes.

/// The rows of a conversation's state.
///
/// Rows are read and written one by one, so that only those a decision needs are loaded; only drafts are also queried,
/// by target. A store that fails to read returns nil or an empty list and must report the failure to its owner, who
/// then discards the decision or fold.
public protocol ChatStateStore {
  /// The rules of the app; read by the decider, never by the fold.
  var rules: Rules { get }

  /// The row of a user.
  subscript(id: User.ID) -> User? { get set }
  /// The row of a user's device.
  subscript(key: Device.Key) -> Device? { get set }
  /// The row of a user's mute.
  subscript(key: Mute.Key) -> Mute? { get set }
  /// The row of a user's ban.
  subscript(key: Ban.Key) -> Ban? { get set }
  /// The row of a user's flag.
  subscript(key: Flag.Key) -> Flag? { get set }
  /// The row of a channel.
  subscript(id: Channel.ID) -> Channel? { get set }
  /// The row of a current or former member of a channel.
  subscript(key: Member.Key) -> Member? { get set }
  /// The row of a message.
  subscript(key: Message.Key) -> Message? { get set }
  /// The key of the message that an author sent under a client id.
  subscript(key: Message.ClientKey) -> Message.Key? { get set }
  /// The row of a user's reactions to a message.
  subscript(key: Reaction.Key) -> Reaction? { get set }
  /// The row of a draft, or the tombstone of a deleted one.
  subscript(key: Draft.Key) -> Draft? { get set }
  /// The row of a composer.
  subscript(key: Composer.Key) -> Composer? { get set }
  /// The row of a consumer.
  subscript(id: Consumer.ID) -> Consumer? { get set }
  /// The row of a user's block of another user.
  subscript(key: UserBlock.Key) -> UserBlock? { get set }
  /// The row of the review of a flagged message or user.
  subscript(key: Flag.Target) -> Review? { get set }
  /// The row of a saved message.
  subscript(key: SavedMessage.Key) -> SavedMessage? { get set }
  /// The row of a scheduled message.
  subscript(key: ScheduledMessage.Key) -> ScheduledMessage? { get set }
  /// The row of a user's read marker in a thread.
  subscript(key: ThreadMarker.Key) -> ThreadMarker? { get set }
  /// The row of a user's votes in a poll.
  subscript(key: Vote.Key) -> Vote? { get set }

  /// Returns the keys of the stored drafts in a scope, without deleted ones, in key order.
  func drafts(in scope: Draft.Scope) -> [Draft.Key]
}
