// The effects of an event on the chat, as the handler of a consumer wants them.
public import Chat
internal import Digests
internal import EventLog

/// The changes that the handler of a consumer makes: intents, recorded in one append with the position of the event.
public struct Effects: Sendable {
  /// The intents, in order; each is decided on the state that those before it leave.
  public private(set) var intents: [ChatIntent] = []
  /// Whether the position is recorded even without intents, since the handler changed something outside the log.
  public var recordsPosition = false
  private let consumer: Consumer.ID
  private let position: Position
  private let append: AppendID
  private var messages = 0

  internal init(of change: Change, by consumer: Consumer.ID) {
    (self.consumer, position, append) = (consumer, change.position, change.append)
  }

  /// The beginning of the ids of messages without one.
  private var prefix: String {
    var name = consumer.text
    // An id has 64 characters at most.
    if name.utf8.count > 24 {
      let hash = String(Array(name.utf8).withUnsafeBytes { quickHash($0) }, radix: 16)
      name = name.prefix(7) + "-" + hash
    }
    // A user who knew the name of a message to come could take it, and a salvaged log has other events at its
    // positions.
    let own = String(append.withBytes { quickHash($0) }, radix: 36)
    return "\(name)-\(position)-\(own)"
  }

  /// Adds an intent.
  public mutating func submit(_ intent: ChatIntent) { intents.append(intent) }

  /// Adds a message; without an id, it is named after the consumer and the event.
  @discardableResult
  public mutating func send(
    _ content: Message.Content, in channel: Channel.ID, id: Message.ID? = nil
  ) -> Message.Key {
    messages += 1
    let key = Message.Key(channel, id ?? ID(stringLiteral: messages == 1 ? prefix : "\(prefix).\(messages)"))
    submit(.message(key, .send(content)))
    return key
  }

  /// Adds a message with a text; without an id, it is named after the consumer and the event.
  @discardableResult
  public mutating func send(
    _ text: UserText, in channel: Channel.ID, thread: Message.ID? = nil, id: Message.ID? = nil
  ) -> Message.Key {
    send(Message.Content(text, parent: thread), in: channel, id: id)
  }
}
