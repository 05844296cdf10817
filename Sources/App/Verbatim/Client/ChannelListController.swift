// The channel list's controller: the channels of a user.
public import Chat
public import ChatProjections

/// The channels of which a user is a member.
public struct ChannelListController: Sendable {
  /// The client of the user.
  public let client: Client

  /// Returns a page of channels with the newest message and the unread counts of each.
  public func page(
    where filter: ChannelFilter = ChannelFilter(), by order: ChannelOrder = .lastActivity,
    after cursor: ChannelCursor? = nil, limit: Int = 30
  ) async throws(ReadError) -> ChannelPage {
    try await client.ask { reading throws(ReadError) in
      try reading.channels(where: filter, by: order, after: cursor, limit: limit)
    }
  }

  /// Returns the sum of the unread counts of all channels that are not muted.
  public func unread() async throws(ReadError) -> Unread {
    try await client.ask { reading throws(ReadError) in try reading.unread() }
  }

  /// Returns messages of all these channels whose text has, for every word of a query, a word with that prefix.
  public func messages(
    matching query: String, by author: User.ID? = nil, after cursor: SearchCursor? = nil, limit: Int = 30
  ) async throws(ReadError) -> SearchPage {
    try await client.ask(findingWords: true) { reading throws(ReadError) in
      try reading.messages(matching: query, by: author, after: cursor, limit: limit)
    }
  }

  /// Returns public channels, whether or not the user is a member.
  public func publicChannels(
    matching name: UserText? = nil, after channel: Channel.ID? = nil, limit: Int = 30
  ) async throws(ReadError) -> PublicChannelPage {
    try await client.ask { reading throws(ReadError) in
      try reading.publicChannels(matching: name, after: channel, limit: limit)
    }
  }

  /// Returns the direct channel of the user and others, and creates it if there is none.
  public func direct(with users: User.ID...) async throws(SubmitError) -> ChannelController {
    try await direct(with: users)
  }

  /// Returns the direct channel of the user and others, and creates it if there is none.
  public func direct(with users: [User.ID]) async throws(SubmitError) -> ChannelController {
    let channel = client.channel(.direct(among: users + [client.user]))
    try await channel.create(.direct, members: users)
    return channel
  }

  /// Creates a channel under a new id, with the user as its owner.
  public func create(
    _ kind: Channel.Kind = "team", _ profile: Channel.Profile = Channel.Profile(),
    config: ChannelConfig = ChannelConfig(), members: [User.ID] = []
  ) async throws(SubmitError) -> ChannelController {
    let channel = client.channel(client.workspace.newID())
    try await channel.create(kind, profile, config: config, members: members)
    return channel
  }
}
