// Queries for the members of a channel and their read and delivery markers.
public import Chat
public import Projections

/// A page of the members of a channel, in the order of their ids.
public struct MemberPage: Hashable, Sendable {
  /// The members of the page.
  public var members: [Member] = []
  /// The user after whom the next page begins; nil on the last page.
  public var next: User.ID?
}

/// The read and delivery markers of a member.
public struct Marker: Hashable, Sendable {
  /// The user whose marker it is.
  public let user: User.ID
  /// The newest message that they have read; nil where the channel has read events off.
  public let read: Message.Number?
  /// The instant at which they moved the read marker; nil where the channel has read events off.
  public let readAt: Timestamp?
  /// The newest message delivered to them; nil where the channel has delivery events off.
  public let received: Message.Number?

  /// Creates the marker of a member, with the fields that the channel discloses.
  public init(of member: Member, in channel: Channel) {
    let tellsRead = channel.config.has(.readEvents)
    user = member.key.user
    (read, readAt) = tellsRead ? (member.read, member.readAt) : (nil, nil)
    received = channel.config.has(.deliveryEvents) ? member.received : nil
  }
}

/// A page of the markers of a channel, in the order of the ids of its members.
public struct MarkerPage: Hashable, Sendable {
  /// The markers of the page.
  public var markers: [Marker] = []
  /// The user after whom the next page begins; nil on the last page.
  public var next: User.ID?
}

extension ChatReading {
  /// Returns a page of the members of a channel, of some roles or of all; the channel's row has the total count.
  public func members(
    of channel: Channel.ID, in roles: Set<Role>? = nil, after user: User.ID? = nil, limit: Int
  ) throws(ProjectionError) -> MemberPage {
    let found = try members(of: channel, after: user, limit) { _, member in roles?.contains(member.role) ?? true }
    return MemberPage(members: found.members, next: found.next)
  }

  /// Returns a page of the markers of a channel; empty where it has read and delivery events off.
  public func markers(
    in channel: Channel.ID, after user: User.ID? = nil, limit: Int
  ) throws(ProjectionError) -> MarkerPage {
    let found = try members(of: channel, after: user, limit) { channel, _ in
      channel.config.has(.readEvents) || channel.config.has(.deliveryEvents)
    }
    return MarkerPage(found)
  }

  /// Returns a page of the members other than its author who have read a message: their marker is at or after it.
  ///
  /// A member who joined later counts as having read it: no earlier message is unread for them. The page is empty for a
  /// message that is ephemeral, deleted for good or truncated away, and where the channel has read events off.
  public func readers(
    of message: Message.Key, after user: User.ID? = nil, limit: Int
  ) throws(ProjectionError) -> MarkerPage {
    try markers(at: message, of: .readEvents, after: user, limit) { $0.read }
  }

  /// Returns a page of the members to whom a message was delivered, by the rules of ``readers(of:after:limit:)``.
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

  /// Returns the members of a channel that match a condition.
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

/// The members of a channel that matched a condition.
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
