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
    let chosen = paths.map(\.path).filter { options.files.isEmpty || options.files.contains(where: $0.contains) }
    return try campaign.run(chosen) { path, scratch in try run(path, recording, in: scratch) }
  }

  private func run(_ path: String, _ recording: String, in scratch: String) throws -> Report {
    let began = ContinuousClock.now
    var (counts, findings) = ([String: Count](), [String]())
    var run = FlipRun(
      recording: recording, scratch: scratch, seed: options.seed, file: path, limit: options.bits)
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
    var report = Report(isKept: findings.isEmpty)
    report.lines.append("\(path): \(bits) bits, \(seconds) s: \(report.isKept ? "all promises kept" : "BROKEN")")
    report.lines += counts.sorted { $0.key < $1.key }.map { name, count in
      "  \(name): \(count.reported) reported, \(count.whole) without effect"
    }
    report.lines += findings.prefix(20).map { "  \($0)" }
    return report
  }
}
