// How much the machine itself varies, while nothing of ours runs: figures of a restless machine are not quoted.
import Foundation
import Peers
import Synchronization

/// The variation of the same work, on all processors and on the disk.
struct Noise {
  /// Beyond these, no figure is quoted. Virtual processors vary by a third and virtual disks by half while nothing else
  /// uses them; a ratio compares what ran in turn.
  static let processorBound = 0.4
  static let diskBound = 1.0

  /// By which part the slowest tenth of computations takes longer than the fastest tenth.
  let processor: Double
  /// By which part the slowest tenth of groups of syncs takes longer than the fastest tenth.
  let disk: Double
  /// The time of a sync of 4 KiB at the end of a file, half and 99 of 100 at most, in milliseconds.
  let syncMedian: Double
  let syncMost: Double

  var isQuotable: Bool { processor <= Self.processorBound && disk <= Self.diskBound }

  var text: String {
    "the processors vary by \(percent(processor)) (bound \(percent(Self.processorBound))), the disk by "
      + "\(percent(disk)) (bound \(percent(Self.diskBound)))"
  }

  init(on disk: Disk) throws {
    processor = spread(try Self.computations())
    let syncs = try disk.withDirectory { try Self.syncs($0 + "/noise") }
    let groups = stride(from: 0, to: syncs.count, by: 20).map { Array(syncs[$0..<$0 + 20]) }
    self.disk = spread(groups.map { Figure(unit: .milliseconds, samples: $0).median })
    let sorted = syncs.sorted()
    (syncMedian, syncMost) = (sorted[sorted.count / 2], sorted[sorted.count * 99 / 100])
  }

  /// Returns how long the same computation takes, at the same time on all processors, again and again.
  private static func computations() throws -> [Double] {
    let times = Samples()
    _ = try onThreads(ProcessInfo.processInfo.activeProcessorCount) { thread in
      // Returned, so that the compiler cannot leave it out.
      var sum: UInt64 = 0
      let own = (0..<60).map { number in seconds { sum ^= compute(seed: UInt64(thread << 8 | number)) } }
      times.all.withLock { $0 += own }
      return Int(sum & 1)
    }
    return times.all.withLock { $0 }
  }

  /// Computes for about ten milliseconds.
  private static func compute(seed: UInt64) -> UInt64 {
    var generator = SplitMix(seed: seed)
    return (0..<4_000_000).reduce(0) { sum, _ in sum ^ generator.next() }
  }

  private static func syncs(_ path: String) throws -> [Double] {
    let file = open(path, O_WRONLY | O_CREAT, 0o600)
    guard file >= 0 else { throw Usage(message: "\(path) cannot be written") }
    defer { close(file) }
    let page = [UInt8](repeating: 7, count: 4096)
    return (0..<400).map { number in
      1_000
        * seconds {
          pwrite(file, page, page.count, off_t(number * page.count))
          peer_sync_data(file)
        }
    }
  }
}

private final class Samples: Sendable {
  let all = Mutex<[Double]>([])
}

/// Returns by which part the slowest tenth is above the fastest tenth.
func spread(_ values: [Double]) -> Double {
  let sorted = values.sorted()
  return sorted[sorted.count * 9 / 10] / sorted[sorted.count / 10] - 1
}

func percent(_ part: Double) -> String { "\(Int((part * 100).rounded())) %" }
