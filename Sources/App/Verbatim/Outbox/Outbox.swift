// An outbox: what a device wants while it cannot reach the log.
public import Chat
internal import ChatCodec
internal import Dispatch
public import EventLog
internal import LMDB
internal import Locks

/// A durable file of what one person wants on one device, in order, for as long as the log cannot be reached.
///
/// What was added is on the disk and is delivered once, in order, whatever happens to the process or to the machine in
/// between. One process at a time has an outbox open.
///
/// It decides nothing: whether something may happen is known when it is delivered.
public final class Outbox: Sendable {
  /// The folder in which it is kept.
  public let path: String
  /// In whose name it delivers.
  public let user: User.ID
  /// On which device.
  public let device: Device.ID

  internal let content: Locked<OutboxContents>
  /// The file; nil when it was closed. Who has it may take the content's lock, and not the other way round.
  private let file: Locked<OutboxFile?>
  private let moments: MonotonicClock
  private let wishes = Locked<[Wish]>([])
  /// Where the disk is waited for, in order.
  private let queue = DispatchQueue(label: "verbatim.outbox")
  private let closing = DispatchQueue(label: "verbatim.outbox.close", attributes: .concurrent)
  private let hasClosed = Locked(false)
  /// One delivers at a time.
  internal let writerLock = AdmissionLimiter(for: 1)

  /// Opens the outbox in a folder, which is made if it is not there.
  ///
  /// `clock` is the device's own: when an entry was added is what it says, or the time of the entry before if it went
  /// back. `randomBits` makes ids unlike those of others.
  public init(
    at path: String, user: User.ID, device: Device.ID, clock: @escaping @Sendable () -> Instant = { .now },
    randomBits: @escaping @Sendable () -> UInt64 = { .random(in: 0 ... .max) }
  ) throws(OutboxError) {
    let path = Files.resolved(path)
    (self.path, self.user, self.device) = (path, user, device)
    let file = try OutboxFile(at: path)
    let owner = Author.user(user, on: device)
    var contents = OutboxContents(of: owner)
    try file.read(into: &contents)
    if let stranger = contents.stranger { throw .otherOwner(path: path, stranger) }
    moments = MonotonicClock(clock, randomBits)
    if let last = contents.lastAdded { moments.see(last) }
    (content, self.file) = (Locked(contents), Locked(file))
  }

  internal var owner: Author { .user(user, on: device) }

  /// The entries that wait to be delivered, in order.
  public var waiting: [Entry] { content.withLock { $0.waiting } }

  /// The entries to which the domain said no, in order, until they are forgotten.
  public var refused: [Refused] { content.withLock { $0.refused } }

  /// The parts of the file that are damaged, from byte to byte; no delivery goes past the first.
  public var damage: [Range<Int>] { content.withLock { $0.damage } }

  /// Ends its use, when a delivery that is under way has come to a stop. It may be called again.
  @available(*, noasync, message: "it waits for the disk: use the async close")
  public func closeBlocking() {
    hasClosed.withLock { $0 = true }
    writerLock.takeWaiting(1)
    file.withLock { $0 = nil }
    writerLock.giveBack(1)
  }

  /// Ends its use, when a delivery that is under way has come to a stop. It may be called again.
  public func close() async {
    await withCheckedContinuation { continuation in
      closing.async {
        self.closeBlocking()
        continuation.resume()
      }
    }
  }

  internal var isClosed: Bool { hasClosed.withLock { $0 } }
}

// MARK: Adding

extension Outbox {
  /// Adds something that is wanted; it is on the disk when this returns.
  ///
  /// With the id of an entry that wants the same, it is that entry, and nothing is added.
  @discardableResult
  public func add(
    _ intent: ChatIntent, id: AppendID? = nil, correlation: Name? = nil
  ) async throws(OutboxError) -> Entry {
    try await add([intent], id: id, correlation: correlation)
  }

  /// Adds several things that are wanted together, of which all happen or none; they are on the disk when this returns.
  ///
  /// With the id of an entry that wants the same, it is that entry, and nothing is added.
  @discardableResult
  public func add(
    _ intents: [ChatIntent], id: AppendID? = nil, correlation: Name? = nil
  ) async throws(OutboxError) -> Entry {
    if isClosed { throw .closed }
    if intents.isEmpty { throw .empty }
    let submission = Submission(intents, by: owner, correlation: correlation)
    let bytes: [UInt8]
    switch submission.kept {
    case .success(let kept): bytes = kept
    case .failure(let lost): throw .cannotBeKept(intent: lost.intent)
    }
    let result = await withCheckedContinuation { continuation in
      let wish = Wish(submission: submission, bytes: bytes, id: id) { continuation.resume(returning: $0) }
      let isFirst = wishes.withLock { wishes in
        wishes.append(wish)
        return wishes.count == 1
      }
      if isFirst { queue.async { self.addWishes() } }
    }
    return try result.get()
  }

