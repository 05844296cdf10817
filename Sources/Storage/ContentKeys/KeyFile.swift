// The file of all keys, encrypted with the master key.
internal import Bytes
internal import Digests
internal import Files

/// The key file of a workspace, in the form of <doc:KeyFile>.
///
/// Keys are added at its end. It is replaced as a whole, under a new file key, when keys are destroyed.
internal struct KeyFile {
  static let name = "keys"
  private static let unfinished = "keys-new"
  private static let version: UInt8 = 1

  let path: String
  private let directory: String
  /// A random number of this file: an entry of another file, an older one too, is not read in it.
  private var number: [UInt8] = []
  private var fileKey: SecretKey?
  /// The index of the master key with which the file was read or written, among those that there are.
  private(set) var masterIndex = 0

  /// Forgets with which master key the file was read, so that it is found again.
  mutating func forgetMaster() { (fileKey, masterIndex) = (nil, 0) }
  /// The file that was read or written last.
  private var seen: State?
  /// The file that this process has synced last, with its entry in the directory.
  private var durable: State?

  /// The identity, the length, and the first and last bytes of the file.
  ///
  /// A file that replaces the one that replaced it may have its inode; its first record has another number. A record
  /// that takes the place of an incomplete one may leave the length as it is; its last bytes are others.
  private struct State: Equatable {
    let identity: FileIdentity?
    let byteCount: Int
    let head: [UInt8]?
    let tail: [UInt8]?

    init(_ path: String) {
      (identity, byteCount) = (FileIdentity.withoutTimes(at: path), FileSystem.size(of: path))
      head = try? FileSystem.bytes(of: path, atMost: 64)
      tail = try? FileSystem.bytes(of: path, from: max(0, byteCount - 64), atMost: 64)
    }
  }

  init(in directory: String) { (self.directory, path) = (directory, directory + "/" + Self.name) }

  var isThere: Bool { FileSystem.kind(at: path) == .file }

  /// Whether the file is another, or has other entries, than when it was last read or written.
  var hasChanged: Bool { State(path) != seen }

  /// Whether this process has synced the file that was read or written last.
  var isDurable: Bool { seen == durable }

  // MARK: Reading

  /// Returns the entries in the order in which they were added; the last of a holder and a generation counts.
  mutating func read(with master: () throws(KeyError) -> [SecretKey]) throws(KeyError) -> [KeyEntry] {
    while true {
      let state = State(path)
      do throws(KeyError) { return try read(state, with: master) } catch {
        // The file or the master key was replaced meanwhile.
        guard case .otherMaster = error, State(path) != state else { throw error }
      }
    }
  }

  private mutating func read(
    _ state: State, with master: () throws(KeyError) -> [SecretKey]
  ) throws(KeyError) -> [KeyEntry] {
    guard isThere else { throw .noFile(path: path) }
    var records: [[UInt8]] = []
    do throws(FileError) {
      _ = try RecordFile(Self.name, in: directory).forEach(check: Self.check) { records.append(Array($0)) }
    } catch {
      throw .storage(path: path, reason: error.description)
    }
    guard let head = records.first else { throw .notAKeyFile(path: path) }
    if number != Self.number(in: head) || fileKey == nil { try begin(with: head, master()) }
    guard let fileKey else { throw .notAKeyFile(path: path) }
    let (key, context) = (EnvelopeKey(of: fileKey), Self.context("entry", number))
    var entries: [KeyEntry] = []
    for record in records.dropFirst() {
      guard let text = key.decrypted(record, in: context), let entry = KeyEntry(stored: text.span.bytes) else {
        throw .notAKeyFile(path: path)
      }
      entries.append(entry)
    }
    seen = state
    return entries
  }

  /// The number in the first record: a byte of the version, 16 of the number, then the encrypted file key.
  static func number(in head: [UInt8]) -> [UInt8]? { head.count >= 17 ? Array(head[1..<17]) : nil }

