// Reading a layout: its rows, and where things are.

extension MessageLayout {
  /// The rows, from the top down.
  public var rows: MessageRows { MessageRows(layoutState) }

  /// The messages, from the top down, those that have no row among them.
  public var messages: some Sequence<Message> {
    layoutState.chunks.chunks.lazy.flatMap { $0.entries.lazy.map { MessageEntry<Message>.message(of: $0) } }
  }

  /// How many messages there are, those that have no row among them.
  public var messageCount: Int { layoutState.chunks.count }

  /// Whether there are earlier messages to load.
  public var hasOlder: Bool { layoutState.rules.hasOlder }

  /// Whether there are later messages to load.
  public var hasNewer: Bool { layoutState.hasNewer }

  /// Ids that several messages had which came in at once: the last of them is in the list.
  public var duplicates: Set<String> { layoutState.duplicates }

  /// How many rows were made so far.
  public var derived: DerivedRows { layoutState.derived }
}

// MARK: Finding

extension MessageLayout {
  /// A message of the list; nil when it is not in it.
  public func message(_ id: String) -> Message? {
    layoutState.slot(ofMessage: id).map { MessageEntry.message(of: layoutState.chunks[$0]) }
  }

  /// The row of a message; nil when it has none.
  public func row(ofMessage id: String) -> MessageRow? {
    layoutState.slot(ofMessage: id).map { layoutState.chunks[$0] }.flatMap { $0.isShown ? $0.row : nil }
  }

  /// Where the row of a message is; nil when it has none. The effort does not grow with the list.
  public func index(ofMessage id: String) -> Int? {
    layoutState.chunks.row(of: id).flatMap { layoutState.index(ofRow: $0) }
  }

  /// Where a row is; nil when it is not there.
  public func index(ofRow id: MessageRow.ID) -> Int? { layoutState.index(ofRow: id) }

  /// What the group of a row is called: as its first row. Nil for a row that has no group.
  ///
  /// It is not in the row, since one message can part a group of any length, and would change the rows of its half.
  public func groupID(ofRow id: MessageRow.ID) -> MessageRow.ID? { layoutState.groupID(ofRow: id) }

  /// Whether the day of a row is told by a separator above it.
  public func isInSection(_ row: MessageRow) -> Bool { layoutState.isInSection(row) }
}

// MARK: Rows

/// The rows of a layout, from the top down.
public struct MessageRows: RandomAccessCollection {
  private let layoutState: LayoutState

  init(_ layoutState: LayoutState) { self.layoutState = layoutState }

  /// The place of the first row.
  public var startIndex: Int { 0 }
  /// The place behind the last row.
  public var endIndex: Int { layoutState.rowCount }

  /// The row at a place; traps where there is none.
  public subscript(index: Int) -> MessageRow {
    precondition(indices.contains(index), "There is no row \(index): the list has \(count).")
    return layoutState.row(at: index)
  }

  /// The rows one after the other, without looking for each.
  public func makeIterator() -> some IteratorProtocol<MessageRow> {
    let layoutState = layoutState
    let inner = layoutState.chunks.chunks.indices.lazy.flatMap { chunk in
      layoutState.chunks.chunks[chunk].entries.indices.lazy.flatMap { entry in
        layoutState.rows(at: Slot(chunk: chunk, entry: entry))
      }
    }
    var parts = (
      layoutState.edges.head.makeIterator(), inner.makeIterator(), layoutState.edges.tail.makeIterator()
    )
    return AnyIterator { parts.0.next() ?? parts.1.next() ?? parts.2.next() }
  }
}
