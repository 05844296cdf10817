// The reading of draft lists in a requested order.
internal import Bytes
internal import Chat
internal import Tables
internal import Projections

/// A sort order of a user's drafts, and how it is read from their lists.
///
/// The list with the same first criterion is read group by group, each found by a search, upwards or downwards: first
/// the drafts of one instant or channel, within those of an instant the drafts of another instant or of one channel.
/// The last group is stored in order already; or it is read and sorted, and then holds the drafts for one channel.
struct DraftOrder {
  /// The criteria, each key once; ties are sorted by target.
  let sorting: [DraftSort]
  private let user: User.ID
  private let list: DraftList
  /// The criteria by which nested groups are found.
  fileprivate let sought: [DraftSort]
  /// Whether the last groups are not stored in order.
  fileprivate let sortsGroups: Bool

  init(_ sorting: [DraftSort], of user: User.ID) {
    self.user = user
    var once: [DraftSort] = []
    for sort in sorting where !once.contains(where: { $0.key == sort.key }) { once.append(sort) }
    self.sorting = once
    let keys = once.map(\.key)
    list =
      switch (keys.first, keys.dropFirst().first) {
      case (.createdAt, .updatedAt): .createdUpdated
      case (.updatedAt, .createdAt): .updatedCreated
      case (.createdAt, _): .created
      case (.updatedAt, _): .updated
      case (.channel, _), (nil, _): .place
      }
    // In a list key, the instants of savings precede the target.
    let count = keys.firstIndex(of: .channel).map { $0 + 1 } ?? keys.count
    var sought = Array(once.prefix(count))
    sortsGroups = sought.count < once.count
    // Drafts wanted in stored order are scanned, not searched.
    if !sortsGroups { while sought.last?.isAscending == true { sought.removeLast() } }
    self.sought = sought
  }

  /// Returns a sort position in this order, with the user replaced by the list's.
  func own(_ position: DraftSortPosition) -> DraftSortPosition {
    DraftSortPosition(
      Draft.Key(by: user, in: position.key.channel, thread: position.key.thread), created: position.created,
      updated: position.updated)
  }

  /// Returns the sort positions of the stored drafts among the given ones that are after a sort position.
  func sortPositions(of drafts: [Draft], after position: DraftSortPosition?) -> [DraftSortPosition] {
    sorted(drafts.filter { $0.key.user == user && $0.content != nil }.map { DraftSortPosition($0) }, after: position)
  }

  fileprivate func sorted(_ positions: [DraftSortPosition], after position: DraftSortPosition?) -> [DraftSortPosition] {
    positions.filter { position?.isBefore($0, by: sorting) ?? true }.sorted { $0.isBefore($1, by: sorting) }
  }

  /// The prefix of all keys of the list.
  fileprivate var all: KeyPrefix { KeyPrefix(list, of: user) }

  /// Returns the key prefix of a draft's group at a nesting depth.
  fileprivate func group(of position: DraftSortPosition, _ depth: Int) -> KeyPrefix {
    let savings = list.savings.prefix(depth + 1)
    let channel = depth < savings.count ? nil : position.key.channel
    return KeyPrefix(list, of: user, at: savings.map { position.instant(of: $0) }, in: channel)
  }

  /// Returns the key of a draft in the list.
  fileprivate func key(of position: DraftSortPosition) -> [UInt8] { position.key(in: list).withKeyBytes { Array($0) } }
}

extension ChatReading {
  /// Calls the closure with each sort position in an order, after a given one, until it returns false.
  func forEachSortPosition(
    in order: DraftOrder, after position: DraftSortPosition?,
    _ body: (DraftSortPosition) throws(ProjectionError) -> Bool
  ) throws(ProjectionError) {
    _ = try forEachSortPosition(in: order, 0, under: order.all, after: position, body)
  }

  /// Calls the closure with those of a group at a nesting depth; returns whether to continue.
  private func forEachSortPosition(
    in order: DraftOrder, _ depth: Int, under prefix: KeyPrefix, after position: DraftSortPosition?,
    _ body: (DraftSortPosition) throws(ProjectionError) -> Bool
  ) throws(ProjectionError) -> Bool {
    guard depth < order.sought.count else {
      return try forEachSortPosition(of: order, within: prefix, after: position, body)
    }
    let isUpwards = order.sought[depth].isAscending
    func start(_ group: KeyPrefix) -> [UInt8] { isUpwards ? group.bytes : group.end }
    var start = start(position.map { order.group(of: $0, depth) } ?? prefix)
    while let first = try firstSortPosition(under: prefix, from: start, isUpwards ? .upwards : .downwards) {
      let group = order.group(of: first, depth)
      let isSame = position.map { order.group(of: $0, depth).bytes == group.bytes } ?? false
      guard try forEachSortPosition(in: order, depth + 1, under: group, after: isSame ? position : nil, body) else {
        return false
      }
      start = isUpwards ? group.end : group.bytes
    }
    return true
  }

  private func firstSortPosition(
    under prefix: KeyPrefix, from start: [UInt8], _ order: RowOrder
  ) throws(ProjectionError) -> DraftSortPosition? {
    var position: DraftSortPosition?
    try reading.forEachRow(of: ChatState.draftLists, from: start, order) { key, row in
      if prefix.begins(key) { position = row.place }
      return false
    }
    return position
  }

  /// Calls the closure with those of an innermost group; returns whether to continue.
  private func forEachSortPosition(
    of order: DraftOrder, within group: KeyPrefix, after position: DraftSortPosition?,
    _ body: (DraftSortPosition) throws(ProjectionError) -> Bool
  ) throws(ProjectionError) -> Bool {
    var (positions, goesOn): ([DraftSortPosition], Bool) = ([], true)
    let start = order.sortsGroups ? nil : position.map { order.key(of: $0) }
    try reading.forEachRow(of: ChatState.draftLists, from: start ?? group.bytes) { (key, row) throws(ProjectionError) in
      guard group.begins(key) else { return false }
      if order.sortsGroups {
        positions.append(row.place)
      } else if start.map({ !key.elementsEqual($0) }) ?? true {
        goesOn = try body(row.place)
      }
      return goesOn
    }
    for position in order.sorted(positions, after: position) where goesOn { goesOn = try body(position) }
    return goesOn
  }
}
