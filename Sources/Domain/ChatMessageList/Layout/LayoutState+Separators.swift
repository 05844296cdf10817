// The positions of separators, and the rows at the edges of a list.
#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

// MARK: Separators

extension LayoutState {
  /// Updates the position of the unread separator.
  mutating func moveUnread(_ touched: inout ChangedEntries) {
    var row: MessageRow?
    if let unread, rules.threadParent == nil {
      row = edges.unread?.count == unread.count ? edges.unread : .unread(unread.count, &derived)
    }
    let sortKey = row.flatMap { _ in firstUnread }
    if sortKey != rules.firstUnread || row != edges.unread {
      touched.sortKeys += [rules.firstUnread, sortKey].compactMap(\.self)
    }
    (rules.firstUnread, edges.unread) = (sortKey, row)
  }

  /// The first message at or after the mark that is by another user and has a row; nil while the mark is not loaded.
  private var firstUnread: MessageSortKey? {
    guard let unread else { return nil }
    var next = chunks.slot(notBefore: unread.first)
    if next == chunks.end { return nil }
    if next == chunks.first, rules.hasOlder, unread.first < chunks[next].sortKey { return nil }
    while chunks[next].shape == .hidden || chunks[next].row.isOwn {
      guard let slot = chunks.visible(after: next) else { return nil }
      next = slot
    }
    return chunks[next].sortKey
  }

  /// Updates the reply count of the thread separator: that of the parent message, or else the number of loaded replies.
  mutating func moveThread(_ touched: inout ChangedEntries) {
    guard rules.threadParent != nil else { return }
    let count = threadParent.map { chunks[$0].row.thread?.replyCount ?? chunks.count - 1 }
    if edges.thread != nil, edges.thread?.count == count { return }
    var row = MessageRow.threadSeparator
    row.count = count
    derived.separators += 1
    edges.thread = row
    if let reply = firstReply { touched.sortKeys.append(chunks[reply].sortKey) }
  }

  mutating func settleEdges() {
    edges.head = []
    edges.tail = []
    let isThread = rules.threadParent != nil
    if olderFailed { edges.head.append(.olderFailed) }
    if !isThread, rules.hasOlder { edges.head.append(.loadOlder) }
    if !isThread, !rules.hasOlder, rules.showsConversationStart, chunks.rowCount > 0 {
      edges.head.append(.conversationStart)
    }
    if isThread, rules.hasOlder, firstReply == nil { edges.tail.append(.loadOlder) }
    edges.tail += hasNewer ? [.loadNewer] : typing.map { .typing($0) }
  }
}

extension MessageRow {
  fileprivate static func unread(_ count: Int, _ derived: inout DerivedRows) -> MessageRow {
    var row = unreadSeparator
    row.count = count
    derived.separators += 1
    return row
  }

  fileprivate static func typing(_ user: String) -> MessageRow {
    var row = MessageRow("typing:" + user, .typing)
    (row.side, row.userID) = (.leading, user)
    return row
  }
}
