// Queries for mutes and bans at an instant.
public import Chat
public import Projections
internal import Bytes

/// A page of the bans from a channel, or from everywhere, in the order of the banned users' ids.
public struct BanPage: Hashable, Sendable {
  /// The bans of the page.
  public var bans: [Ban] = []
  /// The user after whom the next page begins; nil on the last page.
  public var next: User.ID?
}

// MARK: Mutes

extension ChatReading {
  /// Returns the mutes of a user at an instant: of users, then of channels, each in the order of their ids.
  public func mutes(of user: User.ID, at instant: Timestamp) throws(ProjectionError) -> [Mute] {
    var mutes: [Mute] = []
    try forEach(in: ChatState.mutes, under: KeyPrefix(user)) { mute in
      if mute.holds(at: instant) { mutes.append(mute) }
      return true
    }
    return mutes
  }

  /// Returns the mute that a user has for another user or a channel at an instant; nil when there is none.
  public func mute(of target: Mute.Target, by user: User.ID, at instant: Timestamp) throws(ProjectionError) -> Mute? {
    let mute = try reading.row(of: Mute.Key(by: user, of: target), in: ChatState.mutes)
    return mute?.holds(at: instant) == true ? mute : nil
  }
}

// MARK: Bans

extension ChatReading {
  /// Returns the bans from a channel, or from everywhere, at an instant. Bans from everywhere are not among those of a
  /// channel, and a deleted channel has no bans.
  public func bans(
    from scope: Ban.Scope, at instant: Timestamp, after user: User.ID? = nil, limit: Int
  ) throws(ProjectionError) -> BanPage {
    if case .channel(let id) = scope, try channel(id) == nil { return BanPage() }
    let page = try page(
      of: ChatState.bans, under: KeyPrefix(bansFrom: scope), after: user.map { Ban.Key(of: $0, from: scope) },
      limit: limit, by: { $0.key }
    ) { ban in ban.holds(at: instant) ? ban : nil }
    return BanPage(bans: page.items, next: page.next?.user)
  }

  /// Returns the ban that limits a user to reading in a channel at an instant, the one that a refusal names: from
  /// everywhere, else from the channel; nil when neither holds.
  public func ban(of user: User.ID, in channel: Channel.ID, at instant: Timestamp) throws(ProjectionError) -> Ban? {
    guard try self.channel(channel) != nil else { return nil }
    for scope in [.everywhere, .channel(channel)] as [Ban.Scope] {
      let ban = try reading.row(of: Ban.Key(of: user, from: scope), in: ChatState.bans)
      if let ban, ban.holds(at: instant) { return ban }
    }
    return nil
  }
}

extension KeyPrefix {
  /// Creates the prefix of the bans from a channel, or from everywhere.
  fileprivate init(bansFrom scope: Ban.Scope) {
    switch scope {
    case .channel(let id): self.init(id)
    case .everywhere: self = .nothing
    }
  }
}
