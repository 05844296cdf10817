// Threat: a workspace with a damaged or truncated log is reported as healthy, or status destroys the evidence.
import EventLog
import EventLogLMDB
import Foundation
import JSONLines
import Testing
import Verbatim

@testable import VerbatimCommand

// `status` printed “All is well” for a log with a damaged block and for one that was truncated to half, since it read
// only the last block; an index or tables ahead of the log were rebuilt by the opening before that, so that a log
// without its tail looked complete. It now checks the file's length, both meta pages, the last block and the positions
// of index and tables before anything is opened, and lists what it did not read.
@Suite struct `The status of a workspace with damaged files` {
  private let folder = Folder()

  /// Creates a workspace of some hundred events.
  private func workspace() -> String {
    #expect(verbatim("generate", folder("chat"), "--messages", "300").code == .done)
    #expect(verbatim("status", folder("chat")).code == .done)
    return folder("chat")
  }

  private func data(_ path: String) throws -> Data { try Data(contentsOf: URL(filePath: path)) }

  private func cut(_ path: String, to count: Int) throws {
    let file = try FileHandle(forUpdating: URL(filePath: path))
    try file.truncate(atOffset: UInt64(count))
    try file.close()
  }

  @Test func `status lists what it did not read, and never says that all is well`() throws {
    let chat = workspace()
    let file = chat + "/log/data.mdb"
    var bytes = try data(file)
    // A block in the middle, which neither a meta page nor the last block covers.
    let range = try #require(bytes.range(of: Data("messageSent".utf8), in: bytes.count / 3..<bytes.count))
    bytes[range.lowerBound + 3] ^= 1
    try bytes.write(to: URL(filePath: file))
    #expect(verbatim("log", "verify", chat).code == .refused)
    let run = verbatim("status", chat)
    #expect(!(run.output + run.errors).contains("All is well"))
    #expect(
      run.output.contains("The checks found no problem: the log's length, its meta pages, its last block"))
    #expect(
      run.output.hasSuffix(
        "Not checked: the blocks before the last, the rows of index, tables and snapshots; `verbatim verify \(chat)` "
          + "checks them.\n"), "\(run.output)")
    let json = try JSONParser.parse(Array(verbatim("status", chat, "--json").output.utf8).dropLast())
    #expect(json["notChecked"] != .array([]) && json["notChecked"] != nil && json["checked"] != nil)
  }

  @Test func `status refuses a truncated log file`() throws {
    let chat = workspace()
    let count = try data(chat + "/log/data.mdb").count
    for part in [count / 2, count / 2 + 100, count - 4096, 8192, 4096, 100] {
      try cut(chat + "/log/data.mdb", to: part)
      let run = verbatim("status", chat)
      #expect(run.code == .refused && run.output == "", "\(part) of \(count): \(run.output)")
      #expect(run.errors.hasPrefix("verbatim: The file of the log at \(chat) is damaged ("))
      #expect(run.errors.contains("`verbatim log salvage \(chat)`"), "\(run.errors)")
    }
  }

  @Test func `status ignores free pages behind the head`() throws {
    let chat = workspace()
    let stats = verbatim("log", "verify", chat)
    #expect(stats.code == .done)
    #expect(try LogCheck.quickCheck(logAt: chat).damage == nil)
  }

  @Test(arguments: [0, 1])
  func `status refuses a damaged meta page`(page: Int) throws {
    let chat = workspace()
    var bytes = try data(chat + "/log/data.mdb")
    bytes[page * 4096 + 16] ^= 1
    try bytes.write(to: URL(filePath: chat + "/log/data.mdb"))
    let run = verbatim("status", chat)
    #expect(run.code == .refused && run.errors.contains("is damaged ("), "\(run.errors)")
  }

  @Test func `status refuses a damaged last block`() throws {
    let chat = workspace()
    let file = chat + "/log/data.mdb"
    var bytes = try data(file)
    let store = try EventStore.open(at: chat)
    let last = try #require(try store.events(from: try store.head().position, limit: 1).first)
    store.close()
    var start = bytes.startIndex
    while let range = bytes.range(of: Data(last.payload), in: start..<bytes.endIndex) {
      bytes[range.lowerBound] ^= 1
      start = range.upperBound
    }
    try #require(start > bytes.startIndex)
    try bytes.write(to: URL(filePath: file))
    let run = verbatim("status", chat)
    #expect(run.code == .refused && run.output == "" && run.errors.contains("damaged"), "\(run.errors)")
  }

  @Test func `status keeps an index and tables that are ahead of the log`() async throws {
    let chat = workspace()
    let earlier = try data(chat + "/log/data.mdb")
    let workspace = try Workspace.open(at: chat)
    try await workspace.client(user: "late").me.create(name: "Late")
    await workspace.close()
    #expect(verbatim("snapshot", chat).code == .done)
    let end = try position(ofLogAt: chat)
    try earlier.write(to: URL(filePath: chat + "/log/data.mdb"))
    try FileManager.default.removeItem(atPath: chat + "/log/lock.mdb")
    let index = try data(chat + "/index/data.mdb")
    for _ in 0..<2 {
      let run = verbatim("status", chat)
      #expect(run.code == .refused && run.output == "", "\(run.output)")
      #expect(run.errors.contains("the index is at position \(end), and the log ends at "), "\(run.errors)")
      #expect(
        run.errors.contains("the tables projections/") && run.errors.contains(" are at position \(end), and the log"),
        "\(run.errors)")
      #expect(try data(chat + "/index/data.mdb") == index)
    }
    // The suggested commands work.
    #expect(verbatim("log", "verify", chat).output.contains("index"))
    #expect(verbatim("rebuild", chat).code == .refused)
    #expect(try data(chat + "/index/data.mdb") == index)
    #expect(verbatim("rebuild", chat, "--discard-ahead").code == .done)
    #expect(verbatim("status", chat).code == .done)
  }

  // A command whose write into a table was cut short left a file that `status` reported as contradicting the log, and
  // that `verify` could not read (“check the disk, the permissions”, exit code 3). It is derived data, and is rebuilt.
  @Test(.enabled(if: program != nil)) func `status distinguishes damaged tables from contradicting ones`() throws {
    let chat = workspace()
    let tables = try FileManager.default.contentsOfDirectory(atPath: chat + "/projections").filter { $0.count == 32 }
    let file = try #require(tables.first)
    try cut(chat + "/projections/\(file)/data.mdb", to: 4096)
    let run = verbatim("status", chat)
    #expect(run.code == .refused && run.errors.contains("`verbatim rebuild \(chat)` rebuilds them"), "\(run.errors)")
    let verified = try shell("\"$V\" verify \(chat)", log: chat)
    #expect(
      verified.code == 1 && verified.output.contains("✘ the tables projections/\(file) are damaged ("), "\(verified)")
    #expect(verbatim("rebuild", chat).code == .done)
    #expect(verbatim("status", chat).code == .done)
    #expect(try shell("\"$V\" verify \(chat)", log: chat).code == 0)
  }

  private func position(ofLogAt path: String) throws -> Position {
    let store = try EventStore.open(at: path)
    defer { store.close() }
    return try store.head().position
  }
}

