// Asking: all questions at one position, now or in the past.
public import Chat
public import ChatProjections
public import EventLog
public import Projections

/// A workspace at one position, to be asked.
public struct WorkspaceReading: ~Escapable {
  /// Everything up to here is in it, and nothing behind.
  public var position: Position { chat.position }
  /// The conversation.
  public let chat: ChatReading
  /// The tables of the app's own views; nil where there are no views but the state.
  public let own: ProjectionReader?

  @_lifetime(copy chat, copy own)
  internal init(_ chat: ChatReading, _ own: ProjectionReader?) { (self.chat, self.own) = (chat, own) }
}

extension Workspace {
  /// Lends the workspace as it is at the present end of the log, or further, all at one position.
  ///
  /// The closure runs on a thread that may wait, and holds what it reads from being cleaned up: it takes what it needs
  /// and returns.
  public func read<R: Sendable>(
    _ body: @escaping @Sendable (WorkspaceReading) throws -> R
  ) async throws -> R {
    try await offThread { workspace in Result { try workspace.lend(body) } }.get()
  }

  /// Lends the workspace as it is at the present end of the log, or further, all at one position.
  @available(*, noasync, message: "it may wait for others: use the async read")
  public func readBlocking<R>(_ body: (WorkspaceReading) throws -> R) throws -> R { try lend(body) }

  private func lend<R>(_ body: (WorkspaceReading) throws -> R) throws -> R {
    try lend(withOthers: true) { reading in Result { try body(reading) } }.get()
  }

  /// Lends the state alone.
  fileprivate func lendState<R>(_ body: (WorkspaceReading) throws -> R) throws -> R {
    try lend(withOthers: false) { reading in Result { try body(reading) } }.get()
  }

  /// Lends the state, and all other projections where there are any and they are wanted, all at one position.
  internal func lend<R>(
    withOthers needsOthers: Bool, _ body: (WorkspaceReading) -> R
  ) throws(ProjectionError) -> R {
    guard needsOthers, let others else {
      return try projections.read { reading in body(WorkspaceReading(reading.chat, nil)) }
    }
    return try projections.read(with: others) { reading, others in
      body(WorkspaceReading(reading.chat(findingWordsIn: others), others))
    }
  }

  /// Folds into all views what they have not of the log as it ends at present.
  package func catchUpProjections() throws(ProjectionError) { try lend(withOthers: true) { _ in } }

  /// Waits until the log reaches a position and the tables stand there; answers false when the time was up before.
  public func reached(_ position: Position, within patience: Duration = .seconds(10)) async throws(ProjectionError)
    -> Bool
  {
    let before = Position(rawValue: max(1, position.rawValue) - 1)
    do throws(LogError) { try await wait(beyond: before, for: patience) } catch { throw .log(error) }
    let result = await offThread { workspace in
      Result { () throws(ProjectionError) in
        guard try workspace.head() >= position else { return false }
        try workspace.projections.catchUp()
        return true
      }
    }
    return try result.get()
  }
}

extension Workspace {
  /// Waits until the log ends past a position, the time is up, or the task is cancelled.
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

/// A workspace as it stood at a position in the past, until it is closed or goes away.
public final class PastWorkspace: Sendable {
  /// Everything up to here is in it, and nothing behind.
  public var position: Position { projections.position }
  private let projections: PastProjections
  private let others: PastProjections?
  private let workspace: Workspace

  internal init(_ projections: PastProjections, _ others: PastProjections?, of workspace: Workspace) {
    (self.projections, self.others, self.workspace) = (projections, others, workspace)
  }

  /// Lends the workspace as it stood.
  public func read<R: Sendable>(
    _ body: @escaping @Sendable (WorkspaceReading) throws -> R
  ) async throws -> R {
    try await workspace.offThread { _ in Result { try self.lend(body) } }.get()
  }

  /// Lends the workspace as it stood.
  @available(*, noasync, message: "it may wait for others: use the async read")
  public func readBlocking<R>(_ body: (WorkspaceReading) throws -> R) throws -> R { try lend(body) }

  /// Lends the conversation as it stood, as far as a user may see it today; at the instant at which the position was
  /// recorded, unless told.
  ///
  /// Roles, memberships, bans and what is deleted for good are those at the end of the log; see <doc:WhatAUserSees>. An
  /// operator, who may see all, reads without a user.
  public func read<R: Sendable>(
    as user: User.ID, at instant: Instant? = nil, _ body: @escaping @Sendable (ClientReading) throws -> R
  ) async throws -> R {
    try await workspace.offThread { workspace in
      Result {
        let recorded = try workspace.store.event(at: self.position)?.recorded.rawValue ?? 0
        let (instant, rules) = (instant ?? Instant(rawValue: recorded), workspace.configuration.rules)
        let now = workspace.now
        return try workspace.lendState { present in
          try self.lend { past in
            try body(
              try ClientReading(
                past: past.chat, of: present.chat, now: now, for: user, under: rules, at: instant))
          }
        }
      }
    }.get()
  }

  private func lend<R>(_ body: (WorkspaceReading) throws -> R) throws -> R {
    let result: Result<R, any Error> = try projections.read { reading throws(ProjectionError) in
      guard let others else { return Result { try body(WorkspaceReading(reading.chat, nil)) } }
      return try others.read { others in
        Result { try body(WorkspaceReading(reading.chat(findingWordsIn: others), others)) }
      }
    }
    return try result.get()
  }

  /// Ends its use and removes what it kept on the disk. It may be called again.
  public func close() {
    projections.close()
    others?.close()
  }
}

extension Workspace {
  /// Returns the workspace at an earlier position; throws ``/Projections/ProjectionError/beyondEnd(_:end:)`` when the log is
  /// shorter.
  public func at(_ position: Position) async throws(ProjectionError) -> PastWorkspace {
    try await past { projections throws(ProjectionError) in try projections.at(position) }
  }

  /// The workspace as it stood at an instant: after the last that was recorded then or before.
  public func at(_ instant: Instant) async throws(ProjectionError) -> PastWorkspace {
    try await past { projections throws(ProjectionError) in try projections.at(Timestamp(rawValue: instant.rawValue)) }
  }

  private func past(
    _ stand: @escaping @Sendable (ProjectionStore) throws(ProjectionError) -> PastProjections
  ) async throws(ProjectionError) -> PastWorkspace {
    let result = await offThread { workspace in
      Result { () throws(ProjectionError) in
        let past = try stand(workspace.projections)
        // The others stand where the state does: an instant may have come to mean another position.
        return PastWorkspace(past, try workspace.others?.at(past.position), of: workspace)
      }
    }
    return try result.get()
  }
}
