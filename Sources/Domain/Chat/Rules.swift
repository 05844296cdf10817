// The rules of an app: capabilities of roles and size limits.

/// A permission in a channel.
public enum Capability: UInt8, CaseIterable, Hashable, Sendable {
  /// Allows reading, marking messages read, received and unread, keeping drafts, and removing one's own reactions.
  case read
  /// Allows sending messages other than thread replies, and an app's own events about the channel.
  case send
  /// Allows sending replies in a thread.
  case reply
  /// Allows quoting a message.
  case quote
  /// Allows attaching pictures, videos, recordings and files.
  case upload
  /// Allows sending links.
  case sendLinks
  /// Allows adding reactions and voting in polls.
  case react
  /// Allows muting the channel for oneself.
  case mute
  /// Allows banning users from the channel, lifting their bans and removing members.
  case ban
  /// Allows flagging messages.
  case flag
  /// Allows pinning and unpinning messages.
  case pin
  /// Allows editing one's own messages.
  case editOwn
  /// Allows editing any message.
  case editAny
  /// Allows deleting one's own messages, and restoring those deleted by oneself.
  case deleteOwn
  /// Allows deleting and restoring any message.
  case deleteAny
  /// Allows adding members.
  case invite
  /// Allows changing, configuring, freezing, truncating and deleting the channel, and changing members' roles.
  case changeChannel
  /// Allows sending without waiting for the slow mode.
  case skipSlowMode
  /// Allows seeing, claiming and resolving the flags on messages.
  case moderate
  /// Allows mentioning the whole channel, those who are online, and roles.
  case mentionGroups
}

/// A set of capabilities.
public typealias Capabilities = SmallSet<Capability>

/// The rules of an app: capabilities of roles, and size limits.
///
/// Rules apply to new intents only; the fold of recorded events never reads them.
public struct Rules: Hashable, Sendable {
  /// The capabilities of each role of a member in a channel; a missing role has none.
  public var memberCapabilities: [Role: Capabilities]
  /// The capabilities of each role of a user in every channel, member or not.
  public var userCapabilities: [Role: Capabilities]
  /// The roles of users who may act for others and change their permissions.
  public var administrators: [Role]
  /// Whether a user's reaction to a message replaces their previous one or is added to it.
  public var reactionsPerUser: ReactionsPerUser
  /// Whether drafts are saved automatically: then they are also deleted with their channel, membership or thread.
  /// Otherwise stored drafts stay until a user deletes them.
  public var draftMessagesEnabled = false
  /// The size limits.
  public var limits: Limits

  /// The number of reactions of a user to a message.
  public enum ReactionsPerUser: Hashable, Sendable {
    /// A user has one reaction: another kind replaces it.
    case one
    /// A user has several reactions.
    case several
  }

  /// Creates the default rules.
  public init() {
    var moderator = Capabilities.all
    moderator.remove(.changeChannel)
    memberCapabilities = [
      .owner: .all,
      .moderator: moderator,
      .member: [
        .read, .send, .reply, .quote, .upload, .sendLinks, .react, .mute, .flag, .editOwn, .deleteOwn, .invite,
        .mentionGroups,
      ],
      .guest: [.read, .send, .reply, .quote, .react, .mute, .flag, .editOwn, .deleteOwn],
    ]
    userCapabilities = [.admin: .all]
    administrators = [.admin]
    reactionsPerUser = .several
    limits = Limits()
  }
}

extension Rules {
  /// Returns the capabilities of a user in a channel, bans aside: those of their role as a current member, and those of
  /// their role as a user in every channel.
  public func capabilities(of user: User?, as member: Member?) -> Capabilities {
    let asMember = member.flatMap { $0.isMember ? memberCapabilities[$0.role] : nil } ?? []
    let asUser = user.flatMap { userCapabilities[$0.role] } ?? []
    return asMember.union(asUser)
  }

  /// Returns whether a user may act for others and change their permissions.
  package func isAdministrator(_ user: User?) -> Bool { user.map { administrators.contains($0.role) } ?? false }
}

/// The size limits of an app.
public struct Limits: Hashable, Sendable {
  /// The maximum number of bytes of a message's text; the channel's configuration limits its characters.
  public var textByteCountMax = 256 * 1024
  /// The maximum number of bytes of an app's extra values.
  public var extraByteCountMax = 32 * 1024
  /// The maximum nesting depth of an app's extra values; at most ``Limits/storedDepthMax``.
  public var extraDepthMax = 8
  /// The maximum number of members added at once.
  public var membersPerAddMax = 100
  /// The maximum number of characters of a user's or a channel's name.
  public var nameLengthMax = 256
  /// The maximum number of bytes of an address, a title, a reason, or any other one-line text.
  public var lineByteCountMax = 4096
  /// The maximum number of attachments of a message.
  public var attachmentsMax = 10
  /// The maximum number of bytes of one attachment in the log, without its content.
  public var attachmentByteCountMax = 64 * 1024
  /// The maximum number of bytes of an attachment's content.
  public var uploadByteCountMax: UInt64 = 100 << 20
  /// The maximum number of mentions in a message.
  public var mentionsMax = 100
  /// The maximum number of kinds of reactions to a message.
  public var reactionKindsMax = 50
  /// The maximum number of options of a poll.
  public var pollOptionsMax = 50
  /// The maximum number of bytes of the content of a composer or a draft.
  public var compositionByteCountMax = 1 << 20
  /// The maximum number of bytes of the payload of an app's event or action.
  public var payloadByteCountMax = 256 * 1024

  /// The maximum nesting depth that the stored form supports.
  public static let storedDepthMax = 32

  /// Creates the default limits.
  public init() {}
}

/// The id of a role; an app can add its own.
public typealias Role = ID<RoleName>

/// The phantom type of ``Role``.
public enum RoleName: Sendable {}

extension ID where Named == RoleName {
  /// The role with every capability in a channel.
  public static var owner: Role { "owner" }
  /// The role that moderates a channel.
  public static var moderator: Role { "moderator" }
  /// The ordinary role in a channel.
  public static var member: Role { "member" }
  /// The role with fewer capabilities than a member's; of a user: one without a name of their own.
  public static var guest: Role { "guest" }
  /// The role of an ordinary user.
  public static var user: Role { "user" }
  /// The role with every capability in every channel.
  public static var admin: Role { "admin" }
}
