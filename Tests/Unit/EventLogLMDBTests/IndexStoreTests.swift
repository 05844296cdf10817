// Threat: the index is missing, outdated, foreign, half written, damaged, or wrong.
import Bytes
import ChildProcess
import EventLog
import EventLogLMDB
import Foundation
import LMDBPages
import LogContract
import LogWorker
import SeededRandom
import Tables
import Testing
import TestThreads

@Suite(.waitsForProcesses) struct IndexFolderTests {
  private let directory = TemporaryDirectory()
  private let workload = Workload(seed: 21, shape: .several)
  private var index: String { directory.path + "/index" }

  @Test func `a deleted index is rebuilt`() throws {
    try fill(0..<60)
    try remove(index)
    try expectMended(60)
  }

  @Test func `an index of an earlier state catches up`() throws {
    try fill(0..<30)
    try copy(index, directory.path + "/saved")
    try fill(30..<60)
    try replaceIndex(with: directory.path + "/saved")
    try expectMended(60)
  }

  @Test func `an index of another log is dropped`() throws {
    try fill(0..<60)
    for count in [20, 60, 90] {
      let other = TemporaryDirectory()
      let store = try makeLog(other)
      try append(Workload(seed: 22, shape: .several), 0..<count, to: store)
      store.close()
      try replaceIndex(with: other.path + "/index")
      try expectMended(60)
    }
  }

  @Test func `an index left unsynced before a reboot is dropped`() throws {
    try fill(0..<60)
    // The possible result of a crash: pages that never reached the disk.
    var bytes = try contents(index + "/data.mdb")
    for offset in 2 * 4096..<bytes.count { bytes[offset] = 0 }
    try write(bytes, to: index + "/data.mdb")
    try write(Array("another run of the system\n".utf8), to: index + "/dirty")
    try expectMended(60)
    #expect(!FileManager.default.fileExists(atPath: index + "/dirty"))
  }

  /// What broke: a log that had lost its last events was opened without an error, and the only evidence of the loss,
  /// its index, was emptied by the opening.
  @Test func `an index ahead of its log is kept, and opening the log throws`() throws {
    try fill(0..<30)
    try copy(directory.path + "/log", directory.path + ".backup")
    defer { try? remove(directory.path + ".backup") }
    try fill(30..<60)
    try remove(directory.path + "/log")
    try copy(directory.path + ".backup", directory.path + "/log")
    let before = try contents(index + "/data.mdb")
    for _ in 0..<2 {
      let error = failure { () throws(OpenError) in try EventStore.open(at: directory.path) }
      guard case .tailMissing(let missing)? = error else {
        Issue.record("it was opened, or refused otherwise: \(String(describing: error))")
        continue
      }
      #expect(missing.path == index && missing.position > missing.end)
    }
    let findings = try LogCheck.verify(logAt: directory.path).findings
    #expect(findings.map(\.location) == [.log] && findings[0].description.contains("missing"), "\(findings)")
    #expect(try contents(index + "/data.mdb") == before)
    #expect(LMDBLog.removeIndex(ofLogAt: directory.path))
    try expectMended(30)
  }

  /// What broke: an index that a power loss had left half written was reported as damage of the log, with the advice to
  /// restore a backup, though the next opening drops it.
  @Test func `an index left unsynced is not reported as damage of the log`() throws {
    try fill(0..<60)
    var bytes = try contents(index + "/data.mdb")
    for offset in bytes.indices where offset % 3 == 0 { bytes[offset] = 0 }
    try write(bytes, to: index + "/data.mdb")
    try write(Array("another run of the system\n".utf8), to: index + "/dirty")
    let report = try LogCheck.verify(logAt: directory.path)
    #expect(report.holds && report.notes.contains { $0.contains("the next opening rebuilds it") })
  }

  @Test func `an index of another continuation of the same log is dropped`() throws {
    try fill(0..<30)
    try copy(directory.path + "/log", directory.path + ".backup")
    defer { try? remove(directory.path + ".backup") }
    try fill(30..<60)
    try copy(index, directory.path + "/saved")
    try remove(directory.path + "/log")
    try copy(directory.path + ".backup", directory.path + "/log")
    try remove(index)
    let store = try EventStore.open(at: directory.path)
    try append(Workload(seed: 23, shape: .several), 0..<60, to: store)
    store.close()
    try replaceIndex(with: directory.path + "/saved")
    try expectMended(30)
  }

