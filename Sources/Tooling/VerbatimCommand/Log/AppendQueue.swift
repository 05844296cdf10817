// A queue of appends that are started without waiting for each one.
internal import EventLog

/// The pending appends, in the order of their positions in the log.
struct AppendQueue {
  private let store: EventStore
  private var pending: [(numbered: NumberedAppend, start: Result<PendingAppend, AppendError>)] = []

  init(_ store: EventStore) { self.store = store }

  /// Starts appends behind those already pending.
  mutating func submit(_ appends: ArraySlice<NumberedAppend>) {
    for numbered in appends {
      pending.append((numbered, Result { () throws(AppendError) in try store.start(numbered.append) }))
    }
  }

  /// Waits for all pending appends and returns their outcomes in order.
  mutating func settle() -> [(numbered: NumberedAppend, outcome: Result<Receipt, AppendError>)] {
    defer { pending.removeAll(keepingCapacity: true) }
    return pending.map { numbered, start in
      (numbered, Result { () throws(AppendError) in try start.get().wait() })
    }
  }
}
