// What happened to a message: where in the log, and what it said from each event on.
public import Chat
internal import ChatCodec
public import EventLog
public import Projections

/// What a message said from one event on.
public struct MessageVersion: Hashable, Sendable {
  /// Where the event stands in the log.
  public let position: Position
  /// Who did it, and when.
  public let stamp: EventOrigin
  /// What happened.
  public let event: Message.Event
  /// What was said from then on; of a message deleted for good, nothing.
  public let content: Message.Content
  /// Whether it was there from then on.
  public let presence: Message.Presence

  /// A version that came of an event.
  public init(
    _ event: Message.Event, _ stamp: EventOrigin, at position: Position, content: Message.Content,
    presence: Message.Presence
  ) {
    (self.event, self.stamp, self.position) = (event, stamp, position)
    (self.content, self.presence) = (content, presence)
  }
}

extension ChatReading {
  /// The positions of the events that touched a message, in order: its own, reactions to it and flags on it.
  ///
  /// It is told whatever became of the message and its channel.
  public func biography(of key: Message.Key) throws(ProjectionError) -> [Position] {
    var positions: [Position] = []
    try forEach(in: ChatState.biographies, under: KeyPrefix(of: key)) { entry in
      positions.append(Position(rawValue: entry.key.position))
      return true
    }
    if let placed = try placement(of: key) {
      positions.insert(placed, at: positions.firstIndex { $0 > placed } ?? positions.endIndex)
    }
    return positions
  }

  /// The event that put a message where it stands.
  private func placement(of key: Message.Key) throws(ProjectionError) -> Position? {
    guard let message = try reading.row(of: key, in: ChatState.messages) else { return nil }
    if let parent = message.content.parent {
      let place = ReplyKey(Message.Key(key.channel, parent), message.number)
      return try reading.row(of: place, in: ChatState.replies)?.position
    }
    return try reading.row(of: TimelineKey(key.channel, message.number), in: ChatState.timeline)?.position
  }
}

extension ProjectionStore {
  /// What a message said, from each event on that changed it, in order; up to a position of the log, or to its end.
  ///
  /// It is read from the log, event by event of the message's biography, and so tells what was said before it was
  /// edited, deleted, deleted for good or truncated away: a log forgets nothing. It is meant for whoever has to find
  /// out what happened, and not to be shown to those who see the message; to them ``ChatReading/message(_:)`` tells
  /// that it is gone.
  public func history(
    of key: Message.Key, through end: Position? = nil
  ) throws(ProjectionError) -> [MessageVersion] {
    let positions = try read { reading throws(ProjectionError) in try reading.chat.biography(of: key) }
    // By the same functions as all else, in a state in which there is nothing but the message.
    var state = InMemoryChatState()
    var versions: [MessageVersion] = []
    for position in positions where end.map({ position <= $0 }) ?? true {
      guard let event = try event(at: position), case .message(key, let change) = event.change else { continue }
      Chat.fold(event, into: &state)
      guard let message = state[key], change.changesVersion else { continue }
      versions.append(
        MessageVersion(change, event.stamp, at: position, content: message.content, presence: message.presence))
    }
    return versions
  }

  private func event(at position: Position) throws(ProjectionError) -> ChatEvent? {
    do throws(LogError) {
      guard let event = try store.event(at: position) else { return nil }
      do throws(UnreadableEvent) { return try decode(event) } catch {
        throw LogError.storage(StorageFailure("\(error)", underlying: error))
      }
    } catch {
      throw .log(error)
    }
  }
}

extension Message.Event {
  /// Whether it changes what is said, or whether it is there.
  fileprivate var changesVersion: Bool {
    switch self {
    case .sent, .edited, .deleted, .restored, .ephemeralSent, .ephemeralShuffled, .ephemeralCancelled: true
    case .pinned, .unpinned, .acknowledged, .failed, .retried: false
    }
  }
}
