// Threat: a power cut leaves a part of the last commit, and the log does not notice, or loses what was acknowledged.
import ChildProcess
import Digests
import EventLog
import EventLogLMDB
import Files
import Foundation
import LMDBPages
import Locks
import LogWorker
import Testing
import TestThreads

@Suite(.waitsForProcesses) struct CommitTests {
  private let directory = TemporaryDirectory(inMemory: true)
  private var log: String { directory.path + "/log" }
  private var data: String { log + "/data.mdb" }

  /// Whatever a commit writes: without any one of its pages, or one of its sectors, its checksum does not hold.
  @Test(arguments: [(Workload.Shape.small, 9000, 3), (.mixed, 60, 2), (.many, 20, 1)])
  func `a checksum does not hold if any page that its commit changed is missing`(
    shape: Workload.Shape, count: Int, levels: Int
  ) throws {
    let workload = Workload(seed: 5, shape: shape)
    let store = try makeLog(directory)
    try append(workload, 0..<1, to: store)
    var before = try contents(data)
    var (deepest, branches, pages) = (0, UInt64(0), 0)
    for number in 1..<count {
      try append(workload, number..<number + 1, to: store)
      let after = try contents(data)
      let file = try DataFile(path: data)
      let meta = try file.newestMeta()
      let checksum = try #require(try file.checksum(at: meta.index))
      #expect(checksum.transaction == meta.transaction && checksum.kind == .hashed)
      #expect(try hash(meta, checksum, in: Torn(bytes: after)) == checksum.pages)
      deepest = max(deepest, meta.main.depth)
      // Of a long log, those at which branches of the tree are split.
      defer { (before, branches) = (after, meta.main.branchPages) }
      if number > 400, meta.main.branchPages == branches { continue }
      for page in 2..<after.count / 4096 {
        let changed = (0..<8).filter { !isSame(before, after, at: page * 4096 + $0 * 512) }
        if changed.isEmpty { continue }
        pages += 1
        for sectors in [changed, [changed[number % changed.count]]] {
          let torn = Torn(bytes: after, before: before, page: page, sectors: sectors)
          #expect((try? hash(meta, checksum, in: torn)) != checksum.pages, "append \(number): page \(page), \(sectors)")
        }
      }
    }
    #expect(deepest == levels && pages > 2 * min(count, 400))
  }

  @Test func `with a long free list, as a reader makes it grow, LMDB syncs the pages itself`() throws {
    let store = try makeLog(directory)
    let workload = Workload(seed: 6, shape: .small)
    try append(workload, 0..<2, to: store)
    let reader = try Child.worker("hold-read", directory.path)
    defer { reader.end() }
    #expect(try reader.line()?.hasPrefix("reading") == true)
    var kinds: [CommitChecksum.Kind] = []
    for number in 2..<3000 where kinds.count < 2 {
      try append(workload, number..<number + 1, to: store)
      let file = try DataFile(path: data)
      let checksum = try #require(try file.checksum(at: file.newestMeta().index))
      #expect(try checksum.transaction == file.newestMeta().transaction)
      if kinds.last != checksum.kind { kinds.append(checksum.kind) }
    }
    #expect(kinds == [.hashed, .synced])
    try append(workload, 3000..<3010, to: store)
    try expectRightAnswers(store)
    store.close()
    try expectWhole(directory.path)
  }

  @Test func `an incomplete commit is removed after a restart, and appending goes on`() throws {
    let before = try makeTornLog()
    try restart(durableCommitsBefore: 1)
    let store = try EventStore.open(at: directory.path)
    #expect(try store.head() == before)
    try expectRightAnswers(store)
    let receipts = try append(workload, 20..<23, to: store)
    #expect(receipts[0].positions.lowerBound == before.position.next)
    store.close()
    try expectWhole(directory.path)
    #expect(receipts[2].positions.upperBound > before.position)
  }

  @Test func `an incomplete commit that was not removed yet is no damage`() throws {
    let before = try makeTornLog()
    try restart(durableCommitsBefore: 1)
    let report = try LogCheck.verify(logAt: directory.path)
    #expect(report.holds && report.head == before, "\(report.findings)")
    #expect(report.notes.contains { $0.contains("incomplete and was not acknowledged") })
    #expect(try LogCheck.quickCheck(logAt: directory.path).damage == nil)
    #expect(try LMDBLog.readers(ofLogAt: directory.path).slots.isEmpty)
  }

