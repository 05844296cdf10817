// Encrypted content: what a log asks of the owner of the keys, and how readers get decrypted events.
package import Bytes
internal import Locks

/// The owner of the keys with which the content of events is encrypted.
///
/// The log does not know what content is: it stores the two parts of an event that the cipher returns, and asks it to
/// join them again.
package protocol ContentCipher: AnyObject, Sendable {
  /// Writes the two parts of an event's payload: what remains readable, and what is encrypted; returns false and writes
  /// nothing when the event has no content.
  ///
  /// It is called under the writer lock. The same event of the same append always has the same parts. The closure
  /// returns whether the log has a stream, by which the cipher knows that keys are missing, and not new.
  func encrypt(
    _ event: ProposedEvent, _ place: AppendPlace, at recorded: Timestamp, into parts: inout ContentParts,
    hasStream: (Name) throws(LogError) -> Bool
  ) throws(LogError) -> Bool

  /// Returns the proposal hash to store for an append of an author, from which nobody without their keys can guess the
  /// intent.
  func hidden(
    _ proposal: ProposalHash, of append: AppendID, by actor: Name?, at recorded: Timestamp,
    hasStream: (Name) throws(LogError) -> Bool
  ) throws(LogError) -> ProposalHash

  /// Returns whether a stored proposal hash is that of an intent.
  func matches(_ stored: ProposalHash, _ proposal: ProposalHash, of append: AppendID, by actor: Name?) -> Bool

  /// The number of erasures in the log, as far as it was read.
  var erasureCount: Int { get }

  /// The stream with the events of erasures, and its version as far as it was read.
  var erasureStream: (name: Name, version: StreamVersion) { get }

  /// Reads the erasures of the log: from now on, what they cover counts as erased, and new content has new keys.
  func readErasures(of store: EventStore) throws(LogError)

  /// Makes all keys durable that ``encrypt(_:_:at:into:hasStream:)`` used for the first time. Events are stored after
  /// it, unless it returns false: another process created keys for the same, so that they must be encrypted again.
  func sync() throws(LogError) -> Bool

  /// Writes the payload of an event with encrypted content, and returns nil; when the key was destroyed, writes the
  /// readable part alone, and returns the position of the erasure.
  func decrypt(
    _ event: EventView, _ place: AppendPlace, into payload: inout ByteWriter
  ) throws(LogError) -> Position?
}

/// The place of an event in its append, which a copy in another log keeps.
package struct AppendPlace: Hashable, Sendable {
  /// The id of the append.
  package let append: AppendID
  /// The index of the event in it.
  package let index: Int

  package init(_ append: AppendID, _ index: Int) { (self.append, self.index) = (append, index) }
}

/// The keys of the content of a log's events. Without them, content is stored as it is, and encrypted content cannot be
/// read.
public final class LogContent: Sendable {
  private let keys = Locked<(any ContentCipher)?>(nil)

  /// Creates the content of a log without keys.
  public init() {}

  /// The keys, once the owner of the log has opened them.
  package var cipher: (any ContentCipher)? {
    get { keys.withLock { $0 } }
    set { keys.withLock { $0 = newValue } }
  }

  /// The number of erasures, on which everything depends that is derived from the log.
  package var erasureCount: Int { cipher?.erasureCount ?? 0 }
}

extension EventStore {
  /// Reads the erasures that other processes have requested since they were last read.
  package func readErasures() throws(LogError) {
    guard let cipher = log.content.cipher else { return }
    let (name, version) = cipher.erasureStream
    if try self.version(of: name) > version { try cipher.readErasures(of: self) }
  }
}

/// The two parts of the payload of an event with content.
package struct ContentParts: ~Copyable {
  /// The readable part.
  package var readable = ByteWriter()
  /// The encrypted part.
  package var encrypted = ByteWriter()

  package init() {}

  /// Removes all bytes.
  package mutating func removeAll() {
    readable.removeAll()
    encrypted.removeAll()
  }
}

/// Decrypts the events that are read, one at a time.
package struct EventDecryption: ~Copyable {
  private let cipher: (any ContentCipher)?
  private var payload = ByteWriter()
  /// The appends of the block that was read last, and the number of the one with its last event.
  private var appends: [(first: Int, id: AppendID)] = []
  private var block = Position.zero
  private var current = 0

  package init(with cipher: (any ContentCipher)?) { self.cipher = cipher }

  /// Calls the closure with an event whose content is decrypted, if it has any and there is a cipher.
  @inline(__always)
  package mutating func withDecrypted<R, E: Error>(
    _ event: EventView, as transform: (LogError) -> E, _ body: (EventView) throws(E) -> R
  ) throws(E) -> R {
    if event.encrypted == nil { return try body(event) }
    return try decrypt(event, as: transform, body)
  }

  /// Calls the closure with an event whose content is decrypted, if it has any and there is a cipher.
  package mutating func withDecrypted<R>(
    _ event: EventView, _ body: (EventView) throws(LogError) -> R
  ) throws(LogError) -> R {
    try withDecrypted(event, as: { (error: LogError) in error }, body)
  }

  @inline(never)
  private mutating func decrypt<R, E: Error>(
    _ event: EventView, as transform: (LogError) -> E, _ body: (EventView) throws(E) -> R
  ) throws(E) -> R {
    guard let cipher else { return try body(event) }
    payload.removeAll()
    let erasure: Position?
    do throws(LogError) { erasure = try cipher.decrypt(event, place(of: event), into: &payload) } catch {
      throw transform(error)
    }
    return try payload.withBytes { bytes throws(E) in
      try body(EventView(event, payload: bytes.bytes, erasedBy: erasure))
    }
  }

  private mutating func place(of event: EventView) -> AppendPlace {
    if event.blockStart != block {
      block = event.blockStart
      appends.removeAll(keepingCapacity: true)
      event.forEachAppendOfBlock { appends.append(($0.firstIndex, $0.id)) }
      current = 0
    }
    while current > 0, event.index < appends[current].first { current -= 1 }
    while current + 1 < appends.count, appends[current + 1].first <= event.index { current += 1 }
    return AppendPlace(appends[current].id, event.index - appends[current].first)
  }
}
