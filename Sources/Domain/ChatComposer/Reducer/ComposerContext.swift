// What a composer has to know of where it stands.
public import Chat

/// What a composer has to know of the channel, and of what its user may do there.
///
/// It is a value that somebody else keeps up to date: a composer asks nobody.
public struct ComposerContext: Hashable, Sendable {
  /// What the channel allows.
  public var config = ChannelConfig()
  /// What the user may do in the channel, were they not banned.
  public var capabilities = Capabilities.all
  /// Whether nobody may send.
  public var isFrozen = false
  /// The ban that keeps the user from more than reading, if there is one.
  public var ban: Ban?
  /// When the user sent their last message to the channel.
  public var lastSent: Instant?
  /// How large things may be.
  public var limits = Limits()
  /// The messages that the composer is about, as they stand; one that is not here was not asked for.
  public var messages: [Message.ID: MessageStatus] = [:]
  /// What users are called who are meant in the text, or by the command.
  public var names: [User.ID: UserText] = [:]

  /// A channel in which everything goes.
  public init() {}

  /// How a message stands that a composer is about.
  public enum MessageStatus: Hashable, Sendable {
    /// It is there.
    case present(Message)
    /// It was deleted, or may not be seen.
    case gone
  }

  /// How many whole seconds are left at an instant until the user may send again.
  public func cooldown(at instant: Instant) -> Int {
    guard config.slowMode > 0, let lastSent, !capabilities.contains(.skipSlowMode) else { return 0 }
    let passed = max(0, (instant - lastSent).rawValue / 1_000_000)
    return max(0, Int(config.slowMode) - Int(clamping: passed))
  }

  /// Whether the user may not more than read at an instant.
  func isBanned(at instant: Instant) -> Bool { ban?.holds(at: instant) ?? false }
}
