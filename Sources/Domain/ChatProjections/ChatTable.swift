// A table of the state during folding and deciding: rows by their keys.
internal import Chat
internal import Tables

/// The rows of one table of the state, each by its key.
final class ChatTable<Row: ChatRow>: StateTable {
  private let rows: LiveTable<Row>
  private let reads: TableReads
  // Only one thread, the holder of the rows, uses the table; in a property, each access would be checked for that.
  /// The index of the row that all lookups mean; negative when it is not known.
  private let expected: UnsafeMutablePointer<Int>

  init(_ rows: LiveTable<Row>, _ reads: TableReads) {
    (self.rows, self.reads) = (rows, reads)
    expected = .allocate(capacity: 1)
    expected.initialize(to: -1)
  }

  deinit { expected.deallocate() }

  /// The row with a key; nil when there is none or it cannot be read. It is changed in place.
  @inline(__always)
  subscript(key: Row.RowKey) -> Row? {
    get {
      guard let index = index(of: key) else { return nil }
      return rows[index]
    }
    _modify {
      if let index = index(of: key) {
        yield &rows[index]
      } else {
        var nothing: Row?
        yield &nothing
      }
    }
  }

  /// Calls the closure with the expected row in place; nil when no row is expected.
  @inline(__always)
  func lookAtExpected<R>(_ body: (inout Row?) -> R) -> R? {
    expected.pointee >= 0 ? rows.look(at: expected.pointee, body) : nil
  }

  /// Calls the closure with the row with a key in place; nil when it cannot be read.
  func look<R>(at key: Row.RowKey, _ body: (inout Row?) -> R) -> R? { index(of: key).map { rows.look(at: $0, body) } }

  /// Returns the rows whose keys have a prefix, in key order; none when they cannot be read.
  func rows(under prefix: KeyPrefix) -> [Row] {
    do throws(TablesError) { return try rows.rows(under: prefix.bytes).map(\.row) } catch {
      reads.fail(error)
      return []
    }
  }

  /// The number of times that row indexes were reassigned.
  var generation: Int { rows.generation }

  /// Sets the index of the one row that all lookups mean until the next call; nil ends that.
  func expect(_ index: Int?) { expected.pointee = index ?? -1 }

  /// Returns the index of a row, present or not; nil when the table store cannot be read.
  @inline(__always)
  func index(of key: Row.RowKey) -> Int? { expected.pointee >= 0 ? expected.pointee : find(key) }

  private func find(_ key: Row.RowKey) -> Int? {
    do throws(TablesError) { return try rows.index(of: key) } catch {
      reads.fail(error)
      return nil
    }
  }
}

/// The read failure that all tables of a state share.
final class TableReads {
  /// The first failure to read a row.
  private(set) var failure: TablesError?

  /// Records a failure to read a row; the first one is kept.
  func fail(_ error: TablesError) {
    if failure == nil { failure = error }
  }
}
