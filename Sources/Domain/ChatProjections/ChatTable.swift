// A table of the state while it is folded into and decided on: rows by their keys.
internal import Tables

/// The rows of one table of the state, each by its key.
final class ChatTable<Row: ChatRow> {
  private let rows: LiveTable<Row>
  private let reads: TableReads
  // It is used by one thread at a time, who holds the rows; in a property, each access would be checked for that.
  /// The place of whatever is asked for; less than zero when that is not known.
  private let expected: UnsafeMutablePointer<Int>

  init(_ rows: LiveTable<Row>, _ reads: TableReads) {
    (self.rows, self.reads) = (rows, reads)
    expected = .allocate(capacity: 1)
    expected.initialize(to: -1)
  }

  deinit { expected.deallocate() }

  /// The row with a key; nil when there is none, and when it cannot be read. It is changed where it lies.
  @inline(__always)
  subscript(key: Row.RowKey) -> Row? {
    get {
      guard let place = place(of: key) else { return nil }
      return rows[place]
    }
    _modify {
      if let place = place(of: key) {
        yield &rows[place]
      } else {
        var nothing: Row?
        yield &nothing
      }
    }
  }

  /// Lends the row whose place is known to be asked for, to be looked at where it lies; nil when none is known.
  @inline(__always)
  func lookAtExpected<R>(_ body: (inout Row?) -> R) -> R? {
    expected.pointee >= 0 ? rows.look(at: expected.pointee, body) : nil
  }

  /// Lends the row with a key, to be looked at where it lies; nil when it cannot be read.
  func look<R>(at key: Row.RowKey, _ body: (inout Row?) -> R) -> R? { place(of: key).map { rows.look(at: $0, body) } }

  /// The rows whose keys begin with some parts, in the order of their keys; none when they cannot be read.
  func rows(under prefix: KeyPrefix) -> [Row] {
    do throws(TablesError) { return try rows.rows(under: prefix.bytes).map(\.row) } catch {
      reads.fail(error)
      return []
    }
  }

  /// Counts how often places changed their meaning.
  var generation: Int { rows.generation }

  /// Says that until it is said otherwise one row alone is asked for, whose place this is; nil to say otherwise.
  func expect(_ place: Int?) { expected.pointee = place ?? -1 }

  /// The place of a row, there or not; nil when the folder cannot be read.
  @inline(__always)
  func place(of key: Row.RowKey) -> Int? { expected.pointee >= 0 ? expected.pointee : find(key) }

  private func find(_ key: Row.RowKey) -> Int? {
    do throws(TablesError) { return try rows.place(of: key) } catch {
      reads.fail(error)
      return nil
    }
  }
}

/// What the tables of a state have in common while they are read.
final class TableReads {
  /// Why a row could not be read; the first reason there was.
  private(set) var failure: TablesError?

  /// Remembers why a row could not be read.
  func fail(_ error: TablesError) {
    if failure == nil { failure = error }
  }
}
