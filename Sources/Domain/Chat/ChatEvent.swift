// Everything that can happen in a conversation, as facts.

/// Something that happened: who did what, and when.
public struct ChatEvent: Hashable, Sendable {
  /// Who did it, and when.
  public let stamp: EventOrigin
  /// What happened, to what.
  public let change: Change

  /// A change that somebody made.
  public init(_ change: Change, _ stamp: EventOrigin) { (self.change, self.stamp) = (change, stamp) }

  /// What can happen: to which row, and which of its events.
  public enum Change: Hashable, Sendable {
    /// To a user.
    case user(User.ID, User.Event)
    /// To a device of a user.
    case device(Device.Key, Device.Event)
    /// To the mute that somebody has for a user or a channel.
    case mute(Mute.Key, Mute.Event)
    /// To the ban of a user.
    case ban(Ban.Key, Ban.Event)
    /// To somebody's flag on a message or a user.
    case flag(Flag.Key, Flag.Event)
    /// To a channel.
    case channel(Channel.ID, Channel.Event)
    /// To a member of a channel.
    case member(Member.Key, Member.Event)
    /// To a message.
    case message(Message.Key, Message.Event)
    /// To the reactions of a user to a message.
    case reaction(Reaction.Key, Reaction.Event)
    /// To a draft.
    case draft(Draft.Key, Draft.Event)
    /// To a composer.
    case composer(Composer.Key, Composer.Event)
    /// Something of an app's own.
    case app(AppEvent.Subject, AppEvent)
  }
}

/// Something that somebody wants.
public enum ChatIntent: Hashable, Sendable {
  /// Of a user.
  case user(User.ID, User.Intent)
  /// Of a device of a user.
  case device(Device.Key, Device.Intent)
  /// Of the mute that somebody has for a user or a channel.
  case mute(Mute.Key, Mute.Intent)
  /// Of the ban of a user.
  case ban(Ban.Key, Ban.Intent)
  /// Of somebody's flag on a message or a user.
  case flag(Flag.Key, Flag.Intent)
  /// Of a channel.
  case channel(Channel.ID, Channel.Intent)
  /// Of a member of a channel.
  case member(Member.Key, Member.Intent)
  /// Of a message.
  case message(Message.Key, Message.Intent)
  /// Of the reactions of a user to a message.
  case reaction(Reaction.Key, Reaction.Intent)
  /// Of a draft.
  case draft(Draft.Key, Draft.Intent)
  /// Of a composer.
  case composer(Composer.Key, Composer.Intent)
  /// To record something of an app's own.
  case app(AppEvent.Subject, AppEvent)
}
