// Threat: a metric with a wrong value, or one that waits for what it measures.
import ChildProcess
import Dispatch
import EventLog
import Foundation
import PostgresServer
import Synchronization
import Testing

@testable import Verbatim

@Suite struct `Statistics of a workspace` {
  private let folder = WorkspaceFolder()

  @Test func `submits are counted by outcome, and blocks by their events`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    let populated = try workspace.statistics()
    #expect(populated.submits.recorded == 3 && populated.submits.blocks.blocks == 3)
    try await workspace.send("hello", "m1", as: AppendID(high: 1, low: 1))
    try await workspace.send("hello", "m1", as: AppendID(high: 1, low: 1))
    try await workspace.send("hello", "m1")
    let several = try await workspace.submit(
      (2...6).map { .message(Message.Key("general", Message.ID(rawValue: "m\($0)")!), .send(Message.Content("x"))) },
      by: .user("ada"))
    let positions = try #require(several.receipt).positions
    #expect(positions.upperBound == positions.lowerBound.advanced(by: 4))
    try await fail(workspace)
    let statistics = try workspace.statistics()
    let submits = statistics.submits
    #expect((submits.recorded, submits.unchanged, submits.refused) == (6, 1, 1))
    #expect((submits.conflicts, submits.failed) == (1, 1))
    #expect(submits.blocks.blocks == 5 && submits.blocks.blocks == statistics.log.head.blocks)
    #expect(UInt64(submits.blocks.events) == statistics.log.head.position.rawValue)
    #expect(submits.blocks.counts.reduce(0, +) == 5)
    // Five events: at most eight and more than four.
    #expect(submits.blocks.counts[3] == populated.submits.blocks.counts[3] + 1)
    #expect(submits.commits.count == 5)
    #expect(submits.commits.total > populated.submits.commits.total && populated.submits.commits.total > .zero)
    #expect(statistics.log.head == (try workspace.store.head()))
    await workspace.close()
    #expect(throws: ProjectionError.self) { try workspace.statistics() }
  }

  @Test func `the bound of a part of the commits is the first that includes it`() {
    var times = Statistics.CommitTimes()
    #expect(times.bound(of: 0.99) == nil)
    for _ in 0..<98 { times.add(.microseconds(150)) }
    times.add(.milliseconds(3))
    times.add(.seconds(60))
    #expect(times.count == 100 && times.total == .milliseconds(60_003) + .microseconds(98 * 150))
    #expect(times.bound(of: 0.5) == .microseconds(200) && times.bound(of: 0.98) == .microseconds(200))
    #expect(times.bound(of: 0.99) == .milliseconds(5) && times.bound(of: 1) == nil)
  }

  /// Makes submits that are refused, conflicting, and failing.
  private func fail(_ workspace: Workspace) async throws {
    await expectRefusal(.emptyMessage) { try await workspace.send("", "m9") }
    let intent = ChatIntent.message(Message.Key("general", "m9"), .send(Message.Content("x")))
    let expected = StreamExpectation("channel/general", .version(StreamVersion(rawValue: 1)))
    await #expect(throws: SubmitError.self) {
      try await workspace.submit(Submission([intent], by: .user("ada"), expecting: [expected]))
    }
    await #expect(throws: SubmitError.self) {
      try await workspace.submit(Submission([intent], by: .user("ada"), cause: Position(rawValue: 1_000)))
    }
    await workspace.flush()
  }

  @Test func `blocks are counted up to each power of two, and above the largest`() {
    var sizes = Statistics.BlockSizes()
    for count in [1, 2, 3, 4, 5, 65_536, 65_537, 1_000_000] { sizes.add(count) }
    #expect(sizes.counts == [1, 1, 2, 1] + [Int](repeating: 0, count: 12) + [1, 2])
    #expect(Statistics.BlockSizes.bounds.first == 1 && Statistics.BlockSizes.bounds.last == 65_536)
    #expect(sizes.blocks == 8 && sizes.events == 15 + 65_536 + 65_537 + 1_000_000)
  }

  @Test(.directoryOnly("a lock between machines has no file that names its holder"))
  func `the holder of the writer lock is reported while it is held`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    #expect(try workspace.statistics().writerLock.holder == nil)
    let writerLock = try HeldWriterLock(of: workspace)
    let holder = try #require(try workspace.statistics().writerLock.holder)
    let process = Int(ProcessInfo.processInfo.processIdentifier)
    #expect(holder.process == process && holder.description.hasPrefix("\(process)"))
    writerLock.letGo()
    try await until { try workspace.statistics().writerLock.holder == nil }
    await workspace.close()
  }

  @Test func `submits that wait for the writer lock are reported`() async throws {
    let workspace = try folder.open { $0.waitingMax = 3 }
    try await workspace.populate()
    let idle = try workspace.statistics()
    #expect(idle.queue == Statistics.Queue(waiting: 0, inLine: 0, taken: 0, capacity: 3))
    let writerLock = try await HeldWriterLock(ofIdle: workspace)
    async let first = workspace.send("1", "m1")
    // The first has been taken from the queue, and the others wait behind it.
    try await until { try workspace.statistics().queue == .init(waiting: 0, inLine: 0, taken: 1, capacity: 3) }
    async let second = workspace.send("2", "m2")
    async let third = workspace.send("3", "m3")
    async let fourth = workspace.send("4", "m4")
    try await until { try workspace.statistics().queue == .init(waiting: 2, inLine: 1, taken: 3, capacity: 3) }
    #expect(try workspace.statistics().submits == idle.submits)
    writerLock.letGo()
    _ = try await (first, second, third, fourth)
    try await until { try workspace.statistics().queue == idle.queue }
    #expect(try workspace.statistics().submits.recorded == 7)
    await workspace.close()
  }

  @Test func `submits that failed without the writer lock are counted, and flushes behind them are not`() async throws {
    let workspace = try folder.open { $0.writerLockTimeout = .milliseconds(300) }
    try await workspace.populate()
    let writerLock = try await HeldWriterLock(ofIdle: workspace)
    let first = Task { try await workspace.send("1", "m1") }
    // It has been taken from the queue; on a slow machine its timeout may have elapsed already.
    try await until {
      let figures = try workspace.statistics()
      return figures.queue.waiting == 0 && (figures.queue.taken == 1 || figures.submits.failed == 1)
    }
    let second = Task { try await workspace.send("2", "m2") }
    async let flushing: Void = workspace.flush()
    await #expect(throws: SubmitError.self) { try await first.value }
    await #expect(throws: SubmitError.self) { try await second.value }
    await flushing
    #expect(try workspace.statistics().submits.failed == 2)
    writerLock.letGo()
    await workspace.close()
  }

  @Test func `folded and written positions, lag and folded events are reported`() async throws {
    let workspace = try folder.open { $0.projections = [Gated.self] }
    let other = try folder.open { $0.searchesMessages = false }
    try await other.populate()
    let end = try other.head()
    // The lag behind a log on a server is that of the head that was last seen.
    #expect(try workspace.head() == end)
    for tables in [try workspace.statistics().state, try #require(try workspace.statistics().others)] {
      #expect(tables.folded == .zero && tables.foldedEvents == 0 && tables.foldingTime == .zero)
      #expect(tables.lag == Int(end.rawValue))
    }
    try await other.read { _ in }
    // Tables written by another process are not yet folded here.
    #expect(try workspace.statistics().state.written == end && workspace.statistics().state.folded == .zero)
    #expect(try workspace.statistics().others?.written == .zero)
    try await workspace.read { _ in }
    for tables in [try workspace.statistics().state, try #require(try workspace.statistics().others)] {
      #expect(tables.folded == end && tables.written == end && tables.lag == 0)
    }
    #expect(try workspace.statistics().others?.foldedEvents == Int(end.rawValue))
    #expect(try workspace.statistics().others?.foldingTime ?? .zero > .zero)
    await other.flush()
    #expect(try other.statistics().state.foldedEvents == Int(end.rawValue))
    #expect(try other.statistics().others == nil)
    await workspace.close()
    await other.close()
  }

  @Test func `statistics do not wait for a running fold, and report what was folded before`() async throws {
    let workspace = try folder.open { $0.projections = [Gated.self] }
    try await workspace.populate()
    try await workspace.read { _ in }
    let before = try workspace.head()
    Gated.isShut.store(true, ordering: .sequentiallyConsistent)
    try await workspace.send("hello", "gated")
    async let reading: Void = workspace.read { _ in }
    try Gated.waitForCaller()
    let statistics = try workspace.statistics()
    #expect(statistics.others?.folded == before && statistics.others?.foldedEvents == Int(before.rawValue))
    Gated.mayGo.signal()
    try await reading
    #expect(try workspace.statistics().others?.lag == 0)
    await workspace.close()
  }

  @Test func `file sizes, their growth and the free space are reported`() async throws {
    let workspace = try folder.open { $0.projections = [Gated.self] }
    try await workspace.populate()
    try await workspace.read { _ in }
    await workspace.close()
    let again = try folder.open { $0.projections = [Gated.self] }
    let opened = try again.statistics()
    let files = [opened.log.index, opened.state.file, try #require(opened.others?.file)]
    for file in PostgresServer.isChosen ? files : files + [opened.log.file] {
      #expect(file.growth == 0 && file.used > 0 && file.used % 4096 == 0 && file.onDisk > 0)
    }
    for number in 0..<100 {
      try await again.send(String(repeating: "x", count: 3_000), Message.ID(rawValue: "m\(number)")!)
    }
    try await again.read { _ in }
    let grown = try again.statistics()
    let tables = [(opened.state.file, grown.state.file)]
    for (before, after) in PostgresServer.isChosen ? tables : tables + [(opened.log.file, grown.log.file)] {
      #expect(after.growth == after.used - before.used && after.growth > 100 * 3_000)
      #expect(after.onDisk >= before.onDisk)
    }
    #expect(grown.freeByteCount ?? 1 > 0)
    await again.close()
    // A server has the files of its logs.
    if PostgresServer.isChosen {
      #expect(grown.log.file == opened.log.file && grown.log.file.used == 0 && grown.log.file.onDisk == 0)
      return
    }
    let size = try FileManager.default.attributesOfItem(atPath: folder.path + "/log/data.mdb")[.size] as? Int
    // LMDB does not write a page at the end that was freed in the transaction that allocated it. Behind the last page
    // there may be zeros.
    #expect((-(1 << 19)...16 * 4096).contains(grown.log.file.used - (size ?? 0)))
  }

  @Test func `the number of readers and the lag of the oldest are reported`() async throws {
    let workspace = try folder.open()
    let other = try folder.open { $0.searchesMessages = false }
    try await workspace.populate()
    let readers = try await workspace.read { _ in
      let before = try workspace.statistics().state.file.readers
      for number in 1...3 {
        try other.submitBlocking(send("x", "m\(number)"))
        try other.readBlocking { _ in }
      }
      return (before, try workspace.statistics().state.file.readers)
    }
    #expect(readers.0.lag == 0 && readers.0.used == 1 && readers.0.max >= 126)
    #expect(readers.1.lag == 3 && readers.1.max == readers.0.max)
    #expect(try workspace.statistics().state.file.readers.lag == 0)
    await workspace.close()
    await other.close()
  }

  @Test func `the last checkpoint and snapshot are reported, also of another process`() async throws {
    let workspace = try folder.open {
      $0.checkpointDistance = 5
      $0.snapshotDistance = 5
    }
    let fresh = try workspace.statistics().state
    #expect(fresh.lastCheckpoint == nil && fresh.lastSnapshot == nil && fresh.snapshotFailure == nil)
    try await workspace.populate()
    for number in 0..<10 { try await workspace.send("x", Message.ID(rawValue: "m\(number)")!) }
    try await workspace.read { _ in }
    // The last leader may still be folding its block.
    await workspace.flush()
    workspace.projections.waitForSnapshots()
    let state = try workspace.statistics().state
    #expect(
      state.lastCheckpoint == (try workspace.projections.checkpoints().last?.position) && state.lastCheckpoint != nil)
    #expect(state.lastSnapshot == workspace.projections.snapshots.last && state.lastSnapshot != nil)
    let other = try folder.open { $0.snapshotDistance = nil }
    try await other.send("x", "last")
    let end = try other.head()
    _ = try other.projections.checkpoint()
    _ = try other.projections.takeSnapshot()
    #expect(try workspace.statistics().state.lastCheckpoint == end)
    #expect(try workspace.statistics().state.lastSnapshot == end)
    await workspace.close()
    await other.close()
  }
}

