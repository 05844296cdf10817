// The index of what waits: reviews with open flags, saved messages, reminders and scheduled messages.
internal import Bytes
internal import Chat
internal import Projections

/// The rows derived from the rows of reviews, saved messages and scheduled messages.
struct DueIndex {
  private let openReviews: ChatTable<Entry<OpenReviewKey>>
  private let savedTimes: ChatTable<Entry<SavedTimeKey>>
  private let dues: ChatTable<Entry<DueKey>>

  init(_ tables: ProjectionTables, _ reads: TableReads) {
    openReviews = ChatTable(tables(ChatState.openReviews), reads)
    savedTimes = ChatTable(tables(ChatState.savedTimes), reads)
    dues = ChatTable(tables(ChatState.dues), reads)
  }

  /// Folds an event of a flag on a target, or of the review of it.
  func fold(_ event: ChatEvent, on target: Flag.Target, into state: inout ChatTables) {
    let before = state[target].flatMap { OpenReviewKey($0) }
    Chat.fold(event, into: &state)
    let after = state[target].flatMap { OpenReviewKey($0) }
    if before == after { return }
    if let before { openReviews[before] = nil }
    if let after { openReviews[after] = Entry(after) }
  }

  /// Folds an event of a saved message.
  func fold(_ event: ChatEvent, on key: SavedMessage.Key, into state: inout ChatTables) {
    let before = state[key]
    Chat.fold(event, into: &state)
    let after = state[key]
    if before?.saved != after?.saved {
      if let before { savedTimes[SavedTimeKey(before)] = nil }
      if let after { savedTimes[SavedTimeKey(after)] = Entry(SavedTimeKey(after)) }
    }
    move(before.flatMap { DueKey($0) }, after.flatMap { DueKey($0) })
  }

  /// Folds an event of a scheduled message.
  func fold(_ event: ChatEvent, on key: ScheduledMessage.Key, into state: inout ChatTables) {
    let before = state[key].flatMap { DueKey($0) }
    Chat.fold(event, into: &state)
    move(before, state[key].flatMap { DueKey($0) })
  }

  private func move(_ before: DueKey?, _ after: DueKey?) {
    if before == after { return }
    if let before { dues[before] = nil }
    if let after { dues[after] = Entry(after) }
  }
}

// MARK: Keys

/// The key of a review with open flags: the channel, or an empty part for users, then when it was opened.
struct OpenReviewKey: ChatKey {
  let target: Flag.Target
  let opened: Timestamp

  init(_ target: Flag.Target, _ opened: Timestamp) { (self.target, self.opened) = (target, opened) }

  init?(_ review: Review) {
    guard review.isOpen else { return nil }
    self.init(review.target, review.opened)
  }

  init?(from parts: inout KeyParts) {
    if parts.skipNothing() {
      guard let opened = parts.instant(), let user: User.ID = parts.id() else { return nil }
      self.init(.user(user), opened)
    } else {
      guard let channel: Channel.ID = parts.id(), let opened = parts.instant(), let message: Message.ID = parts.id()
      else { return nil }
      self.init(.message(Message.Key(channel, message)), opened)
    }
  }

  func spell(to writer: inout KeyWriter) {
    switch target {
    case .message(let key):
      writer.first(key.channel)
      writer.then(opened)
      writer.then(key.id)
    case .user(let id):
      writer.then(opened)
      writer.then(id)
    }
  }
}

/// The key of a saved message of a user, the last saved first.
struct SavedTimeKey: ChatKey {
  let saved: Timestamp
  let key: SavedMessage.Key

  init(_ key: SavedMessage.Key, _ saved: Timestamp) { (self.key, self.saved) = (key, saved) }

  init(_ message: SavedMessage) { self.init(message.key, message.saved) }

  init?(from parts: inout KeyParts) {
    guard let user: User.ID = parts.id(), let saved = parts.instantLatestFirst(),
      let message = Message.Key(from: &parts)
    else { return nil }
    self.init(SavedMessage.Key(by: user, message), saved)
  }

  func spell(to writer: inout KeyWriter) {
    writer.first(key.user)
    writer.thenLatestFirst(saved)
    writer.then(key.message.channel)
    writer.then(key.message.id)
  }
}

/// The key of a reminder or a scheduled message, by when it is due.
struct DueKey: ChatKey {
  let at: Timestamp
  let user: User.ID
  let message: Message.Key
  let isReminder: Bool

  init(at instant: Timestamp, _ user: User.ID, _ message: Message.Key, isReminder: Bool) {
    (at, self.user, self.message, self.isReminder) = (instant, user, message, isReminder)
  }

  init?(_ saved: SavedMessage) {
    guard let reminder = saved.reminder else { return nil }
    self.init(at: reminder, saved.key.user, saved.key.message, isReminder: true)
  }

  init?(_ scheduled: ScheduledMessage) {
    guard scheduled.failure == nil else { return nil }
    self.init(at: scheduled.at, scheduled.key.author, scheduled.key.message, isReminder: false)
  }

  init?(from parts: inout KeyParts) {
    guard parts.skipNothing(), let at = parts.instant(), let user: User.ID = parts.id(),
      let message = Message.Key(from: &parts), let kind = parts.byte()
    else { return nil }
    self.init(at: at, user, message, isReminder: kind == Self.reminder)
  }

  func spell(to writer: inout KeyWriter) {
    writer.then(at)
    writer.then(user)
    writer.then(message.channel)
    writer.then(message.id)
    writer.thenNothing()
    writer.first(isReminder ? Self.reminder : Self.scheduled)
  }

  private static let reminder = UInt8(ascii: "r")
  private static let scheduled = UInt8(ascii: "s")
}
