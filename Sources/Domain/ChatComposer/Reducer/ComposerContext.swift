// The context of a composer.
public import Chat

/// The facts about the channel and the user's permissions on which a composer depends.
///
/// It is a value that the host keeps up to date: a composer queries nothing itself.
public struct ComposerContext: Hashable, Sendable {
  /// The configuration of the channel.
  public var config = ChannelConfig()
  /// The user's capabilities in the channel, ignoring a ban.
  public var capabilities = Capabilities.all
  /// Whether the channel is frozen: no user may send.
  public var isFrozen = false
  /// The ban that restricts the user to reading, if any.
  public var ban: Ban?
  /// The block between the user and the other user of a direct channel, if any.
  public var block: UserBlock?
  /// The time of the user's last message in the channel.
  public var lastSent: Timestamp?
  /// The size limits of the workspace.
  public var limits = Limits()
  /// The status of the messages referenced by the composer; an absent one was not requested.
  public var messages: [Message.ID: MessageStatus] = [:]
  /// The names of users mentioned in the text or targeted by the command.
  public var names: [User.ID: UserText] = [:]

  /// Creates a context without restrictions.
  public init() {}

  /// The status of a referenced message.
  public enum MessageStatus: Hashable, Sendable {
    /// The message exists.
    case present(Message)
    /// The message was deleted or is not visible.
    case gone
  }

  /// Returns the number of whole seconds at an instant until the user may send again.
  public func cooldown(at instant: Timestamp) -> Int {
    guard let end = config.cooldownEnd(after: lastSent, with: capabilities, at: instant) else { return 0 }
    let left = (Int((end - instant).rawValue) - 1) / 1_000_000 + 1
    return min(left, Int(config.slowMode))
  }

  /// Returns the permissions of the user of a composer at an instant.
  ///
  /// A context does not say whether the user is a member: a missing capability is refused as such.
  func permissions(of key: Composer.Key, at instant: Timestamp) -> ChannelPermissions {
    var permissions = ChannelPermissions(of: key.user, in: key.channel, at: instant)
    (permissions.capabilities, permissions.config, permissions.isFrozen) = (capabilities, config, isFrozen)
    (permissions.lastSent, permissions.ban) = (lastSent, ban.flatMap { $0.holds(at: instant) ? $0 : nil })
    permissions.block = block
    return permissions
  }
}
