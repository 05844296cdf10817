// The messages of a channel or a thread, read after each change.
internal import Chat
internal import ChatProjections
internal import EventLog
internal import Verbatim

/// The messages of a channel or a thread at one position of the log.
struct TranscriptSnapshot: Sendable {
  /// The latest messages, the newest last; after the first read, all since the newest known one.
  var messages: [Message] = []
  /// The other users who are typing.
  var typing: [TypingUser] = []
  /// The names of all users involved.
  var names: [User.ID: String] = [:]
  /// The quoted messages, and the latest messages themselves.
  var quoted: [Message.ID: Message] = [:]
  /// The position at which the snapshot was read.
  var position = Position.zero

  /// The number of messages printed at the start.
  private static let countAtStart = 20
  /// The number of latest messages that are watched for changes.
  private static let countWatched = 100

  init() {}

  /// Reads a snapshot with all messages behind `last`.
  init(
    _ reading: borrowing ClientReading, of channel: Channel.ID, _ thread: Message.ID?, behind last: Message.Number?,
    naming users: [User.ID]
  ) throws(ReadError) {
    position = reading.position
    messages = try Self.page(reading, channel, thread, .latest, last == nil ? Self.countAtStart : Self.countWatched)
      .messages
    if let last { messages = try Self.rest(reading, channel, thread, behind: last, before: messages) + messages }
    typing = try reading.typing(in: channel, thread: thread)
    for message in messages { quoted[message.key.id] = message }
    for id in messages.compactMap(\.content.quoted) where quoted[id] == nil {
      quoted[id] = try ReadError.unlessRefused(reading.message(Message.Key(channel, id)))
    }
    for user in Set(messages.compactMap(\.author) + quoted.values.compactMap(\.author) + typing.map(\.user) + users) {
      names[user] = try reading.user(user)?.profile.name.string
    }
  }

  /// Returns the messages between the last known one and the latest ones.
  private static func rest(
    _ reading: borrowing ClientReading, _ channel: Channel.ID, _ thread: Message.ID?, behind last: Message.Number,
    before latest: [Message]
  ) throws(ReadError) -> [Message] {
    guard let first = latest.first, first.number > last.next else { return [] }
    var found: [Message] = []
    var next: Message.Number? = last
    while let number = next {
      let page = try page(reading, channel, thread, .after(number), 500)
      let fresh = page.messages.filter { $0.number < first.number }
      found += fresh
      next = fresh.count < page.messages.count ? nil : page.newer
    }
    return found
  }

  private static func page(
    _ reading: borrowing ClientReading, _ channel: Channel.ID, _ thread: Message.ID?, _ span: MessageSpan,
    _ limit: Int
  ) throws(ReadError) -> MessagePage {
    guard let thread else { return try reading.messages(in: channel, span, limit: limit) }
    return try reading.replies(to: Message.Key(channel, thread), span, limit: limit)
  }
}

extension ChatTarget {
  /// Reads a snapshot with all messages behind `last`.
  func conversation(behind last: Message.Number?, naming users: [User.ID]) async throws -> TranscriptSnapshot {
    let (id, thread) = (channel.id, thread)
    return try await channel.client.read { reading in
      try TranscriptSnapshot(reading, of: id, thread, behind: last, naming: users)
    }
  }

  /// Yields whenever events behind a position are appended, by any process; pending values are coalesced. A log that
  /// cannot be read, as while its server is away, is tried again every second.
  func news(behind position: Position) -> AsyncStream<Void> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let task = Task {
        var position = position
        while !Task.isCancelled {
          do {
            for try await event in workspace.follow(from: position.next) {
              position = event.position
              continuation.yield()
            }
          } catch {
            // The error surfaces again where the conversation is read.
            continuation.yield()
            try? await Task.sleep(for: .seconds(1))
          }
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}
