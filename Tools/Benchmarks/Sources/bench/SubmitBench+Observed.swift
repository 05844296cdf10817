// Measures the time until another process sees a submit.
import Foundation
import Verbatim

extension SubmitBench {
  /// Submits messages one by one, with pauses, to a workspace that another process observes.
  func observed() throws -> Grid {
    var columns: [(name: String, figures: [String: Figure])] = []
    for manner in ["follows", "reads"] {
      var samples: [String: [Double]] = [:]
      for _ in 0..<options.rounds {
        for (name, value) in try observe(manner) { samples[name, default: []].append(value) }
      }
      columns.append(("who \(manner)", samples.mapValues { Figure(unit: .microseconds, samples: $0) }))
    }
    return Grid(
      "observed", "A submit seen by another process, µs", columns: columns,
      rows: ["p50 from before", "p99 from before", "p50 from answer", "p99 from answer"])
  }

  private func observe(_ manner: String) throws -> [String: Double] {
    try withWorkspace { workspace in
      let all = workload.submissions(options.isQuick ? 100 : 1000)
      let child = try BenchChild(["submit-child", manner, workspace.path, "\(all.count)"])
      try child.expect("going")
      var (before, answered): ([Double], [Double]) = ([], [])
      for submission in all {
        before.append(microseconds())
        try workspace.submitBlocking(submission)
        answered.append(microseconds())
        usleep(1000)
      }
      let seen = try child.expect("seen").compactMap(Double.init)
      try child.finish()
      let (fromBefore, fromAnswer) = (zip(seen, before).map(-).sorted(), zip(seen, answered).map(-).sorted())
      let (middle, slow) = (seen.count / 2, seen.count * 99 / 100)
      return [
        "p50 from before": fromBefore[middle], "p99 from before": fromBefore[slow],
        "p50 from answer": fromAnswer[middle], "p99 from answer": fromAnswer[slow],
      ]
    }
  }
}

/// A process that observes a workspace.
enum SubmitChild {
  /// Observes a workspace. Arguments: the method, the path, and the number of events to await; prints when each was
  /// seen.
  static func run(_ arguments: [String]) throws {
    guard arguments.count == 3, let count = Int(arguments[2]) else {
      throw Usage(message: "a child was told too little")
    }
    let (follows, path) = (arguments[0] == "follows", arguments[1])
    let seen = try waiting {
      let workspace = try Workspace.open(at: path)
      let position = try workspace.head()
      // One-time initialization happens before the measurement.
      try await workspace.read { _ in }
      say("going")
      let seen =
        follows
        ? try await follow(workspace, behind: position, count) : try await read(workspace, behind: position, count)
      await workspace.close()
      return seen
    }
    say("seen " + seen.map { "\($0)" }.joined(separator: " "))
  }

  private static func follow(_ workspace: Workspace, behind position: Position, _ count: Int) async throws -> [Double] {
    var seen: [Double] = []
    for try await _ in workspace.changes(from: position.next) {
      seen.append(microseconds())
      if seen.count == count { break }
    }
    return seen
  }

  /// Waits for new events, and reads them.
  private static func read(_ workspace: Workspace, behind position: Position, _ count: Int) async throws -> [Double] {
    var (position, seen): (Position, [Double]) = (position, [])
    while seen.count < count {
      guard try await workspace.reached(position.next) else { continue }
      let found = try await workspace.read { $0.position }
      let now = microseconds()
      for _ in position.rawValue..<found.rawValue { seen.append(now) }
      position = found
    }
    return seen
  }

  private static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}

/// Returns the time of a clock that all processes share.
private func microseconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) * 1_000_000 + Double(time.tv_nsec) / 1000
}