  @Test func `a complete commit stays after a restart, acknowledged or not`() throws {
    let store = try makeLog(directory)
    try append(workload, 0..<20, to: store)
    let head = try store.head()
    store.close()
    try restart(durableCommitsBefore: 1)
    let again = try EventStore.open(at: directory.path)
    #expect(try again.head() == head)
    try append(workload, 20..<22, to: again)
    again.close()
    try expectWhole(directory.path)
  }

  @Test func `a torn commit that was durable, or whose mark is lost, is damage`() throws {
    _ = try makeTornLog()
    let torn = try contents(data)
    for isMarked in [true, false] {
      if isMarked { try restart(durableCommitsBefore: 0) } else { try remove(log + "/durable") }
      let error = failure { () throws(OpenError) in try EventStore.open(at: directory.path) }
      guard case .damaged(_, let reason) = try #require(error) else { throw error! }
      #expect(reason == "the pages of its last commit are not those that were written")
      #expect(try contents(data) == torn)
    }
  }

  @Test func `a commit whose sync failed is not appended to, and removed by the next opening`() throws {
    let workload = Workload(seed: 8, shape: .small)
    let store = try makeLog(directory)
    try append(workload, 0..<6, to: store)
    let before = try store.head()
    try append(workload, 6..<7, to: store)
    let transaction = try DataFile(path: data).newestMeta().transaction
    let other = try EventStore.open(at: directory.path)
    try changeMark { words in words[3] = transaction }
    for store in [store, other] {
      let error = failure { () throws(AppendError) in try store.appendBlocking(workload.append(7)) }
      #expect("\(try #require(error))".hasPrefix("A sync of \(directory.path) failed"))
    }
    other.close()
    store.close()
    // What a failed sync left was never folded into it.
    try remove(directory.path + "/index")
    let again = try EventStore.open(at: directory.path)
    #expect(try again.head() == before)
    try append(workload, 6..<8, to: again)
    try expectRightAnswers(again)
    again.close()
    try expectWhole(directory.path)
  }

  /// As after an opening that was interrupted before it removed the mark.
  @Test func `a failed commit is removed again if it is not certain that it was`() throws {
    let workload = Workload(seed: 8, shape: .small)
    let store = try makeLog(directory)
    try append(workload, 0..<6, to: store)
    store.close()
    for (number, isNumber) in [(6, true), (7, false)] {
      // Also creates the mark.
      let store = try EventStore.open(at: directory.path)
      try append(workload, number..<number + 1, to: store)
      let before = try store.head()
      store.close()
      let next = try DataFile(path: data).newestMeta().transaction + 1
      try changeMark { words in words[3] = isNumber ? next : .max }
      let again = try EventStore.open(at: directory.path)
      #expect(try again.head() == before)
      try expectRightAnswers(again)
      #expect(!FileManager.default.fileExists(atPath: log + "/durable"))
      again.close()
      try expectWhole(directory.path)
    }
  }

  @Test func `an interrupted commit that could not be read for a moment is completed later`() throws {
    let workload = Workload(seed: 9, shape: .small)
    let (store, other) = (try makeLog(directory), try EventStore.open(at: directory.path))
    try append(workload, 0..<6, to: store)
    let before = try store.head()
    try append(workload, 6..<7, to: store)
    try beforeDurable(before)
    try FileManager.default.moveItem(atPath: data, toPath: data + "-away")
    #expect(throws: AppendError.self) { try store.appendBlocking(workload.append(7)) }
    try FileManager.default.moveItem(atPath: data + "-away", toPath: data)
    try append(workload, 7..<8, to: other)
    try expectRightAnswers(other)
    other.close()
    store.close()
    try expectWhole(directory.path)
  }

  @Test func `numbers of transactions that no log reaches end no process`() throws {
    let store = try makeLog(directory)
    try append(workload, 0..<6, to: store)
    store.close()
    try restart(durableCommitsBefore: 0)
    try tearLastCommit()
    try changeMark { words in
      words[0] = .max
      words[2] = check(words[0], words[1])
    }
    let error = failure { () throws(OpenError) in try EventStore.open(at: directory.path) }
    #expect("\(try #require(error))".contains("last commit"))
  }

