// A composer's place in a workspace: where its events go, and what it learns.
internal import Chat
internal import ChatCodec
internal import ChatComposer
internal import ChatViews
internal import Views

/// A composer's place in a workspace.
internal final class WorkspaceHost: ComposerHost {
  let client: Client
  let open: OpenComposer

  init(_ client: Client, _ open: OpenComposer) { (self.client, self.open) = (client, open) }

  private var key: Composer.Key { open.key }

  /// The clock alone: what others record is seen with what is recorded here.
  var now: Instant { client.workspace.moments.now() }

  func newID() -> String { client.workspace.moments.id() }

  func record(_ events: [Composer.Event]) throws { try open.record(events) }

  func flush() async throws { try await open.flush() }

  func submit(_ intents: [ChatIntent], recording events: [Composer.Event]) async throws -> Refusal? {
    do throws(SubmitError) {
      _ = try await open.submit(intents, recording: events)
      return nil
    } catch .refused(let refusal, _) {
      return refusal
    } catch {
      throw error
    }
  }

  func surroundings(messages: [Message.ID], users: [User.ID]) async throws -> Surroundings {
    let channel = key.channel
    return try await client.ask { reading throws(ReadError) in
      try reading.surroundings(in: channel, messages: messages, users: users)
    }
  }

  func draft() async throws -> Composition? {
    let key = key.draft
    return try await client.ask { reading throws(ReadError) in
      try reading.draft(in: key.channel, thread: key.thread)?.content
    }
  }

  /// Anything in the channel and of the user may be another.
  func changes() -> AsyncStream<Void> {
    let (channel, user) = (key.channel, key.user)
    let question = LiveQuestion(
      dependsOn: { subject in subject == .channel(channel) || subject == .user(user) },
      ask: { reading, _ in (reading.position, nil) })
    let client = client
    return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let task = Task {
        var answers = LiveAnswers(to: question, by: client)
        // What cannot be read any more is told where something is asked or recorded.
        while (try? await answers.next()) != nil { continuation.yield() }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  func wait(until instant: Instant) async {
    try? await Task.sleep(for: .microseconds(max(0, (instant - now).rawValue)))
  }

  func members(of channel: Channel.ID, matching typed: Wording, limit: Int) async throws -> [User] {
    try await client.channel(channel).members(matching: typed, limit: limit)
  }

  func users(matching typed: Wording, in channel: Channel.ID, limit: Int) async throws -> [User] {
    try await client.ask { reading throws(ReadError) in
      try reading.users(matching: typed, in: channel, limit: limit)
    }
  }
}

extension ClientReading {
  /// Where a composer of the user stands.
  fileprivate func surroundings(
    in id: Channel.ID, messages: [Message.ID], users: [User.ID]
  ) throws(ReadError) -> Surroundings {
    var surroundings = Surroundings()
    surroundings.limits = viewer.rules.limits
    surroundings.capabilities = []
    let member = try answer { chat throws(ViewError) in try chat.member(Member.Key(id, user)) }
    for user in users { surroundings.names[user] = try self.user(user)?.profile.name }
    for message in messages { surroundings.messages[message] = .gone }
    let channel: Channel
    do throws(ReadError) { channel = try seen(id) } catch .refused {
      // What was written there can be kept and left, and not sent.
      return surroundings
    }
    (surroundings.config, surroundings.isFrozen) = (channel.config, channel.isFrozen)
    surroundings.capabilities = viewer.capabilities(as: member)
    surroundings.ban = try ban(in: id)
    surroundings.lastSent = member?.lastSent
    for message in messages {
      do throws(ReadError) {
        let row = try known(Message.Key(id, message))
        if row.presence == .present { surroundings.messages[message] = .present(row) }
      } catch .refused {
        continue
      }
    }
    return surroundings
  }
}
