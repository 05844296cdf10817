// Appending to a log on a server, once, whatever happens to the connection.
internal import Digests
public import EventLog
internal import Locks

extension PostgresLog {
  /// Appends a block after a head; the block is durable when the call returns, as far as the server's settings make a
  /// commit durable.
  ///
  /// After a lost connection the same block is sent again: the head row accepts it once, whatever arrives when.
  public func append(_ block: BlockView, after head: Head) throws(LogError) {
    try requireSize(block.bytes.byteCount)
    try block.bytes.withUnsafeBytes { bytes in
      Result { () throws(LogError) in
        try append(block.head, after: head, Schema.append, [bytes])
        recent.add(bytes)
      }
    }.get()
  }

  /// Appends what a statement inserts beside the head, whose further parameters are the bytes.
  private func append(
    _ next: Head, after head: Head, _ statement: Statement, _ inserted: [UnsafeRawBufferPointer]
  ) throws(LogError) {
    if isReadOnly { throw .readOnly(path: address.description) }
    // Whether an attempt was cut off, so that it may still be committed, whatever the error of a later one is.
    var isUncertain = false
    let outcome: Result<Void, LogError>
    do throws(PostgresError) {
      outcome = try pool.run { connection, isRetry throws(PostgresError) in
        do throws(PostgresError) {
          return try attempt(next, after: head, statement, inserted, isRetry: isRetry, connection)
        } catch {
          isUncertain = isUncertain || error.leavesOutcomeUnknown
          throw error
        }
      }
    } catch {
      throw failedAppending(error, isUncertain)
    }
    do throws(LogError) { try outcome.get() } catch {
      if case .headMoved = error { known.withLock { $0.contention = Self.contended } }
      throw error
    }
    known.withLock { if next.blocks > $0.head.blocks { $0.head = next } }
    acknowledged.record(next)
    channel.notify()
  }

  private func attempt(
    _ next: Head, after head: Head, _ statement: Statement, _ inserted: [UnsafeRawBufferPointer], isRetry: Bool,
    _ connection: Connection
  ) throws(PostgresError) -> Result<Void, LogError> {
    while true {
      let fence = known.withLock { $0.fence }
      if try execute(statement, next, after: head, fence: fence, inserted, connection) {
        try requireWaited(connection)
        return .success(())
      }
      let found: Head
      switch try readHead(connection) {
      case .success(let head): found = head
      case .failure(let error): return .failure(error)
      }
      if found.hash == head.hash, fence != known.withLock({ $0.fence }) { continue }
      if isRetry, try holds(next, connection) {
        // An earlier attempt was committed, and its wait for a standby may have been cut short.
        try bumpFence(connection)
        try requireWaited(connection)
        return .success(())
      }
      return .failure(.headMoved(found))
    }
  }

  /// Appends consecutive blocks by one statement, as ``append(_:after:)`` appends one.
  package func append(copies blocks: [[UInt8]], after head: Head) throws(LogError) {
    var lasts: [Int64] = []
    var next = head
    for bytes in blocks {
      try requireSize(bytes.count)
      do throws(BlockDefect) { next = try BlockView(bytes.span.bytes).head } catch {
        throw .damaged(at: next.position.next, error)
      }
      lasts.append(Int64(bitPattern: next.position.rawValue))
    }
    let arrays = (BinaryArray(of: lasts), BinaryArray(of: blocks))
    try arrays.0.bytes.withBytes { lasts throws(LogError) in
      try arrays.1.bytes.withBytes { blocks throws(LogError) in
        try append(next, after: head, Schema.appendSeveral, [lasts, blocks])
      }
    }
  }

  /// Makes every append that is still under way fail: those of processes that died, and those of others, which are then
  /// sent again. The earlier appends are as durable as any when the call returns.
  public func completeInterruptedCommit() throws(LogError) {
    if isReadOnly { throw .readOnly(path: address.description) }
    try run { connection, _ throws(PostgresError) in
      try bumpFence(connection)
      try requireWaited(connection)
    }
  }

  /// Executes a statement that moves the head and inserts blocks; returns whether it did.
  private func execute(
    _ statement: Statement, _ next: Head, after head: Head, fence: Int64, _ inserted: [UnsafeRawBufferPointer],
    _ connection: Connection
  ) throws(PostgresError) -> Bool {
    let integers = [
      id, Int64(bitPattern: next.position.rawValue), Int64(next.blocks), next.recorded.rawValue, fence,
    ]
    let changed = head.hash.withBytes { before in
      next.hash.withBytes { after in
        Result { () throws(PostgresError) in
          try connection.execute(statement, integers, [before, after] + inserted).changedCount
        }
      }
    }
    return try changed.get() > 0
  }

  /// Waits by a further commit where the wait of the last one for a standby was cancelled, of which the server only
  /// warns.
  private func requireWaited(_ connection: Connection) throws(PostgresError) {
    for _ in 0..<Self.waitsMax {
      if !connection.takeWarning() { return }
      try bumpFence(connection)
    }
    throw .connection("the server did not wait for its standby")
  }

  /// The number of waits for a standby that may be cancelled one after the other.
  private static let waitsMax = 3

  /// Returns whether the log has the block that ends with a head.
  internal func holds(_ head: Head, _ connection: Connection) throws(PostgresError) -> Bool {
    let rows = try connection.execute(Schema.forward, [id, Int64(bitPattern: head.position.rawValue), 1])
    guard rows.count == 1, let block = try? BlockView(rows.bytes(0, 1).bytes) else { return false }
    return block.head == head
  }

  private func bumpFence(_ connection: Connection) throws(PostgresError) {
    let rows = try connection.execute(Schema.fence, [id])
    guard rows.count == 1 else { return }
    let fence = rows.integer(0, 0)
    known.withLock { $0.fence = fence }
  }

  private func requireSize(_ byteCount: Int) throws(LogError) {
    guard byteCount >= 1 << 30 - 1 << 16 else { return }
    throw .storage(
      StorageFailure("The block has \(byteCount) bytes, and PostgreSQL stores at most a gigabyte: append less at once.")
    )
  }

  private func failedAppending(_ error: PostgresError, _ isUncertain: Bool) -> LogError {
    if isUncertain {
      return .outcomeUnknown(
        StorageFailure(
          "The connection to the server of \(address) was lost (\(error)): whether the append was made is unknown; "
            + "append again with the same append id.", underlying: error))
    }
    if error.isNoSpace {
      return .noSpace(
        StorageFailure("The disk of the server of \(address) is full: nothing was appended; free space and try again."))
    }
    let advice = error.isReadOnly ? "give the address of a server that accepts changes" : "check the server"
    return .storage(
      StorageFailure(
        "Appending to \(address) failed (\(error)): nothing was appended; \(advice) and try again.", underlying: error))
  }
}
