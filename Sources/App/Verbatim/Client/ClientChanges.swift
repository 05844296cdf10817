// The feed of changes that a user may see.
internal import Chat
internal import ChatProjections
internal import Projections

extension Client {
  /// The changes from now on, filtered by what the user may see at delivery: of visible channels, of messages that are
  /// not ephemeral to another user, of the user's own drafts, composers, devices and mutes.
  public var changes: ClientChanges {
    get throws(ProjectionError) { ClientChanges(client: self, changes: try workspace.changes) }
  }
}

/// The changes of a chat that one user may see, from some moment on.
///
/// It ends when its task is cancelled.
public struct ClientChanges: AsyncSequence, Sendable {
  /// The type of element that the sequence yields.
  public typealias Element = Change
  /// The type of error that the sequence throws.
  public typealias Failure = ClientChangesError

  internal let client: Client
  internal let changes: Changes

  /// Returns an iterator that begins at the start of the sequence.
  public func makeAsyncIterator() -> Iterator {
    Iterator(client: client, changes: changes.makeAsyncIterator())
  }

  /// An iterator over the changes.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let client: Client
    fileprivate var changes: Changes.Iterator

    /// Returns the next change that the user may see; nil if the task was cancelled.
    public mutating func next(
      isolation actor: isolated (any _Concurrency.Actor)? = #isolation
    ) async throws(ClientChangesError) -> Change? {
      while true {
        let change: Change?
        do throws(ChangesError) { change = try await changes.next(isolation: actor) } catch { throw .changes(error) }
        guard let change else { return nil }
        // Past an event that cannot be folded, permissions are unknown.
        if let stop = client.workspace.stateStop { throw .read(.projections(.stopped(stop))) }
        // Most events are keystrokes and concern one user.
        guard client.mayConcern(change.event.change) else { continue }
        do throws(ReadError) {
          if try await client.ask({ reading throws(ReadError) in try reading.shows(change.event.change) }) {
            return change
          }
        } catch {
          // An unknown or deactivated user sees nothing for now.
          if case .refused = error { continue }
          throw .read(error)
        }
      }
    }

    /// Returns the next change that the user may see; nil if the task was cancelled.
    public mutating func next() async throws(ClientChangesError) -> Change? { try await next(isolation: nil) }
  }
}

/// The error that ended a user's feed of changes.
public enum ClientChangesError: Error, Sendable {
  /// The changes cannot be read.
  case changes(ChangesError)
  /// The user's permissions cannot be read.
  case read(ReadError)
}

extension ClientChangesError: CustomStringConvertible {
  /// One sentence: what failed, on what, what to do.
  public var description: String {
    switch self {
    case .changes(let error): error.description
    case .read(let error): error.description
    }
  }
}

extension Client {
  /// Whether the user can be allowed to see a change at all; another user's private data cannot.
  fileprivate func mayConcern(_ change: ChatEvent.Change) -> Bool {
    switch change {
    case .composer(let key, _): key.user == user
    case .draft(let key, _): key.user == user
    case .device(let key, _): key.user == user
    case .mute(let key, _): key.user == user
    case .flag(let key, _): key.user == user
    case .member(let key, .hidden), .member(let key, .shown): key.user == user
    case .app(.app, _): false
    case .app(.user(let id), _): id == user
    default: true
    }
  }
}

extension ClientReading {
  /// Returns whether the user may see a change, given the current state.
  internal func shows(_ change: ChatEvent.Change) throws(ReadError) -> Bool {
    switch change {
    case .user, .composer, .draft, .device, .mute, .flag: return true
    case .channel(let id, .deleted): return try saw(id)
    case .channel(let id, _): return try allows { () throws(ReadError) in _ = try seen(id) }
    case .member(let key, _) where key.user == user: return true
    case .member(let key, let event): return try shows(event, of: key)
    case .message(let key, let event): return try shows(event, of: key)
    case .reaction(let key, _): return try allows { () throws(ReadError) in _ = try readable(key.message) }
    case .ban(let key, _): return try shows(key)
    case .app(.channel(let id), _): return try allows { () throws(ReadError) in _ = try seen(id) }
    case .app: return true
    }
  }

  private func shows(_ event: Member.Event, of key: Member.Key) throws(ReadError) -> Bool {
    try allows { () throws(ReadError) in
      let channel = try seen(key.channel)
      let flag: ChannelFlag? =
        switch event {
        case .read, .markedUnread: .readEvents
        case .received: .deliveryEvents
        default: nil
        }
      if let flag, !channel.config.has(flag) { throw .refused(.off(flag, in: key.channel)) }
    }
  }

  private func shows(_ event: Message.Event, of key: Message.Key) throws(ReadError) -> Bool {
    try allows { () throws(ReadError) in
      switch event {
      // Events with message content are shown only to users who may still read the message.
      case .sent, .edited, .ephemeralShuffled: _ = try readable(key)
      default: _ = try known(key)
      }
    }
  }

  private func shows(_ ban: Ban.Key) throws(ReadError) -> Bool {
    if ban.user == user { return true }
    return try allows { () throws(ReadError) in _ = try bans(from: ban.scope, limit: 0) }
  }

  /// Returns whether the user saw a channel when it was deleted.
  private func saw(_ id: Channel.ID) throws(ReadError) -> Bool {
    viewer.sees(id, as: try read(chat.member(Member.Key(id, user))))
  }

  /// Returns whether a read is not refused.
  private func allows(_ look: () throws(ReadError) -> Void) throws(ReadError) -> Bool {
    do throws(ReadError) {
      try look()
      return true
    } catch .refused {
      return false
    } catch {
      throw error
    }
  }
}
