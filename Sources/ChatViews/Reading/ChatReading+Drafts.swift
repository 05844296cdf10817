// Drafts, one by one and in lists.
public import Chat
public import Views

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

  /// A draft with what stands in a list.
  public init(_ key: Draft.Key, _ content: Composition, parent: Message?, created: Instant, updated: Instant) {
    (self.key, self.content, self.parent) = (key, content, parent)
    (self.created, self.updated) = (created, updated)
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
  /// The drafts.
  public var drafts: [DraftItem] = []
  /// Where the next page begins; nil when there is none.
  public var next: DraftCursor?
}

/// Behind which place in the order a page begins.
///
/// It is the place where the last draft of a page stood, not that draft: the next page goes on there, whatever became
/// of it. A draft that is saved meanwhile has another place where the order is that of saving; if it moved across the
/// cursor, it comes twice, or not on any page. Pages that are read at one position have all drafts once.
public struct DraftCursor: Hashable, Sendable {
  fileprivate let created: Instant
  fileprivate let updated: Instant
  fileprivate let key: Draft.Key

  fileprivate init(_ draft: Draft) { (created, updated, key) = (draft.created, draft.updated, draft.key) }

  /// Whether another stands behind it; in the order of their keys where nothing else tells them apart.
  fileprivate func isBefore(_ other: DraftCursor, by sorting: [DraftSort]) -> Bool {
    for sort in sorting {
      let (one, other) = sort.isAscending ? (self, other) : (other, self)
      switch sort.key {
      case .createdAt where one.created != other.created: return one.created < other.created
      case .updatedAt where one.updated != other.updated: return one.updated < other.updated
      case .channel where one.key.channel != other.key.channel: return one.key.channel < other.key.channel
      default: continue
      }
    }
    if key.channel != other.key.channel { return key.channel < other.key.channel }
    // That of the channel comes before those of its threads.
    guard let thread = key.thread, let next = other.key.thread else {
      return key.thread == nil && other.key.thread != nil
    }
    return thread < next
  }
}

extension ChatReading {
  /// What somebody has written for a channel or a thread and not sent; nil when there is none, or it was deleted.
  public func draft(_ key: Draft.Key) throws(ViewError) -> Draft? {
    let draft = try reading.row(of: key, in: ChatState.drafts)
    return draft?.content == nil ? nil : draft
  }

  /// Drafts of somebody, in an order; where nothing tells them apart, in that of their channels, then of their threads.
  ///
  /// A draft is there until it is deleted, as it is with its channel, with the message in whose thread it is, and when
  /// its user leaves; who is only kept from writing keeps it.
  public func drafts(
    of user: User.ID, sorting: [DraftSort] = [DraftSort(key: .createdAt, isAscending: false)],
    after cursor: DraftCursor? = nil, limit: Int
  ) throws(ViewError) -> DraftPage {
    var found: [(place: DraftCursor, content: Composition)] = []
    try forEach(in: ChatState.drafts, under: KeyPrefix(user)) { draft in
      let place = DraftCursor(draft)
      guard let content = draft.content, cursor?.isBefore(place, by: sorting) ?? true else { return true }
      found.append((place, content))
      return true
    }
    found.sort { $0.place.isBefore($1.place, by: sorting) }
    var page = DraftPage()
    for (place, content) in found.prefix(max(0, limit)) {
      page.drafts.append(
        DraftItem(
          place.key, content, parent: try parent(of: place.key), created: place.created, updated: place.updated))
    }
    if found.count > page.drafts.count, !page.drafts.isEmpty { page.next = found[page.drafts.count - 1].place }
    return page
  }

  /// The message that a draft replies to, as long as its user could reply to it.
  private func parent(of key: Draft.Key) throws(ViewError) -> Message? {
    guard let thread = key.thread, let channel = try channel(key.channel),
      let message = try reading.row(of: Message.Key(key.channel, thread), in: ChatState.messages),
      message.presence != .gone, message.number > channel.truncated, message.isVisible(to: key.user)
    else { return nil }
    return message
  }
}
