// Threads that somebody takes part in.
public import Chat
public import Projections
internal import Tables

/// A thread, as it stands in a list.
public struct ThreadItem: Hashable, Sendable {
  /// The message that is replied to.
  public package(set) var parent: Message
  /// The newest reply.
  public package(set) var newest: Message
  /// How many replies somebody wrote, of those that are there.
  public let ownReplyCount: Int
  /// What they have written for the thread and not sent; nil when there is none.
  public let draft: Draft?
  /// Others who type in the thread at the instant, in the order of their ids.
  public let typing: [User.ID]
  /// The newest of their replies that could not be delivered, whatever was said since; nil when there is none.
  public package(set) var failed: Message?

  package init(
    parent: Message, newest: Message, ownReplyCount: Int, draft: Draft? = nil, typing: [User.ID] = [],
    failed: Message? = nil
  ) {
    (self.parent, self.newest, self.ownReplyCount) = (parent, newest, ownReplyCount)
    (self.draft, self.typing, self.failed) = (draft, typing, failed)
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

  fileprivate init(_ thread: ListedThread) { (sent, parent) = (thread.newest.sent, thread.parent.key) }

  /// Whether a thread stands behind it: its newest reply is older, or as old and its key comes later.
  fileprivate func isBefore(_ other: ThreadCursor) -> Bool {
    if sent != other.sent { return sent > other.sent }
    if parent.channel != other.parent.channel { return parent.channel < other.parent.channel }
    return parent.id < other.parent.id
  }
}

extension ChatReading {
  /// Threads in which somebody replied, or that are about a message of theirs, as they are for them at an instant, as
  /// long as there are replies and the channel is theirs; not those about what only another sees.
  ///
  /// All of them are looked at for each page, at the parent and the newest reply. What else an item tells is read for
  /// those on the page.
  public func threads(
    of user: User.ID, at instant: Instant, after cursor: ThreadCursor? = nil, limit: Int
  ) throws(ProjectionError) -> ThreadPage {
    try threads(of: user, at: instant, after: cursor, limit: limit) { _ in true }
  }

  /// As ``threads(of:at:after:limit:)``, in the channels in which somebody may read.
  package func threads(
    for viewer: Viewer, at instant: Instant, after cursor: ThreadCursor?, limit: Int
  ) throws(ProjectionError) -> ThreadPage {
    try threads(of: viewer.user.id, at: instant, after: cursor, limit: limit) { viewer.sees($0.key.channel, as: $0) }
  }

  private func threads(
    of user: User.ID, at instant: Instant, after cursor: ThreadCursor?, limit: Int, ifSeen isSeen: (Member) -> Bool
  ) throws(ProjectionError) -> ThreadPage {
    var listed: [ListedThread] = []
    try forEach(in: ChatState.threads, under: KeyPrefix(user)) { row throws(ProjectionError) in
      if let thread = try listedThread(row, ifSeen: isSeen) { listed.append(thread) }
      return true
    }
    listed.sort { ThreadCursor($0).isBefore(ThreadCursor($1)) }
    if let cursor { listed.removeAll { !cursor.isBefore(ThreadCursor($0)) } }
    var page = ThreadPage()
    for thread in listed.prefix(max(0, limit)) { page.threads.append(try item(thread, for: user, at: instant)) }
    if listed.count > page.threads.count, !page.threads.isEmpty {
      page.next = ThreadCursor(listed[page.threads.count - 1])
    }
    return page
  }

  private func item(_ thread: ListedThread, for user: User.ID, at instant: Instant) throws(ProjectionError)
    -> ThreadItem
  {
    let (channel, id) = (thread.channel, thread.parent.key.id)
    return ThreadItem(
      parent: thread.parent, newest: thread.newest, ownReplyCount: thread.ownReplyCount,
      draft: try draft(Draft.Key(by: user, in: channel.id, thread: id)),
      typing: try othersTyping(than: user, in: channel.id, thread: id, at: instant),
      failed: try failed(of: user, in: channel, thread: id))
  }

  /// A thread, with as much as it takes to know whether it is in a list, and where; nil when it is not.
  private func listedThread(
    _ row: Participation, ifSeen isSeen: (Member) -> Bool
  ) throws(ProjectionError) -> ListedThread? {
    let (key, user) = (row.key.parent, row.key.user)
    guard let channel = try channel(key.channel), let member = try member(Member.Key(key.channel, user)),
      isSeen(member), let parent = try reading.row(of: key, in: ChatState.messages),
      parent.number > channel.truncated, parent.isVisible(to: user),
      let newest = try newestReply(to: key, in: channel)
    else { return nil }
    return ListedThread(channel: channel, parent: parent, newest: newest, ownReplyCount: Int(row.replies))
  }

  /// The newest reply that is there and that all see.
  private func newestReply(to parent: Message.Key, in channel: Channel) throws(ProjectionError) -> Message? {
    var newest: Message?
    try forEach(in: ChatState.replies, under: KeyPrefix(of: parent), .downwards) { place throws(ProjectionError) in
      let key = Message.Key(parent.channel, place.message)
      guard let reply = try reading.row(of: key, in: ChatState.messages), reply.number > channel.truncated
      else { return false }
      if reply.presence == .present, reply.isVisible(to: nil) { newest = reply }
      return newest == nil
    }
    return newest
  }
}

/// A thread that is in a list, with what was read of it so far.
private struct ListedThread {
  let channel: Channel
  let parent: Message
  let newest: Message
  let ownReplyCount: Int
}
