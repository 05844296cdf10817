// Power cuts in recorded workloads: what was acknowledged is there, whatever else a disk has.
import ChildProcess
import Foundation
import SeededRandom
import Testing
import TestThreads

#if os(Linux)
  @Suite(.waitsForProcesses) struct `Power cuts` {
    @Test(arguments: ["checkpoints", "snapshots"])
    func `what was acknowledged is certain`(workload: String) throws {
      // Checkpoints and snapshots were synced in directories whose own entries were not, so that a power cut soon after
      // the creation of a workspace could remove them with their directory.
      try expectKept(["--workload", workload, "--certain", "--images", "40", "--seed", "1"])
    }

    @Test func `images of each workload keep all promises`() throws {
      let random = SeededRandom.printingSeed()
      try expectKept(["--images", "6", "--seed", "\(random.seed)"])
    }

    @Test(arguments: ["outbox/entries", "projections/checkpoints", "blobs/unfinished", "chat/keys"])
    func `images of a program without the sync of a record file, a blob or keys break a promise`(kind: String) throws {
      let workloads = ["outbox", "checkpoints", "blobs", "erasure"].flatMap { ["--workload", $0] }
      try expectKept(workloads + ["--images", "0", "--control", kind, "--seed", "1"])
    }

    @Test func `a flipped bit of any file is reported or has no effect`() throws {
      let random = SeededRandom.printingSeed()
      try expectKept(["--bits", "2", "--seed", "\(random.seed)"])
    }

    @Test func `calls that fail in each workload break no promise`() throws {
      var random = SeededRandom.printingSeed()
      let failures = ["EIO", "ENOSPC", "EINTR", "half", "done", "EIO-onwards", "ENOSPC-onwards"]
      let failure = failures[random.below(failures.count)]
      try expectKept(["--calls", "1", "--seed", "\(random.seed)", "--failure", failure])
    }
  }

  /// Expects that the images of a campaign keep all promises.
  func expectKept(_ arguments: [String]) throws {
    let scratch = FileManager.default.temporaryDirectory.path + "/verbatim-torture-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: scratch) }
    try expectKept(arguments, in: scratch)
  }

  /// Expects the same of a campaign that leaves its recordings in a directory.
  func expectKept(_ arguments: [String], in scratch: String) throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path
    let source = folder + "/../../../Tools/Recorder/recorder.c"
    let worker = Child.path(ofWorker: "TortureWorker")
    let campaign = try Child([worker, "--scratch", scratch, "--recorder", source] + arguments)
    campaign.closeInput()
    let lines = try campaign.lines()
    #expect(campaign.wait() == .exit(0), "\(lines.joined(separator: "\n"))")
  }
#endif
