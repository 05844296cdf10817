// The parts of a campaign, which run on all cores.
import ChildProcess
import Dispatch
import Foundation
import Locks

/// What a part of a campaign found.
struct Report: Sendable {
  var lines: [String] = []
  /// Whether every promise was kept, and every control was caught.
  var isKept = true
}

extension Campaign {
  /// Runs parts on all cores, each with a directory of its own; prints their reports in the order of the parts. Returns
  /// whether all of them were kept.
  func run<Part: Sendable>(
    _ parts: [Part], _ body: @Sendable (_ part: Part, _ scratch: String) throws -> Report
  ) throws -> Bool {
    let state = Locked(RunningParts())
    DispatchQueue.concurrentPerform(iterations: parts.count) { index in
      if state.withLock({ $0.error != nil }) { return }
      let scratch = "\(options.scratch)/part-\(index)"
      defer { try? FileManager.default.removeItem(atPath: scratch) }
      do {
        try FileManager.default.createDirectory(atPath: scratch, withIntermediateDirectories: true)
        let report = try body(parts[index], scratch)
        state.withLock { $0.add(report, of: index) }
      } catch { state.withLock { $0.error = $0.error ?? error } }
    }
    return try state.withLock { state in
      if let error = state.error { throw error }
      return state.isKept
    }
  }
}

/// The reports that wait for those of earlier parts.
private struct RunningParts: Sendable {
  private var waiting: [Int: Report] = [:]
  private var printedCount = 0
  private(set) var isKept = true
  /// The first error, at which no further part begins.
  var error: (any Error)?

  mutating func add(_ report: Report, of part: Int) {
    waiting[part] = report
    while let report = waiting.removeValue(forKey: printedCount) {
      printedCount += 1
      for line in report.lines { say(line) }
      if !report.isKept { isKept = false }
    }
  }
}
