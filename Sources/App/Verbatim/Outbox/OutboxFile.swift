// The file of an outbox, open and locked.
internal import Chat
internal import Digests
internal import Errors
internal import Files

/// The directory of an outbox that this process has open, and its journal. Used by one thread at a time.
internal final class OutboxFile {
  /// A crash point of compaction, for tests.
  enum Step: CaseIterable { case began, written, renamed, synced }

  private let path: String
  private let lock: FileLock
  private var journal: RecordJournal
  /// Whether there are bytes before a record that may never have been on the disk; a compaction rewrites them.
  private(set) var hasHoles = false
  /// Called at each step of compaction.
  var onStep: (Step) -> Void = { _ in }
  /// The minimal number of settled bytes that makes compaction worthwhile.
  static let wasteMin = 1 << 16

  /// Opens the directory, and creates it if it is missing.
  init(at path: String) throws(OutboxError) {
    self.path = path
    do throws(FileError) {
      try FileSystem.makeDirectories(path)
      lock = try FileLock(path: path + "/lock")
    } catch {
      throw .storage(path: path, reason: error.description)
    }
    // A process that is being started inherits this one's open files until it calls exec.
    guard lock.lock(until: .now + .seconds(1)) else {
      throw .inUse(path: path, by: lock.holder.map { FileSystem.describe(process: $0) })
    }
    lock.recordHolder()
    do throws(FileError) {
      // The remains of a compaction that a crash interrupted.
      try FileSystem.remove(path + "/" + Self.unfinished)
      journal = try RecordJournal(Self.name, in: path, check: Self.check)
    } catch {
      throw .storage(path: path, reason: error.description)
    }
  }

  private static let name = "entries"
  private static let unfinished = "entries-new"

  private static func check(_ content: UnsafeRawBufferPointer) -> UInt32 {
    UInt32(truncatingIfNeeded: quickHash(content))
  }

  /// The numbers of bytes read and written, and of fsyncs, since the file was opened or compacted.
  var counts: (read: Int, written: Int, syncs: Int) { journal.counts }

  /// Returns whether most of the file is settled, so that compaction is worthwhile.
  func isWasteful(_ contents: OutboxContents) -> Bool {
    let waste = journal.end - contents.liveByteCount
    return waste >= Self.wasteMin && waste > contents.liveByteCount
  }

  /// Folds all records of the file. A torn record at the end is overwritten by the next append; bytes before others
  /// that may never have been on the disk become skipped bytes.
  func read(into contents: inout OutboxContents) throws(OutboxError) {
    var tail: Int?
    var holes: [(range: Range<Int>, bytes: [UInt8])] = []
    var durable = DurableExtent()
    let end = journal.end
    try rethrow(
      journal.forEach { content, range in
        contents.apply(Array(content), range.count)
        durable.add(content, at: range)
      } other: { bytes, range in
        let isUnwritten = OutboxRecord.isUnwritten(bytes, at: range.lowerBound)
        if range.upperBound == end, isUnwritten || OutboxRecord.isTorn(bytes) {
          tail = range.lowerBound
        } else {
          contents.applyDamage(range)
          if isUnwritten {
            holes.append((range, Array(bytes)))
            durable.add(unwritten: range)
          }
        }
      }, as: failure)
    if let tail { journal.leaveOff(at: tail) }
    holes.removeAll { $0.range.upperBound <= durable.end }
    for hole in holes { contents.skip(hole.range, hole.bytes) }
    hasHoles = !holes.isEmpty
  }

  /// Appends records, durably if `syncs` is true; returns their contents and sizes.
  func append(_ records: [OutboxRecord], syncs: Bool) throws(OutboxError) -> [([UInt8], byteCount: Int)] {
    let contents = records.enumerated().map { $1.content(isFirst: $0 == 0) }
    try rethrow(journal.append(contents, syncs: syncs), as: failure)
    return contents.map { ($0, RecordJournal.headCount + $0.count) }
  }

  /// Syncs all appended records to the disk.
  func sync() throws(OutboxError) {
    try rethrow(journal.sync(), as: failure)
  }

  /// Compacts the file: writes everything that is not settled to a new file, replaces the old one, and returns the new
  /// contents; damaged ranges become skipped bytes.
  ///
  /// It is crash-safe: a crash leaves either file complete.
  func compact(_ contents: OutboxContents, for owner: Author) throws(OutboxError) -> OutboxContents {
    onStep(.began)
    let records = contents.records(skipping: try damagedBytes(of: contents))
    var after = OutboxContents(of: owner)
    do throws(FileError) {
      try FileSystem.remove(path + "/" + Self.unfinished)
      let new = try RecordJournal(Self.unfinished, in: path, check: Self.check)
      if !records.isEmpty { try new.append(records, syncs: true) }
      onStep(.written)
      try replace(by: new)
      onStep(.renamed)
      // Until the rename is on the disk, the old file may return after a crash, and records added now would be lost.
      do throws(FileError) { try FileSystem.sync(path) } catch {
        new.fail(error)
        throw error
      }
      onStep(.synced)
    } catch {
      throw failure(error)
    }
    for content in records { after.apply(content, RecordJournal.headCount + content.count) }
    return after
  }

  /// Replaces the file by the compacted one.
  private func replace(by new: RecordJournal) throws(FileError) {
    let (from, to) = (path + "/" + Self.unfinished, path + "/" + Self.name)
    let own = FileIdentity(at: from)
    do throws(FileError) { try FileSystem.rename(from, to: to) } catch {
      // A disk that fails may report an error of a replacement that was made: the old file has no name then, and a
      // record in it would be lost.
      guard own != nil, FileIdentity(at: to) == own else {
        if own == nil || FileIdentity(at: from) != own { journal.fail(error) }
        throw error
      }
    }
    (journal, hasHoles) = (new, false)
  }

  private func damagedBytes(of contents: OutboxContents) throws(OutboxError) -> (Range<Int>) -> [UInt8] {
    let damage = Set(contents.damage)
    if damage.isEmpty { return { _ in [] } }
    var bytes: [Range<Int>: [UInt8]] = [:]
    try rethrow(
      journal.forEach { _, _ in
      } other: { found, range in
        bytes[range] = Array(found)
      }, as: failure)
    // A compaction that failed has replaced the file.
    guard damage.allSatisfy({ bytes[$0] != nil }) else {
      throw .storage(path: path, reason: "its damaged bytes are not where they were, until it is opened again")
    }
    return { bytes[$0] ?? [] }
  }

  private func failure(_ error: FileError) -> OutboxError { .storage(path: path, reason: error.description) }
}
