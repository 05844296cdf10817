// Who reacted to a message, and how.
public import Chat
public import Projections

/// Some users' reactions to a message, in the order of their ids.
public struct ReactionPage: Hashable, Sendable {
  /// The reactions, those of a user together.
  public var reactions: [Reaction] = []
  /// Behind whom the next page begins; nil when there is none.
  public var next: User.ID?
}

extension ChatReading {
  /// How somebody reacted to a message; nil when they did not.
  package func reaction(_ key: Reaction.Key) throws(ProjectionError) -> Reaction? {
    try reading.row(of: key, in: ChatState.reactions)
  }

  /// How users reacted to a message: in one way, or in any. How many did, the message itself says.
  ///
  /// Nobody reacted to what is deleted for good, or truncated away.
  public func reactions(
    to key: Message.Key, as kind: Reaction.Kind? = nil, after user: User.ID? = nil, limit: Int
  ) throws(ProjectionError) -> ReactionPage {
    guard let channel = try channel(key.channel),
      let message = try reading.row(of: key, in: ChatState.messages), message.presence != .gone,
      message.number > channel.truncated
    else { return ReactionPage() }
    let page = try page(
      of: ChatState.reactions, under: KeyPrefix(of: key), after: user.map { Reaction.Key(to: key, by: $0) },
      limit: limit, by: { $0.key }
    ) { reaction in kind.map { reaction.score(of: $0) != nil } ?? true ? reaction : nil }
    return ReactionPage(reactions: page.items, next: page.next?.user)
  }
}
