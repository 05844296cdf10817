// What finds drafts: by where they are for, and in the lists of their users.
internal import Bytes
internal import Chat
internal import ChatCodec
internal import Tables
internal import Projections

/// The rows that follow from the rows of drafts that are stored; what is left of a deleted one is not found.
struct DraftIndex {
  /// Folds an event of a draft: it writes the row that finds it by its place, and one of each list.
  func fold(_ event: ChatEvent, on key: Draft.Key, into state: inout ChatTables) {
    let before = state.drafts.look(at: key) { $0.place } ?? nil
    Chat.fold(event, into: &state)
    let after = state.drafts.look(at: key) { $0.place } ?? nil
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

/// Where a draft stands among those of its user.
struct DraftSortPosition: Hashable, Sendable {
  /// Whose draft for where.
  let key: Draft.Key
  /// When it was first saved.
  let created: Instant
  /// When it was saved last.
  let updated: Instant

  init(_ key: Draft.Key, created: Instant, updated: Instant) {
    (self.key, self.created, self.updated) = (key, created, updated)
  }

  init(_ draft: Draft) { self.init(draft.key, created: draft.created, updated: draft.updated) }
}

extension Draft? {
  /// Where it stands; nil when it is not stored.
  fileprivate var place: DraftSortPosition? {
    // As if it changed something, so that the row is not copied.
    mutating get { self?.content == nil ? nil : self.map { DraftSortPosition($0) } }
  }
}

extension DraftSortPosition {
  /// When it was saved, the first time or the last.
  func instant(of saving: DraftList.Saving) -> Instant { saving == .first ? created : updated }

  /// Its key in a list.
  func key(in list: DraftList) -> DraftListKey {
    DraftListKey(list, list.savings.map { instant(of: $0) }, key)
  }
}

/// A draft in a list: with the key, all that any order asks of it.
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
    let told = key.list.savings
    if !told.contains(.first) { writer.instant(1, place.created) }
    if !told.contains(.last) { writer.instant(2, place.updated) }
  }
}

// MARK: Tables

extension ChatState {
  /// Drafts that are stored, by where they are for.
  static let draftTargets = ProjectionTable<ChatState, Entry<DraftTargetKey>>("draftTargets")
  /// Drafts that are stored, in each order in which those of somebody are listed.
  static let draftLists = ProjectionTable<ChatState, ListedDraft>("draftLists")
}
