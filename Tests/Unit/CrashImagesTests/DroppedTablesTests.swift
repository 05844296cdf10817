// Tables that a process drops after a power cut: another cut must not bring them back without their dirty mark.
import ChildProcess
import CrashImages
import Foundation
import Testing
import TestThreads

#if os(Linux)
  @Suite(.waitsForProcesses) struct `Dropped tables` {
    @Test func `the data of dropped tables is certain to be gone before their dirty mark is removed`() throws {
      // Both were removed without a sync between. A second power cut could remove the mark and keep the data, torn by
      // the first one, and the next process took it for the tables of a clean end.
      let scratch = FileManager.default.temporaryDirectory.path + "/verbatim-torture-\(UUID().uuidString)"
      defer { try? FileManager.default.removeItem(atPath: scratch) }
      try expectKept(["--workload", "recovery", "--recoveries", "1", "--images", "0", "--seed", "1"], in: scratch)
      var drops = 0
      for name in try FileManager.default.contentsOfDirectory(atPath: scratch) where name.hasPrefix("recovery-") {
        let recording = scratch + "/" + name
        let trace = try Trace(at: recording + "/trace")
        var player = Player(trace, on: try Disk(savedIn: recording + "/before"))
        for operation in trace.operations {
          guard case .unlink(let directory, "dirty") = operation.effect else { continue }
          player.move(to: operation.began)
          let path = try #require(player.disk.number(of: directory).map { player.disk.path(of: $0) })
          drops += 1
          let removed = player.disk.uncertain.filter { $0.isRemoval && $0.path == path + "/data.mdb" }
          #expect(removed.isEmpty, "\(name): \(path) at record \(operation.began)")
        }
      }
      #expect(drops > 0)
    }
  }
#endif
