// Queries for the channel list of a user.
public import Chat
public import Projections
internal import TextFolding
internal import Tables

extension ChatReading {
  /// Returns a page of the channels of which a user is a member, with their state at an instant; not deleted ones.
  ///
  /// Each page reads all of them: their rows, and what the filter and the order need; unread messages are counted in
  /// all only where either needs the count. The other fields of an item are read for the channels of the page only.
  /// Traps when the cursor is one of another order.
  public func channels(
    of user: User.ID, where filter: ChannelFilter = ChannelFilter(), by order: ChannelOrder = .lastActivity,
    at instant: Timestamp, after cursor: ChannelCursor? = nil, limit: Int
  ) throws(ProjectionError) -> ChannelPage {
    try channels(of: user, where: filter, by: order, at: instant, after: cursor, limit: limit) { _ in true }
  }

  /// Returns the page of ``channels(of:where:by:at:after:limit:)``, limited to channels that the viewer may read.
  package func channels(
    for viewer: Viewer, where filter: ChannelFilter, by order: ChannelOrder, at instant: Timestamp,
    after cursor: ChannelCursor?, limit: Int
  ) throws(ProjectionError) -> ChannelPage {
    try channels(of: viewer.user.id, where: filter, by: order, at: instant, after: cursor, limit: limit) {
      viewer.sees($0.key.channel, as: $0)
    }
  }

  private func channels(
    of user: User.ID, where filter: ChannelFilter, by order: ChannelOrder, at instant: Timestamp,
    after cursor: ChannelCursor?, limit: Int, ifSeen isSeen: (Member) -> Bool
  ) throws(ProjectionError) -> ChannelPage {
    precondition(
      cursor == nil || cursor?.order == order,
      "a cursor ordered by \(cursor?.order, default: "") cannot continue a page ordered by \(order)")
    guard limit > 0 else { return ChannelPage() }
    let list = ChannelList(
      filter, order, mutes: try mutes(of: user, at: instant), silenced: try silencedUsers(by: user, at: instant))
    var listed: [ListedChannel] = []
    try forEachChannel(of: user) { channel, member throws(ProjectionError) in
      guard isSeen(member), let row = try listedChannel(channel, member, in: list) else { return }
      if cursor.map({ $0.rank < row.rank }) ?? true { listed.append(row) }
    }
    listed.sort { $0.rank < $1.rank }
    var page = ChannelPage()
    for row in listed.prefix(limit) { page.channels.append(try item(row, in: list, at: instant)) }
    if listed.count > limit { page.next = ChannelCursor(order: order, rank: listed[limit - 1].rank) }
    return page
  }

  /// Returns a channel with the fields that filter and order need; nil when the filter excludes it.
  private func listedChannel(
    _ channel: Channel, _ member: Member, in list: ChannelList
  ) throws(ProjectionError) -> ListedChannel? {
    guard list.wants(channel, member) else { return nil }
    var row = ListedChannel(channel: channel, member: member, rank: ChannelRank(channel.id))
    row.rank.isPinned = member.pinned != nil
    if list.needsUnread {
      let unread = try unread(of: member, in: channel, besides: list.silencedUsers)
      guard list.wants(unread) else { return nil }
      row.unread = unread
      row.rank.isRead = list.order == .unreadFirst && unread.messages == 0
    }
    switch list.order {
    case .lastActivity, .unreadFirst: row.rank.lastActivity = try lastActivity(in: channel)
    case .name: (row.rank.folded, row.rank.name) = (FoldedText(channel.profile.name), channel.profile.name)
    }
    return row
  }

  private func item(
    _ row: ListedChannel, in list: ChannelList, at instant: Timestamp
  ) throws(ProjectionError) -> ChannelItem {
    let (channel, member, user) = (row.channel, row.member, row.member.key.user)
    var waiting = row.unread
    if waiting == nil { waiting = try unread(of: member, in: channel, besides: list.silencedUsers) }
    return ChannelItem(
      channel: channel, member: member, newest: try newest(in: channel, for: user), unread: waiting ?? .none,
      mute: list.mutedChannels[channel.id], lastActivity: try lastActivity(in: channel),
      draft: try draft(Draft.Key(by: user, in: channel.id)),
      typing: try othersTyping(than: user, in: channel.id, at: instant), failed: try failed(of: user, in: channel))
  }

  private func lastActivity(in channel: Channel) throws(ProjectionError) -> Timestamp {
    try reading.row(of: channel.id, in: ChatState.lastSaid)?.at ?? channel.created
  }

  /// Returns the newest message of a channel that a user sees.
  private func newest(in channel: Channel, for viewer: User.ID) throws(ProjectionError) -> Message? {
    var newest: Message?
    try forEach(in: ChatState.timeline, under: KeyPrefix(channel.id), .downwards) { entry throws(ProjectionError) in
      if entry.key.number <= channel.truncated { return false }
      let message = try reading.row(of: Message.Key(channel.id, entry.message), in: ChatState.messages)
      if let message, message.isVisible(to: viewer) { newest = message }
      return newest == nil
    }
    return newest
  }
}

/// A channel of the list, with the fields read so far.
private struct ListedChannel {
  let channel: Channel
  let member: Member
  var rank: ChannelRank
  var unread: Unread?
}

/// The filter and order of a channel list, and the user's mutes.
private struct ChannelList {
  let order: ChannelOrder
  let needsUnread: Bool
  let silencedUsers: [User.ID]
  let mutedChannels: [Channel.ID: Mute]
  private let filter: ChannelFilter
  private let name: NameQuery?

  init(_ filter: ChannelFilter, _ order: ChannelOrder, mutes: [Mute], silenced: [User.ID]) {
    (self.filter, self.order) = (filter, order)
    name = filter.name.map { NameQuery($0) }
    needsUnread = order == .unreadFirst || filter.unreadOnly || filter.mentionedOnly
    var channels: [Channel.ID: Mute] = [:]
    for mute in mutes { if case .channel(let id) = mute.key.target { channels[id] = mute } }
    (silencedUsers, mutedChannels) = (silenced, channels)
  }

  /// Returns whether the rows of the channel and the member match the filter.
  func wants(_ channel: Channel, _ member: Member) -> Bool {
    filter.kinds.map { $0.contains(channel.kind) } ?? true
      && filter.isHidden.map { $0 == member.hides(channel) } ?? true
      && filter.isArchived.map { $0 == (member.archived != nil) } ?? true
      && filter.isPinned.map { $0 == (member.pinned != nil) } ?? true
      && filter.isMuted.map { $0 == (mutedChannels[channel.id] != nil) } ?? true
      && filter.isFrozen.map { $0 == channel.isFrozen } ?? true
      && name.map { $0.matches(channel.profile.name) } ?? true
  }

  /// Returns whether the unread count matches the filter.
  func wants(_ unread: Unread) -> Bool {
    (!filter.unreadOnly || unread.messages > 0) && (!filter.mentionedOnly || unread.mentions > 0)
  }
}
