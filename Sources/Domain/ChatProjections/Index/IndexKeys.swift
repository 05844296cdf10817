// The keys of the index rows.
internal import Bytes
internal import Chat

extension KeyWriter {
  /// Writes a separator and an instant so that byte order is chronological.
  mutating func then(_ instant: Timestamp) { then(UInt64(bitPattern: instant.rawValue) ^ 1 << 63) }

  /// Writes a separator and an instant so that byte order is latest first.
  mutating func thenLatestFirst(_ instant: Timestamp) { then(~(UInt64(bitPattern: instant.rawValue) ^ 1 << 63)) }
}

extension KeyParts {
  /// Reads the next part as an instant in chronological order; nil when there is none.
  @_lifetime(self: copy self)
  mutating func instant() -> Timestamp? { number().map { Timestamp(rawValue: Int64(bitPattern: $0 ^ 1 << 63)) } }

  /// Reads the next part as an instant in latest-first order; nil when there is none.
  @_lifetime(self: copy self)
  mutating func instantLatestFirst() -> Timestamp? {
    number().map { Timestamp(rawValue: Int64(bitPattern: ~$0 ^ 1 << 63)) }
  }
}

// MARK: Users

/// The key of a channel of which a user is a member.
struct MembershipKey: ChatKey {
  let user: User.ID
  let channel: Channel.ID

  init(_ user: User.ID, _ channel: Channel.ID) { (self.user, self.channel) = (user, channel) }

  init?(from parts: inout KeyParts) {
    guard let user: User.ID = parts.id(), let channel: Channel.ID = parts.id() else { return nil }
    self.init(user, channel)
  }

  func spell(to writer: inout KeyWriter) {
    writer.first(user)
    writer.then(channel)
  }
}

/// The key of a public channel.
struct PublicChannelKey: ChatKey {
  let channel: Channel.ID

  init(_ channel: Channel.ID) { self.channel = channel }

  init?(from parts: inout KeyParts) {
    guard let channel: Channel.ID = parts.id() else { return nil }
    self.init(channel)
  }

  func spell(to writer: inout KeyWriter) { writer.first(channel) }
}

// MARK: Messages

/// The key of a message in its channel's timeline, in the order of sending.
struct TimelineKey: ChatKey {
  let channel: Channel.ID
  let number: Message.Number

  init(_ channel: Channel.ID, _ number: Message.Number) { (self.channel, self.number) = (channel, number) }

  init?(from parts: inout KeyParts) {
    guard let channel: Channel.ID = parts.id(), let number = parts.number() else { return nil }
    self.init(channel, Message.Number(rawValue: number))
  }

  func spell(to writer: inout KeyWriter) {
    writer.first(channel)
    writer.then(number.rawValue)
  }
}

/// The key of a reply in its thread, in the order of sending.
struct ReplyKey: ChatKey {
  let parent: Message.Key
  let number: Message.Number

  init(_ parent: Message.Key, _ number: Message.Number) { (self.parent, self.number) = (parent, number) }

  init?(from parts: inout KeyParts) {
    guard let parent = Message.Key(from: &parts), let number = parts.number() else { return nil }
    self.init(parent, Message.Number(rawValue: number))
  }

  func spell(to writer: inout KeyWriter) {
    parent.spell(to: &writer)
    writer.then(number.rawValue)
  }
}

/// The key of a thread in which a user takes part.
struct ThreadKey: ChatKey {
  let user: User.ID
  let parent: Message.Key

  init(_ user: User.ID, _ parent: Message.Key) { (self.user, self.parent) = (user, parent) }

  init?(from parts: inout KeyParts) {
    guard let user: User.ID = parts.id(), let parent = Message.Key(from: &parts) else { return nil }
    self.init(user, parent)
  }

  func spell(to writer: inout KeyWriter) {
    writer.first(user)
    writer.then(parent.channel)
    writer.then(parent.id)
  }
}

/// The key of a pinned message of a channel, the last pinned first.
struct PinKey: ChatKey {
  let channel: Channel.ID
  let pinned: Timestamp
  let message: Message.ID

  init(_ message: Message.Key, _ pinned: Timestamp) {
    (channel, self.pinned, self.message) = (message.channel, pinned, message.id)
  }

  init?(from parts: inout KeyParts) {
    guard let channel: Channel.ID = parts.id(), let pinned = parts.instantLatestFirst(),
      let message: Message.ID = parts.id()
    else { return nil }
    self.init(Message.Key(channel, message), pinned)
  }

  func spell(to writer: inout KeyWriter) {
    writer.first(channel)
    writer.thenLatestFirst(pinned)
    writer.then(message)
  }
}

/// The key of a message that concerns a user: it mentions them, or is theirs and could not be delivered.
struct ConcernKey: ChatKey {
  let user: User.ID
  let place: TimelineKey

  init(_ user: User.ID, _ place: TimelineKey) { (self.user, self.place) = (user, place) }

  init?(from parts: inout KeyParts) {
    guard let user: User.ID = parts.id(), let place = TimelineKey(from: &parts) else { return nil }
    self.init(user, place)
  }

  func spell(to writer: inout KeyWriter) {
    writer.first(user)
    writer.then(place.channel)
    writer.then(place.number.rawValue)
  }
}

/// The key of a message of any channel that mentions a user, the last sent first.
struct MentionTimeKey: ChatKey {
  let user: User.ID
  let sent: Timestamp
  let message: Message.Key

  init(_ user: User.ID, _ sent: Timestamp, _ message: Message.Key) {
    (self.user, self.sent, self.message) = (user, sent, message)
  }

  init?(from parts: inout KeyParts) {
    guard let user: User.ID = parts.id(), let sent = parts.instantLatestFirst(),
      let message = Message.Key(from: &parts)
    else { return nil }
    self.init(user, sent, message)
  }

  func spell(to writer: inout KeyWriter) {
    writer.first(user)
    writer.thenLatestFirst(sent)
    writer.then(message.channel)
    writer.then(message.id)
  }
}

/// The key of an event that touched a message.
struct BiographyKey: ChatKey {
  let message: Message.Key
  let position: UInt64

  init(_ message: Message.Key, _ position: UInt64) { (self.message, self.position) = (message, position) }

  init?(from parts: inout KeyParts) {
    guard let message = Message.Key(from: &parts), let position = parts.number() else { return nil }
    self.init(message, position)
  }

  func spell(to writer: inout KeyWriter) {
    message.spell(to: &writer)
    writer.then(position)
  }
}

/// The key of a stretch of message numbers of a channel, of one author or of all.
struct UnreadBitsKey: ChatKey {
  let channel: Channel.ID
  let author: User.ID?
  let stretch: UInt64

  init(_ channel: Channel.ID, by author: User.ID? = nil, _ stretch: UInt64) {
    (self.channel, self.author, self.stretch) = (channel, author, stretch)
  }

  init?(from parts: inout KeyParts) {
    guard let channel: Channel.ID = parts.id() else { return nil }
    let author: User.ID? = parts.skipNothing() ? nil : parts.id()
    guard let stretch = parts.number() else { return nil }
    self.init(channel, by: author, stretch)
  }

  func spell(to writer: inout KeyWriter) {
    writer.first(channel)
    if let author { writer.then(author) } else { writer.thenNothing() }
    writer.then(stretch)
  }
}
