// Measures what operations cost in small and in large logs.
import Chat
import ChatCodec
import EventLog
import EventLogLMDB
import Foundation
import Verbatim

/// The benchmarks of growth: the same operations on workspaces of three sizes, each with ten times the events of the
/// one before.
///
/// The rounds visit all sizes in turn, each in a process of its own, so that what else the machine does at a moment
/// is not taken for growth.
struct GrowthBench {
  let options: Options
  let disk: Disk

  private static let rows = ["opening", "append", "submit", "page of 50", "a step back"]

  func run() throws -> [Grid] {
    let sizes = [100, 10, 1].map { options.events / $0 }
    let workspaces = try sizes.map { size in
      let directory = try disk.makeDirectory() + "/workspace"
      Bench.complain("growth: \(size) events")
      try fill(directory, size)
      _ = try BenchChild.measurements(["growth-child", "prepare", directory])
      return directory
    }
    let names = sizes.map(Self.name)
    let contestants = zip(names, workspaces).map { name, workspace -> Contestant in
      {
        disk.settle()
        let found = try BenchChild.measurements(["growth-child", "measure", workspace])
        return Dictionary(uniqueKeysWithValues: found.map { ("\($0.key), \(name)", $0.value) })
      }
    }
    let figures = try inTurn(contestants, rounds: options.rounds, unit: .microseconds)
    let columns = names.map { name in
      Dictionary(uniqueKeysWithValues: Self.rows.compactMap { row in figures["\(row), \(name)"].map { (row, $0) } })
    }
    let ratios = columns.dropFirst().map { $0.ratios(to: columns[0]) }
    if let path = options.plot {
      try GrowthPlot(sizes: sizes, columns: columns, rows: Self.rows).svg
        .write(toFile: path, atomically: true, encoding: .utf8)
    }
    let ratioNames = names.dropFirst().map { $0 + " / " + names[0] }
    return [
      Grid(
        "growth", "Operations in workspaces of growing size, the median of each round, µs",
        columns: Array(zip(names, columns)) + Array(zip(ratioNames, ratios)), rows: Self.rows)
    ]
  }

  private static func name(_ events: Int) -> String {
    events >= 1_000_000 ? "\(events / 1_000_000) M events" : "\(events / 1_000) k events"
  }

  /// Writes the log of a new workspace, a thousand events in a block.
  private func fill(_ directory: String, _ count: Int) throws {
    try Workspace.open(at: directory).closeBlocking()
    let store = try EventStore.open(at: directory)
    defer { store.close() }
    var workload = FoldWorkload(seed: 7)
    for _ in 0..<max(count / 1000, 1) { _ = try store.appendBlocking(workload.next(1000)) as Receipt }
  }
}

/// A child process, whose arguments are a task and a workspace; it prints its measurements.
enum GrowthChild {
  static func run(_ arguments: [String]) throws {
    guard arguments.count == 2 else { throw Usage(message: "a child was told too little") }
    switch arguments[0] {
    case "prepare": try prepare(arguments[1])
    case "measure": try measure(arguments[1])
    default: throw Usage(message: "a child was told to \(arguments[0])")
    }
  }

  /// Opens a workspace without snapshots: copies of large tables would take the disk from what is measured.
  private static func open(_ directory: String) throws -> Workspace {
    var configuration = Configuration()
    configuration.snapshotDistance = nil
    return try Workspace.open(at: directory, configuration: configuration)
  }

  /// Folds the log, and writes the history.
  private static func prepare(_ directory: String) throws {
    let workspace = try open(directory)
    let end = try workspace.readBlocking { $0.position }
    try waiting { try await workspace.at(end).close() }
    workspace.closeBlocking()
    BenchChild.say("done")
  }

  private static func measure(_ directory: String) throws {
    var random = SplitMix(seed: 23)
    let start = ContinuousClock.now
    let workspace = try open(directory)
    try readPage(workspace, &random)
    let opening = secondsSince(start) * 1e6
    let submit = try median(of: 300) { number in
      _ = try workspace.submitBlocking(
        Submission([.message(key(workspace.newID()), .send(content))], by: .user(user, on: "phone")))
    }
    let page = try median(of: 1000) { _ in try readPage(workspace, &random) }
    let back = try stepBack(workspace)
    workspace.closeBlocking()
    let store = try EventStore.open(at: directory)
    let stamp = EventOrigin(by: .user(user, on: "phone"), at: .now)
    let prefix = UUID().uuidString
    let append = try median(of: 300) { number in
      let sent = ChatEvent(.message(key(ID(stringLiteral: "\(prefix)-\(number)")), .sent(content)), stamp)
      _ = try store.appendBlocking([encode(sent)]) as Receipt
    }
    store.close()
    BenchChild.say(
      "done", ["opening": opening, "append": append, "submit": submit, "page of 50": page, "a step back": back])
  }

  private static let user: User.ID = "user-100000"
  private static let content = Message.Content(UserText("Eight words, as many as most messages have."))

  private static func key(_ id: Message.ID) -> Message.Key { Message.Key("channel-1000", id) }

  private static func readPage(_ workspace: Workspace, _ random: inout SplitMix) throws {
    let channel = Channel.ID(stringLiteral: "channel-\(1000 + random.next() % UInt64(FoldWorkload.channelCount))")
    try workspace.readBlocking { keep(try $0.chat.messages(in: channel, limit: PageBench.pageSize).messages.count) }
  }

  /// Returns the median of the times of moves by one event backwards, as those of a slider.
  private static func stepBack(_ workspace: Workspace) throws -> Double {
    let end = try workspace.readBlocking { $0.position.rawValue }
    return try waiting {
      let past = try await workspace.at(Position(rawValue: end - 1000))
      var samples: [Double] = []
      for step in 1...200 as ClosedRange<UInt64> {
        let start = ContinuousClock.now
        try await past.move(to: Position(rawValue: end - 1000 - step))
        samples.append(secondsSince(start))
      }
      past.close()
      return Figure(unit: .seconds, samples: samples).median * 1e6
    }
  }

  /// Returns the median of the times of a body in microseconds.
  private static func median(of count: Int, _ body: (Int) throws -> Void) throws -> Double {
    var samples: [Double] = []
    for number in 0..<count { samples.append(try seconds { try body(number) }) }
    return Figure(unit: .seconds, samples: samples).median * 1e6
  }
}
