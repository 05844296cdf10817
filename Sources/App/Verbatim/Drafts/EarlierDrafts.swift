// Drafts as they stood when the first page of a list was read.
internal import Chat
internal import ChatCodec
internal import ChatProjections
internal import EventLog
internal import Projections

/// The drafts of somebody that changed behind a position, as they stood at it: what the log says of each.
internal struct EarlierDrafts: Sendable {
  let position: Position
  private let user: User.ID
  /// Up to where it is known which changed.
  private var seen: Position
  /// Those that changed, as they stood; nil for one that was not there.
  private(set) var drafts: [Draft.Key: Draft?] = [:]

  init(of user: User.ID, at position: Position) { (self.user, self.position, seen) = (user, position, position) }

  /// Looks up what has changed since it was last looked up.
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

  /// A draft as it stood; nil where there was none yet.
  private func earlier(_ key: Draft.Key, in store: EventStore) throws(LogError) -> Draft? {
    var state = InMemoryChatState()
    var decoder = EventDecoder()
    try store.readStream(StreamSubject.draft(key).name) { event in
      if event.position > position { return .stop }
      // The state was folded behind it: it can be read.
      if let event = try? decoder.decode(event) { fold(event, into: &state) }
      return .next
    }
    return state[key]
  }
}

extension Client {
  /// A page of the person's drafts as they stood when the first page was read; with what was looked up for it, which
  /// the next page is spared.
  internal func drafts(
    _ query: DraftListQuery, after cursor: DraftCursor?, _ earlier: EarlierDrafts? = nil
  ) async throws(ReadError) -> (page: DraftPage, earlier: EarlierDrafts) {
    let (store, user) = (workspace.store, user)
    return try await ask { reading throws(ReadError) in
      let position = cursor?.position ?? reading.position
      guard position <= reading.position else { throw .projections(.beyondEnd(position, end: reading.position)) }
      var earlier = earlier ?? EarlierDrafts(of: user, at: position)
      if position < reading.position {
        do throws(LogError) { try earlier.catchUp(with: store) } catch { throw .projections(.log(error)) }
      }
      let page = try reading.drafts(
        sorting: query.sorting, after: cursor, offset: cursor == nil ? query.pagination.offset : 0,
        limit: query.pagination.pageSize, standing: earlier.drafts)
      return (page, earlier)
    }
  }
}
