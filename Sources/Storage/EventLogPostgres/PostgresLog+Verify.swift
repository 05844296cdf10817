// Verification of a log on a server.
internal import Digests
internal import EventIndex
public import EventLog

extension PostgresLog {
  /// Verifies every block by itself and in the chain, the versions of the streams, the append ids, and that the head
  /// row is that of the last block; and that the index which this machine keeps of the log equals one rebuilt from the
  /// blocks. It may run while others append: it reads up to one head.
  public func verify(progress: (Position) -> Void = { _ in }) throws(LogError) -> LogReport {
    var report = LogReport()
    var failure: LogError?
    let found = IndexCheck.run(at: indexPath) { index in
      // The head is read after the index, which other processes of this machine may write meanwhile.
      do throws(LogError) { report = try check(upTo: head(), index, progress) } catch { failure = error }
      return report.head
    }
    if let failure { throw failure }
    report.add(found)
    if !found.findings.isEmpty { report.notes.append("The index of this machine is the directory \(indexPath).") }
    return report
  }

  private func check(
    upTo end: Head, _ index: IndexCheck?, _ progress: (Position) -> Void
  ) throws(LogError) -> LogReport {
    var (report, chain) = (LogReport(), ChainCheck())
    chain.begin(genesis)
    index?.begin(genesis)
    try forEachRow(upTo: end.position) { last, bytes in
      let first = chain.head?.position.next
      do throws(BlockDefect) {
        try chain.check(bytes.bytes, endingAt: last) { block in
          report.blocks += 1
          report.events += block.count
          index?.fold(block)
        }
      } catch {
        index?.giveUp()
        report.report(
          .block(last: last, fileOffset: 0),
          "The block of positions \(first ?? .first)–\(last) (\(bytes.count) bytes) is damaged: \(error).")
      }
      progress(last)
      return !report.isFull
    }
    report.head = chain.head
    if report.holds, let found = chain.head, found != end {
      report.report(
        .log,
        "The log's row says that it ends at position \(end.position) with the hash \(end.hash), and its last block "
          + "ends at \(found.position) with \(found.hash).")
    }
    if let last = try positionBeyondHead(end) {
      report.report(
        .log,
        "There is a block that ends at position \(last), after the end of the log in its row: the next append fails; "
          + "delete it from verbatim.blocks.")
    }
    var failure: LogError?
    let repeated = chain.appends.repeatedID { body in
      do throws(LogError) {
        try forEachRow(upTo: end.position) { _, bytes in
          guard let block = try? BlockView(bytes.bytes), (try? block.validate()) != nil else { return true }
          return body(block)
        }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    if let repeated { report.report(.log, repeated) }
    return report
  }

  /// Returns the last position of a block that is stored after the end of the log, of which an earlier head is given;
  /// nil without one.
  private func positionBeyondHead(_ end: Head) throws(LogError) -> Position? {
    let rows = try read(from: end.position.next, .forward, 1, isFirst: false)
    guard rows.count == 1 else { return nil }
    let last = Position(rawValue: UInt64(bitPattern: rows.integer(0, 0)))
    // Blocks that were appended meanwhile are before the end.
    return try last > head().position ? last : nil
  }

  /// Passes the rows of the blocks up to a position, unchecked, to the closure until it returns false.
  private func forEachRow(
    upTo end: Position, _ body: (_ last: Position, _ bytes: UnsafeRawBufferPointer) -> Bool
  ) throws(LogError) {
    var (next, count) = (Position.first, 64)
    while next <= end {
      let rows = try read(from: next, .forward, count, isFirst: false)
      if rows.count == 0 { return }
      var byteCount = 0
      for row in 0..<rows.count {
        let (last, bytes) = (Position(rawValue: UInt64(bitPattern: rows.integer(row, 0))), rows.bytes(row, 1))
        guard last <= end, body(last, bytes) else { return }
        byteCount += bytes.count
        next = last.next
      }
      count = PostgresLog.batch(after: rows.count, byteCount, count)
    }
  }
}
