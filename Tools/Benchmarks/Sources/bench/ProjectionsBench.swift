// Measures the cost of projections: rebuild beside appends, opening, reads of past positions; and against SQLite.
import EventLog
import Foundation
import Projections

/// The benchmarks of projections, on one log that is filled once.
final class ViewsBench {
  /// A part that can be run on its own.
  enum Part: String, CaseIterable {
    case rebuild, open, past, sqlite, append
  }

  let options: Options
  let disk: Disk
  /// The directory of the log, its index and the projections.
  let directory: String

  init(options: Options, disk: Disk) throws {
    self.options = options
    self.disk = disk
    directory = try disk.makeDirectory()
  }

  var projectionsDirectory: String { directory + "/projections" }

  func run(_ part: Part) throws -> Grid {
    switch part {
    case .rebuild: try rebuild()
    case .open: try open()
    case .past: try past()
    case .sqlite: try sqlite()
    case .append: try append()
    }
  }

  /// Fills the log, a thousand events in a block, and closes it.
  func fill() throws -> Grid {
    let store = try openStore(directory)
    var workload = FoldWorkload(seed: 7)
    let elapsed = try seconds {
      for _ in 0..<options.events / 1000 { _ = try store.appendBlocking(workload.next(1000)) }
      store.close()
    }
    let rate = Figure(unit: .perSecond, samples: [Double(options.events) / elapsed])
    let size = disk.size(of: directory + "/log").onDisk
    let figures = ["filled": rate, "takes": Figure(unit: .mebibytes, samples: [Double(size) / 1_048_576])]
    return Grid(
      "fill", "A log of \(options.events) events, 1,000 in a block", columns: [("ours", figures)],
      rows: ["filled", "takes"])
  }

  /// Runs a child and returns its measurements, printed as `name value` pairs.
  func child(_ arguments: String...) throws -> [String: Double] {
    try BenchChild.measurements(["projections-child"] + arguments)
  }

  /// Returns the median and the 99th percentile in milliseconds.
  static func latencies(_ samples: [Double]) -> (median: Double, slow: Double) {
    let sorted = samples.sorted()
    guard let last = sorted.last else { return (0, 0) }
    return (sorted[sorted.count / 2] * 1000, (sorted.count < 100 ? last : sorted[sorted.count * 99 / 100]) * 1000)
  }
}

// MARK: Rebuilding

extension ViewsBench {
  /// Folds the whole log in a process of its own and measures speed and memory; other parts open the resulting tables.
  private func rebuild() throws -> Grid {
    var samples: [String: [Double]] = [:]
    for _ in 0..<(options.events > 2_000_000 ? 1 : options.rounds) {
      try? FileManager.default.removeItem(atPath: projectionsDirectory)
      disk.settle()
      for (name, value) in try child("rebuild", directory, projectionsDirectory) {
        samples[name, default: []].append(value)
      }
    }
    let units: [String: Unit] = ["rebuilt": .perSecond, "anonymous": .mebibytes, "tables": .mebibytes]
    let figures = samples.reduce(into: [String: Figure]()) { figures, sample in
      figures[sample.key] = Figure(unit: units[sample.key] ?? .count, samples: sample.value)
    }
    return Grid(
      "rebuild", "Folding the log anew, in a process of its own; its anonymous resident memory at the peak",
      columns: [("ours", figures)], rows: ["rebuilt", "anonymous", "tables", "snapshots"])
  }
}

// MARK: Opening

extension ViewsBench {
  /// Opens log and projections in a new process, up to the first row read, after each kind of previous shutdown.
  private func open() throws -> Grid {
    let endings: [(name: String, leave: () throws -> Void)] = [
      ("after a clean end", {}),
      ("after a kill", { [self] in try kill() }),
      ("after a power loss", { [self] in try losePower() }),
    ]
    let columns = try endings.map { name, leave -> (name: String, figures: [String: Figure]) in
      var samples: [String: [Double]] = [:]
      for _ in 0..<max(options.rounds, 3) {
        try leave()
        for (name, value) in try child("open", directory, projectionsDirectory) {
          samples[name, default: []].append(value)
        }
      }
      let figures = samples.reduce(into: [String: Figure]()) { figures, sample in
        let unit = sample.key == "folded" ? Unit.count : .milliseconds
        figures[sample.key] = Figure(unit: unit, samples: sample.value)
      }
      return (name, figures)
    }
    return Grid(
      "open", "Opening a workspace of \(options.events) events in a new process, up to the first row read, ms",
      columns: columns, rows: ["in all", "of a processor", "log and index", "projections", "first read", "folded"])
  }

  /// Starts a process that appends and folds, and kills it while it runs.
  private func kill() throws {
    let child = try BenchChild(["projections-child", "churn", directory, projectionsDirectory])
    try child.expect("going")
    usleep(300_000 + UInt32.random(in: 0..<300_000))
    child.kill()
  }

  /// Marks index and tables as if the system had been rebooted since they were written.
  private func losePower() throws {
    let tables =
      projectionsDirectory + "/" + ViewsChild.fingerprint(of: FoldWorkload.projections, in: projectionsDirectory)
    for folder in [directory + "/log/index", tables] {
      try Data("another boot\n".utf8).write(to: URL(filePath: folder + "/dirty"))
    }
  }
}

// MARK: Standing in the past

extension ViewsBench {
  private func past() throws -> Grid {
    let count = options.isQuick ? 10 : 300
    let found = try child("stand", directory, projectionsDirectory, "\(count)")
    let moved = try child("move", directory, projectionsDirectory, "\(options.isQuick ? 3 : 10)")
    let figures = found.merging(moved) { a, _ in a }.mapValues { Figure(unit: .milliseconds, samples: [$0]) }
    return Grid(
      "past",
      "50 messages at a position at random (\(count) positions); moves by 1,000 events and by one, ms; "
        + "the history, ms and MiB",
      columns: [("ours", figures)],
      rows: ["p50", "p99", "extended", "size"]
        + ["forward", "back", "again", "one forward", "one back", "paced forward", "paced back"].flatMap {
          ["\($0) p50", "\($0) p99"]
        })
  }
}