  /// What broke: where the row of the index's log point was not found, the tables were filled from the beginning, over
  /// their existing rows, and a check took any row for that one.
  @Test func `an index without a log point is reported and dropped`() throws {
    try fill(0..<60)
    var bytes = try contents(index + "/data.mdb")
    let name = Array("anchor".utf8)
    for place in bytes.indices.dropLast(name.count) where bytes[place..<place + name.count].elementsEqual(name) {
      bytes[place + 2] = UInt8(ascii: "K")
    }
    try write(bytes, to: index + "/data.mdb")
    #expect(try LogCheck.verify(logAt: directory.path).findings.map(\.location) == [.index])
    try expectMended(60)
  }

  /// What broke: LMDB trusts the newer meta page, and a process that opened such an index could crash; a check read the
  /// older one and found nothing.
  @Test func `an index with a damaged meta page is reported and dropped`() throws {
    try fill(0..<60)
    let whole = try contents(index + "/data.mdb")
    for offset in [17, 4096 + 17, 42, 4096 + 42, 4096 + 144] {
      var bytes = whole
      bytes[offset] ^= 0xFF
      try write(bytes, to: index + "/data.mdb")
      let findings = try LogCheck.verify(logAt: directory.path).findings
      #expect(!findings.isEmpty && findings.allSatisfy { $0.location == .index }, "byte \(offset)")
      let store = try EventStore.open(at: directory.path)
      try expectRightAnswers(store)
      store.close()
    }
    try expectMended(60)
  }

  @Test func `a process that flushes the index may be killed at any moment`() throws {
    var random = SeededRandom()
    print("VERBATIM_SEED=\(random.seed) replays the moments of killing.")
    try makeEmptyLog(directory)
    var next = 0
    for round in 0..<(Choice.isLong ? 60 : 8) {
      // Many events are flushed as they arrive, few after 20 ms without an append.
      let isMany = round % 2 == 0
      let count = isMany ? 40 : 30
      let shape = isMany ? "many" : "several"
      let child = try Child.worker(
        "append", directory.path, "\(100 + round)", shape, "0", "\(count)", "tasks:8", "0")
      try child.expect("ready")
      child.send()
      let acknowledged = isMany ? Int.random(in: 20...count, using: &random) : count
      for _ in 0..<acknowledged { try child.expect("ack") }
      // Not a wait for a condition: only so that the kill happens at some moment of the write.
      usleep(UInt32.random(in: isMany ? 0...40_000 : 15_000...30_000, using: &random))
      #expect(child.end() == .signal(SIGKILL))
      try expectMended(next)
      next += 20
    }
  }

  /// What broke: an id that was damaged in the index was not found, and its append was made a second time.
  @Test func `a retried append whose id is damaged in the index is not appended again`() throws {
    try fill(0..<60)
    let file = try DataFile(path: index + "/data.mdb")
    var bytes = try contents(index + "/data.mdb")
    let id = try #require(workload.append(30).id).withBytes { Array($0) }
    try file.forEach(in: "appends", of: file.newestMeta()) { key, _, offset in
      if key.elementsEqual(id) { bytes[offset - 3] ^= 0x40 }
      return true
    }
    try write(bytes, to: index + "/data.mdb")
    let store = try EventStore.open(at: directory.path)
    let head = try store.head()
    let receipt = try store.appendBlocking(workload.append(30))
    #expect(try store.head() == head && receipt.positions.upperBound < head.position)
    store.close()
    try expectMended(60)
  }

  /// What broke: one damage in twelve gave a wrong result. Now rows have checksums; this test bounds the effect of
  /// damage to the pages around them, and asserts that verification reports it.
  @Test func `a damaged index is reported, and deleting it repairs it`() throws {
    var random = SeededRandom()
    print("VERBATIM_SEED=\(random.seed) replays the damage.")
    try fill(0..<60)
    let store = try EventStore.open(at: directory.path)
    let right = try Worker.fingerprint(of: store)
    store.close()
    let whole = try contents(index + "/data.mdb")
    var reader = try Child.worker("serve")
    var counts: [String: Int] = [:]
    for round in 0..<(Choice.isLong ? 4_000 : 150) {
      // A path of its own: the reader may still be closing the copy of the round before.
      let copyPath = directory.path + "/copy-\(round)"
      var bytes = whole
      var damage: [String] = []
      for _ in 0..<(1 << (round % 4)) {
        let place = Int.random(in: bytes.indices, using: &random)
        let before = bytes[place]
        bytes[place] = UInt8.random(in: 0...255, using: &random)
        damage.append("byte \(place): \(before) to \(bytes[place])")
      }
      try makeCopy(at: copyPath, index: bytes)
      defer { try? remove(copyPath) }
      let report = try LogCheck.verify(logAt: copyPath)
      let findings = report.findings
      #expect(findings.allSatisfy { $0.location == .index })
      reader.send("read \(copyPath)")
      let answer = try reader.line()
      if answer == nil { reader = try Child.worker("serve") }
      let isRight = answer == "same \(right)"
      #expect(isRight || !findings.isEmpty, "\(answer ?? "died"), and nothing was found: \(damage), \(report.notes)")
      let outcome = isRight ? "right" : answer.map { $0.hasPrefix("error") ? "error" : "wrong" } ?? "died"
      counts[outcome, default: 0] += 1
      if !isRight {
        try? remove(copyPath)
        try makeCopy(at: copyPath, index: nil)
        reader.send("read \(copyPath)")
        #expect(try reader.line() == "same \(right)")
      }
    }
    print("Answers over a damaged index: \(counts).")
  }

