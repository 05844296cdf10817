// A client: one user on one device.
internal import ChatProjections
public import Chat
public import EventLog
internal import Projections

/// One user on one device: commands are submitted in the user's name, and reads return what the user may see.
///
/// It is a value and cheap to create. Copies of a client share one list of drafts; clients created separately do not.
public struct Client: Sendable {
  /// The workspace that the client uses.
  public let workspace: Workspace
  /// The user's id.
  public let user: User.ID
  /// The device's id; nil if the client has no device.
  public let device: Device.ID?
  /// The list of drafts that all copies of the client share.
  internal let draftList: DraftList

  fileprivate init(_ workspace: Workspace, _ user: User.ID, _ device: Device.ID?) {
    (self.workspace, self.user, self.device) = (workspace, user, device)
    draftList = DraftList(of: user, in: workspace)
  }

  /// The author of the client's commands.
  public var actor: Author { .user(user, on: device) }
}

extension Workspace {
  /// Returns a client of a user on a device. The user need not exist yet and may create itself.
  public func client(user: User.ID, device: Device.ID? = nil) -> Client {
    Client(self, user, device)
  }
}

// MARK: Reading and submitting

extension Client {
  /// Submits an intent of the user.
  @discardableResult
  public func submit(_ intent: ChatIntent, id: AppendID? = nil) async throws(SubmitError) -> Submitted {
    try await workspace.submit(intent, by: actor, id: id)
  }

  /// Submits several intents of the user atomically: all of them are granted, or none.
  @discardableResult
  public func submit(_ intents: [ChatIntent], id: AppendID? = nil) async throws(SubmitError) -> Submitted {
    try await workspace.submit(intents, by: actor, id: id)
  }

  /// Reads the conversation as the user may see it, at the head of the log or later.
  public func read<R: Sendable>(
    _ body: @escaping @Sendable (ClientReading) throws -> R
  ) async throws -> R {
    try await read(at: nil, findingWords: true, body)
  }

  /// Reads the conversation as the user may see it at an instant, or now; without `findingWords`, it does not wait for
  /// the search index to catch up.
  package func read<R: Sendable>(
    at instant: Timestamp?, findingWords: Bool, _ body: @escaping @Sendable (ClientReading) throws -> R
  ) async throws -> R {
    try await ask(at: instant, findingWords: findingWords) { reading in Result { try body(reading) } }.get()
  }

  /// Runs one query with the user's permissions; without `findingWords`, it does not wait for the search index to catch
  /// up.
  package func ask<R: Sendable>(
    at instant: Timestamp? = nil, findingWords needsWords: Bool = false,
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
  /// The controller of the user's own profile, mutes, unread counts and drafts; every access has the same list of
  /// drafts.
  public var me: CurrentUserController { CurrentUserController(client: self) }

  /// The controller of the user's channels.
  public var channels: ChannelListController { ChannelListController(client: self) }

  /// Returns the controller of a channel, which need not exist yet.
  public func channel(_ id: Channel.ID) -> ChannelController { ChannelController(client: self, id: id) }

  /// Returns the controller of another user.
  public func user(_ id: User.ID) -> UserController { UserController(client: self, id: id) }
}

/// The result of sending a message.
public struct SentMessage: Hashable, Sendable {
  /// The key of the message.
  public let key: Message.Key
  /// The result of the submit.
  public let submitted: Submitted

  /// The position of the message in the log: a read at this position or later sees it.
  public var position: Position { submitted.position }
}
