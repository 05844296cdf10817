// The fold of message events, into the message, its thread and its author.

// MARK: Fold

extension Message.Event {
  func fold(on key: Message.Key, _ origin: EventOrigin, into state: inout some ChatStateStore) {
    let change: ThreadChange?
    if case .sent(let content) = self {
      var message = Message(content, as: key, origin)
      message.number = state.putLast(message, at: origin.at)
      if let client = message.clientKey { state[client] = key }
      change = state[key].become(consume message)
    } else {
      change = state[key].apply(self, origin)
      if case .ephemeralSent = self, let message = state[key] {
        let number = state.putLast(message, at: origin.at)
        state[key]?.number = number
      }
    }
    if let change { state.apply(change, in: key.channel) }
  }
}

extension ChatStateStore {
  /// Removes the content of a message after its keys were destroyed; a reply does not count any more.
  mutating func eraseContent(of key: Message.Key) {
    if let change = self[key].eraseContent() { apply(change, in: key.channel) }
  }

  fileprivate mutating func apply(_ change: ThreadChange, in channel: Channel.ID) {
    self[Message.Key(channel, change.parent)]?.replyCount.add(change.growth)
  }
}

/// The effect of a message event on the reply count of its thread.
private struct ThreadChange {
  let parent: Message.ID
  let growth: Int
}

extension Message? {
  /// Replaces the row in one access and returns the effect on a thread, if any.
  fileprivate mutating func become(_ message: consuming Message) -> ThreadChange? {
    let counted = countsAsReply
    self = consume message
    return threadChange(since: counted)
  }

  /// Applies an event in one access to the row and returns the effect on a thread, if any.
  fileprivate mutating func apply(_ event: Message.Event, _ origin: EventOrigin) -> ThreadChange? {
    let counted = countsAsReply
    self?.apply(event, origin)
    return threadChange(since: counted)
  }

  /// Removes the content in one access to the row and returns the effect on a thread, if any.
  fileprivate mutating func eraseContent() -> ThreadChange? {
    let counted = countsAsReply
    self?.eraseContent()
    return threadChange(since: counted)
  }

  private func threadChange(since counted: Bool) -> ThreadChange? {
    let counts = countsAsReply
    guard counts != counted, let parent = self?.content.parent else { return nil }
    return ThreadChange(parent: parent, growth: counts ? 1 : -1)
  }

  private var countsAsReply: Bool { self?.countsAsReply ?? false }
}

extension ChatStateStore {
  /// Returns the channel's next message number; for a message visible to all, starts its author's slow mode.
  fileprivate mutating func putLast(_ message: Message, at instant: Timestamp) -> Message.Number {
    let isForAll = message.content.kind != .ephemeral
    if isForAll, let author = message.author { self[Member.Key(message.key.channel, author)]?.lastSent = instant }
    return self[message.key.channel].count(isForAll: isForAll)
  }
}

extension Channel? {
  /// Counts a new last message and returns its number.
  fileprivate mutating func count(isForAll: Bool) -> Message.Number {
    let number = (self?.newest ?? .zero).next
    self?.newest = number
    if isForAll { self?.newestForAll = number }
    return number
  }
}

extension Message {
  init(_ content: Content, as key: Key, _ origin: EventOrigin) {
    self.init(
      key: key, author: origin.actor.user, content: content, number: .zero, sent: origin.at,
      delivery: content.isPending ? .pending : .settled)
  }

  mutating func apply(_ event: Event, _ origin: EventOrigin) {
    // Of an erased message, a part that is not erased would be taken for all of it.
    if presence == .erased, event.writes { return }
    switch event {
    case .sent: return
    case .edited(let edits):
      content = content.with(edits)
      edited = origin.at
      editCount.add(1)
    case .deleted(let forGood):
      presence = forGood ? .gone : .deleted(origin)
      if forGood { erase() }
    case .restored: presence = .present
    case .pinned(let expiry): pin = Pin(stamp: origin, term: expiry)
    case .unpinned: pin = nil
    case .acknowledged: delivery = .settled
    case .failed(let reason): delivery = .failed(reason: reason)
    case .retried: delivery = .pending
    case .ephemeralSent: (content.kind, sent) = (.regular, origin.at)
    case .ephemeralShuffled(let attachments): content.attachments = attachments
    case .ephemeralCancelled:
      presence = .gone
      erase()
    case .pollOpened(let options, let rules): poll = Poll(options: options, rules: rules)
    case .pollOptionAdded(let option): poll?.options.append(option)
    case .pollClosed: poll?.closed = origin
    }
  }

  /// Removes the content after its keys were destroyed.
  fileprivate mutating func eraseContent() {
    if presence != .gone { presence = .erased }
    (content, poll) = (content.erased, nil)
  }

  private mutating func erase() {
    content = content.erased
    (pin, poll, reactions) = (nil, nil, [])
  }

  /// Updates the total of a reaction kind by an added or removed reaction.
  mutating func count(_ kind: Reaction.Kind, by users: Int, score: Int64) {
    guard presence != .gone else { return }
    let index =
      reactions.firstIndex { $0.kind == kind }
      ?? {
        reactions.append(Total(kind: kind, count: 0, score: 0))
        return reactions.count - 1
      }()
    reactions[index].count.add(users)
    reactions[index].score.add(score)
    if reactions[index].count == 0 { reactions.remove(at: index) }
  }

  /// The client key given by the author.
  var clientKey: ClientKey? {
    guard let author, let client = content.client else { return nil }
    return ClientKey(author, client)
  }

  fileprivate var countsAsReply: Bool {
    content.parent != nil && presence == .present && content.kind != .ephemeral
  }
}

extension Message.Event {
  /// Whether the event changes the content, or the presence for another reason than an erasure.
  fileprivate var writes: Bool {
    switch self {
    case .edited, .restored, .ephemeralShuffled, .pollOpened, .pollOptionAdded, .pollClosed: true
    case .deleted(let forGood): !forGood
    default: false
    }
  }
}

extension FixedWidthInteger where Self: UnsignedInteger {
  /// Adds a signed number, clamped to the bounds of the type.
  mutating func add(_ change: some SignedInteger) {
    let size = Self(clamping: change.magnitude)
    let (result, overflow) = change < 0 ? subtractingReportingOverflow(size) : addingReportingOverflow(size)
    self = overflow ? (change < 0 ? .min : .max) : result
  }
}

// MARK: Invariants

extension Message {
  /// The first violated invariant of the row, in words; nil when the row is valid.
  public var defect: String? {
    if number == .zero { return "message \(key.id) of \(key.channel) has no number" }
    if presence == .gone || presence == .erased, !content.text.isEmpty || !content.attachments.isEmpty {
      return "message \(key.id) of \(key.channel) is deleted and still has content"
    }
    if let total = reactions.first(where: { $0.count == 0 }) {
      return "message \(key.id) of \(key.channel) counts \(total.kind) without a reaction of that kind"
    }
    return nil
  }
}
