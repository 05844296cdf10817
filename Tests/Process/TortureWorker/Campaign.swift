// A campaign: records workloads, and has their images checked, with and without faults.
import ChildProcess
import CrashImages
import Foundation
import SeededRandom

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A campaign over workloads, as requested by the arguments of `Tools/torture`.
struct Campaign {
  var options: Options
  let recorder: Recorder
  let worker: String

  init(_ options: Options) throws {
    self.options = options
    try FileManager.default.createDirectory(atPath: options.scratch, withIntermediateDirectories: true)
    recorder = try Recorder(source: options.recorder, in: options.scratch)
    worker = Child.path(ofWorker: "TortureWorker")
  }

  /// The outcome of a run over the images of a workload.
  struct Outcome {
    var images = 0
    var cuts = 0
    var exhausted = 0
    var oldestLostKeystroke: UInt64 = 0
    /// The images of a lying disk with an error, with an earlier state, and at which the process crashed.
    var (reported, earlier, crashed) = (0, 0, 0)
    var findings: [String] = []

    fileprivate mutating func add(_ other: Outcome) {
      (images, cuts, exhausted) = (images + other.images, cuts + other.cuts, exhausted + other.exhausted)
      oldestLostKeystroke = max(oldestLostKeystroke, other.oldestLostKeystroke)
      (reported, earlier) = (reported + other.reported, earlier + other.earlier)
      crashed += other.crashed
      findings += other.findings
    }
  }

  /// Runs the campaign; returns whether every promise was kept, and every control was caught.
  func run() throws -> Bool {
    if options.hasFailingCalls {
      say("seed \(options.seed)")
      return try FailingCalls(self).run()
    }
    if options.hasFlippedBits {
      say("seed \(options.seed)")
      return try FlippedBits(self).run()
    }
    say("seed \(options.seed), \(options.images) images for each workload")
    for workload in options.workloads { try record(workload) }
    var isKept = options.images == 0 ? true : try run(options.workloads, check)
    if options.isControlled, try !Controls(self).run() { isKept = false }
    return isKept
  }

  /// The directories of the recordings of a workload.
  func recordings(_ workload: Workload) -> [String] {
    switch workload.beginning {
    case .empty: ["\(options.scratch)/\(workload.name)"]
    case .powerCut(let origins), .kill(let origins):
      origins.flatMap { origin in
        (0..<options.recoveries).map { "\(options.scratch)/\(workload.name)-\(origin)-\($0)" }
      }
    }
  }

  /// Records a workload: each recording has a trace, and the disk before it.
  private func record(_ workload: Workload) throws {
    var random = SeededRandom(seed: options.seed)
    for recording in recordings(workload) {
      let (root, trace) = (recording + "/root", recording + "/trace")
      try make(recording)
      try make(root)
      let origin = recording.split(separator: "-").dropLast().last.flatMap { Workload.named(String($0)) } ?? workload
      switch workload.beginning {
      case .empty: try record(workload, in: recording)
      case .kill:
        try Disk.save(contentsOf: root, in: recording + "/before")
        let marks = try kill(origin, root, in: trace, &random)
        try write(marks, to: recording + "/marks")
        try recover(recording + "/marks", root, trace, workload)
      case .powerCut:
        let marks = try cutOff(origin, root, &random)
        try Disk.save(contentsOf: root, in: recording + "/before")
        try write(marks, to: recording + "/before/marks")
        try recover(recording + "/before/marks", root, trace, workload)
      }
      try requireWhole(Trace(at: trace), on: Disk(savedIn: recording + "/before"), workload)
      try FileManager.default.removeItem(atPath: root)
    }
  }

  /// Writes what a workload leaves that is killed or cut off into a directory, as `root`, with the marks before that.
  func prepare(_ workload: Workload, after origin: Workload, in directory: String) throws {
    var random = SeededRandom(seed: options.seed)
    let root = directory + "/root"
    switch workload.beginning {
    case .empty: try make(root)
    case .kill:
      var marks: [String] = []
      // Not so early that nothing is there.
      while !marks.contains(where: { $0.hasPrefix("there ") }) {
        try make(directory)
        try make(root)
        marks = try kill(origin, root, in: directory + "/trace", &random)
      }
      try write(marks, to: directory + "/marks")
    case .powerCut:
      try make(root)
      try write(cutOff(origin, root, &random), to: directory + "/marks")
    }
  }