  /// What broke: an index whose first pages are lost was reported as “no index”, and verification held.
  @Test func `an index that cannot be read is reported as not checked, an empty or absent one as rebuilt`() throws {
    try fill(0..<20)
    let whole = try contents(index + "/data.mdb")
    let copyPath = directory.path + "/copy"
    try makeCopy(at: copyPath, index: [UInt8](repeating: 0, count: 8_192) + whole.dropFirst(8_192))
    let findings = try LogCheck.verify(logAt: copyPath).findings
    #expect(findings.map(\.location) == [.index])
    #expect(findings.first?.description.hasPrefix("The index was not checked: \(copyPath)/index/data.mdb") == true)
    for bytes in [[], nil] as [[UInt8]?] {
      try remove(copyPath)
      try makeCopy(at: copyPath, index: bytes)
      let report = try LogCheck.verify(logAt: copyPath)
      #expect(report.holds && report.notes == ["There is no index: the next opening rebuilds it."])
    }
  }

  private func makeCopy(at path: String, index bytes: [UInt8]?) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try copy(directory.path + "/log", path + "/log")
    guard let bytes else { return }
    try copy(index, path + "/index")
    try write(bytes, to: path + "/index/data.mdb")
  }

  private func fill(_ numbers: Range<Int>) throws {
    let store = try makeLog(directory)
    try append(workload, numbers, to: store)
    store.close()
  }

  private func replaceIndex(with path: String) throws {
    try remove(index)
    try copy(path, index)
  }

  /// Expects the next opening to return correct results, appends to continue from the existing events, and no findings
  /// then.
  private func expectMended(_ next: Int, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let store = try EventStore.open(at: directory.path)
    try expectRightAnswers(store, sourceLocation: sourceLocation)
    let head = try store.head()
    if next > 0 {
      for number in [0, next - 1] {
        let receipt = try store.appendBlocking(workload.append(number))
        #expect(try store.receipt(of: workload.id(number)) == receipt, sourceLocation: sourceLocation)
      }
    }
    #expect(try store.head() == head, sourceLocation: sourceLocation)
    try append(workload, next..<next + 20, to: store)
    try expectRightAnswers(store, sourceLocation: sourceLocation)
    store.close()
    try expectWhole(directory.path, sourceLocation: sourceLocation)
  }
}

// MARK: Forged indexes

/// Indexes whose rows are changed together with their digests, as no accident would.
@Suite struct LyingIndexTests {
  private let directory = TemporaryDirectory()
  private let workload = Workload(seed: 24, shape: .several)

  /// What broke: an append trusted such a version, and the block it wrote could never be indexed again, by any index.
  /// Now a stream's row has to agree with its positions before it is used.
  @Test(arguments: [-1, 1])
  func `verification, reads and appends report a wrong stream version`(by: Int) throws {
    try lie { tables in tables[2][0].value[1] = UInt8(Int(tables[2][0].value[1]) + by) }
    try expectTold()
    try expectDiffers { store in try store.readStream("stream-0") { _ in .next } }
    try expectDiffers { store in try store.appendBlocking([event("stream-0")]) }
    try expectMendedByDeletion()
  }

  @Test func `verification and reads report positions of other events`() throws {
    try lie { tables in
      // The first position of a stream is that of the event after it, the others are unchanged.
      let row = try #require(tables[1].firstIndex { $0.value[0] < 0x7F && (2..<0x80).contains($0.value[1]) })
      tables[1][row].value[0] += 1
      tables[1][row].value[1] -= 1
    }
    try expectTold()
    for direction in [Direction.forward, .backward] {
      try expectDiffers { store in
        for stream in try store.streams(limit: .max) {
          try store.readStream(stream.name, from: StreamVersion(rawValue: .max), direction) { _ in .next }
          try store.readStream(stream.name, from: .first, direction) { _ in .next }
        }
      }
    }
  }

