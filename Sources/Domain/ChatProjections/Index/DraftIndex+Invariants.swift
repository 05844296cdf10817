// The invariants between drafts and their index, whatever was folded.
internal import Chat
package import Projections

extension ChatReading {
  /// Returns descriptions of the defects in the index of drafts; empty when there are none.
  package func draftDefects() throws(ProjectionError) -> [String] {
    var stored: [Draft.Key: DraftSortPosition] = [:]
    try reading.forEachRow(of: ChatState.drafts) { _, draft in
      if draft.content != nil { stored[draft.key] = DraftSortPosition(draft) }
      return true
    }
    var defects: [String] = []
    var unfound = Set(stored.keys)
    try reading.forEachRow(of: ChatState.draftTargets) { _, entry in
      let key = entry.key.draft
      if unfound.remove(key) == nil { defects.append("\(key) is indexed and is not stored") }
      return true
    }
    defects += unfound.map { "\($0) is stored and not indexed" }
    var listed: [Draft.Key: Int] = [:]
    try reading.forEachRow(of: ChatState.draftLists) { _, row in
      if stored[row.place.key] != row.place {
        defects.append("\(row.place) is indexed for \(String(describing: stored[row.place.key]))")
      }
      listed[row.place.key, default: 0] += 1
      return true
    }
    for key in stored.keys where listed[key] != DraftList.allCases.count {
      defects.append("\(key) is stored and has \(listed[key] ?? 0) index rows")
    }
    return defects
  }
}
