// Verification of a log's index against the blocks.
internal import Bytes
package import EventLog
internal import Files
internal import LMDB
internal import LMDBPages
internal import Tables

/// Rebuilds the index up to the position of the stored one, and compares the two row by row.
package final class IndexCheck {
  /// The defects of the index, and the reasons for which it is not compared.
  private var report = LogReport()
  private let file: DataFile
  private let meta: MetaPage
  private let logPoint: LogPoint
  private let summaries: [TableSummary]
  private let path: String
  private let scratch: String
  private let tableStore: TableStore
  /// The last append of the log, which distinguishes the index of another log from one that is ahead.
  private var last: (id: AppendID, position: Position)?
  private var state: IndexState?
  private var isComplete = false
  /// The reason why the index cannot be compared; nil while it can.
  private var obstacle: String?

  /// Compares the index in a directory with the blocks that the closure passes to the check, if it gets one, and
  /// returns what was found. The closure returns the end of the blocks.
  package static func run(at path: String, _ body: (IndexCheck?) -> Head?) -> LogReport {
    var report = LogReport()
    do throws(TablesError) {
      guard try TableStore.isStale(path) else { return compare(path, body) }
      report.notes.append(
        "The index was in use at the last system crash, and was not checked: the next opening rebuilds it.")
    } catch {
      report.report(.index, "The index was not checked: \(error)")
    }
    _ = body(nil)
    return report
  }

  private static func compare(_ path: String, _ body: (IndexCheck?) -> Head?) -> LogReport {
    var report = LogReport()
    do throws(DataFileError) {
      try PinnedFile.withNewest(
        of: path, options: TableStore.environmentOptions(tables: IndexState.tableNames.count)
      ) { file, meta in
        guard let check = IndexCheck(at: path, file, meta, &report) else {
          _ = body(nil)
          return
        }
        check.finish(at: body(check))
        report = check.report
      }
    } catch {
      // LMDB fills an empty file as a new one.
      if error.isMissingFile || FileSystem.byteCount(of: path + "/data.mdb") == 0 {
        report.notes.append("There is no index: the next opening rebuilds it.")
      } else {
        report.report(.index, "The index was not checked: \(error)")
      }
      _ = body(nil)
    }
    return report
  }

  /// Begins a check of the index in a directory; nil when there is nothing to compare with.
  private init?(at path: String, _ file: DataFile, _ meta: MetaPage, _ report: inout LogReport) {
    // LMDB trusts the newer meta page: its damage would crash a process that opens the index.
    if let disagreement = PinnedFile.lastingDisagreement(file) {
      report.report(.index, "The index is damaged: \(disagreement)")
    }
    var stored: (LogPoint, [TableSummary])?
    var hasRows = false
    do throws(DataFileError) {
      let damages = try file.examine(meta).damages
      for damage in damages { report.report(.index, "The index is damaged: \(damage)") }
      guard damages.isEmpty else { return nil }
      try file.forEachIfThere(in: TableStore.metaTableName, of: meta) { key, value in
        if TableStore.isLogPoint(key) {
          stored = TableStore.logPointAndSummaries(in: value.bytes, tables: IndexState.tableNames.count)
        }
        return true
      }
      if stored == nil { hasRows = try Self.hasRows(file, meta) }
    } catch {
      report.report(.index, "The index was not checked: \(error)")
      return nil
    }
    guard let stored else {
      if hasRows {
        report.report(.index, "The index does not state its position: the next opening rebuilds it.")
      } else {
        report.notes.append("The index is empty: it is filled when it is first used.")
      }
      return nil
    }
    scratch = FileSystem.makeTemporaryDirectory() ?? ""
    guard let tableStore = try? TableStore(at: scratch, tables: IndexState.tableNames, isOnChain: { _ in true }) else {
      report.notes.append(
        "The index was not checked, since no temporary files can be written: check the space and the permissions of "
          + "the temporary directory.")
      try? FileSystem.removeDirectory(scratch)
      return nil
    }
    self.path = path
    self.file = file
    self.meta = meta
    self.tableStore = tableStore
    (logPoint, summaries) = stored
    self.report = report
  }

  private static func hasRows(_ file: DataFile, _ meta: MetaPage) throws(DataFileError) -> Bool {
    var isEmpty = true
    for name in IndexState.tableNames where isEmpty {
      try file.forEachIfThere(in: name, of: meta) { _, _ in
        isEmpty = false
        return false
      }
    }
    return !isEmpty
  }

  deinit {
    tableStore.close()
    try? FileSystem.removeDirectory(scratch)
  }

  /// Begins with the genesis of the log.
  package func begin(_ genesis: Genesis) {
    state = IndexState(tableStore: tableStore, applied: Head(of: genesis), streamCount: 0)
  }

  /// Folds the next block; blocks past the stored index are skipped.
  package func fold(_ block: BlockView) {
    guard state != nil, block.last.rawValue <= logPoint.position else { return }
    block.forEachAppend { last = ($0.id, block.first.advanced(by: $0.firstIndex)) }
    if (try? state?.fold(block)) == nil { return giveUp(Self.scratchFull) }
    isComplete = block.last.rawValue == logPoint.position && block.hash == logPoint.hash
    if isComplete || (state?.unwritten ?? 0) > 100_000 { write() }
  }

  /// Stops the comparison at a damaged block: later blocks cannot be compared.
  package func giveUp() { giveUp("blocks before its end are damaged") }

  private func giveUp(_ reason: String) { (state, obstacle) = (nil, obstacle ?? reason) }

  private static var scratchFull: String {
    "its temporary files cannot be written: check the space of the temporary directory"
  }

  private func write() {
    guard let batch = state?.takeUnwritten(),
      (try? tableStore.write(batch.changes, logPoint: batch.logPoint)) == .written
    else { return giveUp(Self.scratchFull) }
    state?.trim()
  }

  /// Compares the two, once all blocks were folded.
  private func finish(at head: Head?) {
    guard state != nil else {
      report.notes.append("The index was not compared, since \(obstacle ?? "the log could not be read").")
      return
    }
    let (position, end) = (Position(rawValue: logPoint.position), head?.position ?? .zero)
    if position > end, IndexState.holds(last, in: file, meta) {
      report.report(.log, MissingTail(path: path, position: position, end: end).description)
      return
    }
    guard isComplete else {
      report.report(
        .index,
        "The index is at position \(logPoint.position) of another log, or of a later state of this one: "
          + "the next opening rebuilds it.")
      return
    }
    for number in IndexState.tableNames.indices { compare(number) }
  }

  private func compare(_ number: Int) {
    let name = IndexState.tableNames[number]
    var difference: String?
    do throws(TablesError) {
      try tableStore.read(upTo: .max) { transaction, tables throws(LMDBError) in
        try transaction.withCursor(over: tables[number]) { cursor throws(LMDBError) in
          var isThere = try cursor.moveToFirst()
          var failure: LMDBError?
          let walked: Void? = try? file.forEach(in: name, of: meta) { key, value, offset in
            let isSame = isThere && cursor.key.equals(key) && cursor.value.equals(value)
            if !isSame { difference = "at byte \(offset) it has a row that does not follow from the log" }
            do throws(LMDBError) { isThere = try cursor.moveToNext() } catch { failure = error }
            return difference == nil && failure == nil
          }
          if let failure { throw failure }
          if walked == nil { difference = "it cannot be read" }
          if difference == nil, isThere { difference = "a row is missing" }
        }
      }
      let tally = try tableStore.summaries()[number]
      if difference == nil, tally != summaries[number] {
        difference = "its digest is \(tally), and \(summaries[number]) is stored"
      }
    } catch {
      difference = error.description
    }
    if let difference {
      report.report(
        .index, "The index's table \(name) differs from the log (\(difference)): delete the index directory.")
    }
  }
}

extension DataFile {
  /// Passes the pairs of a table to the closure until it returns false; none where there is no such table yet.
  fileprivate func forEachIfThere(
    in name: String, of meta: MetaPage, _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Bool
  ) throws(DataFileError) {
    do throws(DataFileError) { try forEach(in: name, of: meta) { key, value, _ in body(key, value) } } catch {
      guard case .noSuchTable = error else { throw error }
    }
  }
}

extension RawSpan {
  fileprivate func equals(_ other: UnsafeRawBufferPointer) -> Bool {
    withUnsafeBytes { $0.hasSameBytes(as: other) }
  }
}
