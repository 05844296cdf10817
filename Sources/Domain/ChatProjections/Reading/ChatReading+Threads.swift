// Queries for the threads in which a user takes part.
public import Chat
public import Projections
internal import Tables

/// A thread in a user's list.
public struct ThreadItem: Hashable, Sendable {
  /// The parent message of the thread.
  public package(set) var parent: Message
  /// The newest reply in the thread.
  public package(set) var newest: Message
  /// The number of the user's replies that are present.
  public let ownReplyCount: Int
  /// The number of replies of others, in the thread, that are newer than the user's read marker in it, or before it has
  /// one, than that of the channel: at most ``unreadReplyCountMax``.
  ///
  /// Silent replies do not count, nor do those of authors whom the user mutes at the instant, or blocks.
  public let unreadReplyCount: Int
  /// The user's draft for the thread; nil when there is none.
  public let draftReply: Draft?
  /// Other users typing in the thread at the instant, in the order of their ids.
  public let typing: [User.ID]
  /// The newest of the user's replies that could not be delivered, whether or not others replied since.
  public package(set) var failed: Message?

  package init(
    parent: Message, newest: Message, ownReplyCount: Int, unreadReplyCount: Int = 0, draftReply: Draft? = nil,
    typing: [User.ID] = [], failed: Message? = nil
  ) {
    (self.parent, self.newest, self.ownReplyCount) = (parent, newest, ownReplyCount)
    self.unreadReplyCount = unreadReplyCount
    (self.draftReply, self.typing, self.failed) = (draftReply, typing, failed)
  }

  /// The number up to which unread replies are counted.
  public static let unreadReplyCountMax = 100
}

/// A page of a user's threads, the one with the newest reply first.
public struct ThreadPage: Hashable, Sendable {
  /// The threads of the page.
  public var threads: [ThreadItem] = []
  /// The cursor of the next page; nil on the last page.
  public var next: ThreadCursor?
}

/// The thread after which a page begins.
public struct ThreadCursor: Hashable, Sendable {
  fileprivate let sent: Timestamp
  fileprivate let parent: Message.Key

  fileprivate init(_ thread: ListedThread) { (sent, parent) = (thread.newest.sent, thread.parent.key) }

  /// Returns whether another thread sorts after it: its newest reply is older, or as old and its key is greater.
  fileprivate func isBefore(_ other: ThreadCursor) -> Bool {
    if sent != other.sent { return sent > other.sent }
    if parent.channel != other.parent.channel { return parent.channel < other.parent.channel }
    return parent.id < other.parent.id
  }
}

extension ChatReading {
  /// Returns a page of the threads in which a user replied or wrote the parent, at an instant, as long as there are
  /// replies and the user is a member of the channel; not those about another user's ephemeral message.
  ///
  /// Each page reads the parent and the newest reply of all threads. The other fields of an item are read for the
  /// threads of the page only.
  public func threads(
    of user: User.ID, at instant: Timestamp, after cursor: ThreadCursor? = nil, limit: Int
  ) throws(ProjectionError) -> ThreadPage {
    try threads(of: user, at: instant, after: cursor, limit: limit) { _ in true }
  }

  /// Returns the page of ``threads(of:at:after:limit:)``, limited to channels that the viewer may read.
  package func threads(
    for viewer: Viewer, at instant: Timestamp, after cursor: ThreadCursor?, limit: Int
  ) throws(ProjectionError) -> ThreadPage {
    try threads(of: viewer.user.id, at: instant, after: cursor, limit: limit) { viewer.sees($0.key.channel, as: $0) }
  }

