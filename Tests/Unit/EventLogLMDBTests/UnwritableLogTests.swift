// Threat: the disk is full or read-only, or the log's creation was interrupted.
import ChildProcess
import EventLog
import EventLogLMDB
import Foundation
import LMDB
import LogWorker
import Tables
import Testing
import TestThreads

/// What broke: on a full disk, reading commands crashed on a page of LMDB's lock file that the disk had no room for,
/// and that was reported as damage of the log; on read-only media nothing could be read at all; and a file that was cut
/// short while it was created could neither be opened nor created again.
@Suite(.waitsForProcesses) struct UnwritableLogTests {
  private let directory = TemporaryDirectory(inMemory: true)
  private let workload = Workload(seed: 33, shape: .several)

  private var reading: LMDBLog.Options {
    var options = LMDBLog.Options()
    options.allowsReadOnly = true
    options.freeSpaceReserve = 0
    return options
  }

  @Test(.enabled(if: MemoryDisk.canBeMade))
  func `a full disk is reported as such, and the log remains readable`() throws {
    let disk = try MemoryDisk()
    let path = disk.path + "/log"
    let head = try fill(path, 20)
    try disk.remove("log/log/lock.mdb")
    try disk.remove("log/index")
    try disk.fill()
    let error = failure { () throws(OpenError) in try EventStore.open(at: path) }
    guard case .noSpace(let full)? = error else { throw error ?? .missing(path: path) }
    #expect(full.description.contains("is full") && full.description.contains(path), "\(full)")
    let store = try EventStore.open(at: path, options: reading)
    #expect(store.isReadOnly)
    #expect(try store.head() == head)
    try expectRightAnswers(store)
    #expect(throws: AppendError.self) { try store.appendBlocking(workload.append(20)) }
    store.close()
    #expect(try LogCheck.verify(logAt: path).holds)
    try disk.empty()
    let again = try EventStore.open(at: path, options: reading)
    #expect(!again.isReadOnly)
    try append(workload, 20..<25, to: again)
    try expectRightAnswers(again)
    again.close()
    try expectWhole(path)
  }

  @Test(.enabled(if: MemoryDisk.canBeMade))
  func `a log on a read-only disk is readable, and appends throw a read-only error`() throws {
    let disk = try MemoryDisk()
    let head = try fill(disk.path + "/log", 20)
    let path = try disk.readOnlyPath() + "/log"
    #expect(throws: OpenError.self) { try EventStore.open(at: path) }
    let cache = TemporaryDirectory()
    for keeps in [false, true] {
      var options = reading
      options.cacheDirectory = keeps ? cache.path : nil
      let store = try EventStore.open(at: path, options: options)
      #expect(try store.head() == head)
      try expectRightAnswers(store)
      let error = try #require(failure { () throws(AppendError) in try store.appendBlocking(workload.append(20)) })
      guard case .log(.readOnly(path)) = error else { throw error }
      store.close()
    }
    #expect(FileManager.default.fileExists(atPath: cache.path))
    #expect(try LogCheck.verify(logAt: path).holds)
  }

  @Test func `a log whose creation was interrupted at any point is created again`() throws {
    try makeEmptyLog(directory)
    let whole = try contents(directory.path + "/log/data.mdb")
    let initial = Array(try initialFile()[..<8192])
    let zeros = [UInt8](repeating: 0, count: 8192)
    var remains = [1, 100, 4096, 5000, 8191].map { Array(initial[..<$0]) }
    remains.append(zeros)
    remains.append(zeros + zeros)
    remains.append(zeros + Array(whole[8192...]))
    remains.append(Array(initial[..<4096]) + Array(zeros[..<4096]))
    // LMDB created its file, and the genesis was not written.
    remains.append(initial)
    for (number, bytes) in remains.enumerated() {
      let scene = TemporaryDirectory(inMemory: true)
      try FileManager.default.createDirectory(atPath: scene.path + "/log", withIntermediateDirectories: true)
      try write(bytes, to: scene.path + "/log/data.mdb")
      let error = failure { () throws(OpenError) in try EventStore.open(at: scene.path) }
      guard case .missing(scene.path)? = error else {
        Issue.record("\(number): \(String(describing: error))")
        continue
      }
      let verifying = failure { () throws(OpenError) in try LogCheck.verify(logAt: scene.path) }
      guard case .missing(scene.path)? = verifying else {
        Issue.record("\(number): \(String(describing: verifying))")
        continue
      }
      let store = try makeLog(scene)
      try append(workload, 0..<3, to: store)
      try expectRightAnswers(store)
      store.close()
      try expectWhole(scene.path)
    }
  }

