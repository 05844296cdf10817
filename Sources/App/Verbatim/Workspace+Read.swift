// Reading a workspace at one position: the head of the log or a past position.
public import Chat
public import ChatProjections
public import EventLog
internal import Locks
public import Projections

/// A consistent reading of the workspace at one position.
public struct WorkspaceReading: ~Escapable {
  /// The position of the last event that the reading includes.
  public var position: Position { chat.position }
  /// The chat state at the position.
  public let chat: ChatReading
  /// The tables of the app's own projections; nil if there is no projection but the chat state.
  public let own: ProjectionReader?

  @_lifetime(copy chat, copy own)
  internal init(_ chat: ChatReading, _ own: ProjectionReader?) { (self.chat, self.own) = (chat, own) }
}

extension Workspace {
  /// Reads the workspace at the head of the log, or later, with all projections at one position.
  ///
  /// The closure runs on a thread that may block, and the reading is valid for the duration of the closure. While it
  /// runs, old pages cannot be reclaimed, so the closure copies what it needs and returns.
  public func read<R: Sendable>(
    _ body: @escaping @Sendable (WorkspaceReading) throws -> R
  ) async throws -> R {
    try await offThread { workspace in try workspace.lend(body) }
  }

  /// Reads the workspace at the head of the log, or later, with all projections at one position.
  @available(*, noasync, message: "it can block: use the async read")
  public func readBlocking<R>(_ body: (WorkspaceReading) throws -> R) throws -> R { try lend(body) }

  private func lend<R>(_ body: (WorkspaceReading) throws -> R) throws -> R {
    try lend(withOthers: true) { reading in Result { try body(reading) } }.get()
  }

  /// Reads the chat state alone.
  fileprivate func lendState<R>(_ body: (WorkspaceReading) throws -> R) throws -> R {
    try lend(withOthers: false) { reading in Result { try body(reading) } }.get()
  }

  /// Reads the chat state, and the other projections if they exist and are needed, at one position.
  internal func lend<R>(
    withOthers needsOthers: Bool, _ body: (WorkspaceReading) -> R
  ) throws(ProjectionError) -> R {
    let sets = tables.current
    guard needsOthers, let others = sets.others else {
      return try sets.state.read { reading in body(WorkspaceReading(reading.chat, nil)) }
    }
    return try sets.state.read(with: others) { reading, others in
      body(WorkspaceReading(reading.chat(findingWordsIn: others), others))
    }
  }

  /// Catches all projections up with the head of the log.
  package func catchUpProjections() throws(ProjectionError) { try lend(withOthers: true) { _ in } }

  /// Waits until the log and the tables reach a position; returns false if the timeout elapses first.
  public func reached(_ position: Position, within patience: Duration = .seconds(10)) async throws(ProjectionError)
    -> Bool
  {
    let before = Position(rawValue: max(1, position.rawValue) - 1)
    do throws(LogError) { try await wait(beyond: before, for: patience) } catch { throw .log(error) }
    return try await offThread { workspace throws(ProjectionError) in
      guard try workspace.head() >= position else { return false }
      try workspace.projections.catchUp()
      return true
    }
  }
}

extension Workspace {
  /// Waits until the log's head is past a position, the timeout elapses, or the task is cancelled.
  internal func wait(beyond position: Position, for time: Duration?) async throws(LogError) {
    let store = store
    guard let time else { return try await store.wait(beyond: position) }
    let failure = await withTaskGroup(of: LogError?.self) { group in
      group.addTask {
        do throws(LogError) {
          try await store.wait(beyond: position)
          return nil
        } catch {
          return error
        }
      }
      group.addTask {
        try? await Task.sleep(for: time)
        return nil
      }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
    if let failure { throw failure }
  }
}

/// A workspace as it was at a past position, until it is closed or deallocated. It can move to other positions.
public final class PastWorkspace: Sendable {
  /// The position of the last event that the reading includes.
  public var position: Position { projections.position }
  private let projections: PastProjections
  private let others: PastProjections?
  private let workspace: Workspace
  /// Threads of its own: reads that wait for a move leave those of the workspace to its other readers.
  private let workers = WorkerPool(label: "verbatim.past", count: 2)
  /// Excludes moves during a move: both parts are at one position after each.
  private let moving = Locked(false)

  internal init(_ projections: PastProjections, _ others: PastProjections?, of workspace: Workspace) {
    (self.projections, self.others, self.workspace) = (projections, others, workspace)
  }

