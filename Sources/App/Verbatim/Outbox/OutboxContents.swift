// The contents of an outbox, folded from its records.
internal import Bytes
internal import Chat
internal import ChatCodec
internal import EventLog

/// The entries of an outbox and their outcomes, folded from its records.
internal struct OutboxContents: Sendable {
  private var items: [Item] = []
  private var known: [AppendID: Known] = [:]
  /// The index of the first open item.
  private var first = 0
  /// The size in bytes of a compacted file: of everything that is not settled.
  private(set) var liveByteCount = 0
  /// The time of the last added entry.
  private(set) var lastAdded: Timestamp?
  /// The author of foreign entries, if there are any.
  private(set) var stranger: Author?
  private let owner: Author
  /// The composers and drafts after all entries.
  private(set) var composers = OutboxComposers()
  /// The composers and drafts after the entries before the first open item.
  private var settledComposers = OutboxComposers()
  /// The size of the record of composers in the file.
  private var composersByteCount = 0

  private struct Item {
    var state: State
    var byteCount: Int
  }

  private enum State {
    case waiting(Outbox.Entry)
    case refused(Outbox.Refused)
    /// The entry was delivered or forgotten, and an item before it is open, after which its composers are folded: a
    /// power cut may leave the record of a delivery without those before it.
    case closed(Outbox.Entry)
    /// The item is complete and need not be kept.
    case settled
    /// The item cannot be decoded and waits for a newer program.
    case unreadable([UInt8], AppendID?, UnreadableIntent?)
    /// The item cannot be decoded, does not block delivery, and is kept.
    case kept([[UInt8]])
    case damaged(Range<Int>)

    /// Whether a delivery has not passed the item.
    var isOpen: Bool {
      switch self {
      case .waiting, .unreadable, .damaged: true
      case .refused, .closed, .settled, .kept: false
      }
    }
  }

  /// The index, proposal hash and time of a known entry.
  struct Known {
    fileprivate let index: Int
    let proposal: ProposalHash
    let added: Timestamp
  }

  /// The next step of a delivery.
  enum Next { case entry(Outbox.Entry), unreadable(AppendID?, UnreadableIntent?), damaged(Range<Int>) }

  init(of owner: Author) { self.owner = owner }

  /// Returns the known entry with an id; nil if there is none.
  func known(_ id: AppendID) -> Known? { known[id] }

  /// The waiting entries, in order.
  var waiting: [Outbox.Entry] {
    items[first...].compactMap { if case .waiting(let entry) = $0.state { entry } else { nil } }
  }

  /// The refused entries, in order.
  var refused: [Outbox.Refused] {
    items.compactMap { if case .refused(let refused) = $0.state { refused } else { nil } }
  }

  /// The damaged byte ranges of the file.
  var damage: [Range<Int>] {
    items[first...].compactMap { if case .damaged(let range) = $0.state { range } else { nil } }
  }

  /// Returns the first item that waits; nil if none does.
  var next: Next? {
    if first == items.count { return nil }
    switch items[first].state {
    case .waiting(let entry): return .entry(entry)
    case .unreadable(_, let id, let reason): return .unreadable(id, reason)
    case .damaged(let range): return .damaged(range)
    case .refused, .closed, .settled, .kept: preconditionFailure("it is open")
    }
  }
}

// MARK: Fold

extension OutboxContents {
  /// Folds a record's content; `byteCount` is its size with its head.
  mutating func apply(_ content: [UInt8], _ byteCount: Int) {
    switch OutboxRecord(content) {
    case .added(let id, let added, let submission): add(id, added, submission, content, byteCount)
    case .delivered(let id), .forgotten(let id): close(id, byteCount)
    case .refused(let id, let intent, let reason):
      guard let index = known[id]?.index else { return }
      switch items[index].state {
      case .waiting(let entry):
        items[index].state = .refused(Outbox.Refused(entry: entry, intent: intent, reason: reason))
      case .unreadable(let own, _, _): items[index].state = .kept([own, content])
      case .refused, .closed, .settled, .kept, .damaged: return
      }
      keep(byteCount, of: index)
      advance()
    case .skipped: add(.kept([content]), byteCount)
    case .composers(let instant, let submission):
      guard let restored = try? Submission(kept: submission.span.bytes, id: AppendID(high: 0, low: 0)) else {
        return add(.kept([content]), byteCount)
      }
      // It stands for all settled entries before it.
      settledComposers = OutboxComposers()
      settledComposers.fold(restored.intents, by: owner, at: instant)
      composers = settledComposers
      liveByteCount += byteCount - composersByteCount
      composersByteCount = byteCount
    case nil: add(.unreadable(content, nil, nil), byteCount)
    }
  }

