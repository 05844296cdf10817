// Errors of a log: no room, failed commits and failed reads.
internal import EventLog
internal import Files
internal import LMDB
internal import Locks
internal import Errors

extension LMDBLog {
  /// Throws if the disk has no room for a block, or the log no position.
  internal func requireRoom(for block: BlockView) throws(LogError) {
    guard block.last.rawValue < BlockKey.max else {
      throw .storage(StorageFailure("The log at \(path) has reached the last position: begin another log."))
    }
    let byteCount = block.bytes.byteCount
    let reserve = max(0, options.freeSpaceReserve)
    guard let free = FileSystem.freeByteCount(at: path), free - reserve < 2 * byteCount else { return }
    throw .noSpace(
      StorageFailure(
        "The disk of \(path) has \(free) bytes left, and \(options.freeSpaceReserve) are kept in reserve: "
          + "nothing was appended; free space and try again."))
  }

  /// Returns the error of a failed commit: after a full disk the append can be retried, after any other failure only
  /// once the log was reopened.
  ///
  /// A commit that fails before its meta page is written changed nothing. Only where LMDB refuses all further
  /// transactions was the meta page being written, and whether it is in force is unknown.
  internal func failed(_ error: LMDBError, isUncertain: Bool, _ opened: OpenEnvironment) -> LogError {
    let isUnknown = isUncertain || error != .panic && opened.environment.hasFailed()
    if !isUnknown, isOfFullDisk(error) {
      return .noSpace(
        StorageFailure(
          "The disk of \(path) is full: nothing was appended; free space and try again.", underlying: error)
      )
    }
    let reopening = "close the log everywhere in this process, open it again, and append again with the same append id."
    let failure: LogError =
      isUnknown
      ? .outcomeUnknown(
        StorageFailure(
          "Writing to \(path) failed (\(error)): the outcome of the append is unknown; " + reopening,
          underlying: error))
      : .storage(
        StorageFailure("Writing to \(path) failed (\(error)): nothing was appended; " + reopening, underlying: error))
    known.withLock { $0.failure = failure }
    return failure
  }

  /// Returns whether a write failed for lack of space. LMDB reports a write that a full disk cuts short as an I/O
  /// error.
  internal func isOfFullDisk(_ error: LMDBError) -> Bool {
    error.isNoSpace || error == .inputOutput && Self.isDiskFull(at: path)
  }

  /// Returns whether the disk of a path has less than a megabyte left.
  internal static func isDiskFull(at path: String) -> Bool { (FileSystem.freeByteCount(at: path) ?? .max) < 1 << 20 }

  internal func access<R>(_ body: () throws(LMDBError) -> R) throws(LogError) -> R {
    try rethrow(body(), as: { (error: LMDBError) in failedReading(error) })
  }

  private func failedReading(_ error: LMDBError) -> LogError {
    if error.isDamage { return .fileDamaged("The file of \(path) is damaged (\(error))") }
    if error.isNoSpace {
      return .noSpace(StorageFailure("The disk of \(path) is full: free space and try again.", underlying: error))
    }
    if error == .readersFull {
      let full = EnvironmentError.failed(path: path, error)
      return .storage(StorageFailure(full.description, underlying: error))
    }
    return .storage(StorageFailure("Reading \(path) failed (\(error)): try again.", underlying: error))
  }
}
