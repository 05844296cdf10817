// Queries for the user's own drafts, composers, commands, mutes and bans.
public import Chat
public import ChatProjections
internal import Projections

// MARK: Writing

extension ClientReading {
  /// Returns the user's draft for a channel or a thread; nil if there is none.
  public func draft(in channel: Channel.ID, thread: Message.ID? = nil) throws(ReadError) -> Draft? {
    try read(chat.draft(Draft.Key(by: user, in: channel, thread: thread)))
  }

  /// Returns the user's drafts in an order, from an offset on; each with the parent message, if the user may see it.
  public func drafts(
    sorting: [DraftSort] = [DraftSort(key: .createdAt, isAscending: false)], after cursor: DraftCursor? = nil,
    offset: Int = 0, limit: Int
  ) throws(ReadError) -> DraftPage {
    try drafts(sorting: sorting, after: cursor, offset: offset, limit: limit, overrides: [:])
  }

  /// Returns the same, with some drafts replaced by the given ones; a nil value means that the draft does not exist.
  package func drafts(
    sorting: [DraftSort], after cursor: DraftCursor?, offset: Int, limit: Int, overrides: [Draft.Key: Draft?]
  ) throws(ReadError) -> DraftPage {
    var page = try read(
      chat.drafts(of: user, sorting: sorting, after: cursor, offset: offset, limit: limit, overrides: overrides))
    page.drafts = try page.drafts.map { draft throws(ReadError) in
      let channel = try ReadError.unlessRefused(seen(draft.key.channel))
      return DraftItem(
        draft.key, draft.content, channelName: channel == nil ? nil : draft.channelName,
        parent: try draft.parent.flatMap { message throws(ReadError) in try seenParent(message) },
        created: draft.created, updated: draft.updated, edit: draft.edit)
    }
    return page
  }

  private func seenParent(_ message: Message) throws(ReadError) -> Message? {
    try ReadError.unlessRefused(shown(reachable(message.key)))
  }

  /// Returns the user's composers that are open or not empty, of one channel or of all.
  public func composers(in channel: Channel.ID? = nil) throws(ReadError) -> [Composer] {
    try read(chat.composers(of: user, in: channel))
  }

  /// Returns the user's open composers.
  public func openComposers() throws(ReadError) -> [Composer] {
    try read(chat.openComposers(of: user))
  }

  /// Returns the commands that the user executed in the composers of one channel or of all, latest first.
  public func commands(
    in channel: Channel.ID? = nil, after cursor: CommandCursor? = nil, limit: Int
  ) throws(ReadError) -> CommandPage {
    try read(chat.commands(of: user, in: channel, after: cursor, limit: limit))
  }
}

// MARK: Consumers

extension ClientReading {
  /// Returns a consumer that the user runs, or, for an administrator, any; nil if there is none.
  public func consumer(_ id: Consumer.ID) throws(ReadError) -> Consumer? {
    try consumers().first { $0.id == id }
  }

  /// Returns the consumers that the user runs, or, for an administrator, all.
  public func consumers() throws(ReadError) -> [Consumer] {
    let (user, isAdministrator) = (user, viewer.rules.isAdministrator(viewer.user))
    return try read(chat.consumers()).filter { isAdministrator || $0.owner == user }
  }
}

// MARK: Mutes and bans

extension ClientReading {
  /// Returns the user's mutes: of users, then of channels.
  public func mutes() throws(ReadError) -> [Mute] {
    try read(chat.mutes(of: user, at: instant))
  }

  /// Returns the user's mute of a user or a channel; nil if there is none.
  public func mute(of target: Mute.Target) throws(ReadError) -> Mute? {
    try read(chat.mute(of: target, by: user, at: instant))
  }

  /// Returns the ban that limits the user to reading in a channel; nil if there is none.
  ///
  /// It does not require access to the channel: a banned user may know of the ban, even after leaving.
  public func ban(in channel: Channel.ID) throws(ReadError) -> Ban? {
    try read(chat.ban(of: user, in: channel, at: instant))
  }

  /// Returns the banned users: of a channel, for users who may ban there; of the whole chat, for administrators.
  public func bans(
    from scope: Ban.Scope, after user: User.ID? = nil, limit: Int
  ) throws(ReadError) -> BanPage {
    switch scope {
    case .channel(let id):
      _ = try seen(id)
      try needs(.ban, in: id)
    case .everywhere:
      try needsAdministrator()
    }
    return try read(chat.bans(from: scope, at: instant, after: user, limit: limit))
  }
}
