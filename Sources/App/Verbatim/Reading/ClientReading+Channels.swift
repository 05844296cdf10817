// Queries for channels, members, typing users and unread counts.
public import Chat
public import ChatProjections
internal import Projections

// MARK: Channels

extension ClientReading {
  /// Returns a channel that the user sees.
  public func channel(_ id: Channel.ID) throws(ReadError) -> Channel { try seen(id) }

  /// Returns channels of which the user is a member and that the user sees.
  ///
  /// Traps if the cursor was made for another order.
  public func channels(
    where filter: ChannelFilter = ChannelFilter(), by order: ChannelOrder = .lastActivity,
    after cursor: ChannelCursor? = nil, limit: Int
  ) throws(ReadError) -> ChannelPage {
    var page = try read(chat.channels(for: viewer, where: filter, by: order, at: instant, after: cursor, limit: limit))
    page.channels = try page.channels.map { item throws(ReadError) in try shown(item) }
    return page
  }

  private func shown(_ item: ChannelItem) throws(ReadError) -> ChannelItem {
    var item = item
    // In the past, a message that was permanently deleted since is omitted.
    if let newest = item.newest { item.newest = try shown([newest]).first }
    item.failed = try remaining(item.failed)
    return item
  }

  /// Returns public channels, whether or not the user is a member; with a name, those whose name, or name from a word
  /// on, begins with it.
  public func publicChannels(
    matching name: UserText? = nil, after channel: Channel.ID? = nil, limit: Int
  ) throws(ReadError) -> PublicChannelPage {
    var page = try read(chat.publicChannels(for: user, matching: name, after: channel, limit: limit))
    page.channels = try page.channels.kept { preview throws(ReadError) in try isPublicNow(preview.id) }
    return page
  }

  /// Returns the channels to which the user is invited and which the user has not joined; not those whose invitation
  /// the user declined, unless these are asked for.
  public func invitations(withDeclined: Bool = false) throws(ReadError) -> [ChannelPreview] {
    try invitations(withDeclined: withDeclined, offset: 0, limit: .max).channels
  }

  /// Returns the same from an offset on; invitations that are omitted because they were withdrawn since count as well.
  package func invitations(
    withDeclined: Bool, offset: Int, limit: Int
  ) throws(ReadError) -> (channels: [ChannelPreview], hasMore: Bool) {
    let all = try read(chat.invitations(of: user, withDeclined: withDeclined)).dropFirst(offset)
    let (found, user) = (Array(all.prefix(limit)), user)
    // A withdrawn invitation shows nothing of the past either.
    let still = try decided { chat throws(ProjectionError) in try chat.invitations(of: user, withDeclined: true) }
    let kept = try found.kept { preview throws(ReadError) in
      try ReadError.unlessRefused(known(preview.id)) != nil && still.contains { $0.id == preview.id }
    }
    return (kept, all.count > limit)
  }

  /// Returns the user's unread counts in a channel.
  public func unread(in channel: Channel.ID) throws(ReadError) -> Unread {
    _ = try seen(channel)
    return try read(chat.unread(of: user, in: channel, at: instant))
  }

  /// Returns the sum of the unread counts of all channels of which the user is a member and that the user sees and has
  /// not muted.
  public func unread() throws(ReadError) -> Unread {
    try read(chat.unread(for: viewer, at: instant))
  }

  /// Returns the user's first unread message of a channel; nil if there is none.
  public func firstUnread(in channel: Channel.ID) throws(ReadError) -> Message? {
    _ = try seen(channel)
    return try remaining(
      read(chat.firstUnread(of: user, in: channel, at: instant)))
  }

  /// Returns the other users who are typing in a channel or a thread.
  public func typing(in channel: Channel.ID, thread: Message.ID? = nil) throws(ReadError) -> [TypingUser] {
    _ = try seen(channel)
    if let thread { _ = try known(Message.Key(channel, thread)) }
    return try read(chat.typing(in: channel, thread: thread, at: instant, except: user))
  }
}

// MARK: Members

extension ClientReading {
  /// Returns a member of a channel; nil if the user is not a member.
  public func member(_ key: Member.Key) throws(ReadError) -> Member? {
    let channel = try seen(key.channel)
    let member = try read(chat.member(key))
    return member.map { shown($0, in: channel) }
  }

  /// Returns members of a channel with some roles, or all members.
  public func members(
    of channel: Channel.ID, in roles: Set<Role>? = nil, after user: User.ID? = nil, limit: Int
  ) throws(ReadError) -> MemberPage {
    let row = try seen(channel)
    var page = try read(chat.members(of: channel, in: roles, after: user, limit: limit))
    page.members = page.members.map { shown($0, in: row) }
    return page
  }

  /// Returns the read and delivery markers of a channel's members, as far as the channel's configuration shares them.
  public func markers(
    in channel: Channel.ID, after user: User.ID? = nil, limit: Int
  ) throws(ReadError) -> MarkerPage {
    _ = try seen(channel)
    return try read(chat.markers(in: channel, after: user, limit: limit))
  }

  /// Returns a member as the user sees it: of others, without whether they hide,
  /// pin or archive the channel; markers that the channel
  /// does not share appear unset.
  private func shown(_ member: Member, in channel: Channel) -> Member {
    if member.key.user == user { return member }
    var member = member
    (member.hidden, member.pinned, member.archived) = (nil, nil, nil)
    if !channel.config.has(.readEvents) { (member.read, member.readAt) = (.zero, member.joined) }
    if !channel.config.has(.deliveryEvents) { member.received = .zero }
    return member
  }
}

// MARK: Users

extension ClientReading {
  /// Returns any user; nil if no user with this id was ever created.
  public func user(_ id: User.ID) throws(ReadError) -> User? {
    try read(chat.user(id))
  }

  /// Returns other members of a channel whose id or name begins with the typed text, best match first.
  public func members(
    of channel: Channel.ID, matching typed: UserText, limit: Int = 10
  ) throws(ReadError) -> [User] {
    _ = try seen(channel)
    return try read(chat.members(of: channel, matching: typed, limit: limit, except: user))
  }

  /// Returns other users whose id or name begins with the typed text, best match first; users active in the channel, if
  /// one is given, come before others.
  public func users(
    matching typed: UserText, in channel: Channel.ID? = nil, limit: Int = 10
  ) throws(ReadError) -> [User] {
    if let channel { _ = try seen(channel) }
    return try read(chat.users(matching: typed, in: channel, limit: limit, except: user))
  }
}
