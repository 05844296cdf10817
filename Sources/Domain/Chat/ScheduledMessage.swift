// Scheduled messages, which are sent later.

// MARK: Identity

extension ScheduledMessage {
  /// The primary key of a scheduled message: its author, and the message that it becomes.
  public struct Key: Hashable, Codable, Sendable {
    /// The author of the message.
    public let author: User.ID
    /// The message that it becomes.
    public let message: Message.Key

    /// Creates the key of a message that an author scheduled.
    public init(by author: User.ID, _ message: Message.Key) { (self.author, self.message) = (author, message) }
  }
}

// MARK: State

/// A message that its author wrote and that is sent at a later time.
public struct ScheduledMessage: Hashable, Sendable {
  /// The key of the scheduled message.
  public let key: Key
  /// The content of the message.
  public var content: Message.Content
  /// The time at which it is sent.
  public var at: Timestamp
  /// The reason for which it could not be sent; nil while it is ahead.
  public var failure: RecordedFailure?

  package init(key: Key, content: Message.Content, at instant: Timestamp, failure: RecordedFailure? = nil) {
    (self.key, self.content, at, self.failure) = (key, content, instant, failure)
  }
}

// MARK: Events

extension ScheduledMessage {
  /// An event of a scheduled message.
  public enum Event: Hashable, Sendable {
    /// The message was scheduled, or its content and time were replaced.
    indirect case scheduled(Message.Content, at: Timestamp)
    /// The message was cancelled before it was sent.
    case cancelled
    /// The message was sent, by the event before this one.
    case delivered
    /// The message could not be sent.
    case failed(RecordedFailure)
  }
}

// MARK: Intents

extension ScheduledMessage {
  /// An intent on a scheduled message.
  public enum Intent: Hashable, Sendable {
    /// Schedules the message, or replaces its content and time.
    indirect case schedule(Message.Content, at: Timestamp)
    /// Cancels the message.
    case cancel
    /// Sends the message in its author's name; a no-op until it is due, and while its author has to wait in slow mode.
    case deliver
  }
}

// MARK: Decide

extension Decision {
  func decide(
    _ intent: ScheduledMessage.Intent, on key: ScheduledMessage.Key
  ) throws(Refusal) -> [ChatEvent.Change] {
    _ = try known(key.author)
    // Whoever sends a message is its author, so that not even an administrator schedules one for another user.
    guard actor.user == key.author else { throw .notYours(key.author) }
    let existing = state[key]
    switch intent {
    case .schedule(let content, let at):
      if let existing, existing.failure == nil, existing.content == content, existing.at == at { return [] }
      try check(.until(at))
      let sent = try schedule(content, as: key.message)
      if state[key.message] != nil { throw .messageExists(key.message) }
      try needsOwnClientID(of: content, in: sent, key)
      return [.scheduled(key, .scheduled(content, at: at))]
    case .cancel: return existing == nil ? [] : [.scheduled(key, .cancelled)]
    case .deliver:
      guard let existing, existing.failure == nil, existing.at <= instant else { return [] }
      do {
        let sent = try decide(.send(existing.content), on: key.message)
        try needsOwnClientID(of: existing.content, in: sent, key)
        return sent.map { .message(key.message, $0) } + [.scheduled(key, .delivered)]
      } catch .coolingDown {
        // It stays due until the channel's slow mode lets its author send again.
        return []
      } catch {
        return [.scheduled(key, .failed(RecordedFailure(error)))]
      }
    }
  }

  /// Throws if nothing is sent because another message has the client id: it must not be dropped silently.
  private func needsOwnClientID(
    of content: Message.Content, in sent: [Message.Event], _ key: ScheduledMessage.Key
  ) throws(Refusal) {
    guard sent.isEmpty, state[key.message] == nil, let client = content.client,
      let other = state[Message.ClientKey(key.author, client)]
    else { return }
    throw .clientIDTaken(client, by: other)
  }
}

// MARK: Fold

extension ScheduledMessage.Event {
  func fold(on key: ScheduledMessage.Key, _ origin: EventOrigin, into state: inout some ChatStateStore) {
    switch self {
    case .scheduled(let content, let at): state[key] = ScheduledMessage(key: key, content: content, at: at)
    case .cancelled, .delivered: state[key] = nil
    case .failed(let failure): state[key]?.failure = failure
    }
  }
}
