// The channels that a user sees: which there are, who is in them, who types, how much waits.
public import Chat
public import ChatProjections
internal import Projections

// MARK: Channels

extension ClientReading {
  /// A channel that the user sees.
  public func channel(_ id: Channel.ID) throws(ReadError) -> Channel { try seen(id) }

  /// Channels of which the user is a member and that they see.
  ///
  /// Traps when the cursor is one of another order.
  public func channels(
    where filter: ChannelFilter = ChannelFilter(), by order: ChannelOrder = .lastActivity,
    after cursor: ChannelCursor? = nil, limit: Int
  ) throws(ReadError) -> ChannelPage {
    var page = try answer { chat throws(ProjectionError) in
      try chat.channels(for: viewer, where: filter, by: order, at: instant, after: cursor, limit: limit)
    }
    page.channels = try page.channels.map { item throws(ReadError) in try shown(item) }
    return page
  }

  private func shown(_ item: ChannelItem) throws(ReadError) -> ChannelItem {
    var item = item
    // Of the past, nothing is told of a message that is gone since.
    if let newest = item.newest { item.newest = try shown([newest]).first }
    item.failed = try remaining(item.failed)
    return item
  }

  /// How much of a channel waits for the user.
  public func unread(in channel: Channel.ID) throws(ReadError) -> Unread {
    _ = try seen(channel)
    return try answer { chat throws(ProjectionError) in try chat.unread(of: user, in: channel, at: instant) }
  }

  /// How much waits for the user in all channels of which they are a member and that they see; not in those that they
  /// mute.
  public func unread() throws(ReadError) -> Unread {
    try answer { chat throws(ProjectionError) in try chat.unread(for: viewer, at: instant) }
  }

  /// The first message of a channel that waits for the user; nil when none does.
  public func firstUnread(in channel: Channel.ID) throws(ReadError) -> Message? {
    _ = try seen(channel)
    return try remaining(
      answer { chat throws(ProjectionError) in try chat.firstUnread(of: user, in: channel, at: instant) })
  }

  /// Others who type in a channel, or in a thread of it.
  public func typing(in channel: Channel.ID, thread: Message.ID? = nil) throws(ReadError) -> [TypingUser] {
    _ = try seen(channel)
    if let thread { _ = try known(Message.Key(channel, thread)) }
    return try answer { chat throws(ProjectionError) in
      try chat.typing(in: channel, thread: thread, at: instant, except: user)
    }
  }
}

// MARK: Members

extension ClientReading {
  /// Somebody who is a member of a channel; nil when they are none.
  public func member(_ key: Member.Key) throws(ReadError) -> Member? {
    let channel = try seen(key.channel)
    let member = try answer { chat throws(ProjectionError) in try chat.member(key) }
    return member.map { shown($0, in: channel) }
  }

  /// Members of a channel, of some roles or of all.
  public func members(
    of channel: Channel.ID, in roles: Set<Role>? = nil, after user: User.ID? = nil, limit: Int
  ) throws(ReadError) -> MemberPage {
    let row = try seen(channel)
    var page = try answer { chat throws(ProjectionError) in
      try chat.members(of: channel, in: roles, after: user, limit: limit)
    }
    page.members = page.members.map { shown($0, in: row) }
    return page
  }

  /// Up to where each member of a channel has read and received, as far as the channel tells.
  public func markers(
    in channel: Channel.ID, after user: User.ID? = nil, limit: Int
  ) throws(ReadError) -> MarkerPage {
    _ = try seen(channel)
    return try answer { chat throws(ProjectionError) in try chat.markers(in: channel, after: user, limit: limit) }
  }

  /// A member as the user sees them: of others not whether they hide the channel, nor how far they have read or
  /// received where the channel does not tell, which is then as if they had done neither.
  private func shown(_ member: Member, in channel: Channel) -> Member {
    if member.key.user == user { return member }
    var member = member
    member.hidden = nil
    if !channel.config.has(.readEvents) { (member.read, member.readAt) = (.zero, member.joined) }
    if !channel.config.has(.deliveryEvents) { member.received = .zero }
    return member
  }
}

// MARK: People

extension ClientReading {
  /// A user, whoever it is; nil when there was never one with this id.
  public func user(_ id: User.ID) throws(ReadError) -> User? {
    try answer { chat throws(ProjectionError) in try chat.user(id) }
  }

  /// Other members of a channel whose id or name begins with what was typed, the best first.
  public func members(
    of channel: Channel.ID, matching typed: UserText, limit: Int = 10
  ) throws(ReadError) -> [User] {
    _ = try seen(channel)
    return try answer { chat throws(ProjectionError) in
      try chat.members(of: channel, matching: typed, limit: limit, except: user)
    }
  }

  /// Other users, whoever they are, whose id or name begins with what was typed, the best first; who was active in a
  /// channel comes before others.
  public func users(
    matching typed: UserText, in channel: Channel.ID? = nil, limit: Int = 10
  ) throws(ReadError) -> [User] {
    if let channel { _ = try seen(channel) }
    return try answer { chat throws(ProjectionError) in
      try chat.users(matching: typed, in: channel, limit: limit, except: user)
    }
  }
}
