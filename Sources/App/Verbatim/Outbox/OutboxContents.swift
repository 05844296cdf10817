// What an outbox holds, as its records have it.
internal import Bytes
internal import Chat
internal import ChatCodec
internal import EventLog

/// The entries of an outbox and what came of them, folded from its records.
internal struct OutboxContents: Sendable {
  private var items: [Item] = []
  private var known: [AppendID: Known] = [:]
  /// Before this all was settled.
  private var first = 0
  /// How many bytes a file takes that holds what is not settled, and no more.
  private(set) var liveByteCount = 0
  /// When the last entry was added.
  private(set) var lastAdded: Instant?
  /// Whose entries it holds that are not the owner's.
  private(set) var stranger: Author?
  private let owner: Author

  private struct Item {
    var state: State
    var byteCount: Int
  }

  private enum State {
    case waiting(Outbox.Entry)
    case refused(Outbox.Refused)
    /// Nothing is left to do, and it need not be kept.
    case settled
    /// It cannot be read, and is kept until a newer program comes.
    case unreadable([UInt8], AppendID?, UnreadableIntent?)
    /// It cannot be read, is in nobody's way and is kept.
    case kept([[UInt8]])
    case damaged(Range<Int>)
  }

  /// What is known of an id.
  struct Known {
    fileprivate let index: Int
    let proposal: ProposalHash
    let added: Instant
  }

  /// What a delivery does next.
  enum Next { case entry(Outbox.Entry), unreadable(AppendID?, UnreadableIntent?), damaged(Range<Int>) }

  init(of owner: Author) { self.owner = owner }

  /// What is known of the entry with an id; nil when there is none.
  func known(_ id: AppendID) -> Known? { known[id] }

  /// The entries that wait, in order.
  var waiting: [Outbox.Entry] {
    items[first...].compactMap { if case .waiting(let entry) = $0.state { entry } else { nil } }
  }

  /// The entries that were refused, in order.
  var refused: [Outbox.Refused] {
    items.compactMap { if case .refused(let refused) = $0.state { refused } else { nil } }
  }

  /// The parts of the file that are damaged.
  var damage: [Range<Int>] {
    items[first...].compactMap { if case .damaged(let range) = $0.state { range } else { nil } }
  }

  /// What is first of all that waits; nil when nothing does.
  mutating func next() -> Next? {
    while first < items.count {
      switch items[first].state {
      case .waiting(let entry): return .entry(entry)
      case .unreadable(_, let id, let reason): return .unreadable(id, reason)
      case .damaged(let range): return .damaged(range)
      case .refused, .settled, .kept: first += 1
      }
    }
    return nil
  }
}

// MARK: Folding

extension OutboxContents {
  /// Folds the content of a record, which takes so many bytes with its head.
  mutating func apply(_ content: [UInt8], _ byteCount: Int) {
    switch OutboxRecord(content) {
    case .added(let id, let added, let submission): add(id, added, submission, content, byteCount)
    case .delivered(let id): settle(id)
    case .refused(let id, let intent, let reason):
      guard let index = known[id]?.index else { return }
      switch items[index].state {
      case .waiting(let entry):
        items[index].state = .refused(Outbox.Refused(entry: entry, intent: intent, reason: reason))
      case .unreadable(let own, _, _): items[index].state = .kept([own, content])
      case .refused, .settled, .kept, .damaged: return
      }
      items[index].byteCount += byteCount
      liveByteCount += byteCount
    case .forgotten(let id): settle(id)
    case .skipped: add(.kept([content]), byteCount)
    case nil: add(.unreadable(content, nil, nil), byteCount)
    }
  }

  /// Notes that a part of the file is damaged.
  mutating func applyDamage(_ range: Range<Int>) { add(.damaged(range), range.count) }

  private mutating func add(
    _ id: AppendID, _ added: Instant, _ bytes: [UInt8], _ content: [UInt8], _ byteCount: Int
  ) {
    let proposal = ProposalHash(of: bytes.span.bytes)
    if let known = known[id] {
      // The same twice is one entry. Two under one id are not told apart by the log: somebody has to look at them.
      if known.proposal != proposal { add(.unreadable(content, id, nil), byteCount) }
      return
    }
    known[id] = Known(index: items.count, proposal: proposal, added: added)
    lastAdded = max(lastAdded ?? added, added)
    do throws(UnreadableIntent) {
      let submission = try Submission(kept: bytes.span.bytes, id: id)
      if submission.actor != owner { stranger = stranger ?? submission.actor }
      let entry = Outbox.Entry(
        id: id, intents: submission.intents, correlation: submission.correlation, added: added)
      add(.waiting(entry), byteCount)
    } catch {
      add(.unreadable(content, id, error), byteCount)
    }
  }

  private mutating func add(_ state: State, _ byteCount: Int) {
    items.append(Item(state: state, byteCount: byteCount))
    liveByteCount += byteCount
  }

  private mutating func settle(_ id: AppendID) {
    guard let index = known[id]?.index else { return }
    liveByteCount -= items[index].byteCount
    items[index] = Item(state: .settled, byteCount: 0)
  }
}

// MARK: Writing anew

extension OutboxContents {
  /// The contents of the records of a file that holds what is not settled, and no more.
  ///
  /// `read` gives the bytes of what is damaged, which become records of bytes that were passed over.
  func records(skipping read: (Range<Int>) -> [UInt8]) -> [[UInt8]] {
    items.flatMap { item -> [[UInt8]] in
      switch item.state {
      case .waiting(let entry): [record(of: entry).content]
      case .refused(let refused):
        [
          record(of: refused.entry).content,
          OutboxRecord.refused(refused.entry.id, intent: refused.intent, reason: refused.reason).content,
        ]
      case .settled: []
      case .unreadable(let content, _, _): [content]
      case .kept(let contents): contents
      case .damaged(let range): [OutboxRecord.skipped(read(range)).content]
      }
    }
  }

  private func record(of entry: Outbox.Entry) -> OutboxRecord {
    var writer = ByteWriter()
    Submission(entry, by: owner).write(to: &writer)
    return .added(entry.id, entry.added, writer.array())
  }

  /// Whether an entry was refused and is kept.
  func isRefused(_ id: AppendID) -> Bool {
    if let known = known[id], case .refused = items[known.index].state { true } else { false }
  }
}

extension Submission {
  /// What an entry of somebody's is submitted as.
  init(_ entry: Outbox.Entry, by owner: Author) {
    self.init(entry.intents, by: owner, id: entry.id, correlation: entry.correlation)
  }
}
