// What is muted, and who is banned, at an instant.
public import Chat
public import Projections
internal import Bytes

/// Some bans from a channel, or from everywhere, in the order of the ids of those who are banned.
public struct BanPage: Hashable, Sendable {
  /// The bans.
  public var bans: [Ban] = []
  /// Behind whom the next page begins; nil when there is none.
  public var next: User.ID?
}

// MARK: Mutes

extension ChatReading {
  /// What somebody mutes at an instant: users, then channels, each in the order of their ids.
  public func mutes(of user: User.ID, at instant: Instant) throws(ProjectionError) -> [Mute] {
    var mutes: [Mute] = []
    try forEach(in: ChatState.mutes, under: KeyPrefix(user)) { mute in
      if mute.holds(at: instant) { mutes.append(mute) }
      return true
    }
    return mutes
  }

  /// The mute that somebody has for a user or a channel at an instant; nil when they have none.
  public func mute(of target: Mute.Target, by user: User.ID, at instant: Instant) throws(ProjectionError) -> Mute? {
    let mute = try reading.row(of: Mute.Key(by: user, of: target), in: ChatState.mutes)
    return mute?.holds(at: instant) == true ? mute : nil
  }
}

// MARK: Bans

extension ChatReading {
  /// Who is banned at an instant from a channel, or from everywhere. Those who are banned from everywhere are not among
  /// those of a channel, and nobody is banned from a channel that is deleted.
  public func bans(
    from scope: Ban.Scope, at instant: Instant, after user: User.ID? = nil, limit: Int
  ) throws(ProjectionError) -> BanPage {
    if case .channel(let id) = scope, try channel(id) == nil { return BanPage() }
    let page = try page(
      of: ChatState.bans, under: KeyPrefix(bansFrom: scope), after: user.map { Ban.Key(of: $0, from: scope) },
      limit: limit, by: { $0.key }
    ) { ban in ban.holds(at: instant) ? ban : nil }
    return BanPage(bans: page.items, next: page.next?.user)
  }

  /// The ban that keeps somebody from more than reading in a channel at an instant, the one that a refusal tells of:
  /// from everywhere, else from the channel; nil when neither holds.
  public func ban(of user: User.ID, in channel: Channel.ID, at instant: Instant) throws(ProjectionError) -> Ban? {
    guard try self.channel(channel) != nil else { return nil }
    for scope in [.everywhere, .channel(channel)] as [Ban.Scope] {
      let ban = try reading.row(of: Ban.Key(of: user, from: scope), in: ChatState.bans)
      if let ban, ban.holds(at: instant) { return ban }
    }
    return nil
  }
}

extension KeyPrefix {
  /// The bans from a channel, or from everywhere.
  fileprivate init(bansFrom scope: Ban.Scope) {
    switch scope {
    case .channel(let id): self.init(id)
    case .everywhere: self = .nothing
    }
  }
}
