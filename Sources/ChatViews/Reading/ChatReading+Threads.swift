// Threads that somebody takes part in.
public import Chat
public import Views
internal import Tables

/// A thread, as it stands in a list.
public struct ThreadItem: Hashable, Sendable {
  /// The message that is replied to.
  public let parent: Message
  /// The newest reply.
  public let newest: Message
  /// How many replies somebody wrote, of those that are there.
  public let ownReplyCount: Int

  package init(parent: Message, newest: Message, ownReplyCount: Int) {
    (self.parent, self.newest, self.ownReplyCount) = (parent, newest, ownReplyCount)
  }
}

/// Some threads of somebody, the one with the newest reply first.
public struct ThreadPage: Hashable, Sendable {
  /// The threads.
  public var threads: [ThreadItem] = []
  /// Where the next page begins; nil when there is none.
  public var next: ThreadCursor?
}

/// Behind which thread a page begins.
public struct ThreadCursor: Hashable, Sendable {
  fileprivate let sent: Instant
  fileprivate let parent: Message.Key

  fileprivate init(_ item: ThreadItem) { (sent, parent) = (item.newest.sent, item.parent.key) }

  /// Whether a thread stands behind it: its newest reply is older, or as old and its key comes later.
  fileprivate func isBefore(_ other: ThreadCursor) -> Bool {
    if sent != other.sent { return sent > other.sent }
    if parent.channel != other.parent.channel { return parent.channel < other.parent.channel }
    return parent.id < other.parent.id
  }
}

extension ChatReading {
  /// Threads in which somebody replied, or that are about a message of theirs, as long as there are replies and the
  /// channel is theirs; not those about what only another sees.
  public func threads(
    of user: User.ID, after cursor: ThreadCursor? = nil, limit: Int
  ) throws(ViewError) -> ThreadPage {
    try threads(of: user, after: cursor, limit: limit) { _ in true }
  }

  /// As ``threads(of:after:limit:)``, in the channels in which somebody may read.
  package func threads(
    for viewer: Viewer, after cursor: ThreadCursor?, limit: Int
  ) throws(ViewError) -> ThreadPage {
    try threads(of: viewer.user.id, after: cursor, limit: limit) { viewer.sees(as: $0) }
  }

  private func threads(
    of user: User.ID, after cursor: ThreadCursor?, limit: Int, ifSeen isSeen: (Member) -> Bool
  ) throws(ViewError) -> ThreadPage {
    var items: [ThreadItem] = []
    try forEach(in: ChatState.threads, under: KeyPrefix(user)) { row throws(ViewError) in
      if let item = try item(row, ifSeen: isSeen) { items.append(item) }
      return true
    }
    items.sort { ThreadCursor($0).isBefore(ThreadCursor($1)) }
    if let cursor { items.removeAll { !cursor.isBefore(ThreadCursor($0)) } }
    let page = Array(items.prefix(max(0, limit)))
    return ThreadPage(threads: page, next: items.count > page.count ? page.last.map { ThreadCursor($0) } : nil)
  }

  private func item(
    _ row: Participation, ifSeen isSeen: (Member) -> Bool
  ) throws(ViewError) -> ThreadItem? {
    let (key, user) = (row.key.parent, row.key.user)
    guard let channel = try channel(key.channel), let member = try member(Member.Key(key.channel, user)),
      isSeen(member), let parent = try reading.row(of: key, in: ChatState.messages),
      parent.number > channel.truncated, parent.isVisible(to: user),
      let newest = try newestReply(to: key, in: channel)
    else { return nil }
    return ThreadItem(parent: parent, newest: newest, ownReplyCount: Int(row.replies))
  }

  /// The newest reply that is there and that all see.
  private func newestReply(to parent: Message.Key, in channel: Channel) throws(ViewError) -> Message? {
    var newest: Message?
    try forEach(in: ChatState.replies, under: KeyPrefix(of: parent), .downwards) { place throws(ViewError) in
      let key = Message.Key(parent.channel, place.message)
      guard let reply = try reading.row(of: key, in: ChatState.messages), reply.number > channel.truncated
      else { return false }
      if reply.presence == .present, reply.isVisible(to: nil) { newest = reply }
      return newest == nil
    }
    return newest
  }
}
