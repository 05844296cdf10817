// A client: one person on one device.
internal import ChatProjections
public import Chat
public import EventLog
internal import Projections

/// One person on one device: what they do is done in their name, and what they read is what they may see.
///
/// It is a value without state of its own; make as many as you like.
public struct Client: Sendable {
  /// Where they chat.
  public let workspace: Workspace
  /// Who it is.
  public let user: User.ID
  /// On which device; nil when it is not told.
  public let device: Device.ID?

  /// In whose name things are done.
  public var actor: Author { .user(user, on: device) }
}

extension Workspace {
  /// One person on one device; they need not exist yet, and may create themselves.
  public func client(user: User.ID, device: Device.ID? = nil) -> Client {
    Client(workspace: self, user: user, device: device)
  }
}

// MARK: Underneath

extension Client {
  /// Submits what the person wants.
  @discardableResult
  public func submit(_ intent: ChatIntent, id: AppendID? = nil) async throws(SubmitError) -> Submitted {
    try await workspace.submit(intent, by: actor, id: id)
  }

  /// Submits several things that the person wants: all of them happen, or none.
  @discardableResult
  public func submit(_ intents: [ChatIntent], id: AppendID? = nil) async throws(SubmitError) -> Submitted {
    try await workspace.submit(intents, by: actor, id: id)
  }

  /// Lends the conversation as the person may see it, at the present end of the log, or further.
  public func read<R: Sendable>(
    _ body: @escaping @Sendable (ClientReading) throws -> R
  ) async throws -> R {
    try await read(at: nil, findingWords: true, body)
  }

  /// Lends the conversation as the person may see it at an instant, or now; where no words are looked for, nobody
  /// waits for them to be folded.
  package func read<R: Sendable>(
    at instant: Instant?, findingWords: Bool, _ body: @escaping @Sendable (ClientReading) throws -> R
  ) async throws -> R {
    try await ask(at: instant, findingWords: findingWords) { reading in Result { try body(reading) } }.get()
  }

  /// Asks one question, as the person may; one that needs no words does not wait for them to be folded.
  internal func ask<R: Sendable>(
    at instant: Instant? = nil, findingWords needsWords: Bool = false,
    _ question: @escaping @Sendable (ClientReading) throws(ReadError) -> R
  ) async throws(ReadError) -> R {
    let (user, rules) = (user, workspace.configuration.rules)
    let result = await workspace.offThread { workspace -> Result<R, ReadError> in
      let now = instant ?? workspace.now
      do throws(ProjectionError) {
        return try workspace.lend(withOthers: needsWords) { reading in
          Result { () throws(ReadError) in
            try question(try ClientReading(reading.chat, for: user, under: rules, at: now))
          }
        }
      } catch {
        return .failure(.projections(error))
      }
    }
    return try result.get()
  }
}

// MARK: Controllers

extension Client {
  /// The person themselves: who they are, what they mute, what waits for them. Each time it is a new controller: who
  /// loads drafts page by page keeps one.
  public var me: CurrentUserController { CurrentUserController(self) }

  /// The channels they are in.
  public var channels: ChannelListController { ChannelListController(client: self) }

  /// A channel, which need not exist yet.
  public func channel(_ id: Channel.ID) -> ChannelController { ChannelController(client: self, id: id) }

  /// Another user.
  public func user(_ id: User.ID) -> UserController { UserController(client: self, id: id) }
}

/// A message that was sent.
public struct SentMessage: Hashable, Sendable {
  /// Which message it is.
  public let key: Message.Key
  /// What came of the submit.
  public let submitted: Submitted

  /// Behind it in the log: who reads here or further sees it.
  public var position: Position { submitted.position }
}
