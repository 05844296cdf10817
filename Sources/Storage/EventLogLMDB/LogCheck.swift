// Verification of a log's files, without trusting them.
internal import Digests
internal import EventIndex
public import EventLog
internal import Files
internal import LMDB
internal import LMDBPages
internal import Tables

/// Verification of everything that a log consists of: the pages of its file, each block by itself and in the chain,
/// versions without a gap, and that the index equals one rebuilt from the blocks.
///
/// The files are read with `pread`, never through LMDB's map, where an unreadable page of the disk ends the process. It
/// may run while other processes append: it reads one state of the log.
public enum LogCheck {
  /// Verifies the log in a directory.
  public static func verify(
    logAt path: String, progress: (Position) -> Void = { _ in }
  ) throws(OpenError) -> LogReport {
    let path = FileSystem.resolved(path)
    try LMDBLog.requireFile(of: path)
    try LMDBLog.requireOwnFiles(of: path, and: [.index])
    if LMDBLog.isCreationInterrupted(at: path) { throw .missing(path: path) }
    return withoutActuallyEscaping(progress) { progress in
      let check = BlockCheck(progress)
      let found = IndexCheck.run(at: LMDBLog.indexPath(path)) { index in
        check.index = index
        check.run(logAt: path)
        return check.report.head
      }
      check.report.add(found)
      check.countWhole(logAt: path)
      return check.report
    }
  }
}

/// A check of the blocks of a log.
private final class BlockCheck {
  var report = LogReport()
  var index: IndexCheck?
  private let progress: (Position) -> Void
  private var chain = ChainCheck()

  init(_ progress: @escaping (Position) -> Void) { self.progress = progress }

  func run(logAt path: String) {
    let directory = LMDBLog.logPath(path)
    do throws(DataFileError) {
      try PinnedFile.withNewest(of: directory, options: Environment.Options()) { file, meta in
        if let disagreement = PinnedFile.lastingDisagreement(file) { report.report(.log, disagreement) }
        var meta = meta
        if let earlier = try? NewestCommit.metaBefore(incompleteIn: directory) {
          meta = earlier
          report.notes.append(
            "The newest commit is incomplete and was not acknowledged: opening the log for writing removes it.")
        }
        check(file, meta)
        var unread: DataFileError?
        let repeated = chain.appends.repeatedID { body in
          do throws(DataFileError) {
            _ = try file.forEachReachable(of: meta) { _, value, _ in
              guard let block = try? BlockView(value.bytes), (try? block.validate()) != nil else { return true }
              return body(block)
            }
          } catch { unread = error }
        }
        if let unread { report.report(.log, "Repeated append ids were not searched: \(unread)") }
        if let repeated { report.report(.log, repeated) }
      }
    } catch {
      report.report(.log, error.description)
    }
    report.head = chain.head
  }

  /// Counts the undamaged parts of a damaged log as salvage finds them: blocks hidden by a damaged page, and those
  /// after a block whose hash is lost, are undamaged themselves.
  func countWhole(logAt path: String) {
    guard report.findings.contains(where: { $0.location != .index }), let salvage = try? Salvage(logAt: path) else {
      return
    }
    let found = salvage.forEachBlock { _ in }
    (report.blocks, report.events) = (found.blocks, found.events)
  }

  private func check(_ file: DataFile, _ meta: MetaPage) {
    do throws(DataFileError) {
      let examination = try file.examine(meta)
      let damages = examination.damages
      for damage in damages { report.report(.page(damage.page.rawValue), "\(damage)") }
      let unreached = try file.forEachReachable(of: meta) { key, value, offset in
        guard let position = BlockKey(key.bytes)?.position else {
          report.report(
            .log, "An entry has a key of \(key.count) bytes instead of \(BlockKey.byteCount) (at byte \(offset)).")
          return !report.isFull
        }
        if position == .zero { checkGenesis(value, offset) } else { check(value, position, offset) }
        return !report.isFull
      }
      for damage in unreached where !damages.contains(damage) {
        report.report(.page(damage.page.rawValue), "\(damage)")
      }
      if report.holds, let head = chain.head { try checkTail(file, meta, examination, head) }
      if report.holds, let defect = file.unusedMetaDefect(), try file.newestMeta().transaction == meta.transaction {
        report.notes.append(
          "The older meta page is not as a commit leaves it (\(defect)): the next commit repairs it.")
      }
    } catch {
      report.report(.log, error.description)
    }
    if chain.head == nil { report.report(.log, "The log has no genesis that can be read.") }
  }

  /// Searches for a commit that is in the file and not in force.
  ///
  /// Where the meta page that is not in force has more entries, either a write failed while the last commit was being
  /// put in force, or the commit was in force and a damaged number replaced it by an older state. Without that
  /// evidence, a block in unused pages is only the rest of an append that was never completed.
  private func checkTail(
    _ file: DataFile, _ meta: MetaPage, _ examination: DataFileReport, _ head: Head
  ) throws(DataFileError) {
    let tail = try LostTail(in: file, unused: examination.unusedPages, after: head)
    // Other processes may have committed in between, or be about to.
    guard let newest = try? file.newestMeta(), newest.transaction == meta.transaction else { return }
    let positions = tail.map { "The block of positions \(head.position.next) to \($0.head.position)" }
    if let counts = file.entryCounts(), counts.inForce < counts.other {
      let entries = " (meta page \(meta.index) has \(counts.inForce) entries, the one before it \(counts.other))."
      if let positions {
        report.report(
          .unforcedCommit, positions + " is in the file and not in force: opening the log completes it" + entries)
      } else {
        report.report(
          .log, "The log's last commit is not in force, and its block cannot be found: salvage the log" + entries)
      }
    } else if let positions {
      report.notes.append(
        positions + " follows the end in unused pages: an append that was not completed. Salvage would include it.")
    }
  }

  private func checkGenesis(_ value: UnsafeRawBufferPointer, _ offset: Int) {
    do throws(BlockDefect) {
      let genesis = try Genesis(validating: value.bytes)
      chain.begin(genesis)
      index?.begin(genesis)
    } catch {
      report.report(.block(last: .zero, fileOffset: offset), "The genesis (at byte \(offset)) is damaged: \(error).")
    }
  }

  private func check(_ value: UnsafeRawBufferPointer, _ last: Position, _ offset: Int) {
    let first = chain.head?.position.next
    do throws(BlockDefect) {
      try chain.check(value.bytes, endingAt: last) { block in
        report.blocks += 1
        report.events += block.count
        index?.fold(block)
      }
    } catch {
      index?.giveUp()
      let positions = first == last ? "position \(last)" : "positions \(first.map { "\($0)–" } ?? "up to ")\(last)"
      report.report(
        .block(last: last, fileOffset: offset),
        "The block of \(positions) (at byte \(offset), \(value.count) bytes) is damaged: \(error).")
    }
    progress(last)
  }
}
