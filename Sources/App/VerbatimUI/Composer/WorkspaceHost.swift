// A composer's host: records its events in a workspace and reads its context there.
internal import Chat
internal import ChatCodec
internal import ChatComposer
internal import ChatProjections
internal import Errors
internal import EventLog
internal import Locks
internal import Projections
internal import Verbatim

/// The composer host of a workspace.
internal final class WorkspaceHost: ComposerHost {
  let client: Client
  let open: OpenComposer
  /// The last submit, while its outcome is unknown.
  private let unconfirmedSend = Locked<UnconfirmedSend?>(nil)

  private struct UnconfirmedSend {
    let id: AppendID
    let intents: [ChatIntent]
    let events: [Composer.Event]
  }

  init(_ client: Client, _ open: OpenComposer) { (self.client, self.open) = (client, open) }

  private var key: Composer.Key { open.key }

  /// The time of the clock alone: times recorded by other processes become known when this process records.
  var now: Timestamp { client.workspace.monotonicClock.now() }

  func newID() -> Message.ID { ID(stringLiteral: client.workspace.monotonicClock.id()) }

  func record(_ events: [Composer.Event]) throws { try open.record(events) }

  func flush() async throws { try await open.flush() }

  func submit(_ intents: [ChatIntent], recording events: [Composer.Event]) async throws -> Refusal? {
    // A retry uses the same id, so that it is recorded once.
    let id = unconfirmedSend.withLock { last in last?.intents == intents && last?.events == events ? last?.id : nil }
    do throws(SubmitError) {
      _ = try await open.submit(intents, recording: events, id: id)
      unconfirmedSend.withLock { $0 = nil }
      return nil
    } catch .refused(let refusal, _) {
      unconfirmedSend.withLock { $0 = nil }
      return refusal
    } catch {
      if case .failed(let id?, _) = error {
        unconfirmedSend.withLock { $0 = UnconfirmedSend(id: id, intents: intents, events: events) }
      }
      throw error
    }
  }

  var stopped: ComposerNotice? {
    switch open.failure {
    case nil: nil
    case .openElsewhere: .openElsewhere
    case let failure?: .notRecorded(UserText("\(failure)"))
    }
  }

  func composerContext(messages: [Message.ID], users: [User.ID]) async throws -> ComposerContext {
    let channel = key.channel
    return try await client.ask { reading throws(ReadError) in
      try reading.composerContext(in: channel, messages: messages, users: users)
    }
  }

  func draft() async throws -> Draft? {
    let key = key.draft
    return try await client.ask { reading throws(ReadError) in
      try reading.read(reading.chat.anyDraft(key))
    }
  }

  /// Any change in the channel or of the user may matter, and in a direct channel a block by the other user; and other
  /// processes may write to the draft and the composer.
  func changes() -> AsyncStream<Void> {
    let (channel, user, draft, composer) = (key.channel, key.user, key.draft, key)
    let around = LiveQuery(
      dependsOn: { subject, _ in
        if case .user = subject, channel.isDirect { return true }
        return [.channel(channel), .user(user), .draft(draft)].contains(subject)
      },
      ask: { reading, _ in (reading.position, nil) })
    let open = open
    let elsewhere = LiveQuery(
      dependsOn: { subject, _ in subject == .composer(composer) },
      ask: { _, _ throws(ReadError) in
        (try rethrow(open.isOpenElsewhere(), as: ReadError.log), nil)
      })
    return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      open.whenFailed { continuation.yield() }
      let tasks = [tell(continuation, around), tell(continuation, elsewhere)]
      continuation.onTermination = { _ in for task in tasks { task.cancel() } }
    }
  }

  private func tell<Answer>(
    _ watcher: AsyncStream<Void>.Continuation, _ question: LiveQuery<Answer>
  ) -> Task<Void, Never> {
    let client = client
    return Task {
      // An error is not reported here, since the next read or recording throws it.
      await LiveQueryResults(to: question, by: client).forEach { _ in watcher.yield() }
      watcher.finish()
    }
  }

  func wait(until instant: Timestamp) async {
    try? await Task.sleep(for: .microseconds(max(0, (instant - now).rawValue)))
  }

  func members(of channel: Channel.ID, matching typed: UserText, limit: Int) async throws -> [User] {
    try await client.channel(channel).members(matching: typed, limit: limit)
  }

  func users(matching typed: UserText, in channel: Channel.ID, limit: Int) async throws -> [User] {
    try await client.ask { reading throws(ReadError) in
      try reading.users(matching: typed, in: channel, limit: limit)
    }
  }
}

extension ClientReading {
  /// Returns the context of a composer of the user.
  fileprivate func composerContext(
    in id: Channel.ID, messages: [Message.ID], users: [User.ID]
  ) throws(ReadError) -> ComposerContext {
    var composerContext = ComposerContext()
    composerContext.limits = viewer.rules.limits
    composerContext.capabilities = []
    let member = try read(chat.member(Member.Key(id, user)))
    for user in users { composerContext.names[user] = try self.user(user)?.shownName }
    for message in messages { composerContext.messages[message] = .gone }
    // Without the channel, the composer's contents remain editable and can be discarded, but not sent.
    guard let channel = try ReadError.unlessRefused(seen(id)) else { return composerContext }
    (composerContext.config, composerContext.isFrozen) = (channel.config, channel.isFrozen)
    composerContext.capabilities = viewer.capabilities(as: member)
    composerContext.ban = try ban(in: id)
    composerContext.block = try block(in: channel)
    composerContext.lastSent = member?.lastSent
    for message in messages {
      guard let row = try ReadError.unlessRefused(known(Message.Key(id, message))), row.presence == .present
      else { continue }
      composerContext.messages[message] = .present(row)
      if let author = row.author { composerContext.names[author] = try self.user(author)?.shownName }
    }
    return composerContext
  }
}
