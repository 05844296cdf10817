// An outbox: a durable queue of commands for when the log cannot be reached.
public import Chat
internal import ChatCodec
internal import Dispatch
public import EventLog
internal import Files
internal import Locks

/// A durable, ordered queue of one user's commands on one device, for when the log cannot be reached.
///
/// An added entry is on the disk and is delivered once, in order, across crashes of the process or the machine. One
/// process at a time has an outbox open.
///
/// It decides nothing: commands are granted or refused at delivery.
public final class Outbox: Sendable {
  /// The directory of the outbox.
  public let path: String
  /// The user in whose name it delivers.
  public let user: User.ID
  /// The device in whose name it delivers.
  public let device: Device.ID

  internal let content: Locked<OutboxContents>
  /// The file; nil once closed. Lock order: this lock first, then the content's lock, never the other way round.
  private let file: Locked<OutboxFile?>
  private let monotonicClock: MonotonicClock
  private let wishes = Locked<[Wish]>([])
  /// The serial queue for blocking disk operations.
  private let queue = DispatchQueue(label: "verbatim.outbox")
  private let closing = DispatchQueue(label: "verbatim.outbox.close", attributes: .concurrent)
  private let hasClosed = Locked(false)
  private let unwritten = Locked(Unwritten())
  /// A mutex: one delivery at a time.
  internal let deliveryLock = AdmissionLimiter(for: 1)

  /// The additions of composers that are not made yet.
  private struct Unwritten {
    /// Whether what was recorded is being added for the last time.
    var isClosing = false
    /// The hosts of the composers, each with the call that adds what they recorded.
    var calls: [ObjectIdentifier: @Sendable () async throws -> Void] = [:]
  }

  /// Opens the outbox in a directory, which is created if it is missing.
  ///
  /// `clock` is the device's own clock; an entry's time is never earlier than the entry before. `randomBits` makes ids
  /// unique.
  public init(
    at path: String, user: User.ID, device: Device.ID, clock: @escaping @Sendable () -> Timestamp = { .now },
    randomBits: @escaping @Sendable () -> UInt64 = { .random(in: 0 ... .max) }
  ) throws(OutboxError) {
    let path = FileSystem.resolved(path)
    (self.path, self.user, self.device) = (path, user, device)
    let file = try OutboxFile(at: path)
    let owner = Author.user(user, on: device)
    var contents = OutboxContents(of: owner)
    try file.read(into: &contents)
    if let stranger = contents.stranger { throw .otherOwner(path: path, stranger) }
    // Where this fails, the next record waits for it.
    if file.hasHoles, contents.damage.isEmpty { contents = (try? file.compact(contents, for: owner)) ?? contents }
    monotonicClock = MonotonicClock(clock, randomBits)
    if let last = contents.lastAdded { monotonicClock.see(last) }
    (content, self.file) = (Locked(contents), Locked(file))
  }

  internal var owner: Author { .user(user, on: device) }

  /// The entries that wait for delivery, in order.
  public var waiting: [Entry] { content.withLock { $0.waiting } }

  /// The entries that the domain refused, in order, until they are forgotten.
  public var refused: [Refused] { content.withLock { $0.refused } }

  /// The damaged byte ranges of the file; delivery stops at the first.
  public var damage: [Range<Int>] { content.withLock { $0.damage } }

  /// The time of the device, never earlier than that of the last entry.
  package var now: Timestamp { monotonicClock.now() }

  /// Returns a new id for a message.
  package func newID() -> String { monotonicClock.id() }

  /// Returns a new id for an entry.
  package func newEntryID() -> AppendID { monotonicClock.appendID() }

  /// Returns a composer as the entries leave it; nil if there is none.
  package func composer(_ key: Composer.Key) -> Composer? { content.withLock { $0.composers[key] } }

  /// Returns a draft as the entries leave it; nil if there is none.
  package func draft(_ key: Draft.Key) -> Draft? { content.withLock { $0.composers[key] } }

  /// Closes the outbox after a running delivery has stopped, with what was typed until then; idempotent.
  @available(*, noasync, message: "it blocks until the disk has finished: use the async close")
  public func closeBlocking() {
    writeUnwritten()
    hasClosed.withLock { $0 = true }
    deliveryLock.takeWaiting(1)
    file.withLock { $0 = nil }
    deliveryLock.giveBack(1)
  }

  /// Closes the outbox after a running delivery has stopped, with what was typed until then; idempotent.
  public func close() async {
    await withCheckedContinuation { continuation in
      closing.async {
        self.closeBlocking()
        continuation.resume()
      }
    }
  }

  package var isClosed: Bool { hasClosed.withLock { $0 } }

  /// Keeps a host whose composer is about to record what is not added yet, and calls the closure before the outbox is
  /// closed; throws if it is being closed.
  package func keep(_ host: AnyObject, adding add: @escaping @Sendable () async throws -> Void) throws(OutboxError) {
    try unwritten.withLock { unwritten throws(OutboxError) in
      if unwritten.isClosing { throw .closed }
      unwritten.calls[ObjectIdentifier(host)] = add
    }
  }

