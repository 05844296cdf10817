// The index of messages: timelines, threads, mentions, pins, failed sends, and bit sets for unread counts.
internal import Chat
internal import EventLog
internal import Projections

/// The rows derived from the rows of messages: after each change of a message, the rows derived from its old value are
/// removed and those derived from its new value are written.
struct MessageIndex {
  private let timeline: ChatTable<TimelineEntry<TimelineKey>>
  private let replies: ChatTable<TimelineEntry<ReplyKey>>
  private let threads: ChatTable<Participation>
  private let pins: ChatTable<Entry<PinKey>>
  private let mentions: ChatTable<ConcernEntry>
  private let mentionTimes: ChatTable<Entry<MentionTimeKey>>
  private let countable: ChatTable<UnreadBits>
  private let lastSaid: ChatTable<LastMessageTime>
  private let biographies: ChatTable<Entry<BiographyKey>>
  private let reviewed: ChatTable<Entry<BiographyKey>>
  private let failedSends: ChatTable<ConcernEntry>

  init(_ tables: ProjectionTables, _ reads: TableReads) {
    timeline = ChatTable(tables(ChatState.timeline), reads)
    replies = ChatTable(tables(ChatState.replies), reads)
    threads = ChatTable(tables(ChatState.threads), reads)
    pins = ChatTable(tables(ChatState.pins), reads)
    mentions = ChatTable(tables(ChatState.mentions), reads)
    mentionTimes = ChatTable(tables(ChatState.mentionTimes), reads)
    countable = ChatTable(tables(ChatState.countable), reads)
    lastSaid = ChatTable(tables(ChatState.lastSaid), reads)
    biographies = ChatTable(tables(ChatState.biographies), reads)
    reviewed = ChatTable(tables(ChatState.reviewed), reads)
    failedSends = ChatTable(tables(ChatState.failedSends), reads)
  }

  /// Folds an event of a message.
  func fold(_ event: ChatEvent, on key: Message.Key, at position: Position, into state: inout ChatTables) {
    let before = state.rows.messages.look(at: key) { $0.traits } ?? nil
    Chat.fold(event, into: &state)
    guard let after = state.rows.messages.look(at: key, { $0.traits }) ?? nil else { return }
    if after.isForAll, before?.number != after.number {
      lastSaid[key.channel].add(after, in: key.channel)
    }
    let isPlaced = updateTimeline(key, before, after, at: position)
    if !isPlaced { touch(key, at: position) }
    if before?.pinned != after.pinned {
      if let pinned = before?.pinned { pins[PinKey(key, pinned)] = nil }
      if let pinned = after.pinned { pins[PinKey(key, pinned)] = Entry(PinKey(key, pinned)) }
    }
    mention(key, before, after)
    count(key, before, after)
    fail(key, before, after)
    takePart(key, before, after, in: state)
  }

  /// Records that an event touched a message.
  func touch(_ key: Message.Key, at position: Position) {
    let key = BiographyKey(key, position.rawValue)
    biographies[key] = Entry(key)
  }

  /// Records that an event flagged or reviewed a message.
  func review(_ key: Message.Key, at position: Position) {
    let key = BiographyKey(key, position.rawValue)
    reviewed[key] = Entry(key)
  }
}

/// The traits of a message that its index rows depend on.
private struct Traits {
  let number: Message.Number
  let author: User.ID?
  let sent: Timestamp
  let parent: Message.ID?
  let isInChannel: Bool
  let isGone: Bool
  let isForAll: Bool
  let counts: Bool
  let isReply: Bool
  let pinned: Timestamp?
  let failedAuthor: User.ID?
  let mentions: [Mention]

  init(_ message: inout Message) {
    number = message.number
    author = message.author
    sent = message.sent
    parent = message.content.parent
    isInChannel = message.content.parent == nil || message.content.showsInChannel
    isForAll = message.content.kind != .ephemeral
    isGone = message.presence == .gone
    counts = message.presence == .present && isForAll && isInChannel && !message.content.isSilent
    isReply = message.presence == .present && isForAll && message.content.parent != nil
    pinned = message.pin?.stamp.at
    failedAuthor = message.failedAuthor
    mentions = message.content.mentions
  }
}

extension Message? {
  fileprivate var traits: Traits? {
    // Mutating, so that the row is not copied.
    mutating get { self == nil ? nil : Traits(&self!) }
  }
}

extension Message {
  /// Whether the message counts as unread for members other than its author.
  internal var canWait: Bool {
    presence == .present && content.kind != .ephemeral && !content.isSilent
      && (content.parent == nil || content.showsInChannel)
  }
}

// MARK: Positions

