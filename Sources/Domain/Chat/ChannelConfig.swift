// The configuration of a channel: features, limits, slow mode and commands.

/// The configuration of a channel, which applies to every user.
///
/// Each flag that is off refuses the intents named at its ``ChannelFlag``, for all authors but the app itself.
public struct ChannelConfig: Hashable, Sendable {
  /// The flags that are off.
  public var off: SmallSet<ChannelFlag>
  /// The maximum number of characters of a message's text.
  public var messageLengthMax: UInt32
  /// The seconds a member waits between two messages; 0 for no wait.
  public var slowMode: UInt32
  /// Whether every user can find the channel and join it.
  public var isPublic: Bool
  /// The available commands; nil for all.
  public var commands: [ComposedCommand.ID]?

  /// Creates a configuration; by default every flag is on.
  public init(
    off: SmallSet<ChannelFlag> = [], messageLengthMax: UInt32 = 5000, slowMode: UInt32 = 0,
    isPublic: Bool = false, commands: [ComposedCommand.ID]? = nil
  ) {
    (self.off, self.messageLengthMax, self.slowMode) = (off, messageLengthMax, slowMode)
    (self.isPublic, self.commands) = (isPublic, commands)
  }

  /// Returns whether a flag is on.
  public func has(_ flag: ChannelFlag) -> Bool { !off.contains(flag) }

  /// Returns whether a command is available.
  public func has(_ command: ComposedCommand.ID) -> Bool { commands?.contains(command) ?? true }
}

/// A feature of a channel that can be turned off.
public enum ChannelFlag: UInt8, CaseIterable, Hashable, Sendable {
  /// Typing indicators are shown. Off, it refuses nothing: no typing users are derived.
  case typingEvents
  /// Off, it refuses `Member.Intent.read` and `markUnread`.
  case readEvents
  /// Off, it refuses `Member.Intent.receive`.
  case deliveryEvents
  /// Off, it refuses `Reaction.Intent.add`; what was added can be taken back.
  case reactions
  /// Off, it refuses `Message.Intent.send` and `sendEphemeral` with a parent.
  case replies
  /// Off, it refuses `Message.Intent.send` and `sendEphemeral` with a quote.
  case quotes
  /// Off, it refuses `Message.Intent.send`, `sendEphemeral` and `edit` with pictures, videos, recordings and files.
  case uploads
  /// Off, it refuses `Message.Intent.send`, `sendEphemeral` and `edit` with links as attachments; addresses in the
  /// text stay text.
  case urlEnrichment
  /// Off, it refuses `Mute.Intent.begin` of the channel.
  case mutes
  /// Messages are searchable. Off, it refuses no intent: the search omits them.
  case search
}
