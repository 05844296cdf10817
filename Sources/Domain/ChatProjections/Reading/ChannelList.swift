// What one asks of somebody's channels, and what one gets.
public import Chat
internal import TextFolding

/// A channel, as it stands in somebody's list.
public struct ChannelItem: Hashable, Sendable {
  /// The channel.
  public let channel: Channel
  /// Whose list it is, as a member of the channel.
  public let member: Member
  /// The newest message that they see, deleted or not; nil when there is none.
  public package(set) var newest: Message?
  /// How much waits for them, whether or not they mute the channel.
  public let unread: Unread
  /// The mute that they have for the channel; nil when they have none.
  public let mute: Mute?
  /// When something was last said that not only its author sees, or else when the channel was created.
  public let lastActivity: Instant
  /// What they have written for the channel and not sent; nil when there is none. Drafts for its threads are not told.
  public let draft: Draft?
  /// Others who type in the channel at the instant, in the order of their ids.
  public let typing: [User.ID]
  /// The newest of their messages in the channel that could not be delivered, whatever was said since; nil when there
  /// is none. A reply that stands in its thread alone is not told.
  public package(set) var failed: Message?

  package init(
    channel: Channel, member: Member, newest: Message?, unread: Unread, mute: Mute?, lastActivity: Instant,
    draft: Draft? = nil, typing: [User.ID] = [], failed: Message? = nil
  ) {
    (self.channel, self.member, self.newest, self.unread) = (channel, member, newest, unread)
    (self.mute, self.lastActivity) = (mute, lastActivity)
    (self.draft, self.typing, self.failed) = (draft, typing, failed)
  }

  /// Whether they hide it.
  public var isHidden: Bool { member.hides(channel) }
}

/// Which of somebody's channels are wanted: those for which all holds that is said here.
public struct ChannelFilter: Hashable, Sendable {
  /// Of one of these kinds; nil for any.
  public var kinds: Set<Channel.Kind>?
  /// Hidden or not; nil for both.
  public var isHidden: Bool?
  /// Muted or not; nil for both.
  public var isMuted: Bool?
  /// Frozen or not; nil for both.
  public var isFrozen: Bool?
  /// Only those in which something waits.
  public var unreadOnly: Bool
  /// Only those in which something waits that mentions whose list it is.
  public var mentionedOnly: Bool
  /// The name begins with this, or does so from one of its words on, as names of people; nil for any name.
  public var name: UserText?

  /// All that are not hidden, or some of them.
  public init(
    kinds: Set<Channel.Kind>? = nil, isHidden: Bool? = false, isMuted: Bool? = nil, isFrozen: Bool? = nil,
    unreadOnly: Bool = false, mentionedOnly: Bool = false, name: UserText? = nil
  ) {
    (self.kinds, self.isHidden, self.isMuted, self.isFrozen) = (kinds, isHidden, isMuted, isFrozen)
    (self.unreadOnly, self.mentionedOnly, self.name) = (unreadOnly, mentionedOnly, name)
  }
}

/// In which order channels stand in a list; those that are equal in it, in the order of their ids.
public enum ChannelOrder: Hashable, Sendable {
  /// The one in which something was said last comes first.
  case lastActivity
  /// Those in which something waits come first, each part as ``lastActivity``.
  case unreadFirst
  /// By name, first without case, marks on letters and width, then by its bytes.
  case name
}

/// Some of somebody's channels.
public struct ChannelPage: Hashable, Sendable {
  /// The channels.
  public var channels: [ChannelItem] = []
  /// Where the next page begins; nil when there is none.
  public var next: ChannelCursor?
}

/// Behind which channel a page begins, in one order.
///
/// It is a place in the order, not a number of channels. What stays where it is comes once, whatever happens to others
/// between two pages. What moves forward past the cursor is not on the pages behind it, whether or not it was on one
/// before; what moves back past it comes again.
public struct ChannelCursor: Hashable, Sendable {
  internal let order: ChannelOrder
  internal let rank: ChannelRank
}

/// Where a channel stands in an order; what does not count in it is the same for all.
internal struct ChannelRank: Hashable, Sendable {
  var isRead = false
  var lastActivity = Instant(rawValue: 0)
  var folded = FoldedText("")
  var name: UserText = ""
  let id: Channel.ID

  init(_ id: Channel.ID) { self.id = id }
}

extension ChannelRank: Comparable {
  static func < (a: ChannelRank, b: ChannelRank) -> Bool {
    if a.isRead != b.isRead { return b.isRead }
    if a.lastActivity != b.lastActivity { return a.lastActivity > b.lastActivity }
    if a.folded != b.folded { return a.folded < b.folded }
    if a.name != b.name { return a.name < b.name }
    return a.id < b.id
  }
}
