// Threat: an invalid request, or a file that is no log, full, newer, or in use by another process.
import ChildProcess
import EventLog
import EventLogLMDB
import Foundation
import Files
import LMDBPages
import LogContract
import LogWorker
import Testing
import TestThreads

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

// MARK: Invalid arguments

@Suite(.waitsForProcesses) struct BadInputTests {
  private let directory = TemporaryDirectory()

  @Test func `an event over the limit is refused with both sizes, and nothing is appended`() throws {
    var configuration = EventStore.Configuration()
    configuration.eventByteCountMax = 1_000
    let store = try EventStore.open(
      at: directory.path, options: LMDBLog.Options(creates: true), configuration: configuration)
    let large = ProposedEvent(stream: "s", type: "t", payload: [UInt8](repeating: 1, count: 1_001))
    try expectError("1001 bytes, and 1000") { try store.appendBlocking([event("s"), large]) }
    #expect(try store.head().position == .zero)
  }

  @Test(arguments: [
    ("", NameError.Defect.empty), (String(repeating: "é", count: 161), .tooLong(byteCount: 322)),
    ("a\nb", .controlCharacter), ("a\u{85}b", .controlCharacter),
  ])
  func `an invalid stream name is refused`(_ text: String, _ defect: NameError.Defect) throws {
    do {
      _ = try Name(text)
      Issue.record("it is a name: \(text)")
    } catch { #expect(error.defect == defect) }
    #expect(try Name(String(repeating: "é", count: 160)).text.utf8.count == 320)
  }

  @Test func `an append without events or with contradictory expectations is refused`() throws {
    let store = try makeLog(directory)
    try expectError("no events") { try store.appendBlocking([]) }
    let expectations = [StreamExpectation("s", .none), StreamExpectation("s", .exists)]
    try expectError("cannot be expected") { try store.appendBlocking([event("s")], expecting: expectations) }
    #expect(try store.head().position == .zero)
  }
}

// MARK: Invalid files

extension BadInputTests {
  @Test func `opening a path that is no log throws and changes nothing`() throws {
    let manager = FileManager.default
    try manager.createDirectory(atPath: directory.path, withIntermediateDirectories: true)
    let file = directory.path + "/file"
    try write([1, 2, 3], to: file)
    let empty = directory.path + "/empty"
    try manager.createDirectory(atPath: empty, withIntermediateDirectories: true)
    for creates in [false, true] {
      try expectError("not a directory") { try open(file, creates) }
      try expectError("other files") { try open(directory.path, creates) }
    }
    try expectError("There is no log at") { try open(empty, false) }
    try expectError("There is no log at") { try open(directory.path + "/missing", false) }
    try expectError("cannot be created") { try open(directory.path + "/missing/deeper", true) }
    #expect(try manager.contentsOfDirectory(atPath: directory.path).sorted() == ["empty", "file"])
    #expect(try manager.contentsOfDirectory(atPath: empty) == [])
    #expect(try contents(file) == [1, 2, 3])
    for path in [file, directory.path, empty, directory.path + "/missing"] {
      #expect(throws: OpenError.self) { try LogCheck.verify(logAt: path) }
      #expect(throws: OpenError.self) { try Salvage(logAt: path) }
    }
  }

  @Test func `opening a foreign data file throws and changes nothing`() throws {
    for bytes in [[], [1, 2, 3], [UInt8](repeating: 7, count: 20_000)] as [[UInt8]] {
      let path = directory.path + "/\(bytes.count)"
      try FileManager.default.createDirectory(atPath: path + "/log", withIntermediateDirectories: true)
      try write(bytes, to: path + "/log/data.mdb")
      #expect(throws: OpenError.self) { try open(path, false) }
      #expect(try contents(path + "/log/data.mdb") == bytes)
      // An empty file is no log yet.
      if bytes.isEmpty {
        #expect(throws: OpenError.self) { try LogCheck.verify(logAt: path) }
      } else {
        #expect(try !LogCheck.verify(logAt: path).holds)
      }
    }
  }

  @Test func `a log of a newer format is not opened`() throws {
    var genesis = Genesis.new().encoded()
    genesis[3] = UInt8(ascii: "2")
    try writeRawLog([StoredBlock(last: 0, bytes: genesis)], at: directory.path)
    for creates in [false, true] {
      do {
        _ = try open(directory.path, creates)
        Issue.record("it was opened")
      } catch OpenError.newerFormat(_, let format) {
        #expect(format == 2)
      }
    }
    #expect(try !LogCheck.verify(logAt: directory.path).holds)
  }

