// The live query of a user's drafts.
internal import Chat
internal import ChatCodec
internal import ChatProjections

/// The first drafts of a user in an order, as they are now.
internal struct LiveDrafts: Equatable, Sendable {
  var drafts: [DraftItem]
  var hasMore: Bool
  /// The channels of the drafts, whose names and messages are part of the items.
  let channels: Set<Channel.ID>

  init(_ page: DraftPage) {
    (drafts, hasMore) = (page.drafts, page.next != nil)
    channels = Set(page.drafts.map(\.key.channel))
  }
}

extension LiveQuery<LiveDrafts> {
  /// Returns the query for the first `limit` drafts of a user.
  static func drafts(of user: User.ID, _ query: DraftListQuery, limit: Int) -> LiveQuery {
    LiveQuery { subject, shown in
      switch subject {
      case .draft(let key): key.user == user
      case .user(user): true
      case .channel(let id): shown?.channels.contains(id) ?? false
      case .user, .composer, .consumer, .app: false
      }
    } ask: { reading, _ throws(ReadError) in
      (
        LiveDrafts(try reading.drafts(sorting: query.sorting, offset: query.pagination.offset, limit: limit)), nil
      )
    }
  }
}