  /// Adds a damaged byte range of the file.
  mutating func applyDamage(_ range: Range<Int>) { add(.damaged(range), range.count) }

  /// Turns a damaged byte range of the file into skipped bytes.
  mutating func skip(_ damage: Range<Int>, _ bytes: [UInt8]) {
    for index in items.indices {
      guard case .damaged(damage) = items[index].state else { continue }
      items[index].state = .kept([OutboxRecord.skipped(bytes).content])
    }
    advance()
  }

  private mutating func add(
    _ id: AppendID, _ added: Timestamp, _ bytes: [UInt8], _ content: [UInt8], _ byteCount: Int
  ) {
    let proposal = ProposalHash(of: bytes.span.bytes)
    if let known = known[id] {
      // The same entry twice is one entry. Two different ones with one id cannot both be submitted: a person has to
      // decide.
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
      composers.fold(entry.intents, by: owner, at: added)
      add(.waiting(entry), byteCount)
    } catch {
      add(.unreadable(content, id, error), byteCount)
    }
  }

  private mutating func add(_ state: State, _ byteCount: Int) {
    items.append(Item(state: state, byteCount: byteCount))
    liveByteCount += byteCount
    advance()
  }

  private mutating func keep(_ byteCount: Int, of index: Int) {
    items[index].byteCount += byteCount
    liveByteCount += byteCount
  }

  /// Closes an entry that was delivered or forgotten.
  private mutating func close(_ id: AppendID, _ byteCount: Int) {
    guard let index = known[id]?.index else { return }
    switch items[index].state {
    case .waiting(let entry): items[index].state = .closed(entry)
    case .refused(let refused) where index >= first: items[index].state = .closed(refused.entry)
    case .closed: return
    case .refused, .settled, .unreadable, .kept, .damaged: settle(index)
    }
    if case .closed = items[index].state { keep(byteCount, of: index) }
    advance()
  }

  /// Passes the items that are not open, and folds their composers in order.
  private mutating func advance() {
    while first < items.count, !items[first].state.isOpen {
      switch items[first].state {
      case .closed(let entry):
        settledComposers.fold(entry.intents, by: owner, at: entry.added)
        settle(first)
      case .refused(let refused): settledComposers.fold(refused.entry.intents, by: owner, at: refused.entry.added)
      case .waiting, .settled, .unreadable, .kept, .damaged: break
      }
      first += 1
    }
  }

  private mutating func settle(_ index: Int) {
    liveByteCount -= items[index].byteCount
    items[index] = Item(state: .settled, byteCount: 0)
  }
}

// MARK: Rewriting

extension OutboxContents {
  /// Returns the records of a compacted file: of everything that is not settled.
  ///
  /// `read` returns the bytes of a damaged range, which become records of skipped bytes.
  func records(skipping read: (Range<Int>) -> [UInt8]) -> [[UInt8]] {
    records(of: items[..<first], skipping: read) + composersRecord + records(of: items[first...], skipping: read)
  }

  /// The record of the composers, which follows the settled entries; none if there is nothing to restore.
  private var composersRecord: [[UInt8]] {
    let intents = settledComposers.restoring
    if intents.isEmpty { return [] }
    var writer = ByteWriter()
    Submission(intents, by: owner).write(to: &writer)
    return [OutboxRecord.composers(lastAdded ?? Timestamp(rawValue: 0), writer.array()).content]
  }

  private func records(of items: ArraySlice<Item>, skipping read: (Range<Int>) -> [UInt8]) -> [[UInt8]] {
    items.flatMap { item -> [[UInt8]] in
      switch item.state {
      case .waiting(let entry): [record(of: entry).content]
      case .refused(let refused):
        [
          record(of: refused.entry).content,
          OutboxRecord.refused(refused.entry.id, intent: refused.intent, reason: refused.reason).content,
        ]
      case .closed(let entry): [record(of: entry).content, OutboxRecord.delivered(entry.id).content]
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

  /// Returns whether an entry was refused and is kept.
  func isRefused(_ id: AppendID) -> Bool {
    if let known = known[id], case .refused = items[known.index].state { true } else { false }
  }
}

extension Submission {
  /// Creates the submission that delivers an entry.
  init(_ entry: Outbox.Entry, by owner: Author) {
    self.init(entry.intents, by: owner, id: entry.id, correlation: entry.correlation)
  }
}