  @Test(.enabled(if: MemoryDisk.canBeMade))
  func `appending copied blocks on a full disk throws and appends none`() throws {
    _ = try fill(directory.path, 400)
    let source = try LMDBLog.open(at: directory.path)
    var blocks: [[UInt8]] = []
    try source.blocks(from: .first, .forward, checks: .full) { block in
      blocks.append(block.bytes.withUnsafeBytes { Array($0) })
      return .next
    }
    let disk = try MemoryDisk()
    var options = LMDBLog.Options(creates: true, genesis: source.genesis)
    options.freeSpaceReserve = 0
    let log = try LMDBLog.open(at: disk.path + "/log", options: options)
    let begin = try log.head()
    try disk.fill()
    let error = failure { () throws(LogError) in try log.append(copies: blocks, after: begin) }
    guard case .noSpace(let full)? = error else { throw error ?? .headMoved(begin) }
    #expect(full.description.contains("is full"), "\(full)")
    try disk.empty()
    #expect(try log.head() == begin)
    try log.append(copies: blocks, after: begin)
    #expect(try log.head() == source.head())
    for log in [log, source] { log.close() }
  }

  @Test func `a damaged log is not recreated as a new one`() throws {
    _ = try fill(directory.path, 3)
    var bytes = try contents(directory.path + "/log/data.mdb")
    for offset in 0..<8192 { bytes[offset] = 0 }
    for hasIndex in [true, false] {
      if !hasIndex { try remove(directory.path + "/index") }
      try write(bytes, to: directory.path + "/log/data.mdb")
      #expect(throws: OpenError.self) { try makeLog(directory) }
      #expect(try contents(directory.path + "/log/data.mdb") == bytes)
    }
  }

  /// What broke: LMDB distinguishes its readers by process ids, and two containers may both have a process 1; the
  /// second got “Resource temporarily unavailable” and the advice to check its permissions.
  @Test(.enabled(if: geteuid() == 0 && hasNamespaces))
  func `a process of another container with the same id is refused with the reason`() throws {
    let path = TemporaryDirectory()
    _ = try fill(path.path, 3)
    let container = ["unshare", "--pid", "--fork", Child.workerPath]
    let first = try Child(container + ["hold-read", path.path])
    try first.expect("reading")
    let second = try Child(container + ["serve"])
    second.send("read \(path.path)")
    let line = try second.line() ?? "no line"
    #expect(line.hasPrefix("error") && line.contains("another container"), "\(line)")
    second.closeInput()
    second.wait()
    first.send()
    try first.finish()
  }

  /// What broke: the mark of the last durable commit was for one mount. Another container took it for one of an earlier
  /// boot, read commits before their sync, and overwrote the record of a failed sync.
  @Test(.enabled(if: geteuid() == 0 && hasNamespaces))
  func `a process of another container shares the mark of the last durable commit`() throws {
    let path = TemporaryDirectory()
    _ = try fill(path.path, 3)
    let scope = { try Array(contents(path.path + "/log/durable")[32...]) }
    let before = try scope()
    let child = try Child(
      ["unshare", "--mount", "--propagation", "private", Child.workerPath]
        + ["append", path.path, "9", "small", "100", "2", "single", "0"])
    try child.expect("ready")
    child.send()
    while let line = try child.line(), line != "done" {}
    child.send()
    try child.finish()
    #expect(try scope() == before)
    let store = try EventStore.open(at: path.path)
    try append(workload, 3..<5, to: store)
    store.close()
    #expect(try scope() == before)
  }

  private static var hasNamespaces: Bool {
    (try? Child(["unshare", "--pid", "--mount", "--fork", "true"]).finish()) == .exit(0)
  }

  private func fill(_ path: String, _ count: Int) throws -> Head {
    var options = LMDBLog.Options(creates: true)
    options.freeSpaceReserve = 0
    let store = try EventStore.open(at: path, options: options)
    try append(workload, 0..<count, to: store)
    defer { store.close() }
    return try store.head()
  }

  /// Returns a data file as LMDB creates it, before anything is stored.
  private func initialFile() throws -> [UInt8] {
    let scene = TemporaryDirectory(inMemory: true)
    try FileManager.default.createDirectory(atPath: scene.path, withIntermediateDirectories: true)
    _ = try Environment(path: scene.path, options: .init(creates: true))
    return try contents(scene.path + "/data.mdb")
  }
}
