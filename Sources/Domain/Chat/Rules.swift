// What an app may choose: who may do what, how large things may be.

/// Something that one may be allowed to do in a channel.
public enum Capability: UInt8, CaseIterable, Hashable, Sendable {
  /// Read messages, mark them read, delivered and unread, keep drafts, take one's reactions back.
  case read
  /// Send a message that is no reply in a thread, or an app's own event about the channel.
  case send
  /// Send a reply in a thread.
  case reply
  /// Quote a message.
  case quote
  /// Attach pictures, videos, recordings and files.
  case upload
  /// Send addresses of pages.
  case sendLinks
  /// Add reactions.
  case react
  /// Mute the channel for oneself.
  case mute
  /// Ban users from the channel, lift their bans and remove members.
  case ban
  /// Flag messages.
  case flag
  /// Pin and unpin messages.
  case pin
  /// Edit one's own messages.
  case editOwn
  /// Edit anybody's messages.
  case editAny
  /// Delete one's own messages, and restore those that one deleted.
  case deleteOwn
  /// Delete and restore anybody's messages.
  case deleteAny
  /// Add members.
  case invite
  /// Change, configure, freeze, truncate and delete the channel, and change the roles of its members.
  case changeChannel
  /// Send without waiting for the slow mode.
  case skipSlowMode
}

/// A set of capabilities.
public typealias Capabilities = SmallSet<Capability>

/// What deciding asks of an app: who may do what, and how large things may be.
///
/// Rules say what may happen from now on; folding what has happened never asks them.
public struct Rules: Hashable, Sendable {
  /// What each role lets a member do in a channel; a role that is not here lets them do nothing.
  public var memberCapabilities: [Role: Capabilities]
  /// What each role lets a user do in every channel, a member or not.
  public var userCapabilities: [Role: Capabilities]
  /// The roles of users who may act for others and change what they may do.
  public var administrators: [Role]
  /// Whether a user may react to a message in several ways, or in one that the next replaces.
  public var reactionsPerUser: ReactionsPerUser
  /// Whether drafts are kept by themselves: then they also end with what they are for. Without, those that are stored
  /// stay until somebody deletes them.
  public var draftMessagesEnabled = false
  /// How large things may be.
  public var limits: Limits

  /// In how many ways a user may react to a message.
  public enum ReactionsPerUser: Hashable, Sendable {
    /// In one: another kind takes its place.
    case one
    /// In several.
    case several
  }

  /// The rules as they are where an app chooses no others.
  public init() {
    var moderator = Capabilities.all
    moderator.remove(.changeChannel)
    memberCapabilities = [
      .owner: .all,
      .moderator: moderator,
      .member: [
        .read, .send, .reply, .quote, .upload, .sendLinks, .react, .mute, .flag, .editOwn, .deleteOwn, .invite,
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
  /// What a user may do in a channel, were they not banned: what the role allows that they have there, if they are a
  /// member, and what the role allows that they have as a user in every channel.
  public func capabilities(of user: User?, as member: Member?) -> Capabilities {
    let asMember = member.flatMap { $0.isMember ? memberCapabilities[$0.role] : nil } ?? []
    let asUser = user.flatMap { userCapabilities[$0.role] } ?? []
    return asMember.union(asUser)
  }
}

/// How large things may be.
public struct Limits: Hashable, Sendable {
  /// Bytes of a message's text; how many characters it may have is the channel's to say.
  public var textByteCountMax = 256 * 1024
  /// Bytes of an app's extra values.
  public var extraByteCountMax = 32 * 1024
  /// How deep values may lie within an app's extra values; at most ``Limits/storedDepthMax``.
  public var extraDepthMax = 8
  /// Members added at once.
  public var membersPerAddMax = 100
  /// Characters of a user's or a channel's name.
  public var nameLengthMax = 256
  /// Bytes of an address, a title, a reason: of any text that nobody reads at length.
  public var lineByteCountMax = 4096
  /// Attachments of a message.
  public var attachmentsMax = 10
  /// Bytes that one attachment takes in the log, beyond its content.
  public var attachmentByteCountMax = 64 * 1024
  /// Bytes of an attachment's content.
  public var uploadByteCountMax: UInt64 = 100 << 20
  /// Mentions in a message.
  public var mentionsMax = 100
  /// Kinds of reactions to a message.
  public var reactionKindsMax = 50
  /// Bytes of what a composer or a draft holds.
  public var compositionByteCountMax = 1 << 20
  /// Bytes of the payload of an app's own event or action.
  public var payloadByteCountMax = 256 * 1024

  /// How deep values may lie within values in what is stored at all.
  public static let storedDepthMax = 32

  /// The limits as they are where an app chooses no others.
  public init() {}
}

/// What a role is called; an app may add its own.
public typealias Role = ID<RoleName>

/// What the ids of roles name.
public enum RoleName: Sendable {}

extension ID where Named == RoleName {
  /// May do everything in a channel.
  public static var owner: Role { "owner" }
  /// Keeps order in a channel.
  public static var moderator: Role { "moderator" }
  /// Takes part in a channel.
  public static var member: Role { "member" }
  /// Takes part in a channel with less than a member may do; of a user: not known by a name of their own.
  public static var guest: Role { "guest" }
  /// An ordinary user.
  public static var user: Role { "user" }
  /// May do everything in every channel.
  public static var admin: Role { "admin" }
}
