// Past versions of drafts, for pages of one list at one position.
internal import Chat
internal import ChatCodec
internal import ChatProjections
internal import Errors
internal import EventLog
internal import Projections

/// The drafts of a user that changed after a position, as of that position, read from the log.
internal struct EarlierDrafts: Sendable {
  let position: Position
  private let user: User.ID
  /// The position up to which changes are known.
  private var seen: Position
  /// The changed drafts as they were; nil for one that did not exist.
  private(set) var drafts: [Draft.Key: Draft?] = [:]

  init(of user: User.ID, at position: Position) { (self.user, self.position, seen) = (user, position, position) }

  /// Finds the drafts that changed since the last call.
  mutating func catchUp(with store: EventStore) throws(LogError) {
    var changed: Set<Draft.Key> = []
    let user = user
    try store.read(from: seen.next) { event in
      seen = event.position
      if let subject = try? StreamSubject(of: event), case .draft(let key) = subject, key.user == user {
        changed.insert(key)
      }
      return .next
    }
    for key in changed where drafts.index(forKey: key) == nil {
      drafts.updateValue(try earlier(key, in: store), forKey: key)
    }
  }

  /// Returns a draft as of the position; nil if it did not exist.
  private func earlier(_ key: Draft.Key, in store: EventStore) throws(LogError) -> Draft? {
    var state = InMemoryChatState()
    var decoder = EventDecoder()
    try store.readStream(StreamSubject.draft(key).name) { event in
      if event.position > position { return .stop }
      // The state was folded beyond this event, so it can be decoded.
      if let event = try? decoder.decode(event) { fold(event, into: &state) }
      return .next
    }
    return state[key]
  }
}

extension Client {
  /// Returns a page of the user's drafts as of the first page's position, and the past versions read for it, for reuse
  /// by the next page.
  internal func drafts(
    _ query: DraftListQuery, after cursor: DraftCursor?, _ earlier: EarlierDrafts? = nil
  ) async throws(ReadError) -> (page: DraftPage, earlier: EarlierDrafts) {
    let (store, user) = (workspace.store, user)
    return try await ask { reading throws(ReadError) in
      let position = cursor?.position ?? reading.position
      guard position <= reading.position else { throw .projections(.beyondEnd(position, end: reading.position)) }
      var earlier = earlier ?? EarlierDrafts(of: user, at: position)
      if position < reading.position {
        try rethrow(earlier.catchUp(with: store), as: ReadError.log)
      }
      let page = try reading.drafts(
        sorting: query.sorting, after: cursor, offset: cursor == nil ? query.pagination.offset : 0,
        limit: query.pagination.pageSize, overrides: earlier.drafts)
      return (page, earlier)
    }
  }
}
