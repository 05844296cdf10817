// The file of a consumer: the lock of the process that runs it, and a mark of how far it is.
internal import Chat
internal import Digests
internal import EventLog
internal import Files

/// The locked file of a consumer, `consumers/<id>` in the workspace's directory.
///
/// It holds what may be lost: the log has the position of every event with effects, and the mark is that of the last
/// event without. It is not synced, and one that does not fit the log is ignored.
internal final class ConsumerFile: Sendable {
  private let lock: FileLock

  private init(_ lock: FileLock) { self.lock = lock }

  /// Waits until no other process runs the consumer; nil when the task was cancelled first.
  static func locked(for id: Consumer.ID, in workspace: String) async throws(ConsumerError) -> ConsumerFile? {
    let path = path(of: id, in: workspace)
    let lock: FileLock
    do throws(FileError) {
      try FileSystem.makeDirectory(FileSystem.parent(of: path))
      lock = try FileLock(path: path)
    } catch {
      throw .storage(id, path: path, reason: error.description)
    }
    while !lock.tryLock() {
      // Cancelled, it returns at once.
      try? await Task.sleep(for: .milliseconds(200))
      if Task.isCancelled { return nil }
    }
    lock.recordHolder()
    return ConsumerFile(lock)
  }

  /// Returns the mark of a consumer, and the process that runs it, if any does; nil if it has no file.
  static func look(at id: Consumer.ID, in workspace: String) -> (mark: ConsumerMark?, process: Int32?)? {
    let path = path(of: id, in: workspace)
    guard FileSystem.kind(at: path) == .file, let lock = try? FileLock(path: path) else { return nil }
    let isFree = lock.tryLock(shared: true)
    return (ConsumerFile(lock).mark, isFree ? nil : lock.holder)
  }

  /// The mark that was written last; nil when there is none, or it is damaged.
  var mark: ConsumerMark? { lock.note(ofByteCount: ConsumerMark.byteCount).flatMap { ConsumerMark($0) } }

  func write(_ mark: ConsumerMark) { lock.write(note: mark.bytes) }

  /// Removes the mark.
  func clear() { lock.write(note: [UInt8](repeating: 0, count: ConsumerMark.byteCount)) }

  private static func path(of id: Consumer.ID, in workspace: String) -> String {
    workspace + "/consumers/" + id.fileName
  }
}

extension ID {
  /// The id as the name of a file: every character but small letters, digits and `-` as `%` and two digits, since some
  /// file systems do not distinguish capital letters.
  internal var fileName: String {
    var name = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
        name.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16)
        name += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
      }
    }
    return name
  }
}

/// The place of a consumer in the log.
internal struct ConsumerMark {
  /// The position of the last event that was handled or passed.
  let position: Position
  /// The append of that event, by which another log of the same directory is recognised.
  let append: AppendID
  /// The time of the record that was the consumer's last one then, by which an earlier consumer of the same name is
  /// recognised, and a log that lost the record.
  let advanced: Timestamp

  static let byteCount = 40

  init(position: Position, append: AppendID, advanced: Timestamp) {
    (self.position, self.append, self.advanced) = (position, append, advanced)
  }

  init?(_ bytes: [UInt8]) {
    let content = bytes.prefix(Self.byteCount - 8)
    guard bytes.count == Self.byteCount, content.withUnsafeBytes({ quickHash($0) }) == bytes.word(at: 32),
      let append = AppendID(bytes: bytes[8..<24].span.bytes)
    else { return nil }
    self.init(
      position: Position(rawValue: bytes.word(at: 0)), append: append,
      advanced: Timestamp(rawValue: Int64(bitPattern: bytes.word(at: 24))))
  }

  /// Position, append id, time of the record and checksum; the words in little-endian order.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.add(position.rawValue)
    append.withBytes { bytes += $0 }
    bytes.add(UInt64(bitPattern: advanced.rawValue))
    bytes.add(bytes.withUnsafeBytes { quickHash($0) })
    return bytes
  }

  /// Returns whether the log has the record after which the mark was written, or a later one of the same consumer.
  func follows(_ consumer: Consumer) -> Bool { consumer.began <= advanced && advanced <= consumer.advanced }

  /// Returns whether the log has the event of the mark.
  func isIn(_ workspace: Workspace, _ id: Consumer.ID) async throws(ConsumerError) -> Bool {
    let result = await workspace.offThread { workspace in
      Result { () throws(LogError) in try isIn(workspace.store) }
    }
    do throws(LogError) { return try result.get() } catch { throw .changes(id, .log(error)) }
  }

  /// Returns whether a log has the event of the mark; blocks the thread.
  func isIn(_ store: EventStore) throws(LogError) -> Bool { try store.event(at: position)?.append == append }
}

extension [UInt8] {
  fileprivate func word(at offset: Int) -> UInt64 {
    UInt64(littleEndian: withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self) })
  }

  fileprivate mutating func add(_ word: UInt64) { Swift.withUnsafeBytes(of: word.littleEndian) { self += $0 } }
}
