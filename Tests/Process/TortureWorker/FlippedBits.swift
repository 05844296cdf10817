// Flipped bits: each bit of each file of a small workspace is flipped, one at a time.
import ChildProcess
import CrashImages
import Foundation

/// Runs over the bits of the files of a small workspace, a log and an outbox.
struct FlippedBits {
  private let campaign: Campaign
  private var options: Options { campaign.options }

  init(_ campaign: Campaign) { self.campaign = campaign }

  /// The outcomes of the flipped bits with one name.
  private struct Count {
    var (whole, reported) = (0, 0)
  }

  /// Runs them; returns whether damage was reported or without effect for each.
  func run() throws -> Bool {
    let recording = options.scratch + "/bits"
    try campaign.record(.small, in: recording)
    let paths = try DiskImage(contentsOf: recording + "/root").files.filter { !$0.isMapped && !$0.bytes.isEmpty }
    var isKept = true
    for path in paths.map(\.path) where options.files.isEmpty || options.files.contains(where: path.contains) {
      if try !run(path, recording) { isKept = false }
    }
    return isKept
  }

  private func run(_ path: String, _ recording: String) throws -> Bool {
    let began = ContinuousClock.now
    var (counts, findings) = ([String: Count](), [String]())
    var run = FlipRun(
      recording: recording, scratch: options.scratch + "/images", seed: options.seed, file: path, limit: options.bits)
    try FileManager.default.createDirectory(atPath: run.scratch, withIntermediateDirectories: true)
    while findings.count < 20 {
      let child = try Child([campaign.worker] + run.arguments)
      child.closeInput()
      while let line = try child.line() {
        let words = line.split(separator: "\t").map(String.init)
        switch words.first {
        case "bit" where words[2] == "whole": counts[words[1], default: Count()].whole += 1
        case "bit" where words[2] == "reported": counts[words[1], default: Count()].reported += 1
        case "finding": findings.append("\(words[2]): \(words[3])")
        default: continue
        }
      }
      let ending = child.wait()
      if ending == .exit(0) { break }
      let current = try String(contentsOfFile: run.currentPath, encoding: .utf8).split(separator: "\t")
      run.first = Int(current[0])! + 1
      findings.append("\(current[1]): the process ended with \(ending)")
    }
    let seconds = Int(began.duration(to: .now).components.seconds)
    let bits = counts.filter { $0.key != "unused" }.values.reduce(0) { $0 + $1.whole + $1.reported }
    say("\(path): \(bits) bits, \(seconds) s: \(findings.isEmpty ? "all promises kept" : "BROKEN")")
    for (name, count) in counts.sorted(by: { $0.key < $1.key }) {
      say("  \(name): \(count.reported) reported, \(count.whole) without effect")
    }
    for finding in findings.prefix(20) { say("  \(finding)") }
    return findings.isEmpty
  }
}
