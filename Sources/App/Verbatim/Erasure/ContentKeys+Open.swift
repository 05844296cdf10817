// Opening the keys of an erasable workspace.
package import ContentKeys
internal import Digests
package import EventLog
internal import Errors
internal import Locks

extension ContentKeys {
  /// Opens the keys of a workspace's log in its directory, and gives them to the log; nil for a log that is not
  /// erasable.
  ///
  /// The keys of a log without events are created, unless the log is opened only to be read.
  package static func attach(
    to store: EventStore, in directory: String, _ configuration: Configuration
  ) throws(KeyError) -> ContentKeys? {
    let log = store.log
    guard log.genesis.isErasable else { return nil }
    let master = configuration.masterKey ?? .standard(in: directory)
    let newKey = { @Sendable [randomBits = configuration.randomBits] in SecretKey(randomBits: randomBits) }
    let keys: ContentKeys
    if isThere(in: directory) || log.isReadOnly {
      keys = try open(in: directory, master, newKey: newKey)
    } else {
      keys = try createOnce(for: log, in: directory, master, newKey)
    }
    do throws(LogError) { try keys.readErasures(of: store) } catch {
      throw .storage(path: directory, reason: error.description)
    }
    if !log.isReadOnly, keys.isReplacingMaster {
      try underWriterLock(of: log, directory) { () throws(KeyError) in try keys.finishReplacingMaster() }
    }
    // Keys of an older backup may have been erased since.
    if !log.isReadOnly { try keys.destroyErased(of: log, directory) }
    log.content.cipher = keys
    return keys
  }

  /// Destroys all keys that were erased, durably, unless there are none.
  internal func destroyErased(of log: any Log, _ directory: String) throws(KeyError) {
    if erasureCount == 0 { return }
    try Self.underWriterLock(of: log, directory) { () throws(KeyError) in _ = try destroyErased() }
  }

  /// Creates the keys of a log without events, unless another process has.
  private static func createOnce(
    for log: any Log, in directory: String, _ master: MasterKey, _ newKey: @escaping @Sendable () -> SecretKey
  ) throws(KeyError) -> ContentKeys {
    try underWriterLock(of: log, directory) { () throws(KeyError) in
      let head: Head
      do throws(LogError) { head = try log.head() } catch {
        throw .storage(path: directory, reason: error.description)
      }
      let isNew = head.position == .zero && !isThere(in: directory)
      return try isNew ? create(in: directory, master, newKey: newKey) : open(in: directory, master, newKey: newKey)
    }
  }

  /// Encrypts the keys with another master key.
  internal func replaceMaster(by other: MasterKey?, of log: any Log, _ directory: String) throws(KeyError) {
    try Self.underWriterLock(of: log, directory) { () throws(KeyError) in try replaceMaster(by: other) }
  }

  private static func underWriterLock<R>(
    of log: any Log, _ directory: String, _ body: () throws(KeyError) -> R
  ) throws(KeyError) -> R {
    var result: Result<R, KeyError>?
    do throws(LogError) {
      try log.withWriterLock { result = Result { () throws(KeyError) in try body() } }
    } catch {
      throw .log(error)
    }
    guard let result else { preconditionFailure("the writer lock was taken and nothing was done") }
    return try result.get()
  }
}
