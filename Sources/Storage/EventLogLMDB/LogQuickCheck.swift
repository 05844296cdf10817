// A quick check of the files of a log, before LMDB opens them.
public import EventLog
internal import Files
internal import LMDB
internal import LMDBPages
internal import Tables

/// The result of checking a log's files without reading its blocks.
public struct LogQuickCheck: Hashable, Sendable {
  /// The damage of the log's file by which it is not opened, as <doc:FailureModes> lists it; nil for none.
  public let damage: String?
}

extension LogCheck {
  /// Checks what opening a log checks. It reads some pages, however long the log is, and other processes may append at
  /// the same time.
  public static func quickCheck(logAt path: String) throws(OpenError) -> LogQuickCheck {
    let path = FileSystem.resolved(path)
    try LMDBLog.requireFile(of: path)
    do throws(DataFileError) {
      let file = try DataFile(path: LMDBLog.logPath(path) + "/data.mdb")
      // A log that is being created has no pages yet.
      if file.size == 0 { return LogQuickCheck(damage: nil) }
      return LogQuickCheck(damage: file.openingDefect(in: LMDBLog.logPath(path)))
    } catch {
      switch error {
      case .cannotOpen, .notAFile, .cannotRead, .outOfMemory:
        throw .storage(StorageFailure(of: error))
      case .noMetaPage, .noSuchTable, .damaged: return LogQuickCheck(damage: error.description)
      }
    }
  }
}

extension LMDBLog {
  /// Returns the defect of the stored index's position, to follow “the index”; nil for none. It is read from the file:
  /// nothing is opened or changed.
  public func indexDefect() -> String? {
    switch TableStore.status(at: Self.indexPath(path)) {
    case .empty, .stale, .unreadable: return nil
    case .damaged(let reason): return "is damaged (\(reason))"
    case .at(let logPoint):
      do throws(LogError) {
        let end = try head().position
        if logPoint.position > end.rawValue { return "is at position \(logPoint.position), and the log ends at \(end)" }
        let isOnChain = try head(at: Position(rawValue: logPoint.position), logPoint.hash) != nil
        return isOnChain ? nil : "is at position \(logPoint.position) of another log"
      } catch {
        return "cannot be compared with the log (\(error))"
      }
    }
  }
}

extension LMDBLog {
  /// Throws where the system denies this user access to the directory of a log or its file: such a log is neither
  /// missing nor damaged.
  internal static func requireAccess(to path: String) throws(OpenError) {
    for file in [path, logPath(path) + "/data.mdb"] {
      guard let error = FileSystem.denial(at: file) else { continue }
      throw .storage(
        StorageFailure(
          "\(file) cannot be read (\(error)): check its permissions and those of the directories above it.",
          underlying: LMDBError(error)))
    }
  }
}

extension DataFile {
  /// Returns the defect by which a log is not opened; nil for none.
  ///
  /// Other processes may append meanwhile: what is found is looked for once more in pages that they cannot overwrite.
  internal func openingDefect(in directory: String) -> String? {
    if let disagreement = PinnedFile.lastingDisagreement(self) { return disagreement }
    guard let meta = try? newestMeta() else { return nil }
    var defect = openingDefect(of: meta)
    if defect == nil { return nil }
    if let earlier = try? NewestCommit.metaBefore(incompleteIn: directory) { return openingDefect(of: earlier) }
    do throws(DataFileError) {
      try PinnedFile.withNewest(of: directory, options: Environment.Options()) { file, meta in
        defect = file.openingDefect(of: meta)
      }
    } catch {
      return error.description
    }
    return defect
  }

  private func openingDefect(of meta: MetaPage) -> String? {
    if let defect = lengthDefect(of: meta) { return defect }
    do throws(DataFileError) {
      return try openingDamage(of: meta, key: Self.blockKey)?.description
    } catch {
      return error.description
    }
  }

  /// Returns the key of the block that some bytes begin with; nil if they begin with none.
  private static func blockKey(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
    guard bytes.count > Frame.headCount else { return nil }
    let length = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
    guard length <= bytes.count else { return nil }
    let stored = UnsafeRawBufferPointer(rebasing: bytes[..<Int(length)])
    guard let block = try? BlockView(stored.bytes) else { return nil }
    return BlockKey(block.last).withKeyBytes { Array($0) }
  }
}
