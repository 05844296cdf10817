// The samples of a long run: events, memory, file sizes and times of each interval.
import Foundation
import Peers
import Verbatim

/// The times of what the actors did, by kind.
@MainActor final class Times {
  enum Kind { case submit, read }

  private var all: [Kind: [Duration]] = [:]

  func add(_ kind: Kind, _ time: Duration) { all[kind, default: []].append(time) }

  /// Returns the times of a kind since the last call, in ascending order.
  func take(_ kind: Kind) -> [Duration] { (all.removeValue(forKey: kind) ?? []).sorted() }
}

/// Percentiles of times, in milliseconds.
struct Percentiles {
  let median, p99, p999, max: Double

  init(_ sorted: [Duration]) {
    func at(_ part: Double) -> Double {
      guard !sorted.isEmpty else { return 0 }
      return sorted[min(sorted.count - 1, Int(part * Double(sorted.count)))] / .milliseconds(1)
    }
    (median, p99, p999, max) = (at(0.5), at(0.99), at(0.999), at(1))
  }
}

/// A sample: its values are of the interval before it, or of its moment.
struct Sample {
  let minutes: Double
  let events: Double
  let eventsPerSecond: Double
  let submits: Percentiles
  let reads: Percentiles
  /// The memory of the process itself, what of it the allocator has given out, and the pages of mapped files, in MiB.
  let memory, allocated, mapped: Double
  /// The used sizes of the files, in MiB.
  let log, index, state, others: Double

  static let heading = [
    "minutes", "events", "events/s", "submit p50 ms", "p99", "p99.9", "max", "read p50 ms", "p99", "max", "memory MiB",
    "allocated MiB", "mapped MiB", "log MiB", "index MiB", "state MiB", "other tables MiB",
  ]

  var fields: [String] {
    [
      String(format: "%.2f", minutes), String(format: "%.0f", events), String(format: "%.0f", eventsPerSecond),
      submits.median.text, submits.p99.text, submits.p999.text, submits.max.text, reads.median.text, reads.p99.text,
      reads.max.text, memory.text, allocated.text, mapped.text, log.text, index.text, state.text, others.text,
    ]
  }
}

extension Double {
  fileprivate var text: String { String(format: "%.2f", self) }
}

@MainActor final class Samples {
  private(set) var all: [Sample] = []
  private let workspace: Workspace
  private let times: Times
  private let interval: Duration
  private let began = ContinuousClock.now
  private var last = ContinuousClock.now
  private var lastPosition: UInt64 = 0

  init(of workspace: Workspace, _ times: Times, every interval: Duration) {
    (self.workspace, self.times, self.interval) = (workspace, times, interval)
    say(Sample.heading.joined(separator: "\t"))
  }

  func take(_ progress: Progress) async throws {
    while !progress.isOver {
      if last.duration(to: .now) >= interval { try await add() }
      try await Task.sleep(for: .milliseconds(100))
    }
  }

  func add() async throws {
    let (now, statistics) = (ContinuousClock.now, try workspace.statistics())
    let position = statistics.log.head.position.rawValue
    let mebibytes = { (count: Int) in Double(count) / 1_048_576 }
    let memory = Self.residentMemory()
    let sample = Sample(
      minutes: began.duration(to: now) / .seconds(60), events: Double(position),
      eventsPerSecond: Double(position - lastPosition) / (last.duration(to: now) / .seconds(1)),
      submits: Percentiles(times.take(.submit)), reads: Percentiles(times.take(.read)),
      memory: memory.own, allocated: mebibytes(Int(peer_allocated_bytes())), mapped: memory.mapped,
      log: mebibytes(statistics.log.file.used),
      index: mebibytes(statistics.log.index.used), state: mebibytes(statistics.state.file.used),
      others: mebibytes(statistics.others?.file.used ?? 0))
    (last, lastPosition) = (now, position)
    all.append(sample)
    say(sample.fields.joined(separator: "\t"))
  }

  var table: String {
    ([Sample.heading] + all.map(\.fields)).map { $0.joined(separator: "\t") + "\n" }.joined()
  }

  /// Returns the resident memory of the process in MiB: its own, and that of mapped files; zero where it is unknown.
  private static func residentMemory() -> (own: Double, mapped: Double) {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    func value(_ name: String) -> Double {
      let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
      let kibibytes = line.flatMap { Double($0.split(whereSeparator: \.isWhitespace).dropLast().last ?? "") }
      return (kibibytes ?? 0) / 1_024
    }
    return (value("RssAnon"), value("RssFile"))
  }
}
