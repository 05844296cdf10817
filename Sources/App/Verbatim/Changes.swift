// The feed of changes: events of the chat from a position on.
internal import Errors

public import Chat
public import ChatCodec
public import EventLog
public import Projections

/// An event of the chat with its position in the log.
public struct Change: Hashable, Sendable {
  /// The event's position in the log.
  public let position: Position
  /// The event with its author and time.
  public let event: ChatEvent
  /// The id of the submit that recorded the event.
  public let append: AppendID
  /// The correlation id of the submit.
  public let correlation: Name?
  /// The event that caused this one.
  public let cause: Position?

  internal init(_ recorded: RecordedEvent) throws(UnreadableEvent) {
    position = recorded.position
    event = try decode(recorded)
    (append, correlation, cause) = (recorded.append, recorded.correlation, recorded.cause)
  }
}

/// The error that ended a feed of changes.
public enum ChangesError: Error, Sendable {
  /// The log cannot be read.
  case log(LogError)
  /// An event cannot be decoded by this program.
  case unreadable(UnreadableEvent)
  /// The permissions of the user of a ``ClientChanges`` cannot be read; ``Changes`` does not end with it.
  case projections(ProjectionError)
}

extension ChangesError: CustomStringConvertible {
  /// One sentence: what failed, on what, what to do.
  public var description: String {
    switch self {
    case .log(let error): error.description
    case .unreadable(let event): event.description
    case .projections(let error): error.description
    }
  }
}

/// The changes of a chat from a position on, each as soon as any process has recorded it.
///
/// It reads ahead a little and then waits for demand. It ends when its task is cancelled.
public struct Changes: AsyncSequence, Sendable {
  /// The type of element that the sequence yields.
  public typealias Element = Change
  /// The type of error that the sequence throws.
  public typealias Failure = ChangesError

  internal let follow: EventFeed

  /// Returns an iterator that begins at the start of the sequence.
  public func makeAsyncIterator() -> Iterator { Iterator(events: follow.makeAsyncIterator()) }

  /// An iterator over the changes.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var events: EventFeed.Iterator

    /// Returns the next change; nil if the task was cancelled.
    public mutating func next(
      isolation actor: isolated (any _Concurrency.Actor)? = #isolation
    ) async throws(ChangesError) -> Change? {
      let event: RecordedEvent?
      do throws(LogError) { event = try await events.next(isolation: actor) } catch { throw .log(error) }
      guard let event else { return nil }
      return try rethrow(Change(event), as: ChangesError.unreadable)
    }

    /// Returns the next change; nil if the task was cancelled.
    public mutating func next() async throws(ChangesError) -> Change? { try await next(isolation: nil) }
  }
}

extension Workspace {
  /// Returns the events of the log as stored, from a position on, then each new one as it is recorded; includes events
  /// that this program cannot decode.
  public func follow(from position: Position = .first) -> EventFeed { store.follow(from: position) }

  /// Returns the changes of the chat from a position on, then each new one as it is recorded.
  public func changes(from position: Position) -> Changes { Changes(follow: store.follow(from: position)) }

  /// The changes of the chat from now on.
  public var changes: Changes {
    get throws(ProjectionError) { changes(from: try head().next) }
  }
}
