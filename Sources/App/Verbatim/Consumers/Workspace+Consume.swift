// Consuming: each event of the log is handled once, by one process at a time.
public import Chat
public import EventLog

/// The place in the log at which a new consumer begins; one that exists continues where it was.
public enum ConsumerStart: Hashable, Sendable {
  /// At the first event.
  case beginning
  /// After the last event in the log when the consumer first begins.
  case end
  /// After the event at a position.
  case after(Position)
}

extension Workspace {
  /// Handles each event of the log once, from where the consumer of this name was in any process, until the task is
  /// cancelled.
  ///
  /// The intents that the handler adds to the effects are recorded in one append with the position of the event: all of
  /// it is in the log, or nothing, whatever is killed when. Of several processes that run the same consumer one works,
  /// and another takes over within a second of its end. <doc:Consumers> says what holds for an event without effects,
  /// and what to do when an event cannot be handled.
  public func consume(
    as id: Consumer.ID, from start: ConsumerStart = .beginning, by actor: Author = .system,
    _ handle: @Sendable (Change, inout Effects) async throws -> Void
  ) async throws(ConsumerError) {
    try await consume(as: id, from: start, by: actor, where: { _ in true }, handle)
  }

  /// Handles each event that passes a filter once.
  internal func consume(
    as id: Consumer.ID, from start: ConsumerStart, by actor: Author,
    where isIncluded: @Sendable (Change) async throws(ConsumerError) -> Bool,
    _ handle: @Sendable (Change, inout Effects) async throws -> Void
  ) async throws(ConsumerError) {
    guard id != .deliveries, id != .expiry else { throw .reserved(id) }
    guard let file = try await ConsumerFile.locked(for: id, in: path) else { return }
    guard var run = try await ConsumerRun(id, in: self, by: actor, from: start, file) else { return }
    var changes = changes(from: run.last.next).makeAsyncIterator()
    while true {
      let next: Change?
      do throws(ChangesError) { next = try await changes.next() } catch { throw .changes(id, error) }
      guard let change = next else { return }
      let isForHandler = run.hasPassed(change.position) ? false : try await isIncluded(change)
      var names = MessageNames(of: change, by: id)
      handling: while true {
        var effects = Effects(names)
        // The positions of consumers are events for none of them.
        if isForHandler, !change.isConsumers {
          do { try await handle(change, &effects) } catch {
            if Task.isCancelled { return }
            throw .notHandled(id, at: change.position, error)
          }
          // A handler that was cancelled may return as if it had nothing to do.
          if Task.isCancelled { return }
        }
        switch try await run.finish(change, effects) {
        case .passed: break handling
        case .cancelled: return
        // The names may be anywhere in the other intents, so that the handler makes all of them again.
        case .nameTaken(let others): names = others
        }
      }
    }
  }
}

extension Change {
  fileprivate var isConsumers: Bool {
    if case .consumer = event.change { true } else { false }
  }
}

extension Client {
  /// Handles each event that the user may see once, as ``Workspace/consume(as:from:by:_:)`` does; the effects are the
  /// user's.
  ///
  /// It throws ``ConsumerError/userRefused(_:at:_:)`` when the user is deactivated, and does not pass over the event.
  public func consume(
    as id: Consumer.ID, from start: ConsumerStart = .beginning,
    _ handle: @Sendable (Change, inout Effects) async throws -> Void
  ) async throws(ConsumerError) {
    let filter = { @Sendable (change: Change) async throws(ConsumerError) -> Bool in
      do throws(ReadError) { return try await self.sees(change) } catch {
        switch error {
        case .refused(let refusal): throw .userRefused(id, at: change.position, refusal)
        case .projections(let error): throw .changes(id, .projections(error))
        }
      }
    }
    try await workspace.consume(as: id, from: start, by: actor, where: filter, handle)
  }
}