  /// Reads the workspace at the past position.
  public func read<R: Sendable>(
    _ body: @escaping @Sendable (WorkspaceReading) throws -> R
  ) async throws -> R {
    try await workers.result { try self.lend(body) }
  }

  /// Reads the workspace at the past position.
  @available(*, noasync, message: "it can block: use the async read")
  public func readBlocking<R>(_ body: (WorkspaceReading) throws -> R) throws -> R { try lend(body) }

  /// Reads the past conversation as far as a user may see it today, at `instant` or, by default, at the time at which
  /// the position was recorded.
  ///
  /// Roles, memberships, bans and permanent deletions are those at the head of the log; see <doc:WhatAUserSees>. An
  /// operator, who may see everything, reads without a user.
  public func read<R: Sendable>(
    as user: User.ID, at instant: Timestamp? = nil, _ body: @escaping @Sendable (ClientReading) throws -> R
  ) async throws -> R {
    try await workers.result { [workspace] in
      let (rules, now) = (workspace.configuration.rules, workspace.now)
      return try workspace.lendState { present in
        try self.lend { past in
          let recorded = try workspace.store.event(at: past.position)?.recorded ?? Timestamp(rawValue: 0)
          return try body(
            try ClientReading(
              past: past.chat, of: present.chat, now: now, for: user, under: rules, at: instant ?? recorded))
        }
      }
    }
  }

  /// Moves to another position; throws ``/Projections/ProjectionError/beyondEnd(_:end:)`` if the log is shorter.
  ///
  /// A move over a short distance, in either direction, costs about as much as the rows that change, so that a slider
  /// can follow the pointer. Reads that began before still read the earlier position. When a move fails otherwise, the
  /// past workspace is closed.
  public func move(to position: Position) async throws(ProjectionError) {
    try await workers.result { () throws(ProjectionError) in
      do throws(ProjectionError) {
        try self.moving.withLock { _ throws(ProjectionError) in
          try self.projections.move(to: position)
          try self.others?.move(to: position)
        }
      } catch {
        // Else one of the two may have moved.
        if case .beyondEnd = error { throw error }
        self.close()
        throw error
      }
    }
  }

  /// Returns the rows that the event at the position changes, with their fields before and after; everything, without
  /// regard to permissions.
  public func changesOfEvent() async throws(ProjectionError) -> [ExplainedChange] {
    try await workers.result { () throws(ProjectionError) in
      try self.moving.withLock { _ throws(ProjectionError) in
        try self.projections.changesOfEvent() + (self.others?.changesOfEvent() ?? [])
      }
    }
  }

  private func lend<R>(_ body: (WorkspaceReading) throws -> R) throws -> R {
    while true {
      let result: Result<R, any Error>? = try projections.read { reading throws(ProjectionError) in
        guard let others else { return Result { try body(WorkspaceReading(reading.chat, nil)) } }
        return try others.read { others in
          // A move that has not moved both is finished soon.
          guard others.position == reading.position else { return nil }
          return Result { try body(WorkspaceReading(reading.chat(findingWordsIn: others), others)) }
        }
      }
      if let result { return try result.get() }
    }
  }

  /// Closes the past workspace; idempotent.
  public func close() {
    projections.close()
    others?.close()
  }
}

extension Workspace {
  /// Returns the workspace at an earlier position; throws ``/Projections/ProjectionError/beyondEnd(_:end:)`` if the log
  /// is shorter.
  public func at(_ position: Position) async throws(ProjectionError) -> PastWorkspace {
    try await past { projections throws(ProjectionError) in try projections.at(position) }
  }

  /// Returns the workspace as it was at an instant: after the last event recorded at or before that time.
  public func at(_ instant: Timestamp) async throws(ProjectionError) -> PastWorkspace {
    try await past { projections throws(ProjectionError) in try projections.at(instant) }
  }

  private func past(
    _ stand: @escaping @Sendable (ProjectionStore) throws(ProjectionError) -> PastProjections
  ) async throws(ProjectionError) -> PastWorkspace {
    // The history may have to be written first, for which other reads do not wait.
    try await pastWorkers.result { [workspace = self] () throws(ProjectionError) in
      let sets = workspace.tables.current
      let past = try stand(sets.state)
      // The others use the state's position: a clock correction may have moved the instant to another position.
      return PastWorkspace(past, try sets.others?.at(past.position), of: workspace)
    }
  }
}