  /// Releases a host, all of whose composer's events were added.
  package func release(_ host: AnyObject) { unwritten.withLock { $0.calls[ObjectIdentifier(host)] = nil } }

  private func writeUnwritten() {
    let calls = unwritten.withLock { unwritten in
      defer { unwritten = Unwritten(isClosing: true) }
      return Array(unwritten.calls.values)
    }
    if calls.isEmpty { return }
    let isDone = DispatchSemaphore(value: 0)
    Task {
      for add in calls { try? await add() }
      isDone.signal()
    }
    isDone.wait()
  }
}

// MARK: Adding

extension Outbox {
  /// Adds an intent, which is on the disk when this returns.
  ///
  /// Adding the same intent again with the same id returns the existing entry and adds nothing.
  @discardableResult
  public func add(
    _ intent: ChatIntent, id: AppendID? = nil, correlation: Name? = nil
  ) async throws(OutboxError) -> Entry {
    try await add([intent], id: id, correlation: correlation)
  }

  /// Adds several intents that are granted together or not at all; they are on the disk when this returns.
  ///
  /// Adding the same intents again with the same id returns the existing entry and adds nothing.
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

  /// A pending addition.
  private struct Wish: Sendable {
    let submission: Submission
    let bytes: [UInt8]
    let id: AppendID?
    let answer: @Sendable (Result<Entry, OutboxError>) -> Void
  }

  /// Adds all pending entries with one fsync.
  private func addWishes() {
    let wishes = wishes.withLock { wishes in
      defer { wishes = [] }
      return wishes
    }
    var answers: [Result<Entry, OutboxError>] = []
    do throws(OutboxError) {
      try change { file throws(OutboxError) in
        var records: [OutboxRecord] = []
        var new: [AppendID: (ProposalHash, Timestamp)] = [:]
        for wish in wishes {
          let (id, proposal) = (wish.id ?? monotonicClock.appendID(), ProposalHash(of: wish.bytes.span.bytes))
          let known = content.withLock { $0.known(id) }.map { ($0.proposal, $0.added) } ?? new[id]
          if let known, known.0 != proposal {
            answers.append(.failure(.idReused(id)))
            continue
          }
          let added = known?.1 ?? monotonicClock.see(monotonicClock.now())
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
  fileprivate init(_ submission: Submission, _ id: AppendID, _ added: Timestamp) {
    self.init(id: id, intents: submission.intents, correlation: submission.correlation, added: added)
  }
}

// MARK: Changes

extension Outbox {
  /// Forgets a refused entry durably; returns whether it existed.
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

  /// Lets deliveries skip what is damaged now; the damaged bytes are kept in the file. Returns their number.
  @discardableResult
  public func skipDamaged() async throws(OutboxError) -> Int {
    try await offThread { outbox throws(OutboxError) in
      try outbox.change { file throws(OutboxError) in
        let byteCount = outbox.damage.reduce(0) { $0 + $1.count }
        if byteCount > 0 { try outbox.compact(file) }
        return byteCount
      }
    }
  }

  /// Records the outcome of an entry, durably if `syncs` is true.
  internal func note(_ record: OutboxRecord, syncs: Bool) async throws(OutboxError) {
    try await offThread { outbox throws(OutboxError) in
      try outbox.change { file throws(OutboxError) in try outbox.write([record], to: file, syncs: syncs) }
    }
  }

  /// Syncs all records to the disk, and compacts the file if most of it is settled.
  internal func tidy() async throws(OutboxError) {
    try await offThread { outbox throws(OutboxError) in
      try outbox.change { file throws(OutboxError) in
        try file.sync()
        let isWorthIt = outbox.content.withLock { $0.damage.isEmpty && file.isWasteful($0) }
        // A failed compaction does no harm: the old file has the same contents.
        if isWorthIt { try? outbox.compact(file) }
      }
    }
  }

  private func compact(_ file: OutboxFile) throws(OutboxError) {
    let after = try file.compact(content.withLock { $0 }, for: owner)
    content.withLock { $0 = after }
  }

  private func write(_ records: [OutboxRecord], to file: OutboxFile, syncs: Bool) throws(OutboxError) {
    // Otherwise these records would prove that what is missing was on the disk.
    if file.hasHoles, damage.isEmpty { try compact(file) }
    let written = try file.append(records, syncs: syncs)
    content.withLock { content in
      for (record, byteCount) in written { content.apply(record, byteCount) }
    }
  }

  /// Runs a closure with the file, under its lock.
  internal func change<R>(_ body: (OutboxFile) throws(OutboxError) -> R) throws(OutboxError) -> R {
    try file.withLock { file throws(OutboxError) in
      guard let file else { throw .closed }
      return try body(file)
    }
  }

  /// Runs a blocking closure on the disk queue rather than on a thread of the task executor.
  internal func offThread<R: Sendable>(
    _ body: @escaping @Sendable (Outbox) throws(OutboxError) -> R
  ) async throws(OutboxError) -> R {
    let result = await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: Result { () throws(OutboxError) in try body(self) }) }
    }
    return try result.get()
  }
}
