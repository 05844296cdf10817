// The channels that somebody is in.
public import Chat
public import ChatProjections

/// The channels that a person is in.
public struct ChannelListController: Sendable {
  /// Whose they are.
  public let client: Client

  /// Channels, as they stand in the list: with the newest message, and how much waits.
  public func page(
    where filter: ChannelFilter = ChannelFilter(), by order: ChannelOrder = .lastActivity,
    after cursor: ChannelCursor? = nil, limit: Int = 30
  ) async throws(ReadError) -> ChannelPage {
    try await client.ask { reading throws(ReadError) in
      try reading.channels(where: filter, by: order, after: cursor, limit: limit)
    }
  }

  /// How much waits in all of them that are not muted.
  public func unread() async throws(ReadError) -> Unread {
    try await client.ask { reading throws(ReadError) in try reading.unread() }
  }

  /// Messages in all of them whose text has, for every word of a query, a word that starts with it.
  public func messages(
    matching query: String, by author: User.ID? = nil, after cursor: SearchCursor? = nil, limit: Int = 30
  ) async throws(ReadError) -> SearchPage {
    try await client.ask(findingWords: true) { reading throws(ReadError) in
      try reading.messages(matching: query, by: author, after: cursor, limit: limit)
    }
  }

  /// Creates a channel under a new id, with the person as its owner.
  public func create(
    _ kind: Channel.Kind = "team", _ profile: Channel.Profile = Channel.Profile(),
    config: ChannelConfig = ChannelConfig(), members: [User.ID] = []
  ) async throws(SubmitError) -> ChannelController {
    let channel = client.channel(client.workspace.newID())
    try await channel.create(kind, profile, config: config, members: members)
    return channel
  }
}
