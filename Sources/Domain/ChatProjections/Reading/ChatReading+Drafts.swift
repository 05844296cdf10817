// Queries for drafts, one by one and in lists.
public import Chat
public import EventLog
public import Projections

/// A draft in a list.
public struct DraftItem: Hashable, Sendable, Identifiable {
  /// The key of the draft.
  public let key: Draft.Key
  /// The content of the draft.
  public let content: Composition
  /// The name of the channel, if its user can see that channel.
  public let channelName: UserText?
  /// The message in whose thread it would be a reply, if its user can see that message.
  public let parent: Message?
  /// The instant at which the draft was first saved.
  public let created: Timestamp
  /// The instant at which the draft was last saved.
  public let updated: Timestamp
  /// The edit that last saved the draft.
  public let edit: Edit

  /// Creates a list item.
  public init(
    _ key: Draft.Key, _ content: Composition, channelName: UserText? = nil, parent: Message?, created: Timestamp,
    updated: Timestamp, edit: Edit
  ) {
    (self.key, self.content, self.channelName, self.parent) = (key, content, channelName, parent)
    (self.created, self.updated, self.edit) = (created, updated, edit)
  }

  /// The key as text: user, channel and for a thread its parent, separated by slashes, which no id has.
  public var id: String {
    "\(key.user.text)/\(key.channel.text)" + (key.thread.map { "/\($0.text)" } ?? "")
  }
}

/// One sort criterion of a list of drafts.
public struct DraftSort: Hashable, Sendable {
  /// The field to sort by.
  public let key: Key
  /// Whether the order is ascending.
  public let isAscending: Bool

  /// Creates a criterion from a field and a direction.
  public init(key: Key, isAscending: Bool) { (self.key, self.isAscending) = (key, isAscending) }

  /// The field of a draft to sort by.
  public enum Key: CaseIterable, Hashable, Sendable {
    /// The instant of the first saving.
    case createdAt
    /// The instant of the last saving.
    case updatedAt
    /// The id of the channel.
    case channel
  }
}

/// A page of a user's drafts, in a sort order.
public struct DraftPage: Hashable, Sendable {
  /// The position of the state when the first page was read.
  public let position: Position
  /// The drafts of the page.
  public var drafts: [DraftItem] = []
  /// The cursor of the next page; nil on the last page.
  public var next: DraftCursor?
}

extension ChatReading {
  /// Returns the draft of a user for a channel or a thread; nil when there is none or it was deleted.
  public func draft(_ key: Draft.Key) throws(ProjectionError) -> Draft? {
    let draft = try reading.row(of: key, in: ChatState.drafts)
    return draft?.content == nil ? nil : draft
  }

  /// Returns a page of a user's drafts, sorted; ties are sorted by channel, then by thread. The first `offset` drafts
  /// are skipped.
  ///
  /// A draft is stored until it is deleted, as it is with its channel, with the parent message of its thread, and when
  /// its user leaves; a user who is merely kept from writing keeps it.
  public func drafts(
    of user: User.ID, sorting: [DraftSort] = [DraftSort(key: .createdAt, isAscending: false)],
    after cursor: DraftCursor? = nil, offset: Int = 0, limit: Int
  ) throws(ProjectionError) -> DraftPage {
    try drafts(of: user, sorting: sorting, after: cursor, offset: offset, limit: limit, overrides: [:])
  }

  /// Returns the page of ``drafts(of:sorting:after:offset:limit:)`` with some drafts replaced by the given ones; one
  /// that is nil, or the tombstone of a deleted draft, is left out.
  ///
  /// A caller that knows what has changed since can thus show a later page as of the position of the first.
  package func drafts(
    of user: User.ID, sorting: [DraftSort], after cursor: DraftCursor?, offset: Int, limit: Int,
    overrides: [Draft.Key: Draft?]
  ) throws(ProjectionError) -> DraftPage {
    var page = DraftPage(position: cursor?.position ?? position)
    guard limit > 0 else { return page }
    let order = DraftOrder(sorting, of: user)
    let after = cursor.map { order.own($0.sortPosition) }
    let given = order.sortPositions(of: overrides.values.compactMap(\.self), after: after)
    var (pick, next) = (DraftPick(passing: max(0, offset), limit: limit), given.startIndex)
    try forEachSortPosition(in: order, after: after) { sortPosition in
      while next < given.endIndex, given[next].isBefore(sortPosition, by: order.sorting) {
        guard pick.take(given[next]) else { return false }
        next += 1
      }
      return overrides.keys.contains(sortPosition.key) || pick.take(sortPosition)
    }
    while next < given.endIndex, pick.take(given[next]) { next += 1 }
    for sortPosition in pick.sortPositions {
      let draft = if let given = overrides[sortPosition.key] { given } else { try draft(sortPosition.key) }
      if let draft, let item = try item(draft) { page.drafts.append(item) }
    }
    if pick.hasMore, let last = pick.sortPositions.last {
      page.next = DraftCursor(last, at: page.position)
    }
    return page
  }

  private func item(_ draft: Draft) throws(ProjectionError) -> DraftItem? {
    guard let content = draft.content else { return nil }
    return DraftItem(
      draft.key, content, channelName: try channel(draft.key.channel)?.profile.name, parent: try parent(of: draft.key),
      created: draft.created, updated: draft.updated, edit: draft.edit)
  }

  /// Returns the message that a draft replies to, as long as its user could reply to it.
  private func parent(of key: Draft.Key) throws(ProjectionError) -> Message? {
    guard let thread = key.thread, let channel = try channel(key.channel),
      let message = try reading.row(of: Message.Key(key.channel, thread), in: ChatState.messages),
      message.presence != .gone, message.number > channel.truncated, message.isVisible(to: key.user)
    else { return nil }
    return message
  }
}

/// The drafts of an order that are on a page.
private struct DraftPick {
  private(set) var sortPositions: [DraftSortPosition] = []
  /// Whether there is a draft after the last one.
  private(set) var hasMore = false
  private var passing: Int
  private let limit: Int

  init(passing: Int, limit: Int) { (self.passing, self.limit) = (passing, limit) }

  /// Takes the next draft; returns whether to continue.
  mutating func take(_ sortPosition: DraftSortPosition) -> Bool {
    if passing > 0 {
      passing -= 1
    } else if sortPositions.count < limit {
      sortPositions.append(sortPosition)
    } else {
      hasMore = true
    }
    return !hasMore
  }
}