// `verify` counted blocks only along the chain and the tree: 24 intact events, where `salvage` found 25, since a block
// behind one with a damaged hash, or below a damaged page, was not reached. Both now count what salvage finds.
@Suite struct `The intact part of a damaged log` {
  private let folder = Folder()

  @Test func `verify and salvage count the same events for any damage`() throws {
    for number in 1...26 {
      let text = String(repeating: "x", count: number % 3 == 0 ? 5000 : 10)
      _ = verbatim("log", "append", folder("log"), "--create", input: line("a", "\(number)\(text)"))
    }
    let file = URL(filePath: folder("log") + "/log/data.mdb")
    let whole = try Data(contentsOf: file)
    // Behind the last page there are zeros, which nothing reads.
    let end = try #require(whole.lastIndex { $0 != 0 })
    var generator = Seeded(7)
    var damaged = 0
    for _ in 0..<150 {
      var bytes = whole
      let place = Int.random(in: 8192...end, using: &generator)
      bytes[place] ^= UInt8(1 << Int.random(in: 0..<8, using: &generator))
      try bytes.write(to: file)
      let verified = verbatim("log", "verify", folder("log"), "--json")
      if verified.code == .done { continue }
      damaged += 1
      let json = try JSONParser.parse(Array(verified.output.utf8).dropLast())
      let salvaged = verbatim("log", "salvage", folder("log"))
      #expect(json["events"]?.text == "\(salvaged.lines.count)", "byte \(place): \(verified.output)\(salvaged.errors)")
    }
    #expect(damaged > 20)
  }
}
