// The child process of the projection benchmarks.
import Chat
import ChatProjections
import EventLog
import Foundation
import Synchronization
import Projections

/// A child process: its arguments are a task, a log and a projections directory; it prints its measurements.
enum ViewsChild {
  static func run(_ arguments: [String]) throws {
    guard arguments.count >= 3 else { throw Usage(message: "a child was told too little") }
    let (directory, projections) = (arguments[1], arguments[2])
    switch arguments[0] {
    case "rebuild": try rebuild(directory, projections)
    case "rebuild-on": try rebuildOn(directory, projections)
    case "spin": spin()
    case "open": try open(directory, projections)
    case "churn": try churn(directory, projections)
    case "stand": try stand(directory, projections, Int(arguments[3]) ?? 1)
    case "move": try move(directory, projections, Int(arguments[3]) ?? 1)
    default: throw Usage(message: "a child was told to \(arguments[0])")
    }
  }

  /// Returns the directory name of a set of projections.
  static func fingerprint(of types: [any Projection.Type], in directory: String) -> String {
    let store = EventStore.inMemory()
    let scratch = directory + "/fingerprint"
    defer { try? FileManager.default.removeItem(atPath: scratch) }
    let projections = try? ProjectionStore(of: store, types, at: scratch)
    defer { projections?.close() }
    return projections?.fingerprint.text ?? "none"
  }

  /// Folds the log from its first event, and monitors the memory used.
  private static func rebuild(_ directory: String, _ directoryOfViews: String) throws {
    let store = try openStore(directory)
    let count = Double(try store.head().position.rawValue)
    let memory = MemoryWatch()
    let projections = try ProjectionStore(of: store, FoldWorkload.projections, at: directoryOfViews)
    let elapsed = try seconds { _ = try projections.checkpoint() }
    guard projections.stops.isEmpty else { throw Usage(message: "a view stopped: \(projections.stops)") }
    let peak = memory.stop()
    projections.close()
    let size = try FileManager.default.attributesOfItem(
      atPath: "\(directoryOfViews)/\(projections.fingerprint)/data.mdb")
    if let failure = projections.lastSnapshotFailure { throw Usage(message: "\(failure)") }
    BenchChild.say(
      "done",
      [
        "rebuilt": count / elapsed, "anonymous": peak,
        "tables": Double(size[.size] as? Int ?? 0) / 1_048_576, "snapshots": Double(projections.snapshots.count),
      ])
    store.close()
  }

  /// Folds the log into tables of another revision repeatedly, until the process is killed.
  private static func rebuildOn(_ directory: String, _ directoryOfViews: String) throws {
    let store = try openStore(directory)
    BenchChild.say("going")
    while true {
      let projections = try ProjectionStore(of: store, FoldWorkload.projections + [Beside.self], at: directoryOfViews)
      try projections.catchUp()
      projections.close()
      for path in ["", "/snapshots"] {
        try? FileManager.default.removeItem(atPath: "\(directoryOfViews)\(path)/\(projections.fingerprint)")
      }
    }
  }

  /// Uses as much processor time as a rebuild, without disk access.
  private static func spin() {
    BenchChild.say("going")
    for _ in 0..<2 { Thread.detachNewThread { while true { keep(UInt64.random(in: 0...9)) } } }
    while true { sleep(1000) }
  }

  /// Opens log and projections, and reads a row.
  private static func open(_ directory: String, _ directoryOfViews: String) throws {
    let (start, processor) = (ContinuousClock.now, clock())
    let store = try openStore(directory)
    let afterStore = secondsSince(start) * 1000
    let projections = try ProjectionStore(of: store, FoldWorkload.projections, at: directoryOfViews)
    let afterViews = secondsSince(start) * 1000
    let before = projections.applied.position.rawValue
    try readOne(projections)
    let whole = secondsSince(start) * 1000
    let ofProcessor = Double(clock() - processor) * 1000 / Double(CLOCKS_PER_SEC)
    BenchChild.say(
      "done",
      [
        "in all": whole, "log and index": afterStore, "projections": afterViews - afterStore,
        "first read": whole - afterViews,
        "folded": Double(projections.applied.position.rawValue - before), "of a processor": ofProcessor,
      ])
    projections.close()
    store.close()
  }

  private static func readOne(_ projections: ProjectionStore) throws {
    try projections.read { reading throws(ProjectionError) in
      let channel: Channel.ID = "channel-1042"
      guard try reading.row(of: channel, in: ChatState.channels) != nil else {
        preconditionFailure("the channel is gone")
      }
    }
  }

  /// Appends and folds one event after the other, and reads occasionally, until the process is killed.
  private static func churn(_ directory: String, _ directoryOfViews: String) throws {
    let store = try openStore(directory)
    let projections = try ProjectionStore(of: store, FoldWorkload.projections, at: directoryOfViews)
    var workload = FoldWorkload(seed: 13)
    try readOne(projections)
    BenchChild.say("going")
    while true {
      for _ in 0..<64 {
        _ = try store.appendBlocking(workload.next(1))
        try projections.catchUp()
      }
      try readOne(projections)
    }
  }