  @Test func `a log whose newest block has a newer format is read up to it and refuses appends`() throws {
    let blocks = try sampleBlocks(12)
    for newer in [12, 5] {
      let path = directory.path + "/\(newer)"
      var changed = blocks
      changed[newer].bytes[3] = UInt8(ascii: "2")
      try writeRawLog(changed, at: path)
      let before = try contents(path + "/log/data.mdb")
      let store = try open(path, false)
      try expectError("newer program") { try store.appendBlocking([event("s")]) }
      try expectError("newer program") { try store.version(of: "s") }
      #expect(try readableEvents(store).error.contains("newer program"))
      #expect(try readableEvents(store).count == Int(changed[newer - 1].last))
      store.close()
      #expect(try contents(path + "/log/data.mdb") == before)
    }
  }

  @Test func `an error names a damaged block in the middle, and earlier blocks are readable`() throws {
    var blocks = try sampleBlocks(12)
    blocks[6].bytes[40] ^= 1
    try writeRawLog(blocks, at: directory.path)
    let store = try open(directory.path, false)
    let (count, error) = try readableEvents(store)
    #expect(count == Int(blocks[5].last))
    #expect(error.contains("The block of position \(blocks[6].last) is damaged"), "\(error)")
    try expectError("is damaged") { try store.appendBlocking([event("s")]) }
    #expect(try store.events(from: Position(rawValue: blocks[6].last + 1), limit: 1).count == 1)
    store.close()
  }

  @Test func `a log whose newest meta page is damaged is not opened`() throws {
    try fill(10)
    let path = directory.path + "/log/data.mdb"
    var bytes = try contents(path)
    let newest = try DataFile(path: path).newestMeta().index
    bytes[newest * 4096 + 17] ^= 0xFF
    try write(bytes, to: path)
    do {
      _ = try open(directory.path, true)
      Issue.record("it was opened")
    } catch OpenError.damaged(_, let reason) {
      #expect(!reason.isEmpty)
    }
    #expect(try contents(path) == bytes)
    var salvaged = 0
    _ = try Salvage(logAt: directory.path).forEachBlock { _ in salvaged += 1 }
    #expect(salvaged == 10)
  }
}

// MARK: Permissions and space

extension BadInputTests {
  @Test func `opening a log in a read-only directory throws`() throws {
    try fill(3)
    // The superuser may write anywhere: therefore the worker runs as the user nobody.
    for (path, mode) in [("", 0o755), ("/log", 0o555), ("/index", 0o555)] {
      chmod(directory.path + path, mode_t(mode))
      for name in try FileManager.default.contentsOfDirectory(atPath: directory.path + path) {
        chmod(directory.path + path + "/" + name, path.isEmpty ? 0o555 : 0o444)
      }
    }
    let before = try contents(directory.path + "/log/data.mdb")
    let child = try Child.worker("as-nobody", directory.path)
    let line = try #require(try child.line())
    #expect(line.hasPrefix("error") && line.contains(directory.path) && line.contains("and writable"), "\(line)")
    #expect(child.wait() == .exit(0))
    #expect(try contents(directory.path + "/log/data.mdb") == before)
  }

  @Test func `an append that would leave less free space than the reserve is refused`() throws {
    try fill(3)
    var options = LMDBLog.Options()
    options.freeSpaceReserve = .max
    var store = try EventStore.open(at: directory.path, options: options)
    try expectError("kept in reserve") { try store.appendBlocking([event("s")]) }
    #expect(try store.head().blocks == 3)
    store.close()
    store = try open(directory.path, false)
    _ = try store.appendBlocking([event("s")])
    store.close()
    try expectWhole(directory.path)
  }

  /// A file size limit, which any user can set, fails writes as a full disk does.
  @Test func `when the file size limit is reached nothing is lost, and appends continue once it is lifted`() throws {
    try makeEmptyLog(directory)
    let child = try Child.worker("limited", directory.path, "1000000")
    let workload = Workload(seed: 1, shape: .mixed)
    var acknowledged = 0
    var line = try #require(try child.line())
    while line.hasPrefix("ack") {
      acknowledged += 1
      line = try #require(try child.line())
    }
    #expect(line.hasPrefix("refused \(acknowledged) ") && line.contains(directory.path), "\(line)")
    #expect(acknowledged > 0)
    #expect(try LogCheck.verify(logAt: directory.path).holds)
    child.send()
    let isReopened = line.contains("open it again")
    if isReopened { try child.expect("reopened") }
    for _ in 0..<10 { try child.expect("ack") }
    try child.expect("done")
    #expect(try child.finish() == .exit(0))
    try expectAppends(workload, acknowledged + 10)
  }

