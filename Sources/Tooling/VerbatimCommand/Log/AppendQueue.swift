// Appends that follow each other without waiting for each.
internal import EventLog

/// Appends that are on their way, in the order in which they stand in the log.
struct AppendQueue {
  private let store: EventStore
  private var pending: [(numbered: NumberedAppend, start: Result<PendingAppend, AppendError>)] = []

  init(_ store: EventStore) { self.store = store }

  /// Sends appends on their way, behind those that were before.
  mutating func submit(_ appends: ArraySlice<NumberedAppend>) {
    for numbered in appends {
      pending.append((numbered, Result { () throws(AppendError) in try store.start(numbered.append) }))
    }
  }

  /// Waits for all that are on their way; answers in their order.
  mutating func settle() -> [(numbered: NumberedAppend, outcome: Result<Receipt, AppendError>)] {
    defer { pending.removeAll(keepingCapacity: true) }
    return pending.map { numbered, start in
      (numbered, Result { () throws(AppendError) in try start.get().wait() })
    }
  }
}