  private func threads(
    of user: User.ID, at instant: Timestamp, after cursor: ThreadCursor?, limit: Int, ifSeen isSeen: (Member) -> Bool
  ) throws(ProjectionError) -> ThreadPage {
    var listed: [ListedThread] = []
    try forEach(in: ChatState.threads, under: KeyPrefix(user)) { row throws(ProjectionError) in
      if let thread = try listedThread(row, ifSeen: isSeen) { listed.append(thread) }
      return true
    }
    listed.sort { ThreadCursor($0).isBefore(ThreadCursor($1)) }
    if let cursor { listed.removeAll { !cursor.isBefore(ThreadCursor($0)) } }
    var page = ThreadPage()
    let silenced = try silencedUsers(by: user, at: instant)
    for thread in listed.prefix(max(0, limit)) {
      page.threads.append(try item(thread, for: user, at: instant, besides: silenced))
    }
    if listed.count > page.threads.count, !page.threads.isEmpty {
      page.next = ThreadCursor(listed[page.threads.count - 1])
    }
    return page
  }

  private func item(
    _ thread: ListedThread, for user: User.ID, at instant: Timestamp, besides silenced: [User.ID]
  ) throws(ProjectionError) -> ThreadItem {
    let (channel, id) = (thread.channel, thread.parent.key.id)
    return ThreadItem(
      parent: thread.parent, newest: thread.newest, ownReplyCount: thread.ownReplyCount,
      unreadReplyCount: try unreadReplyCount(in: thread, besides: silenced),
      draftReply: try draft(Draft.Key(by: user, in: channel.id, thread: id)),
      typing: try othersTyping(than: user, in: channel.id, thread: id, at: instant),
      failed: try failed(of: user, in: channel, thread: id))
  }

  /// Returns a thread with the fields that the order needs; nil when it is not in the list.
  private func listedThread(
    _ row: Participation, ifSeen isSeen: (Member) -> Bool
  ) throws(ProjectionError) -> ListedThread? {
    let (key, user) = (row.key.parent, row.key.user)
    guard let channel = try channel(key.channel), let member = try member(Member.Key(key.channel, user)),
      isSeen(member), let parent = try reading.row(of: key, in: ChatState.messages),
      parent.number > channel.truncated, parent.isVisible(to: user),
      let newest = try newestReply(to: key, in: channel)
    else { return nil }
    return ListedThread(
      channel: channel, member: member, parent: parent, newest: newest, ownReplyCount: Int(row.replies))
  }

  /// Returns the number of replies of others that the member has not read, without silent ones and those of muted and
  /// blocked authors; zero where the channel has read events off.
  private func unreadReplyCount(
    in thread: ListedThread, besides silenced: [User.ID]
  ) throws(ProjectionError) -> Int {
    let (key, member) = (thread.parent.key, thread.member)
    guard thread.channel.config.has(.readEvents) else { return 0 }
    let read = max(try newestRead(by: member, inThreadOf: key), thread.channel.truncated)
    let silent = silenced + [member.key.user]
    var count = 0
    try forEach(in: ChatState.replies, under: KeyPrefix(of: key), .downwards) { entry throws(ProjectionError) in
      guard let reply = try reading.row(of: Message.Key(key.channel, entry.message), in: ChatState.messages),
        reply.number > read
      else { return false }
      if reply.presence == .present, reply.isVisible(to: nil), !reply.content.isSilent,
        !silent.contains(where: { $0 == reply.author })
      {
        count += 1
      }
      return count < ThreadItem.unreadReplyCountMax
    }
    return count
  }

  /// Returns the newest reply that is present and visible to everybody.
  private func newestReply(to parent: Message.Key, in channel: Channel) throws(ProjectionError) -> Message? {
    var newest: Message?
    try forEach(in: ChatState.replies, under: KeyPrefix(of: parent), .downwards) { entry throws(ProjectionError) in
      let key = Message.Key(parent.channel, entry.message)
      guard let reply = try reading.row(of: key, in: ChatState.messages), reply.number > channel.truncated
      else { return false }
      if reply.presence == .present, reply.isVisible(to: nil) { newest = reply }
      return newest == nil
    }
    return newest
  }
}

/// A thread of the list, with the fields read so far.
private struct ListedThread {
  let channel: Channel
  let member: Member
  let parent: Message
  let newest: Message
  let ownReplyCount: Int
}