  /// Records a workload that begins with nothing; what it leaves stays in the directory `root`.
  func record(_ workload: Workload, in recording: String) throws {
    let (root, trace) = (recording + "/root", recording + "/trace")
    try make(recording)
    try make(root)
    try Disk.save(contentsOf: root, in: recording + "/before")
    try require(run(workload, root, in: trace), [.exit(0)], workload)
  }

  private func make(_ directory: String) throws {
    try? FileManager.default.removeItem(atPath: directory)
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
  }

  private func run(
    _ workload: Workload, _ root: String, in trace: String, killedBefore change: Int? = nil
  ) throws -> Child.Ending {
    try recorder.record(
      [worker, "run", workload.name, root, "\(options.seed)"], below: root, in: trace, boot: Self.boot(1),
      killedBefore: change
    ).ending
  }

  /// Records a process that opens what another one left.
  private func recover(
    _ marks: String, _ root: String, _ trace: String, _ workload: Workload
  ) throws {
    let (ending, _) = try recorder.record(
      [worker, "recover", marks, root, "\(options.seed)"], below: root, in: trace,
      boot: Self.boot(workload.bootOfRecovery))
    try require(ending, [.exit(0)], workload)
  }

  private func write(_ marks: [String], to file: String) throws {
    try marks.joined(separator: "\n").write(toFile: file, atomically: false, encoding: .utf8)
  }

  private func require(_ ending: Child.Ending, _ allowed: [Child.Ending], _ workload: Workload) throws {
    if !allowed.contains(ending) { throw Finding("the workload \(workload.name) ended with \(ending)") }
  }

  /// The identity of a boot of the system.
  static func boot(_ number: Int) -> String { "00000000-0000-4000-8000-00000000000\(number)\n" }

  /// Runs a workload that is killed before one of its changes; returns the marks before that.
  private func kill(
    _ origin: Workload, _ root: String, in trace: String, _ random: inout SeededRandom
  ) throws -> [String] {
    // Half of them are killed while they create their files.
    let change = 1 + random.below(random.below(2) == 0 ? 60 : 400)
    try require(run(origin, root, in: trace, killedBefore: change), [.exit(0), .signal(SIGKILL)], origin)
    return try Trace(at: trace).operations.compactMap(\.mark)
  }

  /// Writes an image of a power cut of a workload into a directory; returns the marks before the cut.
  private func cutOff(_ origin: Workload, _ root: String, _ random: inout SeededRandom) throws -> [String] {
    let recording = options.scratch + "/" + origin.name
    if !FileManager.default.fileExists(atPath: recording + "/trace") { try record(origin) }
    let trace = try Trace(at: recording + "/trace")
    let series = ImageSeries(
      trace, on: try Disk(savedIn: recording + "/before"), seed: random.next(), isImportant: CheckRun.isImportant)
    var images = series.images(40)
    for _ in 0..<random.below(40) { _ = images.next() }
    guard let image = images.next() else { return [] }
    try image.disk.write(to: root, seed: image.seed)
    return trace.operations.filter { $0.began < image.cut }.compactMap(\.mark)
  }

  /// Throws if a trace does not have everything that changed.
  private func requireWhole(_ trace: Trace, on disk: Disk, _ workload: Workload) throws {
    for operation in trace.operations {
      if case .unknown(let call) = operation.effect { throw Finding("\(workload.name): \(call) is not recorded") }
    }
    var player = Player(trace, on: disk)
    player.move(to: trace.recordCount)
    for file in player.disk.mapped where !player.disk.path(of: file).hasSuffix("/lock.mdb") {
      throw Finding("\(workload.name): \(player.disk.path(of: file)) is mapped for writing, which is not recorded")
    }
  }

  @Sendable private func check(_ workload: Workload, in scratch: String) throws -> Report {
    let began = ContinuousClock.now
    var sum = Outcome()
    let recordings = recordings(workload)
    for recording in recordings {
      var run = CheckRun(
        recording: recording, scratch: scratch, seed: options.seed,
        limit: (options.images + recordings.count - 1) / recordings.count)
      run.kept = options.kept.map { $0 + "/" + workload.name }
      run.isOfCertainty = options.isOfCertainty
      if options.isOfLyingDisk { run.fault = .lying(seed: options.seed) }
      let outcome = try outcome(of: run)
      sum.add(outcome)
    }
    let age = sum.oldestLostKeystroke / 1_000_000
    if let limit = options.keystrokeLimit, age > limit {
      sum.findings.append("a keystroke was lost that was made \(age) ms before the cut, more than \(limit)")
    }
    let seconds = Int(began.duration(to: .now).components.seconds)
    var report = Report(isKept: sum.findings.isEmpty)
    report.lines.append(
      workload.name.padding(toLength: 12, withPad: " ", startingAt: 0)
        + "\(sum.images) images of \(sum.cuts) cuts (all subsets of \(sum.exhausted)), \(seconds) s: "
        + (report.isKept ? "all promises kept" : "BROKEN"))
    if options.isOfLyingDisk {
      report.lines.append(
        "  \(sum.reported) with an error, \(sum.earlier) with an earlier state, \(sum.crashed) at which the process "
          + "crashed; in the others everything is there")
    } else if sum.oldestLostKeystroke > 0 {
      report.lines.append("  the oldest lost keystroke was made \(age) ms before the cut")
    }
    report.lines += sum.findings.map { "  \($0)" }
    return report
  }

