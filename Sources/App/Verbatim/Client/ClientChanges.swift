// What happens, as far as somebody may see it.
internal import Chat
internal import ChatProjections
internal import Projections

extension Client {
  /// What happens from now on, as far as the person may see it when it is told: of channels that they see, of messages
  /// that are not another's alone, of their own drafts, composers, devices and mutes.
  public var changes: ClientChanges {
    get throws(ProjectionError) { ClientChanges(client: self, changes: try workspace.changes) }
  }
}

/// What happens in a chat from some moment on, as far as one person may see it.
///
/// It ends when its task is cancelled.
public struct ClientChanges: AsyncSequence, Sendable {
  /// What it yields.
  public typealias Element = Change
  /// How it fails.
  public typealias Failure = ClientChangesError

  internal let client: Client
  internal let changes: Changes

  /// Goes through the changes; each of its iterators begins at the start.
  public func makeAsyncIterator() -> Iterator {
    Iterator(client: client, changes: changes.makeAsyncIterator())
  }

  /// A place among the changes.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let client: Client
    fileprivate var changes: Changes.Iterator

    /// The next change that the person may see; nil when the task was cancelled.
    public mutating func next(
      isolation actor: isolated (any _Concurrency.Actor)? = #isolation
    ) async throws(ClientChangesError) -> Change? {
      while true {
        let change: Change?
        do throws(ChangesError) { change = try await changes.next(isolation: actor) } catch { throw .changes(error) }
        guard let change else { return nil }
        // Behind an event that cannot be folded nobody knows who may see what.
        if let stop = client.workspace.stateStop { throw .read(.projections(.stopped(stop))) }
        // Most of what happens are keystrokes, and they concern one person.
        guard client.mayConcern(change.event.change) else { continue }
        do throws(ReadError) {
          if try await client.ask({ reading throws(ReadError) in try reading.shows(change.event.change) }) {
            return change
          }
        } catch {
          // Who is not there, or may do nothing any more, sees nothing for now.
          if case .refused = error { continue }
          throw .read(error)
        }
      }
    }

    /// The next change that the person may see; nil when the task was cancelled.
    public mutating func next() async throws(ClientChangesError) -> Change? { try await next(isolation: nil) }
  }
}

/// Why no more changes come to somebody.
public enum ClientChangesError: Error, Sendable {
  /// The changes cannot be read.
  case changes(ChangesError)
  /// What the person may see cannot be read, or they may see nothing any more.
  case read(ReadError)
}

extension ClientChangesError: CustomStringConvertible {
  /// One sentence: what happened, to what, what to do.
  public var description: String {
    switch self {
    case .changes(let error): error.description
    case .read(let error): error.description
    }
  }
}

extension Client {
  /// Whether a change can be one that the person may see; what is another's own cannot.
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
  /// Whether the user may be told of a change, as things stand.
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
      // What says what was said is told to those who may read it still.
      case .sent, .edited, .ephemeralShuffled: _ = try readable(key)
      default: _ = try known(key)
      }
    }
  }

  private func shows(_ ban: Ban.Key) throws(ReadError) -> Bool {
    if ban.user == user { return true }
    return try allows { () throws(ReadError) in _ = try bans(from: ban.scope, limit: 0) }
  }

  /// Whether the user saw a channel when it was deleted.
  private func saw(_ id: Channel.ID) throws(ReadError) -> Bool {
    viewer.sees(id, as: try answer { chat throws(ProjectionError) in try chat.member(Member.Key(id, user)) })
  }

  /// Whether something is not refused.
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