private func send(_ text: String, _ id: String) -> Submission {
  let key = Message.Key("general", Message.ID(rawValue: id)!)
  return Submission([.message(key, .send(Message.Content(UserText(text))))], by: .user("ada"))
}

/// A projection that waits before one message until it is released, if that is requested.
private struct Gated: Projection {
  static let isShut = Atomic(false)
  static let (hasCome, mayGo) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
  static let name = "gated"
  static let revision = "1"
  static let tableNames: [String] = []

  /// Returns when the projection waits.
  ///
  /// It continues by itself at the deadline, so that a waiting test fails instead of hanging.
  static func waitForCaller() throws {
    try hasCome.wait(for: "the message at which the view waits")
    DispatchQueue.global().asyncAfter(deadline: Deadline.fromNow) { mayGo.signal() }
  }

  init(_ tables: ProjectionTables) {}

  mutating func fold(_ event: EventView) throws {
    let isGate = event.payload.withUnsafeBytes { bytes in
      bytes.count >= 5 && (0...bytes.count - 5).contains { bytes[$0..<$0 + 5].elementsEqual("gated".utf8) }
    }
    guard isGate, Self.isShut.exchange(false, ordering: .sequentiallyConsistent) else { return }
    Self.hasCome.signal()
    try Self.mayGo.wait(for: "the signal to go on")
  }
}
