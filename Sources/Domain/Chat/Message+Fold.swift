// What the events of a message do to it, to its thread and to its author.

// MARK: Fold

extension Message.Event {
  func fold(on key: Message.Key, _ stamp: EventOrigin, into state: inout some ChatStateStore) {
    let change: ThreadChange?
    if case .sent(let content) = self {
      var message = Message(content, as: key, stamp)
      message.number = state.putLast(message, at: stamp.at)
      if let client = message.clientKey { state[client] = key }
      change = state[key].become(consume message)
    } else {
      change = state[key].apply(self, stamp)
      if case .ephemeralSent = self, let message = state[key] {
        let number = state.putLast(message, at: stamp.at)
        state[key]?.number = number
      }
    }
    if let change { state[Message.Key(key.channel, change.parent)]?.replyCount.add(change.growth) }
  }
}

/// What a change of a message does to the thread in which it is a reply.
private struct ThreadChange {
  let parent: Message.ID
  let growth: Int
}

extension Message? {
  /// Takes the place of what stood there, in one access to the row; answers what that does to a thread, if anything.
  fileprivate mutating func become(_ message: consuming Message) -> ThreadChange? {
    let counted = countsAsReply
    self = consume message
    return threadChange(since: counted)
  }

  /// Makes a change, in one access to the row; answers what it does to a thread, if anything.
  fileprivate mutating func apply(_ event: Message.Event, _ stamp: EventOrigin) -> ThreadChange? {
    let counted = countsAsReply
    self?.apply(event, stamp)
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
  /// Answers the channel's next number for a message; if others see it, its author waits for the slow mode.
  fileprivate mutating func putLast(_ message: Message, at instant: Instant) -> Message.Number {
    let isForAll = message.content.kind != .ephemeral
    if isForAll, let author = message.author { self[Member.Key(message.key.channel, author)]?.lastSent = instant }
    return self[message.key.channel].count(isForAll: isForAll)
  }
}

extension Channel? {
  /// Counts a message that stands behind all others from now on; answers its number.
  fileprivate mutating func count(isForAll: Bool) -> Message.Number {
    let number = (self?.newest ?? .zero).next
    self?.newest = number
    if isForAll { self?.newestForAll = number }
    return number
  }
}

extension Message {
  init(_ content: Content, as key: Key, _ stamp: EventOrigin) {
    self.init(
      key: key, author: stamp.actor.user, content: content, number: .zero, sent: stamp.at,
      delivery: content.isPending ? .pending : .settled)
  }

  mutating func apply(_ event: Event, _ stamp: EventOrigin) {
    switch event {
    case .sent: return
    case .edited(let edits):
      content = content.with(edits)
      edited = stamp.at
      editCount.add(1)
    case .deleted(let forGood):
      presence = forGood ? .gone : .deleted(stamp)
      if forGood { erase() }
    case .restored: presence = .present
    case .pinned(let term): pin = Pin(stamp: stamp, term: term)
    case .unpinned: pin = nil
    case .acknowledged: delivery = .settled
    case .failed(let reason): delivery = .failed(reason: reason)
    case .retried: delivery = .pending
    case .ephemeralSent: (content.kind, sent) = (.regular, stamp.at)
    case .ephemeralShuffled(let attachments): content.attachments = attachments
    case .ephemeralCancelled:
      presence = .gone
      erase()
    }
  }

  private mutating func erase() {
    content = content.erased
    (pin, reactions) = (nil, [])
  }

  /// Counts a reaction that came, or one that went.
  mutating func count(_ kind: Reaction.Kind, by users: Int, score: Int64) {
    guard presence != .gone else { return }
    let place =
      reactions.firstIndex { $0.kind == kind }
      ?? {
        reactions.append(Total(kind: kind, count: 0, score: 0))
        return reactions.count - 1
      }()
    reactions[place].count.add(users)
    reactions[place].score.add(score)
    if reactions[place].count == 0 { reactions.remove(at: place) }
  }

  /// The id that its author gave it.
  var clientKey: ClientKey? {
    guard let author, let client = content.client else { return nil }
    return ClientKey(author, client)
  }

  fileprivate var countsAsReply: Bool {
    content.parent != nil && presence == .present && content.kind != .ephemeral
  }
}

extension FixedWidthInteger where Self: UnsignedInteger {
  /// Adds a number that may be less than zero; stays within what fits.
  mutating func add(_ change: some SignedInteger) {
    let size = Self(clamping: change.magnitude)
    let (result, overflow) = change < 0 ? subtractingReportingOverflow(size) : addingReportingOverflow(size)
    self = overflow ? (change < 0 ? .min : .max) : result
  }
}

// MARK: Invariants

extension Message {
  /// What is wrong with the row, in words; nil when nothing is.
  public var defect: String? {
    if number == .zero { return "message \(key.id) of \(key.channel) has no number" }
    if presence == .gone, !content.text.isEmpty || !content.attachments.isEmpty {
      return "message \(key.id) of \(key.channel) is gone and still says something"
    }
    if let total = reactions.first(where: { $0.count == 0 }) {
      return "message \(key.id) of \(key.channel) counts \(total.kind) that nobody gave"
    }
    return nil
  }
}
