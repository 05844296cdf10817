// Threat: rows that were folded and are never written, written twice, or written over what another process wrote.
import Bytes
import ChildProcess
import Dispatch
import SeededRandom
import Tables
import Testing

@Suite struct `Write-behind` {
  private let scratch = Scratch()

  @Test func `a flush writes all changes and leaves none`() throws {
    let folder = try scratch.open()
    let tables = WriteBehind(FoldedText(), in: folder, limits: .never)
    tables.fold { $0.set([1], Row([10]), at: 1) }
    #expect(try folder.rows() == [[:], [:]])
    #expect(try tables.flush() == .written)
    #expect(try folder.rows() == [[[1]: [10]], [:]] && folder.logPoint() == logPoint(1))
    #expect(try tables.flush() == nil)
  }

  @Test func `changes are written after a pause`() async throws {
    let folder = try scratch.open()
    let written = DispatchSemaphore(value: 0)
    let tables = WriteBehind(FoldedText(whenTaken: { written.signal() }), in: folder)
    tables.fold { $0.set([1], Row([10]), at: 1) }
    try blocking("the writing of what is quiet") { try written.wait(for: "the writing of what is quiet") }
    #expect(try tables.flush() == nil)
    #expect(try folder.rows()[0] == [[1]: [10]])
  }

  @Test func `changes are written at once above the maximum`() throws {
    var limits = WriteBehindLimits.never
    limits.unwrittenMax = 10
    limits.unwrittenLimit = 10
    let folder = try scratch.open()
    let tables = WriteBehind(FoldedText(), in: folder, limits: limits)
    for position in 1...10 as ClosedRange<UInt8> { tables.fold { $0.set([position], Row([]), at: UInt64(position)) } }
    #expect(try folder.rowCount(of: 0, upTo: .max) == 10)
  }

  @Test func `a rush waits for more changes for at most a tenth of a second`() async throws {
    var limits = WriteBehindLimits.never
    (limits.unwrittenMax, limits.unwrittenMaxInRush, limits.unwrittenLimit) = (10, 1 << 40, 10)
    let folder = try scratch.open()
    let tables = WriteBehind(FoldedText(), in: folder, limits: limits)
    let start = ContinuousClock.now
    for position in 1...20 as ClosedRange<UInt8> { tables.fold { $0.set([position], Row([]), at: UInt64(position)) } }
    if start.duration(to: .now) < .milliseconds(100) { #expect(try folder.rowCount(of: 0, upTo: .max) == 0) }
    try await Task.sleep(for: .milliseconds(200))
    tables.fold { $0.set([21], Row([]), at: 21) }
    #expect(try folder.rowCount(of: 0, upTo: .max) == 21)
  }

  @Test func `changes of a failed write are written with the next`() throws {
    let folder = try scratch.open()
    let tables = WriteBehind(FoldedText(), in: folder, limits: .never)
    tables.fold { $0.set([1], Row([10]), at: 1) }
    folder.close()
    #expect(throws: TablesError.self) { try tables.flush() }
    #expect(tables.use { $0.unwritten } == 1)
  }

  @Test func `random changes and removals match a dictionary and its digest`() throws {
    var random = SeededRandom.printingSeed()
    let folder = try scratch.open()
    let tables = WriteBehind(FoldedText(), in: folder, limits: .never)
    var model: Rows = [:]
    for step in 1...3_000 {
      let key = random.noise(1 + random.below(2)).map { $0 % 24 }
      let value = random.below(3) == 0 ? nil : random.noise(random.below(9)).map { $0 & 0x7F }
      model[key] = value
      tables.fold { $0.set(key, value.map { Row($0) }, at: UInt64(step)) }
      if random.below(50) > 0 { continue }
      #expect(try tables.flush() == .written)
      #expect(try folder.rows()[0] == model, "step \(step)")
      #expect(try folder.digests() == folder.recountedDigests(), "step \(step)")
      #expect(try folder.rowCount(of: 0, upTo: .max) == model.count, "step \(step)")
    }
  }
}

extension WriteBehindLimits {
  /// Nothing is written that is not flushed.
  fileprivate static var never: WriteBehindLimits {
    var limits = WriteBehindLimits()
    (limits.unwrittenMax, limits.unwrittenLimit, limits.quietMilliseconds) = (.max, .max, 1 << 40)
    return limits
  }
}

/// Rows of the first of two tables, which are set one at a time.
private struct FoldedText: FoldBuffer {
  private(set) var unwritten = 0
  private var table = WorkingTable<Row>()
  private var position: UInt64 = 0
  private let whenTaken: @Sendable () -> Void

  init(whenTaken: @escaping @Sendable () -> Void = {}) { self.whenTaken = whenTaken }

  mutating func set(_ key: [UInt8], _ row: Row?, at position: UInt64) {
    let number = key.withUnsafeBytes { table.number(of: $0) ?? table.hold(nil, for: $0) }
    table.replace(number) { $0 = row }
    self.position = position
    unwritten += 1
  }

  mutating func takeUnwritten() -> DirtyTables {
    defer { (unwritten, _) = (0, whenTaken()) }
    return DirtyTables(
      changes: [table.takeChanges(), ChangedRows()], logPoint: logPoint(position), events: unwritten, epoch: 0)
  }

  mutating func restore(_ tables: DirtyTables) {
    table.restoreChanges(tables.changes[0])
    unwritten += tables.events
  }

  mutating func trim() { table.forgetUnchanged() }
}
