// Appending blocks of another log, many per commit.
package import EventLog
internal import LMDB
internal import LMDBPages

extension LMDBLog: BatchLog {
  package func append(copies blocks: [[UInt8]], after head: Head) throws(LogError) {
    let opened = try open()
    var hasMoved = false
    do throws(LMDBError) {
      try opened.environment.write { transaction throws(LMDBError) in
        try transaction.withCursor(over: table) { cursor throws(LMDBError) in
          hasMoved = try !cursor.isAt(end: head, genesis)
          if hasMoved { throw LMDBError.keyExists }
          for bytes in blocks { try cursor.append(copy: bytes) }
        }
      }
    } catch {
      if hasMoved { throw .headMoved(try self.head()) }
      if isOfFullDisk(error) {
        throw .noSpace(
          StorageFailure(
            "The disk of \(path) is full: free space, then continue after the last block.", underlying: error))
      }
      throw .storage(
        StorageFailure(
          "Writing to \(path) failed (\(error)): check the disk, then continue after the last block.", underlying: error
        ))
    }
    try requireInPlace()
  }

  /// Appends again the blocks that follow the head in unused pages of the file; returns whether there were any.
  ///
  /// They were written by a commit that is not in force, since its meta page could not be written or is damaged.
  internal func completeTail() throws(LogError) -> Bool {
    var result = Result<LostTail?, LogError>.success(nil)
    let opened = try open()
    try access { () throws(LMDBError) in
      try opened.environment.write { transaction throws(LMDBError) in
        result = Result { () throws(LogError) in try lostTail() }
        guard case .success(let tail?) = result else { return }
        try transaction.withCursor(over: table) { cursor throws(LMDBError) in
          for bytes in tail.blocks { try cursor.append(copy: bytes) }
        }
      }
    }
    return try result.get() != nil
  }

  /// Returns the blocks that follow the head in unused pages, while no other process writes.
  private func lostTail() throws(LogError) -> LostTail? {
    let head = try readHead().head
    do throws(DataFileError) {
      let file = try DataFile(path: Self.logPath(path) + "/data.mdb")
      return try LostTail(in: file, unused: file.examine(file.newestMeta()).unusedPages, after: head)
    } catch {
      throw .storage(StorageFailure(of: error))
    }
  }
}

extension Cursor {
  fileprivate mutating func append(copy bytes: [UInt8]) throws(LMDBError) {
    guard let last = try? BlockView(bytes.span.bytes).last else {
      preconditionFailure("\(bytes.count) added bytes are not a block")
    }
    try bytes.span.bytes.withUnsafeBytes { bytes throws(LMDBError) in try append(bytes, for: BlockKey(last)) }
  }
}
