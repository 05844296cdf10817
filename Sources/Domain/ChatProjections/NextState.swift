// The state including events that are decided and not yet appended.
package import Chat
package import EventLog
internal import Tables
package import Projections

/// The state at the end of a log with the events decided since: each intent sees the effects of those before it.
///
/// Changes are held beside the tables and discarded with this value. Events that the caller appends are folded like any
/// other block; a caller that does not append has nothing to undo.
package struct NextState: TabledChatState {
  /// The rules that the app configured.
  package var rules: Rules { storage.rules }
  /// The end of the log.
  package var head: Head { storage.head }
  /// A single reference, since deciders receive the state repeatedly; it is copied on write.
  private var storage: Storage

  fileprivate init(_ tables: ChatTables, at head: Head, under rules: Rules) {
    storage = Storage(tables, at: head, under: rules)
  }

  fileprivate var failure: TablesError? { storage.tables.failure }

  /// Decides an intent; later decisions see the resulting events.
  package mutating func decide(
    _ intent: ChatIntent, by actor: Author, at instant: Timestamp
  ) throws(Refusal) -> [ChatEvent] {
    let events = try Chat.decide(intent, by: actor, at: instant, given: self)
    for event in events { fold(event, into: &self) }
    return events
  }

  /// The rows of the state with the changes to them.
  package var rows: ChangedTables {
    _read { yield storage.rows }
    _modify {
      if !isKnownUniquelyReferenced(&storage) { storage = Storage(copying: storage) }
      yield &storage.rows
    }
  }

  /// Returns the keys of the drafts stored for a scope, in key order.
  package func drafts(in scope: Draft.Scope) -> [Draft.Key] {
    let current = storage.tables.drafts(in: scope)
    guard let changed = storage.rows.drafts.changed[scope.channel] else { return current }
    let stored = changed.filter { scope.contains($0) && self[$0]?.content != nil }
    return (current.filter { !changed.contains($0) } + stored).sorted()
  }

  /// The tables, and the changes to them.
  private final class Storage {
    let rules: Rules
    let head: Head
    let tables: ChatTables
    var rows: ChangedTables

    init(_ tables: ChatTables, at head: Head, under rules: Rules) {
      (self.tables, self.head, self.rules) = (tables, head, rules)
      rows = ChangedTables(tables.rows)
    }

    init(copying other: Storage) {
      (tables, head, rules, rows) = (other.tables, other.head, other.rules, other.rows)
    }
  }
}

extension ProjectionStore {
  /// Calls the closure with the state at the present end of the log, to decide on it; folding is blocked until it
  /// returns.
  ///
  /// With a head after which the decision is to be appended, it is the state at that head or past it, which is enough:
  /// the append, or a look at the head of the log, proves that it was the end.
  ///
  /// The state stays at the end of the log for as long as the caller holds the writer lock. The closure is run again
  /// when another process has folded further, so it keeps nothing it decided besides its result. A stopped projection
  /// throws ``/Projections/ProjectionError/stopped(_:)``: nothing is decided on it.
  package func deciding<R>(
    under rules: Rules, appendingAfter head: Head? = nil, _ body: (inout NextState) throws(ProjectionError) -> R
  ) throws(ProjectionError) -> R {
    try withProjection(ChatState.self, appendingAfter: head) { state, head throws(ProjectionError) in
      var next = NextState(state.tables, at: head, under: rules)
      let result = try body(&next)
      // What was decided on rows that could not be read does not count.
      if let failure = next.failure { throw .tables(failure) }
      return result
    }
  }
}
