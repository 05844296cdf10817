// What happens, as it happens: events of the chat, from a position on.
internal import Projections
public import Chat
public import ChatCodec
public import EventLog

/// Something that happened in the chat, with its place in the log.
public struct Change: Hashable, Sendable {
  /// Where it stands in the log.
  public let position: Position
  /// What happened, who did it, and when.
  public let event: ChatEvent
  /// The submit that it came of.
  public let append: AppendID
  /// What its submit belongs to.
  public let correlation: Name?
  /// The event that caused it.
  public let cause: Position?

  internal init(_ recorded: RecordedEvent) throws(UnreadableEvent) {
    position = recorded.position
    event = try decode(recorded)
    (append, correlation, cause) = (recorded.append, recorded.correlation, recorded.cause)
  }
}

/// Why no more changes come.
public enum ChangesError: Error, Sendable {
  /// The log cannot be read.
  case log(LogError)
  /// An event cannot be read by this program.
  case unreadable(UnreadableEvent)
}

extension ChangesError: CustomStringConvertible {
  /// One sentence: what happened, to what, what to do.
  public var description: String {
    switch self {
    case .log(let error): error.description
    case .unreadable(let event): event.description
    }
  }
}

/// What happens in a chat, from a position on, each as soon as it is recorded, by whatever process.
///
/// It reads ahead a little and no further than that until it is asked for more. It ends when its task is cancelled.
public struct Changes: AsyncSequence, Sendable {
  /// What it yields.
  public typealias Element = Change
  /// How it fails.
  public typealias Failure = ChangesError

  internal let follow: EventFeed

  /// Goes through the changes; each of its iterators begins at the start.
  public func makeAsyncIterator() -> Iterator { Iterator(events: follow.makeAsyncIterator()) }

  /// A place among the changes.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var events: EventFeed.Iterator

    /// The next change; nil when the task was cancelled.
    public mutating func next(
      isolation actor: isolated (any _Concurrency.Actor)? = #isolation
    ) async throws(ChangesError) -> Change? {
      let event: RecordedEvent?
      do throws(LogError) { event = try await events.next(isolation: actor) } catch { throw .log(error) }
      guard let event else { return nil }
      do throws(UnreadableEvent) { return try Change(event) } catch { throw .unreadable(error) }
    }

    /// The next change; nil when the task was cancelled.
    public mutating func next() async throws(ChangesError) -> Change? { try await next(isolation: nil) }
  }
}

extension Workspace {
  /// The events of the log as they are stored, from a position on, and then each as it is recorded; also those that
  /// this program cannot read.
  public func follow(from position: Position = .first) -> EventFeed { store.follow(from: position) }

  /// What happens in the chat, from a position on, and then each as it is recorded.
  public func changes(from position: Position) -> Changes { Changes(follow: store.follow(from: position)) }

  /// What happens in the chat from now on.
  public var changes: Changes {
    get throws(ProjectionError) { changes(from: try head().next) }
  }
}
