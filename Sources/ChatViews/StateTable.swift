// A table of the state while it is folded into and decided on: rows by their keys.
internal import Tables

/// The rows of one table of the state, each by its key.
///
/// The key that was asked for last is remembered with its place: a fold asks for the same few rows again and again.
final class StateTable<Row: StateRow> {
  private let rows: LiveTable<Row>
  private let reads: StateReads
  // It is used by one thread at a time, who holds the rows; in a property, each access would be checked for that.
  private let memory: UnsafeMutablePointer<Memory>

  private struct Memory {
    var last: (key: Row.RowKey, place: Int)?
    /// What ``Tables/LiveTable/generation`` was when the place was remembered.
    var generation = 0
    /// The place of whatever is asked for; less than zero when that is not known.
    var known = -1
  }

  init(_ rows: LiveTable<Row>, _ reads: StateReads) {
    (self.rows, self.reads) = (rows, reads)
    memory = .allocate(capacity: 1)
    memory.initialize(to: Memory())
  }

  deinit {
    memory.deinitialize(count: 1)
    memory.deallocate()
  }

  /// The row with a key; nil when there is none, and when it cannot be read. It is changed where it lies.
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

  /// Counts how often places changed their meaning.
  var generation: Int { rows.generation }

  /// Says that until it is said otherwise one row alone is asked for, whose place this is; nil to say otherwise.
  func expect(_ place: Int?) { memory.pointee.known = place ?? -1 }

  /// The place of a row, there or not; nil when the folder cannot be read.
  func place(of key: Row.RowKey) -> Int? {
    if memory.pointee.known >= 0 { return memory.pointee.known }
    if memory.pointee.generation == rows.generation, let place = remembered(key) { return place }
    do throws(TablesError) {
      let place = try rows.place(of: key)
      memory.pointee.last = (key, place)
      memory.pointee.generation = rows.generation
      return place
    } catch {
      reads.fail(error)
      return nil
    }
  }

  private func remembered(_ key: Row.RowKey) -> Int? {
    guard memory.pointee.last?.key == key else { return nil }
    return memory.pointee.last?.place
  }
}

/// What the tables of a state have in common while they are read.
final class StateReads {
  /// Why a row could not be read; the first reason there was.
  private(set) var failure: TablesError?

  /// Remembers why a row could not be read.
  func fail(_ error: TablesError) {
    if failure == nil { failure = error }
  }
}
