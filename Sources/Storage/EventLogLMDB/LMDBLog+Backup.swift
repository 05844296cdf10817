// Maintenance of a log: backup and compaction.
public import EventLog
internal import Errors
internal import Files
internal import LMDB
internal import LMDBPages
internal import Tables

extension LMDBLog {
  /// Copies the log into a new directory while other processes use it; the copy is durable when the call returns.
  ///
  /// The index is not copied: it is rebuilt when the copy is opened.
  public func backUp(to directory: String) throws(LogError) {
    let directory = FileSystem.resolved(directory)
    let isEmpty = try rethrow(
      FileSystem.isDirectory(at: directory) ? FileSystem.names(in: directory).isEmpty : true,
      as: { (error: FileError) in notCopied(to: directory, LMDBError(error)) })
    let copy = Self.logPath(directory)
    // Of several copies to one directory, one creates that of the log.
    var isNew = isEmpty
    if isNew {
      try copying(to: directory) { () throws(FileError) in
        try FileSystem.makeDirectory(directory)
        isNew = try FileSystem.makeNewDirectory(copy)
      }
    }
    guard isNew else {
      throw .storage(StorageFailure("\(directory) is not empty: give the backup its own directory."))
    }
    do throws(LogError) {
      try copyData(to: copy)
      try copying(to: directory) { () throws(FileError) in
        for path in [copy, directory, directory + "/.."] { try FileSystem.sync(path) }
      }
    } catch {
      // A partial copy would only block the next attempt.
      try? FileSystem.removeDirectory(copy)
      try? FileSystem.removeDirectory(directory)
      throw error
    }
  }

  /// Runs a step of copying the log to a directory.
  private func copying(to directory: String, _ step: () throws(FileError) -> Void) throws(LogError) {
    do throws(FileError) { try step() } catch { throw notCopied(to: directory, LMDBError(error)) }
  }

  /// Copies the file of the log into a new directory, and syncs the file; the entries of both are up to the caller.
  package func copyData(to directory: String) throws(LogError) {
    let opened = try open()
    do throws(LMDBError) {
      try LMDBError.mapping { () throws(FileError) in try FileSystem.makeDirectory(directory) }
      try opened.environment.copy(to: directory)
      try LMDBError.mapping { () throws(FileError) in try FileSystem.sync(directory + "/data.mdb") }
    } catch {
      throw notCopied(to: directory, error)
    }
    // The copy may have a commit that was just being synced.
    if !isReadOnly { try completeInterruptedCommit() }
  }

  private func notCopied(to directory: String, _ error: LMDBError) -> LogError {
    .storage(
      StorageFailure(
        "\(path) could not be copied to \(directory) (\(error)): check that there is space and that you can write "
          + "there.",
        underlying: error))
  }
}

/// An error of compaction; the log is unchanged.
public enum CompactError: Error, Sendable {
  /// A process has the log open; its description is attached, if the system reports the process.
  case inUse(path: String, by: String?)
  /// Another process appended during the compaction.
  case moved(path: String)
  /// The log could not be opened.
  case opening(OpenError)
  /// The log could not be copied, or the copy differs from it.
  case log(LogError)
}

extension CompactError: CustomStringConvertible {
  /// The error in one sentence: what failed, on what, what to do.
  public var description: String {
    switch self {
    case .inUse(let path, let process?): "Process \(process) has the log at \(path) open: end it, then try again."
    case .inUse(let path, nil): "Another process has the log at \(path) open: end it, then try again."
    case .moved(let path): "Another process appended to the log at \(path) meanwhile: end it, then try again."
    case .opening(let error): error.description
    case .log(let error): error.description
    }
  }
}

extension CompactError {
  fileprivate init(_ refusal: ExclusiveEnvironmentLock.Refusal, of path: String) {
    switch refusal {
    case .inUse(let process): self = .inUse(path: path, by: process.map { FileSystem.describe(process: $0) })
    case .failed(let code):
      self = .log(.storage(StorageFailure("\(path) cannot be locked (\(code)): check that you can write there.")))
    }
  }
}