  @Test func `closing a log during an append is no error of the append`() throws {
    let store = try makeLog(directory)
    defer { store.close() }
    let workload = workload
    for number in 0..<50 {
      let other = try EventStore.open(at: directory.path)
      let closing = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        other.close()
        closing.signal()
      }
      do throws(AppendError) {
        _ = try other.appendBlocking(workload.append(number))
      } catch {
        // It was closed before, so that nothing was appended.
        #expect("\(error)".contains("was closed"))
        #expect(try store.receipt(of: workload.append(number).id!) == nil)
      }
      closing.wait()
    }
  }

  // What broke: an append that waited for the writer lock while its log was closed failed with LMDB's error.
  @Test func `a log that is closed while an append waits for the writer lock completes it`() throws {
    let store = try makeLog(directory)
    defer { store.close() }
    let source = EventStore.inMemory(genesis: store.log.genesis)
    try append(workload, 0..<1, to: source)
    var blocks: [[UInt8]] = []
    try source.log.blocks(from: .first, .forward, checks: .full) { block in
      blocks.append(block.bytes.withUnsafeBytes { Array($0) })
      return .next
    }
    let queue = try FileLock(path: directory.path + "/writer-queue")
    let other = try LMDBLog.open(at: directory.path)
    let ended = DispatchSemaphore(value: 0)
    let outcome = Locked(Result<Void, LogError>?.none)
    try store.log.withWriterLock {
      Thread.detachNewThread { [blocks] in
        let result = Result { () throws(LogError) in
          try other.append(copies: blocks, after: Head(of: other.genesis))
        }
        outcome.withLock { $0 = result }
        ended.signal()
      }
      let deadline = ContinuousClock.now + .seconds(Deadline.seconds)
      while queue.tryLock(), .now < deadline {
        queue.unlock()
        sched_yield()
      }
      queue.unlock()
      other.close()
    }
    ended.wait()
    try #require(outcome.withLock { $0 }).get()
    #expect(try store.head() == source.head())
  }

  @Test func `a commit that is not durable yet is not visible, and the next writer makes it durable`() throws {
    let workload = Workload(seed: 9, shape: .small)
    let store = try makeLog(directory)
    try append(workload, 0..<6, to: store)
    let before = try store.head()
    try append(workload, 6..<7, to: store)
    let after = try store.head()
    // As if the process had been killed before the sync.
    try beforeDurable(before)
    #expect(try store.log.head() == before)
    var last = Position.zero
    try store.log.blocks(from: .first, .forward, checks: .full) { block throws(LogError) in
      last = block.last
      return .next
    }
    #expect(last == before.position)
    try store.log.blocks(from: Position(rawValue: .max), .backward, checks: .full) { block throws(LogError) in
      last = block.last
      return .stop
    }
    #expect(last == before.position)
    var isRead = false
    try store.log.blocks(from: after.position, .forward, checks: .full) { _ throws(LogError) in
      isRead = true
      return .next
    }
    #expect(!isRead)
    try store.log.completeInterruptedCommit()
    #expect(try store.log.head() == after)
    let file = try DataFile(path: data)
    #expect(try file.checksum(at: file.newestMeta().index)?.kind == .synced)
    store.close()
    try expectWhole(directory.path)
  }

  @Test func `an incomplete commit is not removed from a log that another process has open`() throws {
    try makeLog(directory).close()
    let store = try EventStore.open(at: directory.path)
    try append(workload, 0..<20, to: store)
    store.close()
    let reader = try Child.worker("hold-read", directory.path)
    defer { reader.end() }
    let process = try #require(try reader.line()?.split(separator: " ").last)
    _ = try tearLastCommit()
    try restart(durableCommitsBefore: 1)
    let torn = try contents(data)
    let error = failure { () throws(OpenError) in try EventStore.open(at: directory.path) }
    #expect("\(try #require(error))".contains("process \(process) "), "\(error!)")
    #expect(try contents(data) == torn)
  }
}

extension CommitTests {
  private var workload: Workload { Workload(seed: 7, shape: .small) }

