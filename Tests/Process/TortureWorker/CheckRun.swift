// A run over the images of a trace, in a process of its own, since an image may end the process.
import ChildProcess
import CrashImages
import Foundation
import LMDBPages
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The parameters of a run over the images of a trace, which a process passes to another as arguments.
struct CheckRun: Sendable {
  /// The directory of a recorded workload: its trace, and the disk before.
  var recording: String
  /// The directory in which images are written.
  var scratch: String
  var seed: UInt64
  var limit: Int
  /// The fault that the player pretends.
  var fault: Fault?
  /// Whether there is one image for each cut: that of what is certain.
  var isOfCertainty = false
  /// The number of the first image that is checked.
  var first = 0
  /// The number of findings after which the run ends.
  var findingsMax = 5
  /// The directory to which images with findings are copied; nil for none.
  var kept: String?

  var arguments: [String] {
    let fault: [String] =
      switch fault {
      case .without(let kind): ["without", kind]
      case .late(let kind): ["late", kind]
      case .lying(let seed): ["lying", "\(seed)"]
      case nil: ["none", ""]
      }
    let numbers = ["\(first)", "\(findingsMax)", isOfCertainty ? "certain" : "all", kept ?? ""]
    return ["check", recording, scratch, "\(seed)", "\(limit)"] + fault + numbers
  }

  init(recording: String, scratch: String, seed: UInt64, limit: Int) {
    (self.recording, self.scratch, self.seed, self.limit) = (recording, scratch, seed, limit)
  }

  init(_ arguments: [String]) {
    self.init(
      recording: arguments[1], scratch: arguments[2], seed: UInt64(arguments[3])!, limit: Int(arguments[4])!)
    fault =
      switch arguments[5] {
      case "without": .without(arguments[6])
      case "late": .late(arguments[6])
      case "lying": .lying(seed: UInt64(arguments[6])!)
      default: nil
      }
    (first, findingsMax) = (Int(arguments[7])!, Int(arguments[8])!)
    isOfCertainty = arguments[9] == "certain"
    kept = arguments[10].isEmpty ? nil : arguments[10]
  }

  /// The number of the image that is being checked, for the process that started this one.
  var currentPath: String { scratch + "/current" }

  /// Whether the changes of a path are of data that is never derived.
  static func isImportant(_ path: String) -> Bool {
    let names = path.split(separator: "/")
    // Which transactions are durable is known without the mark, unless they are damaged.
    let others: Set<Substring> = ["lock.mdb", "lock", "writer-lock", "writer-queue", "durable"]
    guard let last = names.last, !others.contains(last), !names.contains("index") else { return false }
    guard let place = names.firstIndex(of: "projections"), place + 1 < names.count else { return true }
    // Checkpoints are kept; snapshots are copies that are checked.
    return ["checkpoints", "snapshots"].contains(names[place + 1])
  }
}

extension CheckRun {
  /// Checks the images, and prints a line for each finding and one at the end.
  func run() async throws {
    if fault?.kind != nil { DataFile.completePagesMax.store(0, ordering: .relaxed) }
    let trace = try Trace(at: recording + "/trace")
    var series = ImageSeries(
      trace, on: try Disk(savedIn: recording + "/before"), fault: fault, seed: seed,
      // What is not synced because of a fault is chosen in all subsets.
      isImportant: { [fault] path in
        Self.isImportant(path) || fault?.kind.map { Player.isKind($0, of: path) } ?? false
      })
    series.isOfCertainty = isOfCertainty
    let current = open(currentPath, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    let isLying = fault?.isLying ?? false
    var (check, findings) = (ImageCheck(of: recording, lossesAreFindings: !isLying), 0)
    var ledger = try Ledger(before: recording)
    var marks = trace.operations.filter { $0.mark != nil }[...]
    var images = series.images(limit)
    while let image = images.next() {
      while let first = marks.first, first.began < image.cut {
        ledger.add(first.mark!, at: first.time)
        marks = marks.dropFirst()
      }
      if image.number < first { continue }
      var number = UInt64(image.number)
      pwrite(current, &number, 8, 0)
      do {
        let (time, losses) = (image.cut > 0 ? trace.times[image.cut - 1] : 0, check.losses.count)
        try await self.check(image, ledger, at: time, &check)
        if check.losses.count > losses { say("earlier") }
      } catch let finding as Finding where isLying && finding.kind == .reported {
        say("reported")
      } catch let finding as Finding {
        findings += 1
        try report(finding, image)
        if findings >= findingsMax { break }
      }
    }
    let (counts, age) = (images.counts, check.oldestLostKeystroke)
    say("done\t\(counts.images)\t\(counts.cuts)\t\(counts.exhausted)\t\(age)")
  }

  private func check(
    _ image: ImageSeries.Image, _ ledger: Ledger, at time: UInt64, _ check: inout ImageCheck
  ) async throws {
    let root = scratch + "/image"
    try? FileManager.default.removeItem(atPath: root)
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    try image.disk.write(to: root, seed: image.seed)
    try await check.check(root, ledger, at: time)
  }

  /// Copies the image that a process was checking when it crashed, as it left it.
  func keepImage(_ number: Int, _ finding: String) throws {
    try keep(number, finding) { try FileManager.default.copyItem(atPath: scratch + "/image", toPath: $0) }
  }

  /// Keeps an image, which the closure writes at a path where nothing is, with a text beside it.
  private func keep(_ number: Int, _ text: String, _ write: (String) throws -> Void) throws {
    guard let kept else { return }
    let root = "\(kept)/\(number)"
    try? FileManager.default.removeItem(atPath: root)
    try FileManager.default.createDirectory(atPath: kept, withIntermediateDirectories: true)
    try write(root)
    try Data("\(text)\n".utf8).write(to: URL(fileURLWithPath: root + ".txt"))
  }

  private func report(_ finding: Finding, _ image: ImageSeries.Image) throws {
    try keep(image.number, "\(finding)\nrecord \(image.cut)\n\(image.changes)") { root in
      try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
      try image.disk.write(to: root, seed: image.seed)
    }
    say("finding\t\(image.number)\t\(image.cut)\t\(finding)\t\(image.changes)")
  }
}
