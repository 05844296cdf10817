// Drafts, one by one and in lists.
public import Chat
public import EventLog
public import Projections

/// A draft, as it stands in a list.
public struct DraftItem: Hashable, Sendable, Identifiable {
  /// Whose draft for where.
  public let key: Draft.Key
  /// What they have written.
  public let content: Composition
  /// The message in whose thread it would be a reply, as far as they can see it.
  public let parent: Message?
  /// When it was first saved.
  public let created: Instant
  /// When it was saved last.
  public let updated: Instant
  /// The edit that it comes from.
  public let edit: Edit

  /// A draft with what stands in a list.
  public init(
    _ key: Draft.Key, _ content: Composition, parent: Message?, created: Instant, updated: Instant, edit: Edit
  ) {
    (self.key, self.content, self.parent) = (key, content, parent)
    (self.created, self.updated, self.edit) = (created, updated, edit)
  }

  /// Its key, spelled: user, channel and for a thread its parent, with strokes between them, which no id has.
  public var id: String {
    "\(key.user.text)/\(key.channel.text)" + (key.thread.map { "/\($0.text)" } ?? "")
  }
}

/// By what drafts are put in order.
public struct DraftSort: Hashable, Sendable {
  /// By what.
  public let key: Key
  /// Whether what is less comes first.
  public let isAscending: Bool

  /// By a key, in one direction.
  public init(key: Key, isAscending: Bool) { (self.key, self.isAscending) = (key, isAscending) }

  /// What drafts can be ordered by.
  public enum Key: CaseIterable, Hashable, Sendable {
    /// When they were first saved.
    case createdAt
    /// When they were saved last.
    case updatedAt
    /// The ids of their channels.
    case channel
  }
}

/// Some drafts of somebody, in an order.
public struct DraftPage: Hashable, Sendable {
  /// Where the conversation stood when the first page was read.
  public let position: Position
  /// The drafts.
  public var drafts: [DraftItem] = []
  /// Where the next page begins; nil when there is none.
  public var next: DraftCursor?
}

extension ChatReading {
  /// What somebody has written for a channel or a thread and not sent; nil when there is none, or it was deleted.
  public func draft(_ key: Draft.Key) throws(ProjectionError) -> Draft? {
    let draft = try reading.row(of: key, in: ChatState.drafts)
    return draft?.content == nil ? nil : draft
  }

  /// Drafts of somebody, in an order; where nothing tells them apart, in that of their channels, then of their threads.
  /// So many are passed over first.
  ///
  /// A draft is there until it is deleted, as it is with its channel, with the message in whose thread it is, and when
  /// its user leaves; who is only kept from writing keeps it.
  public func drafts(
    of user: User.ID, sorting: [DraftSort] = [DraftSort(key: .createdAt, isAscending: false)],
    after cursor: DraftCursor? = nil, offset: Int = 0, limit: Int
  ) throws(ProjectionError) -> DraftPage {
    try drafts(of: user, sorting: sorting, after: cursor, offset: offset, limit: limit, standing: [:])
  }

  /// As ``drafts(of:sorting:after:offset:limit:)``, with some drafts as they are given instead of as they stand here;
  /// one that is nil, or is left of a deleted one, is not there.
  ///
  /// So a later page can show what stood at the position of the first, by whoever knows what has changed since.
  package func drafts(
    of user: User.ID, sorting: [DraftSort], after cursor: DraftCursor?, offset: Int, limit: Int,
    standing: [Draft.Key: Draft?]
  ) throws(ProjectionError) -> DraftPage {
    var page = DraftPage(position: cursor?.position ?? position)
    guard limit > 0 else { return page }
    let order = DraftOrder(sorting, of: user)
    let after = cursor.map { order.own($0.place) }
    let given = order.places(of: standing.values.compactMap(\.self), after: after)
    var (pick, next) = (DraftPick(passing: max(0, offset), limit: limit), given.startIndex)
    try forEachPlace(in: order, after: after) { place in
      while next < given.endIndex, given[next].isBefore(place, by: order.sorting) {
        guard pick.take(given[next]) else { return false }
        next += 1
      }
      return standing.keys.contains(place.key) || pick.take(place)
    }
    while next < given.endIndex, pick.take(given[next]) { next += 1 }
    for place in pick.places {
      let draft = if let given = standing[place.key] { given } else { try draft(place.key) }
      if let draft, let item = try item(draft) { page.drafts.append(item) }
    }
    if pick.hasMore, let last = pick.places.last {
      page.next = DraftCursor(last, at: page.position)
    }
    return page
  }

  private func item(_ draft: Draft) throws(ProjectionError) -> DraftItem? {
    guard let content = draft.content else { return nil }
    return DraftItem(
      draft.key, content, parent: try parent(of: draft.key), created: draft.created, updated: draft.updated,
      edit: draft.edit)
  }

  /// The message that a draft replies to, as long as its user could reply to it.
  private func parent(of key: Draft.Key) throws(ProjectionError) -> Message? {
    guard let thread = key.thread, let channel = try channel(key.channel),
      let message = try reading.row(of: Message.Key(key.channel, thread), in: ChatState.messages),
      message.presence != .gone, message.number > channel.truncated, message.isVisible(to: key.user)
    else { return nil }
    return message
  }
}

/// What of an order stands on a page.
private struct DraftPick {
  private(set) var places: [DraftSortPosition] = []
  /// Whether there is one behind the last.
  private(set) var hasMore = false
  private var passing: Int
  private let limit: Int

  init(passing: Int, limit: Int) { (self.passing, self.limit) = (passing, limit) }

  /// Takes the next; answers whether it looks for another.
  mutating func take(_ place: DraftSortPosition) -> Bool {
    if passing > 0 {
      passing -= 1
    } else if places.count < limit {
      places.append(place)
    } else {
      hasMore = true
    }
    return !hasMore
  }
}