extension MessageIndex {
  /// Writes the timeline and replies rows of a message; returns whether this event put it there.
  private func updateTimeline(_ key: Message.Key, _ before: Traits?, _ after: Traits, at position: Position) -> Bool {
    let stood = before.flatMap { $0.isGone ? nil : $0 }
    let stands = after.isGone ? nil : after
    if let stood, let stands, (stood.number, stood.parent) == (stands.number, stands.parent),
      stood.isInChannel == stands.isInChannel
    {
      return false
    }
    if let stood {
      var since: Position?
      if let parent = stood.parent {
        let reply = ReplyKey(Message.Key(key.channel, parent), stood.number)
        since = replies[reply]?.position
        replies[reply] = nil
      }
      if stood.isInChannel {
        let timelineKey = TimelineKey(key.channel, stood.number)
        since = timeline[timelineKey]?.position
        timeline[timelineKey] = nil
      }
      // The row that held the position of this event was removed.
      if let since { touch(key, at: since) }
    }
    guard let stands else { return false }
    if let parent = stands.parent {
      let reply = ReplyKey(Message.Key(key.channel, parent), stands.number)
      replies[reply] = TimelineEntry(reply, key.id, since: position)
    }
    if stands.isInChannel {
      let timelineKey = TimelineKey(key.channel, stands.number)
      timeline[timelineKey] = TimelineEntry(timelineKey, key.id, since: position)
    }
    return true
  }
}

// MARK: Mentions

extension MessageIndex {
  private func mention(_ key: Message.Key, _ before: Traits?, _ after: Traits) {
    let (had, has) = (before?.mentions ?? [], after.mentions)
    if had.isEmpty && has.isEmpty || had == has && before?.number == after.number { return }
    if let before {
      for mention in had {
        mentions[ConcernKey(mention.user, TimelineKey(key.channel, before.number))] = nil
        mentionTimes[MentionTimeKey(mention.user, before.sent, key)] = nil
      }
    }
    for mention in has {
      let concernKey = ConcernKey(mention.user, TimelineKey(key.channel, after.number))
      mentions[concernKey] = ConcernEntry(concernKey, key.id)
      let time = MentionTimeKey(mention.user, after.sent, key)
      mentionTimes[time] = Entry(time)
    }
  }
}

// MARK: Failed sends

extension MessageIndex {
  private func fail(_ key: Message.Key, _ before: Traits?, _ after: Traits) {
    let (had, has) = (before?.failedSend(of: key), after.failedSend(of: key))
    if had == has { return }
    if let had { failedSends[had] = nil }
    if let has { failedSends[has] = ConcernEntry(has, key.id) }
  }
}

extension Traits {
  fileprivate func failedSend(of key: Message.Key) -> ConcernKey? {
    failedAuthor.map { ConcernKey($0, TimelineKey(key.channel, number)) }
  }
}

// MARK: Counts

extension MessageIndex {
  private func count(_ key: Message.Key, _ before: Traits?, _ after: Traits) {
    let counted = before?.counts ?? false
    if counted == after.counts, before?.number == after.number { return }
    if let before, counted { set(false, before, in: key.channel) }
    if after.counts { set(true, after, in: key.channel) }
  }

  private func set(_ counts: Bool, _ message: Traits, in channel: Channel.ID) {
    let stretch = UnreadBits.stretch(of: message.number)
    set(counts, message.number, UnreadBitsKey(channel, stretch))
    if let author = message.author { set(counts, message.number, UnreadBitsKey(channel, by: author, stretch)) }
  }

  private func set(_ counts: Bool, _ number: Message.Number, _ key: UnreadBitsKey) {
    countable[key].set(counts, number, key)
  }
}

// MARK: Threads

extension MessageIndex {
  private func takePart(_ key: Message.Key, _ before: Traits?, _ after: Traits, in state: ChatTables) {
    let wasReply = before?.isReply ?? false
    guard wasReply != after.isReply, let id = after.parent else { return }
    let thread = Message.Key(key.channel, id)
    if let author = after.author {
      change(ThreadKey(author, thread)) { $0.replies.add(after.isReply ? 1 : -1) }
    }
    guard let parent = state[thread], let author = parent.author else { return }
    if parent.replyCount == (after.isReply ? 1 : 0) {
      change(ThreadKey(author, thread)) { $0.isParentAuthor = after.isReply }
    }
  }

  private func change(_ key: ThreadKey, _ body: (inout Participation) -> Void) {
    threads[key].change(key, body)
  }
}

extension LastMessageTime? {
  /// Records a message in one access to the row.
  fileprivate mutating func add(_ message: Traits, in channel: Channel.ID) {
    if self == nil { self = LastMessageTime(channel, at: message.sent) }
    self?.add(message.number, at: message.sent)
  }
}

extension UnreadBits? {
  /// Changes the row in one access; a row without bits is removed.
  fileprivate mutating func set(_ counts: Bool, _ number: Message.Number, _ key: UnreadBitsKey) {
    if self == nil { self = UnreadBits(key) }
    self?[number] = counts
    if self?.isEmpty == true { self = nil }
  }
}

extension Participation? {
  /// Changes the row in one access; a row that says nothing is removed.
  fileprivate mutating func change(_ key: ThreadKey, _ body: (inout Participation) -> Void) {
    var row = take() ?? Participation(key)
    body(&row)
    if row.replies > 0 || row.isParentAuthor { self = row }
  }
}

extension UInt32 {
  /// Adds or subtracts one, clamped to the range of the type.
  fileprivate mutating func add(_ change: Int) { self = UInt32(clamping: Int(self) + change) }
}