  @Test(.enabled(if: MemoryDisk.canBeMade))
  func `when the disk is full nothing is lost, and appends continue once there is space`() throws {
    let disk = try MemoryDisk()
    var options = LMDBLog.Options(creates: true)
    options.freeSpaceReserve = 0
    let path = disk.path + "/log"
    let store = try EventStore.open(at: path, options: options)
    let workload = Workload(seed: 1, shape: .small)
    try append(workload, 0..<10, to: store)
    // A reader at the same time keeps pages from being freed, so that each append takes several new ones: then some
    // fail halfway, after LMDB has begun to write, and not already in the free space check.
    let reader = try Child.worker("hold-read", path)
    try reader.expect("reading")
    var appended = 10
    var failures: [String] = []
    for round in 0..<6 {
      try write([UInt8](repeating: 0, count: ((7 - round) << 19) + (round << 12)), to: disk.path + "/filler")
      failures.append(try failure(of: store, workload, &appended))
      #expect(try store.head().blocks == appended)
      try disk.empty()
      try append(workload, appended..<appended + 5, to: store)
      appended += 5
    }
    #expect(failures.allSatisfy { $0.contains("nothing was appended; free space") }, "\(failures)")
    #expect(failures.contains { $0.contains("is full") }, "\(failures)")
    reader.send()
    try reader.finish()
    try append(workload, appended..<appended + 100, to: store)
    try expectRightAnswers(store)
    #expect(try store.head().blocks == appended + 100)
    store.close()
    try expectWhole(path)
  }

  /// Appends until an append fails; returns its error.
  private func failure(of store: EventStore, _ workload: Workload, _ appended: inout Int) throws -> String {
    while true {
      do {
        _ = try store.appendBlocking(workload.append(appended))
        appended += 1
      } catch { return "\(error)" }
    }
  }
}

// MARK: Concurrent processes

extension BadInputTests {
  @Test func `a writer lock held by a stopped process is an error in bounded time, and later appends succeed`() throws {
    try makeEmptyLog(directory)
    let child = try Child.worker("hold-turn", directory.path)
    try child.expect("turn")
    try child.waitUntilStopped()
    var options = LMDBLog.Options()
    options.writerLockTimeout = .milliseconds(200)
    let store = try EventStore.open(at: directory.path, options: options)
    for _ in 0..<2 {
      let holder = try #require(
        writerLockHolder { try store.appendBlocking([event("s")], id: AppendID(high: 1, low: 1)) })
      #expect(holder.process.hasPrefix("\(child.process) ("), "\(holder)")
      #expect(holder.process.contains("stopped"), "\(holder)")
      #expect(holder.waited == .milliseconds(200))
    }
    // Reads still succeed, and the statistics name the holder.
    #expect(try store.head().position == .zero)
    let log = try #require(store.log as? LMDBLog)
    #expect(try log.statistics().writerLockProcess == Int(child.process))
    #expect(try log.statistics().writerLockHolder?.contains("stopped") == true)
    child.signal(SIGCONT)
    try child.expect("done")
    _ = try store.appendBlocking([event("s")], id: AppendID(high: 1, low: 1))
    #expect(try store.head().position == .first)
    #expect(try log.statistics().writerLockHolder == nil)
    store.close()
  }

  @Test func `concurrent probes of the writer lock do not report each other as its holder`() throws {
    let store = try makeLog(directory)
    let log = try #require(store.log as? LMDBLog)
    _ = try store.appendBlocking([event("s")])
    // Held as by another process that probes at this very moment.
    let other = try FileLock(path: directory.path + "/writer-lock")
    #expect(other.tryLock(shared: true))
    #expect(try log.statistics().writerLockHolder == nil)
    other.unlock()
    // Held as by a writer.
    #expect(other.tryLock())
    #expect(try log.statistics().writerLockProcess == Int(getpid()))
    other.unlock()
    // The probe has released the lock.
    #expect(other.tryLock())
    other.unlock()
    store.close()
  }

