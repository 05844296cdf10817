// Queries for unread counts.
public import Chat
public import Projections

/// The unread count of a user.
public struct Unread: Hashable, Sendable {
  /// The number of unread messages.
  public var messages = 0
  /// The number of unread messages that mention the user, or a group to which they belong.
  public var mentions = 0

  /// The count of a user with no unread messages.
  public static let none = Unread()

  /// Creates a count of messages and of mentions among them.
  public init(messages: Int = 0, mentions: Int = 0) { (self.messages, self.mentions) = (messages, mentions) }
}

extension ChatReading {
  /// Returns the unread count of a member of a channel at an instant.
  ///
  /// The member's own, deleted, silent and ephemeral messages and replies shown in their thread only do not count, nor
  /// do messages of authors whom they mute at the instant, or block. The count is zero for non-members, and where the
  /// channel has read events off.
  public func unread(of user: User.ID, in channel: Channel.ID, at instant: Timestamp) throws(ProjectionError) -> Unread
  {
    guard let member = try member(Member.Key(channel, user)), let row = try self.channel(channel) else { return .none }
    return try unread(of: member, in: row, besides: try silencedUsers(by: user, at: instant))
  }

  /// Returns the unread count of a user in all their channels at an instant, except in those that they mute.
  public func unread(of user: User.ID, at instant: Timestamp) throws(ProjectionError) -> Unread {
    try unread(of: user, at: instant) { _ in true }
  }

  /// Returns the count of ``unread(of:at:)``, limited to channels that the viewer may read.
  package func unread(for viewer: Viewer, at instant: Timestamp) throws(ProjectionError) -> Unread {
    try unread(of: viewer.user.id, at: instant) { viewer.sees($0.key.channel, as: $0) }
  }

  private func unread(
    of user: User.ID, at instant: Timestamp, ifSeen isSeen: (Member) -> Bool
  ) throws(ProjectionError) -> Unread {
    let muted = try silencedUsers(by: user, at: instant)
    var sum = Unread.none
    try forEachChannel(of: user) { channel, member throws(ProjectionError) in
      guard isSeen(member) else { return }
      if try mute(of: .channel(channel.id), by: user, at: instant) != nil { return }
      let unread = try unread(of: member, in: channel, besides: muted)
      sum.messages += unread.messages
      sum.mentions += unread.mentions
    }
    return sum
  }

  /// Returns the first unread message of a member at an instant; nil when there is none.
  public func firstUnread(
    of user: User.ID, in channel: Channel.ID, at instant: Timestamp
  ) throws(ProjectionError) -> Message? {
    guard let member = try member(Member.Key(channel, user)), let row = try self.channel(channel),
      row.config.has(.readEvents)
    else { return nil }
    let silent = try silencedUsers(by: user, at: instant) + [user]
    let read = max(member.read, row.truncated)
    var first: Message?
    try forEach(in: ChatState.timeline, under: KeyPrefix(channel), from: TimelineKey(channel, read.next)) {
      entry throws(ProjectionError) in
      let message = try reading.row(of: Message.Key(channel, entry.message), in: ChatState.messages)
      if let message, message.canWait, !silent.contains(where: { $0 == message.author }) { first = message }
      return first == nil
    }
    return first
  }
}

extension ChatReading {
  /// Returns the unread count of a member, without messages of muted and blocked authors.
  internal func unread(
    of member: Member, in channel: Channel, besides silenced: [User.ID]
  ) throws(ProjectionError) -> Unread {
    let read = max(member.read, channel.truncated)
    guard channel.config.has(.readEvents), read < channel.newest else { return .none }
    // Their own messages are subtracted once, even where a log says that they mute themselves.
    let silent = silenced.filter { $0 != member.key.user } + [member.key.user]
    var unread = Unread(messages: try count(in: channel.id, by: nil, after: read))
    if unread.messages > 0 {
      for author in silent { unread.messages -= try count(in: channel.id, by: author, after: read) }
    }
    if unread.messages > 0 { unread.mentions = try mentions(of: member, after: read, besides: silent) }
    return unread
  }

  /// Returns the users of whom a user wants to hear nothing at an instant: those muted, then those blocked.
  internal func silencedUsers(by user: User.ID, at instant: Timestamp) throws(ProjectionError) -> [User.ID] {
    var muted: [User.ID] = []
    // Mutes of users sort first.
    try forEach(in: ChatState.mutes, under: KeyPrefix(user)) { mute in
      guard case .user(let id) = mute.key.target else { return false }
      if mute.holds(at: instant) { muted.append(id) }
      return true
    }
    for id in try blockedUsers(by: user) where !muted.contains(id) { muted.append(id) }
    return muted
  }

  private func count(
    in channel: Channel.ID, by author: User.ID?, after read: Message.Number
  ) throws(ProjectionError) -> Int {
    var count = 0
    let first = UnreadBitsKey(channel, by: author, UnreadBits.stretch(of: read))
    try forEach(in: ChatState.countable, under: KeyPrefix(stretchesIn: channel, by: author), from: first) { row in
      count += row.count(after: read)
      return true
    }
    return count
  }

  private func mentions(
    of member: Member, after read: Message.Number, besides silent: [User.ID]
  ) throws(ProjectionError) -> Int {
    let (user, channel) = (member.key.user, member.key.channel)
    // A message that mentions the user in two ways counts once.
    var counted: Set<Message.Number> = []
    for id in [user] + member.groups {
      let first = ConcernKey(id, TimelineKey(channel, read.next))
      try forEach(in: ChatState.mentions, under: KeyPrefix(id, channel), from: first) { row throws(ProjectionError) in
        let message = try reading.row(of: Message.Key(channel, row.message), in: ChatState.messages)
        if let message, message.canWait, !silent.contains(where: { $0 == message.author }) {
          counted.insert(row.key.place.number)
        }
        return true
      }
    }
    return counted.count
  }
}

extension Member {
  /// The ids that stand in mentions for the groups to which the member belongs.
  package var groups: [User.ID] { ([.channel, .here, .role(role)] as [Mention.Group]).compactMap { User.ID($0) } }
}

extension KeyPrefix {
  /// Creates the prefix of the stretches of a channel's messages, of one author or of all.
  fileprivate init(stretchesIn channel: Channel.ID, by author: User.ID?) {
    if let author { self.init(channel, author) } else { self.init(nothingAfter: channel) }
  }
}
