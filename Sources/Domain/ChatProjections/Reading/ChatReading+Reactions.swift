// Queries for the reactions to a message.
public import Chat
public import Projections

/// A page of reactions to a message, in the order of the users' ids.
public struct ReactionPage: Hashable, Sendable {
  /// The reactions of the page, one per user.
  public var reactions: [Reaction] = []
  /// The user after whom the next page begins; nil on the last page.
  public var next: User.ID?
}

extension ChatReading {
  /// Returns the reaction of a user to a message; nil when there is none.
  package func reaction(_ key: Reaction.Key) throws(ProjectionError) -> Reaction? {
    try reading.row(of: key, in: ChatState.reactions)
  }

  /// Returns a page of the reactions to a message, of one kind or of any; the message's row has the counts.
  ///
  /// The page is empty for a message deleted for good or truncated away.
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
