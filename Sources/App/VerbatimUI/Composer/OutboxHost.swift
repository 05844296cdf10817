// A composer's host without a workspace: records its events in an outbox.
internal import Chat
internal import ChatComposer
internal import ChatProjections
internal import EventLog
internal import Locks
internal import Verbatim

/// The composer host of an outbox: everything is added to the outbox in order, and decided at delivery.
internal final class OutboxHost: ComposerHost {
  private let outbox: Outbox
  private let key: Composer.Key
  private let context: ComposerContext
  private let users: any UserDirectory
  private let pending = Locked(Pending())
  /// The last submit, while it is unknown whether it was added.
  private let unconfirmedSend = Locked<Unconfirmed?>(nil)

  private struct Pending {
    /// The events that are in no entry yet.
    var events: [Composer.Event] = []
    /// The events that are being added, or were not added for sure.
    var batch: Unconfirmed?
    var writing: Task<Void, any Error>?
    /// The error of the last attempt to add events, until one succeeds.
    var failure: (any Error)?
    var isRetrying = false
  }

  private struct Unconfirmed {
    let id: AppendID
    let intents: [ChatIntent]
  }

  init(_ outbox: Outbox, _ key: Composer.Key, knowing context: ComposerContext, users: any UserDirectory) {
    (self.outbox, self.key, self.context, self.users) = (outbox, key, context, users)
  }

  var now: Timestamp { outbox.now }

  func newID() -> Message.ID { ID(stringLiteral: outbox.newID()) }

  // MARK: Recording

  func record(_ events: [Composer.Event]) throws {
    if outbox.isClosed { throw OutboxError.closed }
    if events.isEmpty { return }
    try pending.withLock { pending in
      if let failure = pending.failure { throw failure }
      if pending.events.isEmpty { try outbox.keep(self) { try await self.flush() } }
      pending.events += events
      // One entry is being written at a time, with all events until then.
      if pending.writing == nil { pending.writing = Task { try await self.write() } }
    }
  }

  func flush() async throws {
    while let writing = nextWriting() { try await writing.value }
    if outbox.isClosed { throw OutboxError.closed }
  }

  private func nextWriting() -> Task<Void, any Error>? {
    pending.withLock { pending in
      if pending.writing == nil, pending.batch != nil || !pending.events.isEmpty {
        pending.writing = Task { try await self.write() }
      }
      return pending.writing
    }
  }

  private func write() async throws {
    while let batch = nextBatch() {
      do {
        try await outbox.add(batch.intents, id: batch.id)
      } catch {
        retryLater(after: error)
        throw error
      }
      pending.withLock { ($0.batch, $0.failure) = (nil, nil) }
    }
  }

  /// Tries again after a second; a flush tries at once.
  private func retryLater(after error: any Error) {
    let isFirst = pending.withLock { pending in
      (pending.writing, pending.failure) = (nil, error)
      defer { pending.isRetrying = true }
      return !pending.isRetrying
    }
    guard isFirst else { return }
    Task {
      try? await Task.sleep(for: .seconds(1))
      pending.withLock { $0.isRetrying = false }
      if !outbox.isClosed { _ = nextWriting() }
    }
  }

  private func nextBatch() -> Unconfirmed? {
    pending.withLock { pending in
      if let batch = pending.batch { return batch }
      if pending.events.isEmpty {
        pending.writing = nil
        outbox.release(self)
        return nil
      }
      pending.batch = Unconfirmed(id: outbox.newEntryID(), intents: [.composer(key, .record(pending.events))])
      pending.events = []
      return pending.batch
    }
  }

  func submit(_ intents: [ChatIntent], recording events: [Composer.Event]) async throws -> Refusal? {
    try await flush()
    let all = intents + (events.isEmpty ? [] : [.composer(key, .record(events))])
    // A retry uses the same id, so that it is added once.
    let entry = unconfirmedSend.withLock { last in
      let entry = last?.intents == all ? last! : Unconfirmed(id: outbox.newEntryID(), intents: all)
      last = entry
      return entry
    }
    try await outbox.add(entry.intents, id: entry.id)
    unconfirmedSend.withLock { $0 = nil }
    return nil
  }

  // MARK: Reading

  func composerContext(messages: [Message.ID], users: [User.ID]) async throws -> ComposerContext { context }

  func draft() async throws -> Draft? { outbox.draft(key.draft) }

  func changes() -> AsyncStream<Void> { AsyncStream { $0.finish() } }

  func wait(until instant: Timestamp) async {
    try? await Task.sleep(for: .microseconds(max(0, (instant - now).rawValue)))
  }

  func members(of channel: Channel.ID, matching typed: UserText, limit: Int) async throws -> [User] {
    try await users.members(of: channel, matching: typed, limit: limit)
  }

  func users(matching typed: UserText, in channel: Channel.ID, limit: Int) async throws -> [User] {
    try await users.users(matching: typed, in: channel, limit: limit)
  }
}