  /// Something that is to be added.
  private struct Wish: Sendable {
    let submission: Submission
    let bytes: [UInt8]
    let id: AppendID?
    let answer: @Sendable (Result<Entry, OutboxError>) -> Void
  }

  /// Adds what arrived together, with one wait for the disk.
  private func addWishes() {
    let wishes = wishes.withLock { wishes in
      defer { wishes = [] }
      return wishes
    }
    var answers: [Result<Entry, OutboxError>] = []
    do throws(OutboxError) {
      try change { file throws(OutboxError) in
        var records: [OutboxRecord] = []
        var new: [AppendID: (ProposalHash, Instant)] = [:]
        for wish in wishes {
          let (id, proposal) = (wish.id ?? moments.appendID(), ProposalHash(of: wish.bytes.span.bytes))
          let known = content.withLock { $0.known(id) }.map { ($0.proposal, $0.added) } ?? new[id]
          if let known, known.0 != proposal {
            answers.append(.failure(.idReused(id)))
            continue
          }
          let added = known?.1 ?? moments.see(moments.now())
          answers.append(.success(Entry(wish.submission, id, added)))
          if known != nil { continue }
          new[id] = (proposal, added)
          records.append(.added(id, added, wish.bytes))
        }
        if !records.isEmpty { try write(records, to: file, syncs: true) }
      }
    } catch {
      answers = wishes.map { _ in .failure(error) }
    }
    for (wish, answer) in zip(wishes, answers) { wish.answer(answer) }
  }
}

extension Outbox.Entry {
  fileprivate init(_ submission: Submission, _ id: AppendID, _ added: Instant) {
    self.init(id: id, intents: submission.intents, correlation: submission.correlation, added: added)
  }
}

// MARK: Changing

extension Outbox {
  /// Forgets a refused entry, durably; answers whether it was there.
  @discardableResult
  public func forget(_ id: AppendID) async throws(OutboxError) -> Bool {
    try await offThread { outbox throws(OutboxError) in
      try outbox.change { file throws(OutboxError) in
        guard outbox.content.withLock({ $0.isRefused(id) }) else { return false }
        try outbox.write([.forgotten(id)], to: file, syncs: true)
        return true
      }
    }
  }

  /// Lets deliveries go past what is damaged now; the damaged bytes are kept in the file. Answers how many there are.
  @discardableResult
  public func skipDamaged() async throws(OutboxError) -> Int {
    try await offThread { outbox throws(OutboxError) in
      try outbox.change { file throws(OutboxError) in
        let byteCount = outbox.damage.reduce(0) { $0 + $1.count }
        if byteCount > 0 { try outbox.writeAnew(file) }
        return byteCount
      }
    }
  }

  /// Notes what became of an entry; it is on the disk when this returns, if that is asked for.
  internal func note(_ record: OutboxRecord, syncs: Bool) async throws(OutboxError) {
    try await offThread { outbox throws(OutboxError) in
      try outbox.change { file throws(OutboxError) in try outbox.write([record], to: file, syncs: syncs) }
    }
  }

  /// Makes sure that all notes are on the disk, and writes the file anew when most of it is settled.
  internal func tidy() async throws(OutboxError) {
    try await offThread { outbox throws(OutboxError) in
      try outbox.change { file throws(OutboxError) in
        try file.sync()
        let isWorthIt = outbox.content.withLock { $0.damage.isEmpty && file.isWasteful($0) }
        // That it cannot be written anew is no harm: the old file says the same.
        if isWorthIt { try? outbox.writeAnew(file) }
      }
    }
  }

  private func writeAnew(_ file: OutboxFile) throws(OutboxError) {
    let after = try file.writeAnew(content.withLock { $0 }, for: owner)
    content.withLock { $0 = after }
  }

  private func write(_ records: [OutboxRecord], to file: OutboxFile, syncs: Bool) throws(OutboxError) {
    let written = try file.append(records, syncs: syncs)
    content.withLock { content in
      for (record, byteCount) in written { content.apply(record, byteCount) }
    }
  }

  /// Lends the file.
  internal func change<R>(_ body: (OutboxFile) throws(OutboxError) -> R) throws(OutboxError) -> R {
    try file.withLock { file throws(OutboxError) in
      guard let file else { throw .closed }
      return try body(file)
    }
  }

  /// Runs what waits for the disk on a thread of its own kind, not on one of those that run tasks.
  internal func offThread<R: Sendable>(
    _ body: @escaping @Sendable (Outbox) throws(OutboxError) -> R
  ) async throws(OutboxError) -> R {
    let result = await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: Result { () throws(OutboxError) in try body(self) }) }
    }
    return try result.get()
  }
}
