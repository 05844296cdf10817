// Which drafts are wanted, and in which order.
public import ChatProjections

/// Which drafts are wanted, in which order, and how many at a time.
public struct DraftListQuery: Hashable, Sendable {
  /// How many at a time.
  public var pagination: Pagination
  /// By what they are put in order: by the first, and where that leaves drafts equal by the next; then by the ids of
  /// channel and thread.
  public var sorting: [DraftSort]

  /// The drafts that were saved last first, or others.
  public init(
    pagination: Pagination = Pagination(), sorting: [DraftSort] = [DraftSort(key: .createdAt, isAscending: false)]
  ) {
    (self.pagination, self.sorting) = (pagination, sorting)
  }
}

/// How many of something are wanted at a time.
public struct Pagination: Hashable, Sendable {
  /// How many are on a page; at least one.
  public let pageSize: Int
  /// How many are passed over before the first page.
  public let offset: Int

  /// Pages of a length, from the first on or from a later one.
  public init(pageSize: Int = 25, offset: Int = 0) {
    (self.pageSize, self.offset) = (max(1, pageSize), max(0, offset))
  }
}
