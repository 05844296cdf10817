// Queries for channels that a user can join: public ones, and those to which the user is invited.
public import Chat
public import Projections

/// A channel that a user can join, with what is shown to those who are not members.
public struct ChannelPreview: Hashable, Sendable {
  /// The id of the channel.
  public let id: Channel.ID
  /// The kind of the channel.
  public let kind: Channel.Kind
  /// The name, image and extra values of the channel.
  public let profile: Channel.Profile
  /// The number of members.
  public let memberCount: UInt32
  /// Whether the user is a member.
  public let isMember: Bool
  /// The user's invitation; nil when there is none.
  public let invitation: Member.Invitation?

  init(_ channel: Channel, for member: Member?) {
    (id, kind, profile, memberCount) = (channel.id, channel.kind, channel.profile, channel.memberCount)
    (isMember, invitation) = (member?.isMember ?? false, member?.invitation)
  }
}

/// A page of public channels, in the order of their ids.
public struct PublicChannelPage: Hashable, Sendable {
  /// The channels of the page.
  public var channels: [ChannelPreview] = []
  /// The channel after which the next page begins; nil on the last page.
  public var next: Channel.ID?
}

extension ChatReading {
  /// Returns public channels as a user sees them, whether or not they are a member, in the order of their ids; with a
  /// name, those whose name, or name from a word on, begins with it.
  public func publicChannels(
    for user: User.ID, matching name: UserText? = nil, after channel: Channel.ID? = nil, limit: Int
  ) throws(ProjectionError) -> PublicChannelPage {
    let query = name.map { NameQuery($0) }
    let page = try page(
      of: ChatState.publicChannels, under: KeyPrefix(bytes: []), after: channel.map { PublicChannelKey($0) },
      limit: limit,
      by: { $0.key }
    ) { (entry: Entry<PublicChannelKey>) throws(ProjectionError) -> ChannelPreview? in
      guard let channel = try self.channel(entry.key.channel), query.map({ $0.matches(channel.profile.name) }) ?? true
      else { return nil }
      return ChannelPreview(channel, for: try reading.row(of: Member.Key(channel.id, user), in: ChatState.members))
    }
    return PublicChannelPage(channels: page.items, next: page.next?.channel)
  }

  /// Returns the channels to which a user is invited and which they have not joined, in the order of their ids; not
  /// those whose invitation the user declined, unless these are asked for.
  public func invitations(
    of user: User.ID, withDeclined: Bool = false
  ) throws(ProjectionError) -> [ChannelPreview] {
    var channels: [ChannelPreview] = []
    try forEach(in: ChatState.invitations, under: KeyPrefix(user)) { entry throws(ProjectionError) in
      let id = entry.key.channel
      let row = try reading.row(of: Member.Key(id, user), in: ChatState.members)
      guard let channel = try self.channel(id), let member = row else { return true }
      if withDeclined || member.invitation?.declined == nil {
        channels.append(ChannelPreview(channel, for: member))
      }
      return true
    }
    return channels
  }
}
