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
  /// The names of the messages without an id.
  internal let names: MessageNames
  /// The messages without an id, with their numbers among those of the event.
  internal private(set) var numbers: [Message.Key: Int] = [:]
  private var messages = 0

  internal init(_ names: MessageNames) { self.names = names }

  /// Adds an intent.
  public mutating func submit(_ intent: ChatIntent) { intents.append(intent) }

  /// Adds a message; without an id, it is named after the consumer and the event.
  @discardableResult
  public mutating func send(
    _ content: Message.Content, in channel: Channel.ID, id: Message.ID? = nil
  ) -> Message.Key {
    messages += 1
    let key = Message.Key(channel, id ?? names.id(of: messages))
    if id == nil { numbers[key] = messages }
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

/// The names that the messages of an event get, unless the handler gives them an id.
internal struct MessageNames: Sendable {
  private let consumer: Consumer.ID
  private let position: Position
  private let append: AppendID
  /// The number of the choice: the first is 0, and each other one avoids names that other authors have taken.
  var choice: UInt64 = 0

  init(of change: Change, by consumer: Consumer.ID) {
    (self.consumer, position, append) = (consumer, change.position, change.append)
  }

  /// Returns the id of a message by its number among those of the event, from 1.
  func id(of number: Int) -> Message.ID { ID(stringLiteral: number == 1 ? prefix : "\(prefix).\(number)") }

  /// The beginning of the ids.
  private var prefix: String {
    var name = consumer.text
    // An id has 64 characters at most.
    if name.utf8.count > 24 {
      let hash = String(Array(name.utf8).withUnsafeBytes { quickHash($0) }, radix: 16)
      name = name.prefix(7) + "-" + hash
    }
    // A salvaged log has other events at its positions.
    let own = String(append.withBytes { quickHash($0, seed: choice) }, radix: 36)
    return "\(name)-\(position)-\(own)"
  }
}
