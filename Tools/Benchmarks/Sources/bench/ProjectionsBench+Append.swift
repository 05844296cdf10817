// Measures the effect of a rebuild in another process on appends.
import EventLog
import Foundation

extension ViewsBench {
  /// Appends one event after the other, alternately alone and while another process folds the log into new tables.
  func append() throws -> Grid {
    let store = try openStore(directory)
    defer { store.close() }
    var workload = FoldWorkload(seed: 11)
    let length = options.seconds ?? (options.isQuick ? 0.5 : 5)
    _ = try latencies(store, &workload, length / 2)
    var samples: [String: [String: [Double]]] = [:]
    for _ in 0..<options.rounds {
      for name in ["alone", "beside a busy process", "beside a rebuild"] {
        let child = try neighbour(name)
        let found = try latencies(store, &workload, length)
        child?.kill()
        disk.settle()
        samples[name, default: [:]]["p50", default: []].append(found.median)
        samples[name, default: [:]]["p99", default: []].append(found.slow)
      }
    }
    var columns = ["alone", "beside a busy process", "beside a rebuild"].map { name in
      (name: name, figures: samples[name, default: [:]].mapValues { Figure(unit: .milliseconds, samples: $0) })
    }
    for (name, column) in [("busy / alone", 1), ("rebuild / alone", 2)] {
      columns.append((name, columns[column].figures.ratios(to: columns[0].figures)))
    }
    return Grid(
      "append", "Durable append of one event to a log of \(options.events), ms", columns: columns, rows: ["p50", "p99"])
  }

  private func neighbour(_ name: String) throws -> BenchChild? {
    let command = ["beside a rebuild": "rebuild-on", "beside a busy process": "spin"][name]
    guard let command else { return nil }
    let child = try BenchChild(["projections-child", command, directory, projectionsDirectory])
    try child.expect("going")
    return child
  }

  private func latencies(
    _ store: EventStore, _ workload: inout FoldWorkload, _ length: Double
  ) throws -> (median: Double, slow: Double) {
    var samples: [Double] = []
    let start = ContinuousClock.now
    repeat {
      let event = workload.next(1)
      samples.append(try seconds { _ = try store.appendBlocking(event) })
    } while secondsSince(start) < length
    return Self.latencies(samples)
  }
}
