// What goes on in a channel and what does not.

/// What a channel allows, whoever asks.
///
/// Each flag that is off refuses the intents that ``ChannelFlag`` tells of, for everybody but the app itself.
public struct ChannelConfig: Hashable, Sendable {
  /// What is off.
  public var off: SmallSet<ChannelFlag>
  /// How many characters a message's text may have.
  public var messageLengthMax: UInt32
  /// How many seconds a member waits between two messages; 0 for no wait.
  public var slowMode: UInt32
  /// Which commands there are; nil for all.
  public var commands: [ComposedCommand.ID]?

  /// A configuration in which all is on.
  public init(
    off: SmallSet<ChannelFlag> = [], messageLengthMax: UInt32 = 5000, slowMode: UInt32 = 0,
    commands: [ComposedCommand.ID]? = nil
  ) {
    (self.off, self.messageLengthMax, self.slowMode, self.commands) = (off, messageLengthMax, slowMode, commands)
  }

  /// Whether something is on.
  public func has(_ flag: ChannelFlag) -> Bool { !off.contains(flag) }

  /// Whether there is a command.
  public func has(_ command: ComposedCommand.ID) -> Bool { commands?.contains(command) ?? true }
}

/// Something that a channel can do without.
public enum ChannelFlag: UInt8, CaseIterable, Hashable, Sendable {
  /// Who is typing is shown. Off, it refuses nothing: it is not derived.
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
  /// Messages are found by their words. Off, it refuses nothing: the question is.
  case search
}
