// A table of the state while it is folded into and decided on: rows by their keys.
internal import Bytes
internal import Tables

/// The rows of one table of the state, each by its key.
///
/// The key that was asked for last is remembered with its place: a fold asks for the same few rows again and again.
final class StateTable<Row: StateRow> {
  private let rows: LiveTable<Row>
  private let reads: StateReads
  private var last: (key: Row.RowKey, place: Int)?
  /// What ``Tables/LiveTable/generation`` was when the last place was remembered.
  private var generation = 0

  init(_ rows: LiveTable<Row>, _ reads: StateReads) { (self.rows, self.reads) = (rows, reads) }

  /// The row with a key; nil when there is none, and when it cannot be read. It is changed where it lies.
  subscript(key: Row.RowKey) -> Row? {
    get { place(of: key).flatMap { rows[$0] } }
    _modify {
      if let place = place(of: key) {
        yield &rows[place]
      } else {
        var nothing: Row?
        yield &nothing
      }
    }
  }

  /// The place of a row, there or not; nil when the folder cannot be read.
  private func place(of key: Row.RowKey) -> Int? {
    if let last, generation == rows.generation, last.key == key { return last.place }
    do throws(TablesError) {
      let place = try reads.withBytes(of: key) { bytes throws(TablesError) in try rows.place(of: bytes) }
      (last, generation) = ((key, place), rows.generation)
      return place
    } catch {
      reads.fail(error)
      return nil
    }
  }
}

/// What the tables of a state have in common while they are read.
final class StateReads {
  /// Why a row could not be read; the first reason there was.
  private(set) var failure: TablesError?
  /// Where keys are put together, again and again.
  private var key = ByteWriter(capacity: 512)

  /// Lends the bytes of a key.
  func withBytes<R, E: Error>(
    of key: some StateKey, _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    self.key.removeAll()
    key.spell(to: &self.key)
    return try self.key.withBytes(body)
  }

  /// Remembers why a row could not be read.
  func fail(_ error: TablesError) {
    if failure == nil { failure = error }
  }
}