  /// Returns the beginning of a text that may be very long; `--keep` writes the whole one.
  private static func beginning(_ changes: String) -> String {
    changes.utf8.count > 400 ? changes.prefix(400) + "…" : changes
  }

  /// Runs over the images in processes of their own: one that ends by a signal is a finding, and the next continues.
  func outcome(of run: CheckRun) throws -> Outcome {
    var (run, outcome) = (run, Outcome())
    while true {
      let child = try Child([worker] + run.arguments)
      child.closeInput()
      while let line = try child.line() {
        let words = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        switch words.first {
        case "finding":
          let recording = run.recording.split(separator: "/").last ?? ""
          let changes = Self.beginning(words[4])
          outcome.findings.append("\(recording): image \(words[1]), record \(words[2]): \(words[3]) [\(changes)]")
        case "reported": outcome.reported += 1
        case "earlier": outcome.earlier += 1
        case "done":
          (outcome.images, outcome.cuts, outcome.exhausted) = (Int(words[1])!, Int(words[2])!, Int(words[3])!)
          outcome.oldestLostKeystroke = UInt64(words[4])!
        default: continue
        }
      }
      let ending = child.wait()
      if ending == .exit(0) { return outcome }
      let current = try Data(contentsOf: URL(fileURLWithPath: run.currentPath))
      let number = Int(current.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) })
      run.first = number + 1
      try run.keepImage(number, "the process ended with \(ending)")
      if run.fault?.isLying == true {
        // Tables that LMDB believes are whole can end the process.
        outcome.crashed += 1
        continue
      }
      outcome.findings.append("image \(number): the process ended with \(ending)")
      if outcome.findings.count >= run.findingsMax { return outcome }
    }
  }
}

/// The options of a campaign.
struct Options {
  var workloads = Workload.all
  var images = 70
  var seed = UInt64.random(in: 0...UInt64(UInt32.max))
  /// Whether only what is certain at each cut is an image.
  var isOfCertainty = false
  /// Whether the disk keeps only some of the syncs that it reports.
  var isOfLyingDisk = false
  var isControlled = false
  /// The number of recordings of each workload that begins with what another one left.
  var recoveries = 3
  /// Whether controls move syncs behind the next change, instead of leaving them out.
  var isOrdered = false
  /// The images for each control.
  var controlImages = 1_500
  /// The kinds of syncs that are controlled; all if it is empty.
  var kinds: [String] = []
  var scratch = ""
  var recorder = ""
  var kept: String?
  /// The age in milliseconds from which a lost keystroke is a finding; nil for none, since a busy machine is late.
  var keystrokeLimit: UInt64?
  /// Whether calls fail, instead of images being checked.
  var hasFailingCalls = false
  /// The number of runs for each workload and failure, in each of which another call fails; nil for all calls.
  var calls: Int?
  /// The number of the only call that fails; nil for those that are chosen.
  var call: Int?
  /// The names of the failures; all if it is empty.
  var failures: [String] = []
  /// Whether bits are flipped, instead of images being checked.
  var hasFlippedBits = false
  /// The number of bits of each file that are flipped; nil for all.
  var bits: Int?
  /// Parts of the paths of the files whose bits are flipped; all if it is empty.
  var files: [String] = []
  /// Whether the errors of the workloads are printed.
  var hasMessages = false
}

/// Returns the indices of a number of things: all, or some in equal distances, in ascending order.
func choose(_ limit: Int?, of count: Int, seed: UInt64) -> [Int] {
  guard let limit, limit < count else { return Array(0..<count) }
  var random = SeededRandom(seed: seed)
  let offset = random.below(count)
  return (0..<limit).map { ($0 * count / limit + offset) % count }.sorted()
}