  /// Creates a log of 20 appends of which the last lacks a page; returns its head before that.
  private func makeTornLog() throws -> Head {
    let store = try makeLog(directory)
    try append(workload, 0..<19, to: store)
    let before = try store.head()
    try append(workload, 19..<20, to: store)
    store.close()
    try remove(directory.path + "/index")
    try tearLastCommit()
    return before
  }

  /// Fills the page with the last block with zeros.
  private func tearLastCommit() throws {
    let file = try DataFile(path: data)
    let root = try #require(try file.newestMeta().main.root)
    try overwrite(data, [UInt8](repeating: 0, count: 4096), at: Int(root.rawValue) * 4096)
  }

  /// Changes the mark to one from before the last commit was durable.
  private func beforeDurable(_ before: Head) throws {
    try changeMark { words in
      (words[0], words[1]) = (words[0] - 1, before.position.rawValue)
      words[2] = check(words[0], words[1])
    }
  }

  /// Changes the mark to one of an earlier boot, in which the last commits were not known to be durable.
  private func restart(durableCommitsBefore count: UInt64) throws {
    try changeMark { words in
      words[0] -= count
      words[2] = check(words[0], words[1])
      words[4] ^= 1
      words[6] = check(words[4], words[5])
    }
  }

  private func changeMark(_ change: (inout [UInt64]) -> Void) throws {
    let bytes = try contents(log + "/durable")
    var words = bytes.withUnsafeBytes { bytes in
      (0..<8).map { bytes.loadUnaligned(fromByteOffset: 8 * $0, as: UInt64.self) }
    }
    change(&words)
    try overwrite(log + "/durable", words.withUnsafeBytes { Array($0) }, at: 0)
  }

  private func check(_ first: UInt64, _ second: UInt64) -> UInt64 {
    [first, second].withUnsafeBytes { quickHash($0) }
  }

  private func overwrite(_ path: String, _ bytes: [UInt8], at offset: Int) throws {
    let file = try FileHandle(forUpdating: URL(filePath: path))
    try file.seek(toOffset: UInt64(offset))
    try file.write(contentsOf: bytes)
    try file.close()
  }

  private func hash(
    _ meta: MetaPage, _ checksum: CommitChecksum, in source: any PageSource
  ) throws(PageDamage) -> UInt64 {
    // A key has the six low bytes of a position, the most significant first.
    let key = (0..<6).map { UInt8(truncatingIfNeeded: checksum.previous >> (40 - 8 * UInt64($0))) }
    let result = key.withUnsafeBytes { key in
      Result { () throws(PageDamage) in
        try CommitChecksum.hash(ofTransaction: meta.transaction, after: key, in: source)
      }
    }
    return try result.get()
  }
}

/// The pages of a file in memory, of which one lacks what the last commit wrote to some of its sectors.
private struct Torn: PageSource {
  let bytes: [UInt8]
  var before: [UInt8] = []
  var page = 0
  var sectors: [Int] = []
  var pageSize: Int { 4096 }

  func withPage(
    _ page: PageNumber, _ body: (UnsafeRawBufferPointer) throws(PageDamage) -> Void
  ) throws(PageDamage) {
    guard page.rawValue < UInt64(bytes.count / pageSize) else { throw PageDamage(page, isBeyond: bytes.count) }
    let start = Int(page.rawValue) * pageSize
    var content = Array(bytes[start..<start + pageSize])
    if Int(page.rawValue) == self.page {
      for sector in sectors {
        let range = sector * 512..<sector * 512 + 512
        // Of a page that is new in the file, there are zeros.
        content[range] =
          before.count < start + pageSize
          ? ArraySlice(repeating: 0, count: 512) : before[start + range.lowerBound..<start + range.upperBound]
      }
    }
    let result = content.withUnsafeBytes { bytes in Result { () throws(PageDamage) in try body(bytes) } }
    try result.get()
  }
}

/// Returns whether two files have the same sector at an offset; the first may end before, where it has zeros.
private func isSame(_ before: [UInt8], _ after: [UInt8], at offset: Int) -> Bool {
  let zeros = [UInt8](repeating: 0, count: 512)
  return before.withUnsafeBytes { before in
    after.withUnsafeBytes { after in
      zeros.withUnsafeBytes { zeros in
        let old = offset + 512 <= before.count ? before.baseAddress! + offset : zeros.baseAddress!
        return memcmp(old, after.baseAddress! + offset, 512) == 0
      }
    }
  }
}
