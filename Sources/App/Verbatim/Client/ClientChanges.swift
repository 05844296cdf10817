// The feed of changes that a user may see.
internal import Chat
internal import ChatCodec
internal import ChatProjections
public import EventLog
internal import Projections

extension Client {
  /// The changes from now on, filtered by what the user may see at delivery: of visible channels, of messages that are
  /// not ephemeral to another user, of the user's own drafts, composers, devices and mutes, and of flags that the user
  /// may review.
  public var changes: ClientChanges {
    get throws(ProjectionError) { ClientChanges(client: self, changes: try workspace.changes) }
  }

  /// Returns the changes from a position on, filtered in the same way.
  public func changes(from position: Position) -> ClientChanges {
    ClientChanges(client: self, changes: workspace.changes(from: position))
  }

  /// Returns whether the user may see a change now.
  internal func mayShow(_ change: Change) async throws(ChangesError) -> Bool {
    do throws(ReadError) { return try await sees(change) } catch .projections(let error) {
      throw .projections(error)
    } catch {
      // An unknown or deactivated user sees nothing for now.
      return false
    }
  }

  /// Returns whether the user may see a change now; throws the refusal of an unknown or deactivated user, if the change
  /// might concern them otherwise.
  internal func sees(_ change: Change) async throws(ReadError) -> Bool {
    // Past an event that cannot be folded, permissions are unknown.
    if let stop = workspace.stateStop { throw .projections(.stopped(stop)) }
    // Most events are keystrokes and concern one user.
    guard mayConcern(change.event.change) else { return false }
    return try await ask { reading throws(ReadError) in try reading.shows(change) }
  }
}

/// The changes of a chat that one user may see, from some moment on.
///
/// It ends when its task is cancelled.
public struct ClientChanges: AsyncSequence, Sendable {
  /// The type of element that the sequence yields.
  public typealias Element = Change
  /// The type of error that the sequence throws.
  public typealias Failure = ChangesError

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
    ) async throws(ChangesError) -> Change? {
      while true {
        guard let change = try await changes.next(isolation: actor) else { return nil }
        if try await client.mayShow(change) { return change }
      }
    }

    /// Returns the next change that the user may see; nil if the task was cancelled.
    public mutating func next() async throws(ChangesError) -> Change? { try await next(isolation: nil) }
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
    case .block(let key, _): key.user == user
    case .saved(let key, _): key.user == user
    case .scheduled(let key, _): key.author == user
    case .thread(let key, _): key.user == user
    case .member(let key, let event) where event.isOfList: key.user == user
    case .consumer, .app(.app, _): false
    case .app(.user(let id), _): id == user
    default: true
    }
  }
}

extension ClientReading {
  /// Returns whether the user may see a change, given the current state.
  fileprivate func shows(_ change: Change) throws(ReadError) -> Bool {
    switch change.event.change {
    case .user, .composer, .draft, .device, .mute, .block, .saved, .scheduled: return true
    case .thread(let key, _): return try ReadError.unlessRefused(known(key.parent)) != nil
    case .vote(let key, _): return try shows(key)
    case .flag(let key, _) where key.user == user: return true
    case .flag(let key, _): return try ReadError.unlessRefused(needsRight(toReview: key.target)) != nil
    case .review(let target, _): return try ReadError.unlessRefused(needsRight(toReview: target)) != nil
    case .channel(let id, .deleted): return try saw(id)
    case .channel(let id, _): return try ReadError.unlessRefused(seen(id)) != nil
    case .member(let key, _) where key.user == user: return true
    case .member(let key, let event): return try shows(event, of: key)
    case .message(let key, let event): return try shows(event, of: key, change)
    case .reaction(let key, _): return try ReadError.unlessRefused(readable(key.message)) != nil
    case .ban(let key, _): return try shows(key)
    case .app(.channel(let id), _): return try ReadError.unlessRefused(seen(id)) != nil
    case .consumer: return false
    case .app: return true
    }
  }

  private func shows(_ event: Member.Event, of key: Member.Key) throws(ReadError) -> Bool {
    guard let channel = try ReadError.unlessRefused(seen(key.channel)) else { return false }
    return switch event {
    case .read, .markedUnread: channel.config.has(.readEvents)
    case .received: channel.config.has(.deliveryEvents)
    default: true
    }
  }

  private func shows(_ event: Message.Event, of key: Message.Key, _ change: Change) throws(ReadError) -> Bool {
    switch event {
    // Before it is sent, an ephemeral message is for its author alone.
    case .sent(let content) where content.kind == .ephemeral: return try isReadable(key, onlyByAuthor: true)
    case .ephemeralShuffled: return try isReadable(key, onlyByAuthor: true)
    // The reason is in the words of the author, who may write no more in the channel.
    case .failed: return try isReadable(key, onlyByAuthor: true)
    // Events with message content are shown only to users who may still read the message.
    case .sent: return try isReadable(key)
    case .edited, .pollOpened, .pollOptionAdded:
      guard let message = try ReadError.unlessRefused(readable(key)) else { return false }
      if message.author == user { return true }
      return try !precedes(change, sendingOf: message)
    default: return try ReadError.unlessRefused(known(key)) != nil
    }
  }

  private func isReadable(_ key: Message.Key, onlyByAuthor: Bool = false) throws(ReadError) -> Bool {
    guard let message = try ReadError.unlessRefused(readable(key)) else { return false }
    return !onlyByAuthor || message.author == user
  }

  /// Returns whether a change was made while the message was ephemeral: it gets a new place when it is sent to all.
  private func precedes(_ change: Change, sendingOf message: Message) throws(ReadError) -> Bool {
    guard change.event.origin.at <= message.sent, let place = try read(chat.position(of: message)) else { return false }
    return change.position < place
  }

  /// Returns whether the user may see a vote: their own, or one by name.
  private func shows(_ vote: Vote.Key) throws(ReadError) -> Bool {
    guard let message = try ReadError.unlessRefused(readable(vote.message)) else { return false }
    return vote.user == user || message.poll?.rules.isAnonymous == false
  }

  private func shows(_ ban: Ban.Key) throws(ReadError) -> Bool {
    if ban.user == user { return true }
    return try ReadError.unlessRefused(bans(from: ban.scope, limit: 0)) != nil
  }

  /// Returns whether the user saw a channel when it was deleted.
  private func saw(_ id: Channel.ID) throws(ReadError) -> Bool {
    viewer.sees(id, as: try read(chat.member(Member.Key(id, user))))
  }
}
