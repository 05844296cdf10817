// The index of drafts: by target, and in the lists of their users.
internal import Bytes
internal import Chat
internal import ChatCodec
internal import Tables
internal import Projections

/// The rows derived from the rows of stored drafts; the tombstone of a deleted draft is not indexed.
struct DraftIndex {
  /// Folds an event of a draft: writes its target row and one row in each list.
  func fold(_ event: ChatEvent, on key: Draft.Key, into state: inout ChatTables) {
    let before = state.rows.drafts.look(at: key) { $0.sortPosition } ?? nil
    Chat.fold(event, into: &state)
    let after = state.rows.drafts.look(at: key) { $0.sortPosition } ?? nil
    if before == after { return }
    if (before == nil) != (after == nil) {
      state.draftTargets[DraftTargetKey(key)] = after == nil ? nil : Entry(DraftTargetKey(key))
    }
    for list in DraftList.allCases {
      let (stood, stands) = (before.map { ListedDraft($0, in: list) }, after.map { ListedDraft($0, in: list) })
      if let stood, stood.key != stands?.key { state.draftLists[stood.key] = nil }
      if let stands { state.draftLists[stands.key] = stands }
    }
  }
}

/// The sort position of a draft among those of its user, with the instants it is derived from.
struct DraftSortPosition: Hashable, Sendable {
  /// The key of the draft.
  let key: Draft.Key
  /// The instant at which the draft was first saved.
  let created: Timestamp
  /// The instant at which the draft was last saved.
  let updated: Timestamp

  init(_ key: Draft.Key, created: Timestamp, updated: Timestamp) {
    (self.key, self.created, self.updated) = (key, created, updated)
  }

  init(_ draft: Draft) { self.init(draft.key, created: draft.created, updated: draft.updated) }
}

extension Draft? {
  /// The sort position of the draft; nil when it is not stored.
  fileprivate var sortPosition: DraftSortPosition? {
    // Mutating, so that the row is not copied.
    mutating get { self?.content == nil ? nil : self.map { DraftSortPosition($0) } }
  }
}

extension DraftSortPosition {
  /// Returns the instant of the first or of the last saving.
  func instant(of saving: DraftList.Saving) -> Timestamp { saving == .first ? created : updated }

  /// Returns the key of the draft in a list.
  func key(in list: DraftList) -> DraftListKey {
    DraftListKey(list, list.savings.map { instant(of: $0) }, key)
  }
}

/// A draft in a list; key and value hold everything that any sort order reads.
struct ListedDraft: ChatRow {
  let key: DraftListKey
  let place: DraftSortPosition

  init(_ place: DraftSortPosition, in list: DraftList) { (self.place, key) = (place, place.key(in: list)) }

  init(_ key: DraftListKey, from fields: inout FieldReader) throws(PayloadDefect) {
    self.key = key
    let first = key.list.savings.firstIndex(of: .first)
    let last = key.list.savings.firstIndex(of: .last)
    let created = if let first { key.instants[first] } else { try fields.instant(1) }
    let updated = if let last { key.instants[last] } else { try fields.instant(2) }
    place = DraftSortPosition(key.draft, created: created, updated: updated)
  }

  func write(to writer: inout ByteWriter) {
    let savings = key.list.savings
    if !savings.contains(.first) { writer.instant(1, place.created) }
    if !savings.contains(.last) { writer.instant(2, place.updated) }
  }
}

// MARK: Tables

extension ChatState {
  /// Stored drafts by target.
  static let draftTargets = ProjectionTable<ChatState, Entry<DraftTargetKey>>("draftTargets")
  /// Stored drafts in each sort order of their user.
  static let draftLists = ProjectionTable<ChatState, ListedDraft>("draftLists")
}