  /// Only verification detects it: an append with this id would be made a second time.
  @Test func `verification reports a missing append id`() throws {
    try lie { tables in tables[0].remove(at: 5) }
    try expectTold()
    try expectMendedByDeletion()
  }

  /// Only verification detects it, as above.
  @Test func `verification reports an append id with a wrong position`() throws {
    try lie { tables in tables[0][5].value = tables[0][6].value }
    try expectTold()
    try expectMendedByDeletion()
  }

  @Test func `verification, reads and appends report a nonexistent stream`() throws {
    try lie { tables in tables[2].append((Array("stream-9".utf8), [9, 1])) }
    try expectTold()
    try expectDiffers { store in try store.readStream("stream-9") { _ in .next } }
    try expectDiffers { store in try store.appendBlocking([event("stream-9")]) }
    try expectMendedByDeletion()
  }

  /// Only verification detects it: an append to this stream would assign the first version again.
  @Test func `verification reports a missing stream`() throws {
    try lie { tables in tables[2].remove(at: 2) }
    try expectTold()
    try expectMendedByDeletion()
  }

  @Test func `rewritten but unchanged rows are valid`() throws {
    try lie { _ in }
    try expectWhole(directory.path)
    let store = try EventStore.open(at: directory.path)
    try expectRightAnswers(store)
    store.close()
  }

  private typealias Row = (key: [UInt8], value: [UInt8])

  /// Creates a log, and an index of it whose rows are changed.
  private func lie(_ change: (inout [[Row]]) throws -> Void) throws {
    let store = try makeLog(directory)
    try append(workload, 0..<40, to: store)
    let head = try store.head()
    store.close()
    let path = directory.path + "/index"
    let names = ["appends", "positions", "streams"]
    let file = try DataFile(path: path + "/data.mdb")
    let meta = try file.newestMeta()
    var tables: [[Row]] = []
    for name in names {
      var rows: [Row] = []
      try file.forEach(in: name, of: meta) { key, value, _ in
        // Without the checksum, which the table store adds on writing.
        rows.append((Array(key), Array(value.dropLast(4))))
        return true
      }
      tables.append(rows)
    }
    try change(&tables)
    try remove(path)
    let folder = try TableStore(at: path, tables: names) { _ in true }
    let changes = tables.map { rows in
      var table = WorkingTable<RawRow>()
      for row in rows { row.key.withUnsafeBytes { _ = table.insert(RawRow(bytes: row.value), for: $0) } }
      return table.takeChanges()
    }
    let logPoint = LogPoint(position: head.position.rawValue, hash: head.hash)
    #expect(try folder.write(changes, logPoint: logPoint) == .written)
    folder.close()
  }

  /// Expects verification to report findings, and only in the index.
  private func expectTold(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let findings = try LogCheck.verify(logAt: directory.path).findings
    #expect(!findings.isEmpty, sourceLocation: sourceLocation)
    #expect(findings.allSatisfy { $0.location == .index }, sourceLocation: sourceLocation)
  }

  /// Expects an error that gives the remedy for the index.
  private func expectDiffers<R>(
    sourceLocation: SourceLocation = #_sourceLocation, _ use: (EventStore) throws -> R
  ) throws {
    let store = try EventStore.open(at: directory.path)
    defer { store.close() }
    do {
      _ = try use(store)
      Issue.record("nothing was noticed", sourceLocation: sourceLocation)
    } catch {
      #expect("\(error)".contains("delete"), "\(error)", sourceLocation: sourceLocation)
    }
  }

  /// Expects the log to be unharmed.
  private func expectMendedByDeletion(sourceLocation: SourceLocation = #_sourceLocation) throws {
    try remove(directory.path + "/index")
    let store = try EventStore.open(at: directory.path)
    try expectRightAnswers(store, sourceLocation: sourceLocation)
    let head = try store.head()
    try append(workload, 0..<40, to: store)
    #expect(try store.head() == head, sourceLocation: sourceLocation)
    store.close()
    try expectWhole(directory.path, sourceLocation: sourceLocation)
  }
}

/// A row that is stored as the bytes it holds.
private struct RawRow: BinaryRow {
  let bytes: [UInt8]

  init(bytes: [UInt8]) { self.bytes = bytes }

  init?(decoding bytes: RawSpan) { self.bytes = bytes.withUnsafeBytes { Array($0) } }

  func encode(into writer: inout ByteWriter) { bytes.withUnsafeBytes { writer.bytes($0) } }
}
