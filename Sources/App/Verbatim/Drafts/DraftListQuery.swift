// The query of a draft list.
public import ChatProjections

/// The sort order and the page size of a draft list.
public struct DraftListQuery: Hashable, Sendable {
  /// The page size and the offset.
  public var pagination: Pagination
  /// The sort keys: by the first, ties by the next; then by the ids of channel and thread.
  public var sorting: [DraftSort]

  /// Creates a query; by default, the most recently created drafts come first.
  public init(
    pagination: Pagination = Pagination(), sorting: [DraftSort] = [DraftSort(key: .createdAt, isAscending: false)]
  ) {
    (self.pagination, self.sorting) = (pagination, sorting)
  }
}

/// The page size and the offset of a paginated list.
public struct Pagination: Hashable, Sendable {
  /// The number of items per page; at least one.
  public let pageSize: Int
  /// The number of items skipped before the first page.
  public let offset: Int

  /// Creates a pagination; the page size is at least 1, the offset at least 0.
  public init(pageSize: Int = 25, offset: Int = 0) {
    (self.pageSize, self.offset) = (max(1, pageSize), max(0, offset))
  }
}
