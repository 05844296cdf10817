// Appending blocks of another log, many per commit.
package import EventLog
internal import LMDB
internal import LMDBPages

extension LMDBLog: BatchLog {
  package func append(copies blocks: [[UInt8]], after head: Head) throws(LogError) {
    let opened = try open()
    try holdingWriterLock { () throws(LogError) in
      do throws(CommitError) {
        let byteCount = blocks.reduce(0) { $0 + $1.count }
        _ = try commit(byteCount, after: head, opened) { cursor throws(LMDBError) in
          var end = head
          for bytes in blocks { end = try cursor.append(copy: bytes) }
          return end
        }
      } catch {
        switch error {
        case .headMoved: throw .headMoved(try self.head())
        case .notAppended(let error): throw notCopied(error)
        case .uncertain(let error): throw failed(error, isUncertain: true, opened)
        }
      }
    }
    try requireInPlace(opened)
  }

  private func notCopied(_ error: LMDBError) -> LogError {
    if isOfFullDisk(error) {
      return .noSpace(
        StorageFailure(
          "The disk of \(path) is full: free space, then continue after the last block.", underlying: error))
    }
    return .storage(
      StorageFailure(
        "Writing to \(path) failed (\(error)): check the disk, then continue after the last block.", underlying: error))
  }

  /// Appends again the blocks that follow the head in unused pages of the file; returns whether there were any.
  ///
  /// They were written by a commit that is not in force, since its meta page could not be written or is damaged.
  internal func completeTail() throws(LogError) -> Bool {
    let opened = try open()
    var isComplete = false
    try holdingWriterLock { () throws(LogError) in
      let head = try readHead().head
      guard let tail = try lostTail(after: head) else { return }
      do throws(CommitError) {
        let byteCount = tail.blocks.reduce(0) { $0 + $1.count }
        _ = try commit(byteCount, after: head, opened) { cursor throws(LMDBError) in
          for bytes in tail.blocks { _ = try cursor.append(copy: bytes) }
          return tail.head
        }
        isComplete = true
      } catch {
        switch error {
        case .headMoved: return
        case .notAppended(let error): throw notCopied(error)
        case .uncertain(let error): throw failed(error, isUncertain: true, opened)
        }
      }
    }
    return isComplete
  }

  /// Returns the blocks that follow the head in unused pages, while no other process writes.
  private func lostTail(after head: Head) throws(LogError) -> LostTail? {
    do throws(DataFileError) {
      let file = try DataFile(path: Self.logPath(path) + "/data.mdb")
      return try LostTail(in: file, unused: file.examine(file.newestMeta()).unusedPages, after: head)
    } catch {
      throw .storage(StorageFailure(of: error))
    }
  }
}

extension Cursor {
  /// Appends a block; returns the end of the log with it.
  fileprivate mutating func append(copy bytes: [UInt8]) throws(LMDBError) -> Head {
    guard let block = try? BlockView(bytes.span.bytes) else {
      preconditionFailure("\(bytes.count) added bytes are not a block")
    }
    let head = block.head
    try bytes.span.bytes.withUnsafeBytes { bytes throws(LMDBError) in try append(bytes, for: BlockKey(head.position)) }
    return head
  }
}
