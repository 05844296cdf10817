// The members of a channel, and up to where they have read and received.
public import Chat
public import Projections

/// Some members of a channel, in the order of their ids.
public struct MemberPage: Hashable, Sendable {
  /// The members.
  public var members: [Member] = []
  /// Behind whom the next page begins; nil when there is none.
  public var next: User.ID?
}

/// Up to where a member has read, and up to where messages have reached them.
public struct Marker: Hashable, Sendable {
  /// Whose it is.
  public let user: User.ID
  /// The newest message that they read; nil where who has read what is not told.
  public let read: Message.Number?
  /// When they moved that marker; nil where who has read what is not told.
  public let readAt: Instant?
  /// The newest message that reached them; nil where that is not told.
  public let received: Message.Number?

  /// The marker of a member of a channel, as far as the channel tells of it.
  public init(of member: Member, in channel: Channel) {
    let tellsRead = channel.config.has(.readEvents)
    user = member.key.user
    (read, readAt) = tellsRead ? (member.read, member.readAt) : (nil, nil)
    received = channel.config.has(.deliveryEvents) ? member.received : nil
  }
}

/// Some markers of a channel, in the order of the ids of its members.
public struct MarkerPage: Hashable, Sendable {
  /// The markers.
  public var markers: [Marker] = []
  /// Behind whom the next page begins; nil when there is none.
  public var next: User.ID?
}

extension ChatReading {
  /// Members of a channel, of some roles or of all; how many there are of all, the channel says.
  public func members(
    of channel: Channel.ID, in roles: Set<Role>? = nil, after user: User.ID? = nil, limit: Int
  ) throws(ProjectionError) -> MemberPage {
    let found = try members(of: channel, after: user, limit) { _, member in roles?.contains(member.role) ?? true }
    return MemberPage(members: found.members, next: found.next)
  }

  /// Up to where each member of a channel has read and received; nobody where the channel tells neither.
  public func markers(
    in channel: Channel.ID, after user: User.ID? = nil, limit: Int
  ) throws(ProjectionError) -> MarkerPage {
    let found = try members(of: channel, after: user, limit) { channel, _ in
      channel.config.has(.readEvents) || channel.config.has(.deliveryEvents)
    }
    return MarkerPage(found)
  }

  /// Members other than its author who have read a message: whose marker is at it or behind it.
  ///
  /// Who joined when it was there already has it read: nothing of before waits for them. Nobody has read what its
  /// author alone sees, what is deleted for good or truncated away, and where who has read what is not told.
  public func readers(
    of message: Message.Key, after user: User.ID? = nil, limit: Int
  ) throws(ProjectionError) -> MarkerPage {
    try markers(at: message, of: .readEvents, after: user, limit) { $0.read }
  }

  /// Members other than its author whom a message has reached, as ``readers(of:after:limit:)``.
  public func receivers(
    of message: Message.Key, after user: User.ID? = nil, limit: Int
  ) throws(ProjectionError) -> MarkerPage {
    try markers(at: message, of: .deliveryEvents, after: user, limit) { $0.received }
  }

  private func markers(
    at key: Message.Key, of flag: ChannelFlag, after user: User.ID?, _ limit: Int,
    _ marker: (Member) -> Message.Number
  ) throws(ProjectionError) -> MarkerPage {
    guard let message = try message(key), message.presence != .gone, message.isVisible(to: nil) else {
      return MarkerPage()
    }
    let found = try members(of: key.channel, after: user, limit) { channel, member in
      channel.config.has(flag) && message.number > channel.truncated
        && member.key.user != message.author && marker(member) >= message.number
    }
    return MarkerPage(found)
  }

  /// Members of a channel that are wanted.
  private func members(
    of id: Channel.ID, after user: User.ID?, _ limit: Int, where isWanted: (Channel, Member) -> Bool
  ) throws(ProjectionError) -> FoundMembers {
    guard let channel = try channel(id) else { return FoundMembers() }
    let page = try page(
      of: ChatState.members, under: KeyPrefix(id), after: user.map { Member.Key(id, $0) }, limit: limit, by: { $0.key }
    ) { member in member.isMember && isWanted(channel, member) ? member : nil }
    return FoundMembers(channel: channel, members: page.items, next: page.next?.user)
  }
}

/// Members of a channel that were wanted.
private struct FoundMembers {
  var channel: Channel?
  var members: [Member] = []
  var next: User.ID?
}

extension MarkerPage {
  fileprivate init(_ found: FoundMembers) {
    guard let channel = found.channel else { return }
    markers = found.members.map { Marker(of: $0, in: channel) }
    next = found.next
  }
}