extension LMDBLog {
  /// Rewrites the file of a log that no process has open, without its free pages; returns its size before and after in
  /// bytes.
  ///
  /// The copy is made and verified beside the log, and replaces the file in one step. A process that dies before that
  /// leaves the log unchanged and the directory `compacting`, which the next compaction removes.
  public static func compact(
    logAt path: String, progress: (Position) -> Void = { _ in }
  ) throws(CompactError) -> (before: Int, after: Int) {
    let path = FileSystem.resolved(path)
    let copy = copyPath(path)
    try rethrow(requireOwnFiles(of: path, and: [.copy]), as: CompactError.opening)
    removeCopy(copy)
    // Checked first, so that no copy is made that could not replace the file.
    try lockingOut(path) { _ in }
    defer { removeCopy(copy) }
    let (head, transaction) = try copied(path, to: copy)
    let report = try rethrow(LogCheck.verify(logAt: copy, progress: progress), as: CompactError.opening)
    if let finding = report.findings.first {
      throw .log(.fileDamaged("The copy of the log was removed, since it does not verify (\(finding))"))
    }
    let before = FileSystem.byteCount(of: logPath(path) + "/data.mdb")
    let replacement = try lockingOut(path) { lock in
      Result { () throws(CompactError) in
        try requireUnchanged(path, since: transaction)
        guard report.head == head else { throw .log(.fileDamaged("The copy in \(copy) differs from the log")) }
        try replace(path, by: copy, lock)
      }
    }
    try replacement.get()
    return (before, FileSystem.byteCount(of: logPath(path) + "/data.mdb"))
  }

  /// Requires that the newest transaction of a log is the given one.
  private static func requireUnchanged(_ path: String, since transaction: UInt64) throws(CompactError) {
    guard (try? DataFile(path: logPath(path) + "/data.mdb").newestMeta().transaction) == transaction else {
      throw .moved(path: path)
    }
  }

  /// Replaces the file of a log by that of its copy.
  private static func replace(
    _ path: String, by copy: String, _ lock: borrowing ExclusiveEnvironmentLock
  ) throws(CompactError) {
    do throws(FileError) { try lock.replaceData(of: logPath(path), by: logPath(copy) + "/data.mdb") } catch {
      throw .log(.storage(StorageFailure("The file of \(path) cannot be replaced (\(error)): try again.")))
    }
  }

  /// Copies the log; returns its head and transaction number.
  private static func copied(_ path: String, to copy: String) throws(CompactError) -> (Head, UInt64) {
    let log = try rethrow(open(at: path), as: CompactError.opening)
    defer { log.close() }
    let transaction = try rethrow(log.lastTransaction(), as: CompactError.log)
    let head = try rethrow(log.head(), as: CompactError.log)
    do throws(LogError) {
      try log.copying(to: copy) { () throws(FileError) in try FileSystem.makeDirectory(copy) }
      try log.copyData(to: logPath(copy))
    } catch {
      throw .log(error)
    }
    return (head, UInt64(transaction))
  }

  /// Runs the closure while no process has the log open.
  private static func lockingOut<R>(
    _ path: String, _ body: (borrowing ExclusiveEnvironmentLock) -> R
  ) throws(CompactError) -> R {
    try rethrow(requireFile(of: path), as: CompactError.opening)
    return try rethrow(
      ExclusiveEnvironmentLock.hold(of: logPath(path), body),
      as: { (refusal: ExclusiveEnvironmentLock.Refusal) in CompactError(refusal, of: path) })
  }

  private static func removeCopy(_ copy: String) {
    try? FileSystem.removeDirectory(logPath(copy))
    try? FileSystem.removeDirectory(copy)
  }

  /// Deletes the index of a log, unless a process has it open; it is rebuilt when the log is opened. Returns whether
  /// nothing of it is left.
  @discardableResult
  public static func removeIndex(ofLogAt path: String) -> Bool {
    let index = indexPath(FileSystem.resolved(path))
    return FileSystem.kind(at: index) == .nothing || TableStore.removeIfUnused(index, for: 0)
  }
}
