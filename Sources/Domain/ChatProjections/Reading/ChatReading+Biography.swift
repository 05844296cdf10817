// The history of a message: its events in the log, and its content from each of them on.
public import Chat
internal import ChatCodec
internal import Errors
public import EventLog
public import Projections

/// A version of a message from one event on.
public struct MessageVersion: Hashable, Sendable {
  /// The position of the event in the log.
  public let position: Position
  /// The author and the instant of the event.
  public let origin: EventOrigin
  /// The event that made this version.
  public let event: Message.Event
  /// The content from then on; empty for a message deleted for good.
  public let content: Message.Content
  /// The presence of the message from then on.
  public let presence: Message.Presence

  /// Creates the version that an event made.
  public init(
    _ event: Message.Event, _ origin: EventOrigin, at position: Position, content: Message.Content,
    presence: Message.Presence
  ) {
    (self.event, self.origin, self.position) = (event, origin, position)
    (self.content, self.presence) = (content, presence)
  }
}

extension ChatReading {
  /// Returns the positions of the events that touched a message, in order: its own, reactions to it, and flags and
  /// reviews of it, unless they are left out.
  ///
  /// They are returned even for deleted messages and deleted channels.
  public func biography(of key: Message.Key, withReviews: Bool = true) throws(ProjectionError) -> [Position] {
    var positions: [Position] = []
    for table in withReviews ? [ChatState.biographies, ChatState.reviewed] : [ChatState.biographies] {
      try forEach(in: table, under: KeyPrefix(of: key)) { entry in
        positions.append(Position(rawValue: entry.key.position))
        return true
      }
    }
    positions.sort()
    if let message = try reading.row(of: key, in: ChatState.messages), let placed = try position(of: message) {
      positions.insert(placed, at: positions.firstIndex { $0 > placed } ?? positions.endIndex)
    }
    return positions
  }

  /// Returns the position of the event that put a message in its timeline or thread; nil if it is in neither.
  package func position(of message: Message) throws(ProjectionError) -> Position? {
    let key = message.key
    if let parent = message.content.parent {
      let replyKey = ReplyKey(Message.Key(key.channel, parent), message.number)
      return try reading.row(of: replyKey, in: ChatState.replies)?.position
    }
    return try reading.row(of: TimelineKey(key.channel, message.number), in: ChatState.timeline)?.position
  }
}

extension ProjectionStore {
  /// Returns the versions of a message, one for each event that changed it, in order; up to a log position, or to its
  /// end.
  ///
  /// They are read from the log, event by event of the message's biography, and so include what was said before the
  /// message was edited, deleted, deleted for good or truncated away: the log keeps everything. They are meant for
  /// audits, not for users who see the message; to them ``ChatReading/message(_:)`` shows that it is gone.
  public func history(
    of key: Message.Key, through end: Position? = nil
  ) throws(ProjectionError) -> [MessageVersion] {
    let positions = try read { reading throws(ProjectionError) in try reading.chat.biography(of: key) }
    // Folded by the same functions as everything else, in a state that holds only the message.
    var state = InMemoryChatState()
    var versions: [MessageVersion] = []
    for position in positions where end.map({ position <= $0 }) ?? true {
      guard let event = try event(at: position), case .message(key, let change) = event.change else { continue }
      Chat.fold(event, into: &state)
      guard let message = state[key], change.changesVersion else { continue }
      versions.append(
        MessageVersion(change, event.origin, at: position, content: message.content, presence: message.presence))
    }
    return versions
  }

  private func event(at position: Position) throws(ProjectionError) -> ChatEvent? {
    guard let event = try rethrow(store.event(at: position), as: ProjectionError.log) else { return nil }
    return try rethrow(
      decode(event), as: { (error: UnreadableEvent) in ProjectionError.log(.storage(StorageFailure(of: error))) })
  }
}

extension Message.Event {
  /// Whether the event changes the content or the presence of the message.
  fileprivate var changesVersion: Bool {
    switch self {
    case .sent, .edited, .deleted, .restored, .ephemeralSent, .ephemeralShuffled, .ephemeralCancelled: true
    case .pinned, .unpinned, .acknowledged, .failed, .retried, .pollOpened, .pollOptionAdded, .pollClosed: false
    }
  }
}
