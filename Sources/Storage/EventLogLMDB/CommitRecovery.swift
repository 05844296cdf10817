// The check of the newest commit before LMDB opens a file, and the removal of one that is incomplete.
internal import Errors
package import EventLog
internal import Files
internal import LMDB
internal import LMDBPages

/// The newest commit of a log's file: complete, or not because of a power cut or a failed sync.
///
/// An incomplete one was never acknowledged, and the commit before it is durable: <doc:Commits> describes why.
internal enum NewestCommit {
  case complete
  case incomplete(IncompleteCommit)
  /// The one after it was removed, which may not be on the disk yet.
  case last(IncompleteCommit)
  case damaged(String)

  /// Examines the file in a directory; throws if it cannot be read.
  static func examine(_ directory: String) throws(DataFileError) -> NewestCommit {
    guard FileSystem.kind(at: directory + "/data.mdb") == .file else { return .complete }
    let file = try DataFile(path: directory + "/data.mdb")
    guard file.metaDisagreement() == nil, let meta = try? file.newestMeta(), meta.transaction > 1 else {
      return .complete
    }
    let commit = IncompleteCommit(file: file, meta: meta)
    let found = try mark(in: directory, try file.fileNumber())
    if let (mark, validity) = found, validity == .valid { return examine(commit, with: mark) }
    if try commit.isWhole() ?? true { return .complete }
    // Without a sound state before it, or by the mark, it is damaged.
    if let (mark, validity) = found, validity == .ofEarlierBoot, let durable = mark.state,
      durable.transaction < commit.transaction, try commit.followsWhole()
    {
      return .incomplete(commit)
    }
    return .damaged("the pages of its last commit are not those that were written")
  }

  /// Examines the newest commit with a mark of this boot. The next writer completes one whose sync was interrupted.
  private static func examine(_ commit: IncompleteCommit, with mark: DurableMark) -> NewestCommit {
    guard let durable = mark.state, let failed = mark.failed else { return .complete }
    return durable.transaction >= commit.transaction && failed != commit.transaction
      ? .last(commit) : .incomplete(commit)
  }

  /// Returns the meta page of the commit that opening the log puts in force, where the newest is incomplete; nil where
  /// it is not.
  static func metaBefore(incompleteIn directory: String) throws(DataFileError) -> MetaPage? {
    guard case .incomplete(let commit) = try examine(directory) else { return nil }
    return commit.earlier
  }

  private static func mark(
    in directory: String, _ fileNumber: UInt64?
  ) throws(DataFileError) -> (mark: DurableMark, DurableMark.Validity)? {
    do throws(FileError) { return try DurableMark.open(in: directory, of: fileNumber, isWritable: false) } catch {
      throw .cannotOpen(path: DurableMark.path(directory), errno: error.rawValue)
    }
  }
}

/// A newest commit that is not complete.
internal struct IncompleteCommit {
  fileprivate let file: DataFile
  fileprivate let meta: MetaPage

  /// The number of the transaction.
  fileprivate var transaction: Int { Int(clamping: meta.transaction) }

  /// The meta page of the commit before it; nil where it is damaged.
  fileprivate var earlier: MetaPage? { try? file.metas[1 - meta.index].get() }

  /// Returns whether it is complete by its checksum; nil where the file has no checksums.
  fileprivate func isWhole() throws(DataFileError) -> Bool? { try isWhole(meta) }

  /// Returns whether the commit before it is complete by its checksum.
  fileprivate func followsWhole() throws(DataFileError) -> Bool {
    guard let earlier else { return false }
    return try isWhole(earlier) == true
  }

  /// Returns whether a commit is complete by its checksum; nil where the file has no checksums.
  private func isWhole(_ meta: MetaPage) throws(DataFileError) -> Bool? {
    guard let checksum = try file.checksum(at: meta.index), checksum.transaction == meta.transaction else {
      return try file.checksum(at: 1 - meta.index)?.transaction == meta.transaction - 1 ? false : nil
    }
    if checksum.kind == .synced { return true }
    let pages = FilePages(file)
    let position = Position(rawValue: checksum.previous)
    let hash = try? CommitChecksum.hash(ofTransaction: meta.transaction, after: position, in: pages)
    if let failure = pages.failure { throw failure }
    return hash == checksum.pages
  }

  /// Puts the commit before this one in force, durably; no process has the file open.
  func remove() throws(FileError) { try file.replaceMeta(by: 1 - meta.index) }

  /// Writes once more, durably, that no commit follows this one; no process has the file open.
  func removeNext() throws(FileError) { try file.replaceMeta(by: meta.index) }
}

extension IncompleteCommit {
  /// Takes the newest commit of the file in a directory for incomplete.
  fileprivate init(newestOf directory: String) throws(DataFileError) {
    file = try DataFile(path: directory + "/data.mdb")
    meta = try file.newestMeta()
  }
}

/// The pages of a file, which distinguish a page that cannot be read from one that is not in the file.
internal final class FilePages: PageSource {
  private let file: DataFile
  private(set) var failure: DataFileError?
  let pageSize: Int

  init(_ file: DataFile) { (self.file, pageSize) = (file, file.pageSize) }