  @Test func `a writer lock held by a stopped process is free once that process is killed`() throws {
    try makeEmptyLog(directory)
    let child = try Child.worker("hold-turn", directory.path)
    try child.expect("turn")
    try child.waitUntilStopped()
    let store = try open(directory.path, false)
    child.end()
    _ = try store.appendBlocking([event("s")])
    store.close()
    try expectWhole(directory.path)
  }

  @Test func `two stores of one process on one directory work like two processes`() async throws {
    let first = try makeLog(directory)
    let second = try open(directory.path + "/../" + URL(filePath: directory.path).lastPathComponent, false)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (seed, store) in [(31, first), (32, second)] {
        group.addTask {
          let workload = Workload(seed: UInt64(seed), shape: .several)
          for number in 0..<200 { _ = try await store.append(workload.append(number)) }
        }
      }
      try await group.waitForAll()
    }
    try expectRightAnswers(first)
    try expectRightAnswers(second)
    #expect(try first.head() == second.head())
    first.close()
    #expect(throws: LogError.self) { try first.head() }
    _ = try await second.append([event("s")])
    try expectRightAnswers(second)
    second.close()
    try expectWhole(directory.path)
  }
}

extension BadInputTests {
  /// The writer lock is only an optimization for writers; the chain is protected by the check of the log's head.
  @Test func `a block that follows another head is refused with the log's head`() throws {
    let genesis = Genesis.new()
    let logs = try ["/a", "/b"].map { name in
      let path = directory.path + name
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      return try EventStore.open(at: path, options: LMDBLog.Options(creates: true, genesis: genesis))
    }
    for (seed, store) in zip([41, 42] as [UInt64], logs) {
      try append(Workload(seed: seed, shape: .small), 0..<3, to: store)
    }
    let others = try storedBlocks(of: logs[1])
    let heads = try [0, 1].map { try logs[$0].head() }
    #expect(heads[0].position == heads[1].position)
    for bytes in others.dropFirst().map(\.bytes) {
      let block = try BlockView(bytes.span.bytes)
      for head in [Head(of: genesis), heads[1]] {
        do {
          try logs[0].log.append(block, after: head)
          Issue.record("it was appended")
        } catch {
          guard case .headMoved(let head) = error else { throw error }
          #expect(head == heads[0])
        }
      }
    }
    try expectRightAnswers(logs[0])
    for store in logs { store.close() }
    try expectWhole(directory.path + "/a")
  }
}

// MARK: Helpers

extension BadInputTests {
  private func open(_ path: String, _ creates: Bool) throws -> EventStore {
    try .open(at: path, options: LMDBLog.Options(creates: creates))
  }

  private func fill(_ count: Int) throws {
    let store = try makeLog(directory)
    try append(Workload(seed: 1, shape: .several), 0..<count, to: store)
    store.close()
  }

  /// Returns the genesis and `count` blocks.
  private func sampleBlocks(_ count: Int) throws -> [StoredBlock] {
    let scene = TemporaryDirectory()
    let store = try makeLog(scene)
    try append(Workload(seed: 1, shape: .several), 0..<count, to: store)
    defer { store.close() }
    return try withExtendedLifetime(scene) { try storedBlocks(of: store) }
  }

  /// Returns the number of events that can be read from the beginning, and the error after them.
  private func readableEvents(_ store: EventStore) throws -> (count: Int, error: String) {
    var count = 0
    do {
      try store.read { _ in
        count += 1
        return .next
      }
      return (count, "")
    } catch { return (count, "\(error)") }
  }

  private func expectAppends(_ workload: Workload, _ count: Int) throws {
    let store = try open(directory.path, false)
    let stored = Dictionary(grouping: try store.events(limit: .max), by: \.append)
    for number in 0..<count { expectSame(stored[workload.id(number)] ?? [], workload.append(number)) }
    #expect(stored.count == count)
    try expectRightAnswers(store)
    store.close()
    try expectWhole(directory.path)
  }

  /// Returns the reported holder of the writer lock when an append fails.
  private func writerLockHolder(_ append: () throws -> Receipt) -> WriterLockHolder? {
    do {
      _ = try append()
      return nil
    } catch {
      guard let error = error as? AppendError, case .log(.writerLockHeld(let holder)) = error else { return nil }
      return holder
    }
  }

  private func expectError<R>(
    _ words: String, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> R
  ) throws {
    do {
      _ = try body()
      Issue.record("an error was expected that says “\(words)”", sourceLocation: sourceLocation)
    } catch {
      #expect("\(error)".contains(words), "\(error)", sourceLocation: sourceLocation)
    }
  }
}
