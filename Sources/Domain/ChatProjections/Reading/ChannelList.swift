// The filter, the order and the items of a channel list.
public import Chat
internal import TextFolding

/// A channel in a user's list.
public struct ChannelItem: Hashable, Sendable {
  /// The channel of the item.
  public let channel: Channel
  /// The user of the list, as a member of the channel.
  public let member: Member
  /// The newest message that the user sees, deleted or not; nil when there is none.
  public package(set) var newest: Message?
  /// The user's unread count, whether or not they mute the channel.
  public let unread: Unread
  /// The user's mute of the channel; nil when there is none.
  public let mute: Mute?
  /// The instant of the last message visible to more than its author, or else of the creation of the channel.
  public let lastActivity: Timestamp
  /// The user's draft for the channel; nil when there is none. Drafts for its threads are not included.
  public let draft: Draft?
  /// Other users typing in the channel at the instant, in the order of their ids.
  public let typing: [User.ID]
  /// The newest of the user's messages in the channel that could not be delivered, even if others sent messages since;
  /// nil when there is none. Replies shown in their thread only are not included.
  public package(set) var failed: Message?

  package init(
    channel: Channel, member: Member, newest: Message?, unread: Unread, mute: Mute?, lastActivity: Timestamp,
    draft: Draft? = nil, typing: [User.ID] = [], failed: Message? = nil
  ) {
    (self.channel, self.member, self.newest, self.unread) = (channel, member, newest, unread)
    (self.mute, self.lastActivity) = (mute, lastActivity)
    (self.draft, self.typing, self.failed) = (draft, typing, failed)
  }

  /// Whether the user hides the channel.
  public var isHidden: Bool { member.hides(channel) }
}

/// The filter of a channel list: a channel matches if all conditions hold.
public struct ChannelFilter: Hashable, Sendable {
  /// The kinds of channels; nil for any.
  public var kinds: Set<Channel.Kind>?
  /// Whether the channel is hidden; nil for both.
  public var isHidden: Bool?
  /// Whether the channel is muted; nil for both.
  public var isMuted: Bool?
  /// Whether the channel is in the archive; nil for both.
  public var isArchived: Bool?
  /// Whether the channel is pinned; nil for both.
  public var isPinned: Bool?
  /// Whether the channel is frozen; nil for both.
  public var isFrozen: Bool?
  /// Whether only channels with unread messages match.
  public var unreadOnly: Bool
  /// Whether only channels with unread mentions of the user match.
  public var mentionedOnly: Bool
  /// The text with which the name, or the name from a word on, begins, as for names of users; nil for any.
  public var name: UserText?

  /// Creates a filter, by default of all channels that are neither hidden nor in the archive.
  public init(
    kinds: Set<Channel.Kind>? = nil, isHidden: Bool? = false, isArchived: Bool? = false, isPinned: Bool? = nil,
    isMuted: Bool? = nil, isFrozen: Bool? = nil, unreadOnly: Bool = false, mentionedOnly: Bool = false,
    name: UserText? = nil
  ) {
    (self.kinds, self.isHidden, self.isArchived, self.isPinned) = (kinds, isHidden, isArchived, isPinned)
    (self.isMuted, self.isFrozen) = (isMuted, isFrozen)
    (self.unreadOnly, self.mentionedOnly, self.name) = (unreadOnly, mentionedOnly, name)
  }
}

/// The sort order of a channel list; in every order pinned channels are first, and ties are sorted by id.
public enum ChannelOrder: Hashable, Sendable {
  /// The channels are sorted by their last message, the latest first.
  case lastActivity
  /// The channels with unread messages are first; each part is sorted by ``lastActivity``.
  case unreadFirst
  /// The channels are sorted by name, first without case, marks on letters and width, then by its bytes.
  case name
}

/// A page of a user's channels.
public struct ChannelPage: Hashable, Sendable {
  /// The channels of the page.
  public var channels: [ChannelItem] = []
  /// The cursor of the next page; nil on the last page.
  public var next: ChannelCursor?
}

/// The channel after which a page begins, in one order.
///
/// It is a sort position, not an offset. A channel that does not move is returned once, whatever happens to others
/// between two pages. One that moves forward across the cursor is not on later pages, whether or not it was on an
/// earlier one; one that moves back across it is returned again.
public struct ChannelCursor: Hashable, Sendable {
  internal let order: ChannelOrder
  internal let rank: ChannelRank
}

/// The sort position of a channel; fields that the order ignores are equal for all channels.
internal struct ChannelRank: Hashable, Sendable {
  var isPinned = false
  var isRead = false
  var lastActivity = Timestamp(rawValue: 0)
  var folded = FoldedText("")
  var name: UserText = ""
  let id: Channel.ID

  init(_ id: Channel.ID) { self.id = id }
}

extension ChannelRank: Comparable {
  static func < (a: ChannelRank, b: ChannelRank) -> Bool {
    if a.isPinned != b.isPinned { return a.isPinned }
    if a.isRead != b.isRead { return b.isRead }
    if a.lastActivity != b.lastActivity { return a.lastActivity > b.lastActivity }
    if a.folded != b.folded { return a.folded < b.folded }
    if a.name != b.name { return a.name < b.name }
    return a.id < b.id
  }
}