  /// Opens projections at random past positions, reads a row there, and closes them.
  private static func stand(_ directory: String, _ directoryOfViews: String, _ count: Int) throws {
    let store = try openStore(directory)
    let projections = try ProjectionStore(of: store, FoldWorkload.projections, at: directoryOfViews)
    try projections.catchUp()
    let people = FoldWorkload.userCount + FoldWorkload.channelCount * (1 + FoldWorkload.membersPerChannel)
    let end = Int(try store.head().position.rawValue)
    var random = SplitMix(seed: 17)
    let extended = try seconds { try projections.at(Position(rawValue: UInt64(end))).close() }
    let history = "\(directoryOfViews)/history/\(projections.fingerprint)/data.mdb"
    let size = try FileManager.default.attributesOfItem(atPath: history)[.size] as? Int ?? 0
    let channels = (0..<FoldWorkload.channelCount).map { Channel.ID(stringLiteral: "channel-\(1000 + $0)") }
    // Not all have a writer.
    var busy: [Channel.ID] = []
    try projections.read { reading throws(ProjectionError) in
      for id in channels where try reading.chat.messages(in: id, limit: 50).messages.count == 50 { busy.append(id) }
    }
    var samples: [Double] = []
    for _ in 0..<count {
      let position = people + Int(random.next() % UInt64(max(1, end - people)))
      let start = ContinuousClock.now
      let past = try projections.at(Position(rawValue: UInt64(position)))
      let channel = busy[Int(random.next() % UInt64(busy.count))]
      let found = try past.read { reading throws(ProjectionError) in
        try reading.chat.messages(in: channel, limit: 50)
      }
      samples.append(secondsSince(start))
      guard position < end / 10 || !found.messages.isEmpty else { throw Usage(message: "the past is not whole") }
      past.close()
    }
    let found = ViewsBench.latencies(samples)
    BenchChild.say(
      "done",
      ["p50": found.median, "p99": found.slow, "extended": extended * 1000, "size": Double(size) / Double(1 << 20)])
    projections.close()
    store.close()
  }
}

extension ViewsChild {
  /// Moves projections by 1,000 events at random past positions: forward, back, and forward again; and by one event.
  private static func move(_ directory: String, _ directoryOfViews: String, _ count: Int) throws {
    let store = try openStore(directory)
    let projections = try ProjectionStore(of: store, FoldWorkload.projections, at: directoryOfViews)
    try projections.catchUp()
    let end = try store.head().position.rawValue
    var random = SplitMix(seed: 19)
    var samples: [String: [Double]] = [:]
    for _ in 0..<count {
      let start = 12_000 + random.next() % (end - 24_000)
      let past = try projections.at(Position(rawValue: start))
      func time(_ name: String, _ position: UInt64) throws {
        samples[name, default: []].append(try seconds { try past.move(to: Position(rawValue: position)) })
      }
      for step in 1...10 as ClosedRange<UInt64> { try time("forward", start + step * 1_000) }
      for step in 0...9 as ClosedRange<UInt64> { try time("back", start + (9 - step) * 1_000) }
      for step in 1...10 as ClosedRange<UInt64> { try time("again", start + step * 1_000) }
      for step in 1...10 as ClosedRange<UInt64> { try time("one_forward", start + 10_000 + step) }
      for step in 1...10 as ClosedRange<UInt64> { try time("one_back", start + 10_010 - step) }
      past.close()
      // As a slider moves: at most once for each frame of a display.
      let paced = try projections.at(Position(rawValue: start))
      func timePaced(_ name: String, _ position: UInt64) throws {
        usleep(16_000)
        samples[name, default: []].append(try seconds { try paced.move(to: Position(rawValue: position)) })
      }
      for step in 1...10 as ClosedRange<UInt64> { try timePaced("paced_forward", start + step * 1_000) }
      for step in 1...10 as ClosedRange<UInt64> { try timePaced("paced_back", start - step * 1_000) }
      paced.close()
    }
    var figures: [String: Double] = [:]
    for (name, samples) in samples {
      (figures["\(name) p50"], figures["\(name) p99"]) = ViewsBench.latencies(samples)
    }
    BenchChild.say("done", figures)
    projections.close()
    store.close()
  }
}

/// An empty projection, whose presence changes the fingerprint of the set.
private struct Beside: Projection {
  static let name = "beside"
  static let revision = "1"
  static let tableNames: [String] = []

  init(_ tables: ProjectionTables) {}
  mutating func fold(_ event: EventView) throws {}
}

/// A monitor that samples this process's anonymous memory every few milliseconds.
private final class MemoryWatch: Sendable {
  private let peak = Mutex(0.0)
  private let isDone = Atomic(false)

  init() {
    Thread.detachNewThread { [self] in
      while !isDone.load(ordering: .relaxed) {
        look()
        usleep(5_000)
      }
    }
  }

  /// Returns the peak in MiB.
  func stop() -> Double {
    look()
    isDone.store(true, ordering: .relaxed)
    return peak.withLock { $0 }
  }

  private func look() {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix("RssAnon:") }),
      let size = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap({ Double($0) })
    else { return }
    peak.withLock { $0 = max($0, size / 1024) }
  }
}
