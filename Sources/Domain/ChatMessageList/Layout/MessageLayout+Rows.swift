// Read access to a layout: rows, messages and their indices.

extension MessageLayout {
  /// The rows, from top to bottom.
  public var rows: MessageRows { MessageRows(layoutState) }

  /// The messages, from top to bottom, including those without a row.
  public var messages: some Sequence<Message> {
    layoutState.chunks.chunks.lazy.flatMap { $0.entries.lazy.map { MessageEntry<Message>.message(of: $0) } }
  }

  /// The number of messages, including those without a row.
  public var messageCount: Int { layoutState.chunks.count }

  /// Whether earlier messages can be loaded.
  public var hasOlder: Bool { layoutState.rules.hasOlder }

  /// Whether later messages can be loaded.
  public var hasNewer: Bool { layoutState.hasNewer }

  /// The ids shared by several messages of one change; the last of them is in the list.
  public var duplicates: Set<String> { layoutState.duplicates }

  /// The number of rows derived so far.
  public var derived: DerivedRows { layoutState.derived }
}

// MARK: Lookup

extension MessageLayout {
  /// Returns a message by its id; nil if the list does not contain it.
  public func message(_ id: String) -> Message? {
    layoutState.slot(ofMessage: id).map { MessageEntry.message(of: layoutState.chunks[$0]) }
  }

  /// Returns the row of a message; nil if it has none.
  public func row(ofMessage id: String) -> MessageRow? {
    layoutState.slot(ofMessage: id).map { layoutState.chunks[$0] }.flatMap { $0.isShown ? $0.row : nil }
  }

  /// Returns the row index of a message; nil if it has no row. The cost does not grow with the list.
  public func index(ofMessage id: String) -> Int? {
    layoutState.chunks.row(of: id).flatMap { layoutState.index(ofRow: $0) }
  }

  /// Returns the index of a row; nil if it does not exist.
  public func index(ofRow id: MessageRow.ID) -> Int? { layoutState.index(ofRow: id) }

  /// Returns the id of the group of a row, which is the id of its first row; nil for a row without a group.
  ///
  /// It is not stored in rows, since one message can split a group of any length and would change half of its rows.
  public func groupID(ofRow id: MessageRow.ID) -> MessageRow.ID? { layoutState.groupID(ofRow: id) }

  /// Whether a date separator above a row shows its day.
  public func isInSection(_ row: MessageRow) -> Bool { layoutState.isInSection(row) }
}

// MARK: Rows

/// The rows of a layout, from top to bottom.
public struct MessageRows: RandomAccessCollection {
  private let layoutState: LayoutState

  init(_ layoutState: LayoutState) { self.layoutState = layoutState }

  /// The index of the first row.
  public var startIndex: Int { 0 }
  /// The index after the last row.
  public var endIndex: Int { layoutState.rowCount }

  /// Returns the row at an index; traps if the index is out of range.
  public subscript(index: Int) -> MessageRow {
    precondition(indices.contains(index), "There is no row \(index): the list has \(count).")
    return layoutState.row(at: index)
  }

  /// Returns an iterator that visits the rows sequentially, without a lookup for each.
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
