// The file of an outbox, open and locked.
internal import Chat
internal import Digests
internal import LMDB

/// The folder of an outbox that this process has open, and what its file holds. One thread at a time uses it.
internal final class OutboxFile {
  /// A point at which a process may die while a file is written anew.
  enum Step: CaseIterable { case began, written, renamed, synced }

  private let path: String
  private let lock: FileLock
  private var journal: RecordJournal
  /// Is told each step of writing anew.
  var onStep: (Step) -> Void = { _ in }
  /// How many bytes of what is settled are let be, however little else there is.
  static let wasteMin = 1 << 16

  /// Opens the folder at a path, and makes it if it is not there.
  init(at path: String) throws(OutboxError) {
    self.path = path
    do throws(LMDBError) {
      try Self.makeDirectory(path)
      lock = try FileLock(path: path + "/lock")
    } catch {
      throw .storage(path: path, reason: error.description)
    }
    // A process that is being started may hold what this one had open until it is replaced.
    guard lock.lock(until: .now + .seconds(1)) else {
      throw .inUse(path: path, by: lock.holder.map { Files.describe(process: $0) })
    }
    lock.signHolder()
    do throws(LMDBError) {
      // What somebody left who died on the way to its end.
      try Files.remove(path + "/" + Self.unfinished)
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

  /// Makes a directory and those above it, durably.
  private static func makeDirectory(_ path: String) throws(LMDBError) {
    if Files.kind(at: path) != .nothing { return try Files.makeDirectory(path) }
    let parent = Files.parent(of: path)
    if Files.kind(at: parent) == .nothing { try makeDirectory(parent) }
    try Files.makeDirectory(path)
    try Files.sync(parent)
  }

  /// How many bytes were read and written since the file was opened or written anew, and how often the disk was waited
  /// for.
  var counts: (read: Int, written: Int, syncs: Int) { journal.counts }

  /// Whether most of the file is settled, and it is worth to write it anew.
  func isWasteful(_ contents: OutboxContents) -> Bool {
    let waste = journal.end - contents.liveByteCount
    return waste >= Self.wasteMin && waste > contents.liveByteCount
  }

  /// Folds all that the file holds. What a crash left at its end is written over by what comes next.
  func read(into contents: inout OutboxContents) throws(OutboxError) {
    var tail: Int?
    let end = journal.end
    do throws(LMDBError) {
      try journal.forEach { content, range in
        contents.apply(Array(content), range.count)
      } other: { bytes, range in
        if range.upperBound == end, OutboxRecord.isTorn(bytes) {
          tail = range.lowerBound
        } else {
          contents.applyDamage(range)
        }
      }
    } catch {
      throw failure(error)
    }
    if let tail { journal.leaveOff(at: tail) }
  }

  /// Adds records, durably when it returns, if that is asked for; answers their contents, and what each takes.
  func append(_ records: [OutboxRecord], syncs: Bool) throws(OutboxError) -> [([UInt8], byteCount: Int)] {
    let contents = records.map(\.content)
    do throws(LMDBError) { try journal.append(contents, syncs: syncs) } catch { throw failure(error) }
    return contents.map { ($0, RecordJournal.headCount + $0.count) }
  }

  /// Makes sure that all that was added is on the disk.
  func sync() throws(OutboxError) {
    do throws(LMDBError) { try journal.sync() } catch { throw failure(error) }
  }

  /// Writes a file with what is not settled, lets it take the place of the other, and answers what it holds; damaged
  /// bytes become bytes that were passed over.
  ///
  /// A process that dies on the way leaves either file whole.
  func writeAnew(_ contents: OutboxContents, for owner: Author) throws(OutboxError) -> OutboxContents {
    onStep(.began)
    let records = contents.records(skipping: try damagedBytes(of: contents))
    var after = OutboxContents(of: owner)
    do throws(LMDBError) {
      try Files.remove(path + "/" + Self.unfinished)
      let new = try RecordJournal(Self.unfinished, in: path, check: Self.check)
      if !records.isEmpty { try new.append(records, syncs: true) }
      onStep(.written)
      try Files.rename(path + "/" + Self.unfinished, to: path + "/" + Self.name)
      journal = new
      onStep(.renamed)
      // Until it has its name on the disk, the other one may come back: what were added now would then be lost.
      do throws(LMDBError) { try Files.sync(path) } catch {
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

  private func damagedBytes(of contents: OutboxContents) throws(OutboxError) -> (Range<Int>) -> [UInt8] {
    let damage = Set(contents.damage)
    if damage.isEmpty { return { _ in [] } }
    var bytes: [Range<Int>: [UInt8]] = [:]
    do throws(LMDBError) {
      try journal.forEach { _, _ in
      } other: { found, range in
        bytes[range] = Array(found)
      }
    } catch {
      throw failure(error)
    }
    return { bytes[$0] ?? [] }
  }

  private func failure(_ error: LMDBError) -> OutboxError { .storage(path: path, reason: error.description) }
}
