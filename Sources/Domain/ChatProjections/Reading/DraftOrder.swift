// How the lists of drafts are read for an order that somebody asks for.
internal import Bytes
internal import Chat
internal import Tables
internal import Projections

/// An order of the drafts of somebody, and how it is read from their lists.
///
/// The list that begins with what the order begins with is read group by group, each found by a search, upwards or
/// downwards: first drafts of one instant or channel, within those of an instant those of another or of one channel.
/// What is within the last group lies in order already; or it is read and sorted, which are drafts for one channel.
struct DraftOrder {
  /// By what, each key once; then by their places.
  let sorting: [DraftSort]
  private let user: User.ID
  private let list: DraftList
  /// By what groups are found, one within the other.
  fileprivate let sought: [DraftSort]
  /// Whether what is in the last groups does not lie in order.
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
    // What tells when drafts were saved stands in a list before what tells where they are for.
    let count = keys.firstIndex(of: .channel).map { $0 + 1 } ?? keys.count
    var sought = Array(once.prefix(count))
    sortsGroups = sought.count < once.count
    // What is wanted as it lies is read on, not sought.
    if !sortsGroups { while sought.last?.isAscending == true { sought.removeLast() } }
    self.sought = sought
  }

  /// A place in this order, whosever it was.
  func own(_ place: DraftSortPosition) -> DraftSortPosition {
    DraftSortPosition(
      Draft.Key(by: user, in: place.key.channel, thread: place.key.thread), created: place.created,
      updated: place.updated)
  }

  /// Where drafts stand that are stored, those behind a place in order.
  func places(of drafts: [Draft], after place: DraftSortPosition?) -> [DraftSortPosition] {
    sorted(drafts.filter { $0.key.user == user && $0.content != nil }.map { DraftSortPosition($0) }, after: place)
  }

  fileprivate func sorted(_ places: [DraftSortPosition], after place: DraftSortPosition?) -> [DraftSortPosition] {
    places.filter { place?.isBefore($0, by: sorting) ?? true }.sorted { $0.isBefore($1, by: sorting) }
  }

  /// All keys of the list.
  fileprivate var all: KeyPrefix { KeyPrefix(list, of: user) }

  /// The keys of the group in which a draft stands, so deep within others.
  fileprivate func group(of place: DraftSortPosition, _ depth: Int) -> KeyPrefix {
    let savings = list.savings.prefix(depth + 1)
    let channel = depth < savings.count ? nil : place.key.channel
    return KeyPrefix(list, of: user, at: savings.map { place.instant(of: $0) }, in: channel)
  }

  /// The key of a draft in the list.
  fileprivate func key(of place: DraftSortPosition) -> [UInt8] { place.key(in: list).withKeyBytes { Array($0) } }
}

extension ChatReading {
  /// Lends where drafts stand in an order, behind a place, until the body answers false.
  func forEachPlace(
    in order: DraftOrder, after place: DraftSortPosition?, _ body: (DraftSortPosition) throws(ProjectionError) -> Bool
  ) throws(ProjectionError) {
    _ = try forEachPlace(in: order, 0, under: order.all, after: place, body)
  }

  /// Lends those of a group so deep within others; answers whether more are wanted.
  private func forEachPlace(
    in order: DraftOrder, _ depth: Int, under prefix: KeyPrefix, after place: DraftSortPosition?,
    _ body: (DraftSortPosition) throws(ProjectionError) -> Bool
  ) throws(ProjectionError) -> Bool {
    guard depth < order.sought.count else { return try forEachPlace(of: order, within: prefix, after: place, body) }
    let isUpwards = order.sought[depth].isAscending
    func start(_ group: KeyPrefix) -> [UInt8] { isUpwards ? group.bytes : group.end }
    var start = start(place.map { order.group(of: $0, depth) } ?? prefix)
    while let first = try firstPlace(under: prefix, from: start, isUpwards ? .upwards : .downwards) {
      let group = order.group(of: first, depth)
      let isSame = place.map { order.group(of: $0, depth).bytes == group.bytes } ?? false
      guard try forEachPlace(in: order, depth + 1, under: group, after: isSame ? place : nil, body) else {
        return false
      }
      start = isUpwards ? group.end : group.bytes
    }
    return true
  }

  private func firstPlace(
    under prefix: KeyPrefix, from start: [UInt8], _ order: RowOrder
  ) throws(ProjectionError) -> DraftSortPosition? {
    var place: DraftSortPosition?
    try reading.forEachRow(of: ChatState.draftLists, from: start, order) { key, row in
      if prefix.begins(key) { place = row.place }
      return false
    }
    return place
  }

  /// Lends those of a last group.
  private func forEachPlace(
    of order: DraftOrder, within group: KeyPrefix, after place: DraftSortPosition?,
    _ body: (DraftSortPosition) throws(ProjectionError) -> Bool
  ) throws(ProjectionError) -> Bool {
    var (places, goesOn): ([DraftSortPosition], Bool) = ([], true)
    let start = order.sortsGroups ? nil : place.map { order.key(of: $0) }
    try reading.forEachRow(of: ChatState.draftLists, from: start ?? group.bytes) { (key, row) throws(ProjectionError) in
      guard group.begins(key) else { return false }
      if order.sortsGroups {
        places.append(row.place)
      } else if start.map({ !key.elementsEqual($0) }) ?? true {
        goesOn = try body(row.place)
      }
      return goesOn
    }
    for place in order.sorted(places, after: place) where goesOn { goesOn = try body(place) }
    return goesOn
  }
}
