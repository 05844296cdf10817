// What is a user's own: what they write and have not sent, what they mute, and what keeps them from writing.
public import Chat
public import ChatProjections
internal import Projections

// MARK: Writing

extension ClientReading {
  /// What the user has written for a channel or a thread and not sent; nil when there is none.
  public func draft(in channel: Channel.ID, thread: Message.ID? = nil) throws(ReadError) -> Draft? {
    try answer { chat throws(ProjectionError) in try chat.draft(Draft.Key(by: user, in: channel, thread: thread)) }
  }

  /// Drafts of the user, in an order; each with the message that it replies to, as far as they see it. So many are
  /// passed over first.
  public func drafts(
    sorting: [DraftSort] = [DraftSort(key: .createdAt, isAscending: false)], after cursor: DraftCursor? = nil,
    offset: Int = 0, limit: Int
  ) throws(ReadError) -> DraftPage {
    try drafts(sorting: sorting, after: cursor, offset: offset, limit: limit, standing: [:])
  }

  /// The same, with some drafts as they are given instead of as they stand here; one that is nil is not there.
  package func drafts(
    sorting: [DraftSort], after cursor: DraftCursor?, offset: Int, limit: Int, standing: [Draft.Key: Draft?]
  ) throws(ReadError) -> DraftPage {
    var page = try answer { chat throws(ProjectionError) in
      try chat.drafts(of: user, sorting: sorting, after: cursor, offset: offset, limit: limit, standing: standing)
    }
    page.drafts = try page.drafts.map { draft throws(ReadError) in
      guard let parent = draft.parent else { return draft }
      return DraftItem(
        draft.key, draft.content, parent: try seenParent(parent), created: draft.created, updated: draft.updated,
        edit: draft.edit)
    }
    return page
  }

  private func seenParent(_ message: Message) throws(ReadError) -> Message? {
    do throws(ReadError) { return try shown(reachable(message.key)) } catch {
      if case .refused = error { return nil }
      throw error
    }
  }

  /// Composers of the user that are open or hold something, of one channel or of all.
  public func composers(in channel: Channel.ID? = nil) throws(ReadError) -> [Composer] {
    try answer { chat throws(ProjectionError) in try chat.composers(of: user, in: channel) }
  }

  /// Composers that the user is in front of.
  public func openComposers() throws(ReadError) -> [Composer] {
    try answer { chat throws(ProjectionError) in try chat.openComposers(of: user) }
  }

  /// Commands that the user had executed, in the composers of one channel or of all, the one that began last first.
  public func commands(
    in channel: Channel.ID? = nil, after cursor: CommandCursor? = nil, limit: Int
  ) throws(ReadError) -> CommandPage {
    try answer { chat throws(ProjectionError) in try chat.commands(of: user, in: channel, after: cursor, limit: limit) }
  }
}

// MARK: Mutes and bans

extension ClientReading {
  /// What the user mutes: users, then channels.
  public func mutes() throws(ReadError) -> [Mute] {
    try answer { chat throws(ProjectionError) in try chat.mutes(of: user, at: instant) }
  }

  /// The mute that the user has for a user or a channel; nil when they have none.
  public func mute(of target: Mute.Target) throws(ReadError) -> Mute? {
    try answer { chat throws(ProjectionError) in try chat.mute(of: target, by: user, at: instant) }
  }

  /// The ban that keeps the user from more than reading in a channel; nil when none does.
  ///
  /// Nobody has to see the channel for it: whoever is banned from one is told so, also who has left.
  public func ban(in channel: Channel.ID) throws(ReadError) -> Ban? {
    try answer { chat throws(ProjectionError) in try chat.ban(of: user, in: channel, at: instant) }
  }

  /// Who is banned: from a channel, for those who may ban there; from everywhere, for administrators.
  public func bans(
    from scope: Ban.Scope, after user: User.ID? = nil, limit: Int
  ) throws(ReadError) -> BanPage {
    switch scope {
    case .channel(let id):
      _ = try seen(id)
      try needs(.ban, in: id)
    case .everywhere:
      guard viewer.rules.administrators.contains(viewer.user.role) else { throw .refused(.notAdministrator) }
    }
    return try answer { chat throws(ProjectionError) in
      try chat.bans(from: scope, at: instant, after: user, limit: limit)
    }
  }
}
