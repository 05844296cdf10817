// The keys of a workspace, and what is encrypted with them.
package import Bytes
package import Digests
package import EventLog
internal import Locks

/// The keys of an erasable workspace: it encrypts the content of events before they are stored, and decrypts it when
/// they are read.
///
/// Keys are created when they are first needed, and are durable before the first event whose content they encrypt.
public final class ContentKeys: Sendable {
  private let state: Locked<KeyState>

  private init(_ state: consuming KeyState) { self.state = Locked(state) }

  /// Creates the key file of a new log in a directory.
  ///
  /// Its keys are random, unless the closure is given.
  package static func create(
    in directory: String, _ master: MasterKey,
    newKey: @escaping @Sendable () -> SecretKey = { .random() }
  ) throws(KeyError) -> ContentKeys {
    var state = KeyState(KeyFile(in: directory), master, newKey)
    try state.create()
    return ContentKeys(state)
  }

  /// Opens the key file of a log in a directory.
  package static func open(
    in directory: String, _ master: MasterKey,
    newKey: @escaping @Sendable () -> SecretKey = { .random() }
  ) throws(KeyError) -> ContentKeys {
    var state = KeyState(KeyFile(in: directory), master, newKey)
    try state.read()
    return ContentKeys(state)
  }

  /// Whether a directory has a key file.
  package static func isThere(in directory: String) -> Bool {
    KeyFile(in: directory).isThere
  }

  /// The erasures of the log, as far as it was read.
  package var erasures: Erasures {
    get { state.withLock { $0.erasures } }
    set { state.withLock { $0.erasures = newValue } }
  }

  /// Encrypts the keys with another master key, durably; with nil, with a random one, which takes the place of that in
  /// its file.
  package func replaceMaster(by other: MasterKey?) throws(KeyError) {
    try state.withLock { state throws(KeyError) in try state.replaceMaster(by: other) }
  }

  /// Completes a replacement of the master key that was interrupted.
  package func finishReplacingMaster() throws(KeyError) {
    try state.withLock { state throws(KeyError) in try state.finishReplacingMaster() }
  }

  /// Whether a replacement of the master key was interrupted after the keys were encrypted with the new one.
  package var isReplacingMaster: Bool { state.withLock { $0.isReplacingMaster } }

  /// Returns the ids of the channels that have keys.
  package func channels() throws(KeyError) -> [Name] {
    try state.withLock { state throws(KeyError) in try state.channels() }
  }

  /// Whether there are keys that an erasure would destroy.
  package func hasKeys(of scope: Erasure.Scope) throws(KeyError) -> Bool {
    try state.withLock { state throws(KeyError) in try state.hasKeys(of: scope) }
  }

  /// Whether a user whose content is erased has keys of a later generation, with which more was written since.
  internal func hasKeys(notIn erasure: Erasure) throws(KeyError) -> Bool {
    guard case .user(let name) = erasure.scope else { return false }
    return try state.withLock { state throws(KeyError) in
      try state.hasKeys(of: .person(name), from: erasure.generations)
    }
  }

  /// Creates the keys of the workspace of the next generation, which begins with an event of the log.
  internal func beginGeneration(at time: Timestamp) throws(LogError) {
    try state.withLock { state throws(LogError) in
      do throws(KeyError) { try state.beginGeneration(from: Day(of: time)) } catch {
        throw LogError(error)
      }
    }
  }

  /// Destroys all keys that ``erasures`` covers, durably: the key file is replaced. Returns whether there were any.
  package func destroyErased() throws(KeyError) -> Bool {
    try state.withLock { state throws(KeyError) in try state.destroyErased() }
  }
}

extension ContentKeys: ContentCipher {
  package var erasureCount: Int { state.withLock { $0.erasures.count } }

  package var erasureStream: (name: Name, version: StreamVersion) {
    (Erasure.stream, state.withLock { $0.erasures.version })
  }

  package func readErasures(of store: EventStore) throws(LogError) {
    let erasures = try Erasures(of: store)
    try state.withLock { state throws(LogError) in try state.take(erasures) }
  }

  package func encrypt(
    _ event: ProposedEvent, _ place: AppendPlace, at recorded: Timestamp, into parts: inout ContentParts,
    hasStream: (Name) throws(LogError) -> Bool
  ) throws(LogError) -> Bool {
    try state.withLock { state throws(LogError) in try state.encrypt(event, place, recorded, &parts, hasStream) }
  }

  package func decrypt(
    _ event: EventView, _ place: AppendPlace, into payload: inout ByteWriter
  ) throws(LogError) -> Position? {
    try state.withLock { state throws(LogError) in try state.decrypt(event, place, into: &payload) }
  }

  package func hidden(
    _ proposal: ProposalHash, of append: AppendID, by actor: Name?, at recorded: Timestamp,
    hasStream: (Name) throws(LogError) -> Bool
  ) throws(LogError) -> ProposalHash {
    try state.withLock { state throws(LogError) in try state.hidden(proposal, append, actor, recorded, hasStream) }
  }

  package func matches(
    _ stored: ProposalHash, _ proposal: ProposalHash, of append: AppendID, by actor: Name?
  ) -> Bool {
    state.withLock { $0.matches(stored, proposal, append, actor) }
  }

  package func sync() throws(LogError) -> Bool {
    try state.withLock { state throws(LogError) in try state.sync() }
  }
}