  private mutating func begin(with head: [UInt8], _ masters: [SecretKey]) throws(KeyError) {
    guard head.first == Self.version, let number = Self.number(in: head) else { throw .notAKeyFile(path: path) }
    let context = Self.context("file key", number)
    var text: [UInt8]?
    for (index, master) in masters.enumerated() where text == nil {
      text = EnvelopeKey(of: master).decrypted(Array(head[17...]), in: context)
      masterIndex = index
    }
    guard let text, let key = text.withUnsafeBytes({ SecretKey(bytes: $0) }) else { throw .otherMaster(path: path) }
    (self.number, fileKey) = (number, key)
  }

  /// Returns the context of an envelope in a file: its purpose, and the number of the file.
  private static func context(_ purpose: String, _ number: [UInt8]) -> [UInt8] { Array(purpose.utf8) + number }

  static func check(_ content: UnsafeRawBufferPointer) -> UInt32 {
    UInt32(truncatingIfNeeded: ByteMap.hash(of: content))
  }

  // MARK: Writing

  /// Makes the file that was read last durable, unless this process has: the one that wrote it may have died before its
  /// syncs. No other process writes it meanwhile.
  mutating func sync() throws(KeyError) {
    if isDurable { return }
    do throws(FileError) {
      try FileSystem.sync(path)
      try FileSystem.sync(directory)
    } catch {
      throw .storage(path: path, reason: error.description)
    }
    durable = seen
  }

  /// Adds entries, durably, to a file that is durable.
  mutating func add(_ entries: [KeyEntry]) throws(KeyError) {
    guard let fileKey else { preconditionFailure("the key file was not read before entries are added") }
    let records = Self.encrypted(entries, with: fileKey, number)
    do throws(FileError) {
      let journal = try RecordJournal(Self.name, in: directory, check: Self.check)
      var end = 0
      try journal.forEach(record: { _, range in end = range.upperBound }, other: { _, _ in })
      journal.leaveOff(at: end)
      try journal.append(records, syncs: true)
    } catch {
      throw .storage(path: path, reason: error.description)
    }
    seen = State(path)
    durable = seen
  }

  /// Writes a new file with some entries in place of the present one, durably, under a new file key; after an error,
  /// the present one is as it was, or is read again.
  mutating func replace(with entries: [KeyEntry], _ master: SecretKey) throws(KeyError) {
    let (key, number) = (SecretKey.random(), SecretKey.random().withBytes { Array($0[..<16]) })
    var head = [Self.version] + number
    let context = Self.context("file key", number)
    head += EnvelopeKey(of: master).encrypted(key.withBytes { Array($0) }, in: context)
    do throws(FileError) {
      try FileSystem.remove(directory + "/" + Self.unfinished)
      let journal = try RecordJournal(Self.unfinished, in: directory, check: Self.check)
      try journal.append([head] + Self.encrypted(entries, with: key, number), syncs: true)
      try FileSystem.rename(directory + "/" + Self.unfinished, to: path)
      try FileSystem.sync(directory)
    } catch {
      throw .storage(path: path, reason: error.description)
    }
    (self.number, fileKey, seen) = (number, key, State(path))
    durable = seen
  }

  private static func encrypted(_ entries: [KeyEntry], with key: SecretKey, _ number: [UInt8]) -> [[UInt8]] {
    let (key, context) = (EnvelopeKey(of: key), context("entry", number))
    return entries.map { key.encrypted($0.stored, in: context) }
  }
}

extension EnvelopeKey {
  fileprivate func encrypted(_ text: [UInt8], in context: [UInt8]) -> [UInt8] {
    var envelope = [UInt8](repeating: 0, count: text.count + Self.tagByteCount)
    envelope.withUnsafeMutableBytes { envelope in
      text.withUnsafeBytes { text in context.withUnsafeBytes { encrypt(text, in: $0, into: envelope) } }
    }
    return envelope
  }

  fileprivate func decrypted(_ envelope: [UInt8], in context: [UInt8]) -> [UInt8]? {
    guard envelope.count >= Self.tagByteCount else { return nil }
    var text = [UInt8](repeating: 0, count: envelope.count - Self.tagByteCount)
    let isWhole = text.withUnsafeMutableBytes { text in
      envelope.withUnsafeBytes { envelope in context.withUnsafeBytes { decrypt(envelope, in: $0, into: text) } }
    }
    return isWhole ? text : nil
  }
}
