// The tables of an open workspace, which others replace after an erasure.
internal import ChatProjections
internal import Errors
internal import EventLog
internal import Locks
internal import Projections

/// The projections of an open workspace: with the erasures that the log has or, while tables without the erased content
/// are being built, with those of before.
///
/// New tables are built beside the old ones, while submits and reads go on with these.
internal final class WorkspaceTables: Sendable {
  /// The projections, all with the same erasures.
  struct Sets: Sendable {
    /// The projection of the chat state with the index of its rows.
    let state: ProjectionStore
    /// All other projections.
    let others: ProjectionStore?

    var all: [ProjectionStore] { [state] + [others].compactMap { $0 } }

    func close() { for set in all.reversed() { set.close() } }
  }

  private struct State {
    /// The projections that are read.
    var current: Sets
    /// The projections that are being built.
    var next: Sets?
    var isClosed = false
  }

  /// The directory of the tables.
  let directory: String
  private let store: EventStore
  private let options: ProjectionStore.Options
  private let types: ProjectionSets
  private let state: Locked<State>
  private let building = Locked(false)

  /// Opens the projections of a log in a directory.
  init(
    of store: EventStore, _ types: ProjectionSets, at directory: String, options: ProjectionStore.Options
  ) throws(ProjectionError) {
    (self.store, self.types, self.directory, self.options) = (store, types, directory, options)
    state = Locked(State(current: try Self.open(store, types, directory, options)))
  }

  /// The projections that are read.
  var current: Sets { state.withLock { $0.current } }

  /// Opens the projections with the erasures that the log has.
  private static func open(
    _ store: EventStore, _ types: ProjectionSets, _ directory: String, _ options: ProjectionStore.Options
  ) throws(ProjectionError) -> Sets {
    while true {
      let erasures = store.log.content.erasureCount
      let opened = Result { () throws(ProjectionError) in
        let state = try ProjectionStore(of: store, types.state, at: directory, options: options)
        if types.others.isEmpty { return Sets(state: state, others: nil) }
        return Sets(
          state: state, others: try ProjectionStore(of: store, types.others, at: directory, options: options))
      }
      // From now on, a process that erases finds these tables open. If it requested its erasure before, they are
      // outdated, or were removed while they were opened.
      try rethrow(store.readErasures(), as: ProjectionError.log)
      if store.log.content.erasureCount == erasures { return try opened.get() }
      try? opened.get().close()
    }
  }

  /// If erasures were requested since the tables were opened, builds new ones and replaces them; returns whether it
  /// did.
  ///
  /// The old tables are closed when the last read of them has ended.
  func renew() throws(ProjectionError) -> Bool {
    try building.withLock { _ throws(ProjectionError) in
      var isRenewed = false
      while try current.state.isOutdated() {
        let next = try Self.open(store, types, directory, options)
        let begins = state.withLock { state in
          if !state.isClosed { state.next = next }
          return !state.isClosed
        }
        guard begins else {
          next.close()
          return isRenewed
        }
        do throws(ProjectionError) {
          // The second time, for what was appended during the first.
          for set in next.all + next.all { try set.catchUp() }
        } catch {
          state.withLock { $0.next = nil }
          next.close()
          throw error
        }
        let old = state.withLock { state in
          defer { (state.current, state.next) = (next, nil) }
          return state.current
        }
        for set in old.all { set.retire() }
        isRenewed = true
      }
      return isRenewed
    }
  }

  /// Closes the projections; what is being built is built again later.
  func close() {
    let next = state.withLock { state in
      state.isClosed = true
      return state.next
    }
    next?.close()
    building.withLock { _ in current.close() }
  }
}
