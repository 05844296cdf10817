// All events and intents of a conversation.

/// An event: a change with its author and time.
public struct ChatEvent: Hashable, Sendable {
  /// The author and time of the event.
  public let origin: EventOrigin
  /// The changed row and its event.
  public let change: Change
  /// Whether the content of the event was erased: the change has empty texts in its place.
  public let isErased: Bool

  /// Creates an event from a change and its origin.
  public init(_ change: Change, _ origin: EventOrigin, isErased: Bool = false) {
    (self.change, self.origin, self.isErased) = (change, origin, isErased)
  }

  /// A change: the key of a row and one of its events.
  public enum Change: Hashable, Sendable {
    /// An event of a user.
    case user(User.ID, User.Event)
    /// An event of a user's device.
    case device(Device.Key, Device.Event)
    /// An event of a user's mute of another user or a channel.
    case mute(Mute.Key, Mute.Event)
    /// An event of a user's ban.
    case ban(Ban.Key, Ban.Event)
    /// An event of a user's flag on a message or another user.
    case flag(Flag.Key, Flag.Event)
    /// An event of a channel.
    case channel(Channel.ID, Channel.Event)
    /// An event of a member of a channel.
    case member(Member.Key, Member.Event)
    /// An event of a message.
    case message(Message.Key, Message.Event)
    /// An event of a user's reactions to a message.
    case reaction(Reaction.Key, Reaction.Event)
    /// An event of a draft.
    case draft(Draft.Key, Draft.Event)
    /// An event of a composer.
    case composer(Composer.Key, Composer.Event)
    /// An event of a consumer.
    case consumer(Consumer.ID, Consumer.Event)
    /// An event of a user's block of another user.
    case block(UserBlock.Key, UserBlock.Event)
    /// An event of the review of a flagged message or user.
    case review(Flag.Target, Review.Event)
    /// An event of a message that a user saved.
    case saved(SavedMessage.Key, SavedMessage.Event)
    /// An event of a message that a user scheduled.
    case scheduled(ScheduledMessage.Key, ScheduledMessage.Event)
    /// An event of a user's read marker in a thread.
    case thread(ThreadMarker.Key, ThreadMarker.Event)
    /// An event of a user's votes in a poll.
    case vote(Vote.Key, Vote.Event)
    /// An event of the app itself.
    case app(AppEvent.Subject, AppEvent)
  }
}

/// An intent: what a user or the app wants to change.
public enum ChatIntent: Hashable, Sendable {
  /// An intent on a user.
  case user(User.ID, User.Intent)
  /// An intent on a user's device.
  case device(Device.Key, Device.Intent)
  /// An intent on a user's mute of another user or a channel.
  case mute(Mute.Key, Mute.Intent)
  /// An intent on a user's ban.
  case ban(Ban.Key, Ban.Intent)
  /// An intent on a user's flag on a message or another user.
  case flag(Flag.Key, Flag.Intent)
  /// An intent on a channel.
  case channel(Channel.ID, Channel.Intent)
  /// An intent on a member of a channel.
  case member(Member.Key, Member.Intent)
  /// An intent on a message.
  case message(Message.Key, Message.Intent)
  /// An intent on a user's reactions to a message.
  case reaction(Reaction.Key, Reaction.Intent)
  /// An intent on a draft.
  case draft(Draft.Key, Draft.Intent)
  /// An intent on a composer.
  case composer(Composer.Key, Composer.Intent)
  /// An intent on a consumer.
  case consumer(Consumer.ID, Consumer.Intent)
  /// An intent on a user's block of another user.
  case block(UserBlock.Key, UserBlock.Intent)
  /// An intent on the review of a flagged message or user.
  case review(Flag.Target, Review.Intent)
  /// An intent on a message that a user saved.
  case saved(SavedMessage.Key, SavedMessage.Intent)
  /// An intent on a message that a user scheduled.
  case scheduled(ScheduledMessage.Key, ScheduledMessage.Intent)
  /// An intent on a user's read marker in a thread.
  case thread(ThreadMarker.Key, ThreadMarker.Intent)
  /// An intent on a user's votes in a poll.
  case vote(Vote.Key, Vote.Intent)
  /// Records an event of the app itself.
  case app(AppEvent.Subject, AppEvent)
}