  func withPage(
    _ page: PageNumber, _ body: (UnsafeRawBufferPointer) throws(PageDamage) -> Void
  ) throws(PageDamage) {
    let (offset, overflow) = Int(clamping: page.rawValue).multipliedReportingOverflow(by: pageSize)
    if overflow { throw PageDamage(page, isBeyond: file.size) }
    var bytes = [UInt8](repeating: 0, count: pageSize)
    var count = 0
    do throws(DataFileError) {
      let read = bytes.withUnsafeMutableBytes { buffer in
        Result { () throws(DataFileError) in try file.read(at: offset, into: buffer) }
      }
      count = try read.get()
    } catch { failure = error }
    guard count == pageSize else { throw PageDamage(page, isBeyond: file.size) }
    let result = bytes.withUnsafeBytes { bytes in Result { () throws(PageDamage) in try body(bytes) } }
    try result.get()
  }
}

extension LMDBLog {
  /// Removes a newest commit that is incomplete, before LMDB opens the file.
  internal static func requireCompleteCommit(at path: String, _ options: Options) throws(OpenError) {
    let directory = logPath(path)
    switch try newestCommit(directory) {
    case .complete: return
    case .damaged(let reason): throw .damaged(path: path, reason: reason)
    case .incomplete, .last: break
    }
    try withWriterLock(at: path, options) { () throws(OpenError) in
      // Another process may have removed it in between.
      let newest = try newestCommit(directory)
      if case .complete = newest { return }
      let removal: Result<Void, FileError>
      do throws(ExclusiveEnvironmentLock.Refusal) {
        removal = try ExclusiveEnvironmentLock.hold(of: directory) { lock in
          Result { () throws(FileError) in try remove(newest, in: directory, lock) }
        }
      } catch {
        throw refused(error, path)
      }
      try rethrow(removal.get(), as: { (error: FileError) in OpenError(error, at: path) })
    }
  }

  private static func remove(
    _ newest: NewestCommit, in directory: String, _ lock: borrowing ExclusiveEnvironmentLock
  ) throws(FileError) {
    try lock.emptyReaderTable()
    switch newest {
    case .complete, .damaged: return
    case .incomplete(let commit): try commit.remove()
    case .last(let commit): try commit.removeNext()
    }
    try DurableMark.remove(in: directory)
  }

  /// Removes the newest commit from a copy of a log's file, durably, if it is incomplete in the log: the copy has no
  /// mark by which it could be recognised.
  package static func removeIncompleteCommit(ofLogAt path: String, fromCopyAt copy: String) throws(OpenError) {
    guard case .incomplete = try newestCommit(logPath(path)) else { return }
    let commit = try rethrow(
      IncompleteCommit(newestOf: logPath(copy)),
      as: { (error: DataFileError) in OpenError.storage(StorageFailure(of: error)) })
    try rethrow(commit.remove(), as: { (error: FileError) in OpenError(error, at: copy) })
  }

  private static func newestCommit(_ directory: String) throws(OpenError) -> NewestCommit {
    try rethrow(
      NewestCommit.examine(directory), as: { (error: DataFileError) in OpenError.storage(StorageFailure(of: error)) })
  }

  private static func refused(_ refusal: ExclusiveEnvironmentLock.Refusal, _ path: String) -> OpenError {
    let commit = "The last commit of \(path) is incomplete and was not acknowledged"
    return switch refusal {
    case .inUse(let process):
      .storage(
        StorageFailure(
          commit + ", and \(process.map { "process \(FileSystem.describe(process: $0))" } ?? "another process") "
            + "has the log open: end it, then open the log again."))
    case .failed(let error):
      .storage(
        StorageFailure(
          commit + ", and the log cannot be locked (\(error)): open it once where it can be written, which removes "
            + "the commit.", underlying: error))
    }
  }

  /// Runs the closure under the writer lock of a log that is not open yet.
  private static func withWriterLock(
    at path: String, _ options: Options, _ body: () throws(OpenError) -> Void
  ) throws(OpenError) {
    let lock: FileLock
    do throws(FileError) { lock = try FileLock(path: path + "/writer-lock") } catch {
      throw refused(.failed(LMDBError(error)), path)
    }
    guard lock.lock(until: .now + options.writerLockTimeout) else {
      let holder = WriterLockHolder(
        process: lock.holder.map(FileSystem.describe) ?? "unknown", waited: options.writerLockTimeout)
      throw .storage(StorageFailure(LogError.writerLockHeld(holder).description))
    }
    defer { lock.unlock() }
    lock.recordHolder()
    try body()
  }
}

extension CommitChecksum {
  /// Creates the checksum of a state that was synced as a whole.
  internal init(synced state: DurableMark.State, of file: UInt64) {
    self.init(
      kind: .synced, transaction: UInt64(state.transaction), previous: state.position.rawValue, pages: 0, file: file)
  }
}

extension Environment {
  /// Writes the checksum of a transaction beside its meta page.
  internal borrowing func write(_ checksum: CommitChecksum) throws(LMDBError) {
    let offset = Int(checksum.transaction & 1) * pageSize + CommitChecksum.offset
    let stored = checksum.stored
    try stored.span.bytes.withUnsafeBytes { bytes throws(LMDBError) in try write(bytes, at: offset) }
  }
}
