// Threat: the last commit is in the file, and the meta page that puts it in force is not.
import EventLog
import EventLogLMDB
import Foundation
import LMDBPages
import LogWorker
import Testing

/// What broke: after a failed write of a meta page, LMDB restores the transaction number and the last page and leaves
/// the trees of the failed commit in that page. The log was then permanently refused as damaged, though LMDB opens it.
/// And one flipped bit in a transaction number put an older state in force, unnoticed: an acknowledged commit was gone.
/// What fixed it: only the meta page in force has to be sound, and where the other has more entries, the block that
/// follows the head is searched for in unused pages and appended again.
@Suite struct HiddenCommitTests {
  private let directory = TemporaryDirectory(inMemory: true)
  private let workload = Workload(seed: 31, shape: .mixed)
  private var data: String { directory.path + "/log/data.mdb" }

  @Test func `a log whose last meta page could not be written opens, and the append is found by its id`() throws {
    for count in 1...40 {
      let scene = TemporaryDirectory(inMemory: true)
      let receipt = try failMetaWrite(of: count, in: scene)
      let store = try EventStore.open(at: scene.path)
      #expect(try store.appendBlocking(workload.append(count)) == receipt, "after \(count) appends")
      #expect(try store.head().blocks == count + 1)
      try append(workload, count + 1..<count + 3, to: store)
      try expectRightAnswers(store)
      store.close()
      try expectWhole(scene.path)
      let file = try DataFile(path: scene.path + "/log/data.mdb")
      #expect(file.unusedMetaDefect() == nil)
    }
  }

  @Test func `a log whose last meta page could not be written is not valid before it is opened`() throws {
    let receipt = try failMetaWrite(of: 12, in: directory)
    try? remove(directory.path + "/index")
    let findings = try LogCheck.verify(logAt: directory.path).findings
    #expect(findings.map(\.location) == [.unforcedCommit])
    #expect(findings.first?.description.contains("opening the log completes it") == true, "\(findings)")
    var salvaged: [AppendID] = []
    _ = try Salvage(logAt: directory.path).forEachBlock { block in block.forEachAppend { salvaged.append($0.id) } }
    #expect(salvaged.last == receipt.id)
  }

  @Test func `a damaged meta page that is not in force is a note, not a finding`() throws {
    try append(workload, 0..<5, to: makeLog(directory))
    let file = try DataFile(path: data)
    let unused = try 1 - file.newestMeta().index
    var bytes = try contents(data)
    // The root of the main table.
    for offset in 0..<8 { bytes[unused * file.pageSize + 128 + offset] = 0x77 }
    try write(bytes, to: data)
    let report = try LogCheck.verify(logAt: directory.path)
    #expect(report.holds && report.events > 0)
    #expect(report.notes.contains { $0.contains("The older meta page") }, "\(report.notes)")
    let store = try EventStore.open(at: directory.path)
    try append(workload, 5..<6, to: store)
    store.close()
    #expect(try LogCheck.verify(logAt: directory.path).notes.isEmpty)
  }

  @Test func `a log whose hidden commit was overwritten is refused as damaged`() throws {
    _ = try failMetaWrite(of: 12, in: directory)
    try? remove(directory.path + "/index")
    var bytes = try contents(data)
    // The trees of the state in force remain; everything else is lost.
    let file = try DataFile(path: data)
    for pages in try file.examine(file.newestMeta()).unusedPages {
      for offset in Int(pages.lowerBound) * 4096..<Int(pages.upperBound) * 4096 { bytes[offset] = 0 }
    }
    try write(bytes, to: data)
    #expect(throws: OpenError.self) { try EventStore.open(at: directory.path) }
    #expect(try !LogCheck.verify(logAt: directory.path).holds)
    #expect(try contents(data) == bytes)
  }

  /// The whole class: each bit of both transaction numbers, for logs of many lengths, without and with an index.
  @Test func `no flipped bit of a transaction number loses an event unnoticed`() throws {
    var (opened, refused) = (0, 0)
    for count in 1...24 {
      let original = TemporaryDirectory(inMemory: true)
      let store = try makeLog(original)
      try append(workload, 0..<count, to: store)
      let head = try store.head()
      store.close()
      let whole = try contents(original.path + "/log/data.mdb")
      for meta in 0...1 {
        for bit in 0..<16 {
          for withIndex in [false, true] {
            let scene = TemporaryDirectory(inMemory: true)
            try FileManager.default.createDirectory(atPath: scene.path + "/log", withIntermediateDirectories: true)
            var bytes = whole
            bytes[meta * 4096 + 144 + bit / 8] ^= 1 << UInt8(bit % 8)
            try write(bytes, to: scene.path + "/log/data.mdb")
            if withIndex { try copy(original.path + "/index", scene.path + "/index") }
            let what = "\(count) appends, meta page \(meta), bit \(bit), index \(withIndex)"
            #expect(try !LogCheck.verify(logAt: scene.path).holds, "\(what)")
            guard let store = try? EventStore.open(at: scene.path) else {
              refused += 1
              continue
            }
            opened += 1
            #expect(try store.head() == head, "\(what)")
            store.close()
            try expectWhole(scene.path)
          }
        }
      }
    }
    #expect(opened > 0 && refused > 0)
    print("Flipped bits of transaction numbers: \(opened) completed, \(refused) refused.")
  }

  /// The padding field of a table's record is 0; newer versions of LMDB refuse a file where it is not.
  @Test func `nonzero padding in the meta page in force is reported as damage`() throws {
    let store = try makeLog(directory)
    try append(workload, 0..<5, to: store)
    store.close()
    let whole = try contents(data)
    let newest = try DataFile(path: data).newestMeta().index
    for bit in 0..<32 {
      var bytes = whole
      bytes[newest * 4096 + 88 + bit / 8] ^= 1 << UInt8(bit % 8)
      try write(bytes, to: data)
      #expect(try !LogCheck.verify(logAt: directory.path).holds, "bit \(bit)")
      #expect(throws: OpenError.self, "bit \(bit)") { try EventStore.open(at: directory.path) }
    }
  }

  /// Creates a log of `count` appends and one more, whose meta page could not be written; returns the receipt that the
  /// last one would have had.
  private func failMetaWrite(of count: Int, in directory: TemporaryDirectory) throws -> Receipt {
    let data = directory.path + "/log/data.mdb"
    let store = try makeLog(directory)
    try append(workload, 0..<count, to: store)
    store.close()
    try remove(directory.path + "/index")
    let before = try contents(data)
    let writer = try EventStore.open(at: directory.path)
    let receipt = try writer.appendBlocking(workload.append(count))
    writer.close()
    try remove(directory.path + "/index")
    var bytes = try contents(data)
    let page = try DataFile(path: data).newestMeta().index * 4096
    // The last page and the transaction number, as LMDB restores them.
    for offset in page + 136..<page + 152 { bytes[offset] = before[offset] }
    try write(bytes, to: data)
    return receipt
  }
}
