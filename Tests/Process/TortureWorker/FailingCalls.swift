// Failing calls: one call of a workload fails, or all from that one on; what was promised must hold nevertheless.
import ChildProcess
import CrashImages
import Foundation
import Locks
import SeededRandom

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Runs of the workloads of a campaign in which calls fail.
struct FailingCalls {
  private let campaign: Campaign
  private var options: Options { campaign.options }

  init(_ campaign: Campaign) { self.campaign = campaign }

  /// Runs them; returns whether every promise was kept.
  func run() throws -> Bool {
    let failures = Failure.all.filter { options.failures.isEmpty || options.failures.contains($0.name) }
    let parts = try options.workloads.flatMap(subjects).flatMap { subject in failures.map { (subject, $0) } }
    let messages = Locked<[String: Int]>([:])
    let isKept = try campaign.run(parts) { part, scratch in
      try FailingRuns(campaign, part.0, part.1, in: scratch + "/calls").run(messages)
    }
    if options.hasMessages {
      for (message, count) in messages.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
        say("  \(count) × \(message)")
      }
    }
    return isKept
  }

  /// A process in which calls fail: that of a workload, or the one that opens what another workload left.
  fileprivate struct Subject: Sendable {
    let name: String
    /// The workload that the process runs; nil if it opens what was left.
    let workload: String?
    /// The directory with what was left, as `root` and `marks`; nil if the process begins with nothing.
    var prepared: String?
    /// The number of the boot of the system.
    var boot = 1
  }

  /// Returns the processes of a workload.
  private func subjects(of workload: Workload) throws -> [Subject] {
    switch workload.beginning {
    case .empty: return [Subject(name: workload.name, workload: workload.name)]
    case .powerCut(let origins), .kill(let origins):
      return try origins.map { origin in
        let name = "\(workload.name)-\(origin)"
        let prepared = "\(options.scratch)/prepared-\(name)"
        try campaign.prepare(workload, after: Workload.named(origin)!, in: prepared)
        return Subject(name: name, workload: nil, prepared: prepared, boot: workload.bootOfRecovery)
      }
    }
  }

}

/// Runs of a process in each of which another call fails in the same way.
private struct FailingRuns {
  let campaign: Campaign
  let subject: FailingCalls.Subject
  let failure: Failure
  /// The directory of the run in progress.
  let recording: String
  private var options: Options { campaign.options }

  init(_ campaign: Campaign, _ subject: FailingCalls.Subject, _ failure: Failure, in recording: String) {
    (self.campaign, self.subject, self.failure, self.recording) = (campaign, subject, failure, recording)
  }

  /// Runs them, and counts the errors that the processes got.
  func run(_ messages: Locked<[String: Int]>) throws -> Report {
    let began = ContinuousClock.now
    let count = try attempt(call: 0).calls
    var (findings, failed) = ([String](), 0)
    let chosen = options.call.map { [$0] } ?? choose(options.calls, of: count, seed: options.seed).map { $0 + 1 }
    for call in chosen {
      let attempt = try attempt(call: call)
      if attempt.failed > 0 { failed += 1 }
      for line in attempt.lines where line.hasPrefix("error\t") {
        let message = "\(failure.name) \(Self.form(of: String(line.dropFirst(6))))"
        messages.withLock { $0[message, default: 0] += 1 }
      }
      let found = try check(attempt)
      findings += found.map { "call \(call) (\(attempt.fault)): \($0)" }
      if findings.count >= 10 { break }
    }
    let seconds = Int(began.duration(to: .now).components.seconds)
    let line =
      subject.name.padding(toLength: 20, withPad: " ", startingAt: 0)
      + failure.name.padding(toLength: 16, withPad: " ", startingAt: 0)
      + "\(failed) of \(count) calls, \(seconds) s: "
      + (findings.isEmpty ? "all promises kept" : "BROKEN")
    return Report(lines: [line] + findings.map { "  \($0)" }, isKept: findings.isEmpty)
  }

  /// A run of a workload in which a call failed.
  private struct Attempt {
    let ending: Child.Ending
    let lines: [String]
    /// The number of calls that could fail, and of those that did.
    let calls: Int
    let failed: Int
    /// The call that failed.
    let fault: String
  }

  private func attempt(call: Int) throws -> Attempt {
    let (root, trace, counts) = (recording + "/root", recording + "/trace", recording + "/counts")
    try? FileManager.default.removeItem(atPath: recording)
    if let prepared = subject.prepared {
      try FileManager.default.createDirectory(atPath: recording, withIntermediateDirectories: true)
      try FileManager.default.copyItem(atPath: prepared + "/root", toPath: root)
    } else {
      try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    }
    try Disk.save(contentsOf: root, in: recording + "/before")
    if let prepared = subject.prepared {
      try FileManager.default.copyItem(atPath: prepared + "/marks", toPath: recording + "/before/marks")
    }
    try Data(count: 16).write(to: URL(fileURLWithPath: counts))
    let arguments = subject.workload.map { ["run", $0] } ?? ["recover", recording + "/before/marks"]
    let (ending, lines) = try campaign.recorder.record(
      [campaign.worker] + arguments + [root, "\(options.seed)"], below: root, in: trace,
      boot: Campaign.boot(subject.boot),
      failing: FailingCall(number: call, error: failure.error, isSticky: failure.isSticky, counts: counts))
    if call == 0, ending != .exit(0) { throw Finding("the workload \(subject.name) ended with \(ending): \(lines)") }
    let numbers = try Data(contentsOf: URL(fileURLWithPath: counts)).withUnsafeBytes {
      Array($0.bindMemory(to: UInt64.self))
    }
    let marks = try Trace(at: trace).operations.compactMap(\.mark)
    let fault = marks.first { $0.hasPrefix("fault ") }.map { String($0.dropFirst(6)) } ?? "none"
    return Attempt(
      ending: ending, lines: lines, calls: Int(numbers[0]), failed: Int(numbers[1]), fault: fault)
  }

  /// Returns the promises that do not hold after a run, without a fault.
  private func check(_ attempt: Attempt) throws -> [String] {
    var findings: [String] = []
    let errors = attempt.lines.filter { $0.hasPrefix("error\t") }
    switch attempt.ending {
    case .exit(0): break
    case .exit(1) where !errors.isEmpty: break
    default: findings.append("the workload ended with \(attempt.ending)")
    }
    // The judge is a program of the same boot of the system.
    let (ending, lines) = try campaign.recorder.record(
      [campaign.worker, "judge", recording], below: options.scratch + "/none", in: "/dev/null",
      boot: Campaign.boot(subject.boot))
    findings += lines.filter { $0.hasPrefix("finding\t") }.map { String($0.dropFirst(8)) }
    if ending != .exit(0) { findings.append("the check ended with \(ending): \(lines)") }
    return findings.isEmpty ? [] : findings + errors
  }

  /// Returns a message with its numbers and ids replaced.
  private static func form(of message: String) -> String {
    message.replacing(/\/[^ ,:;“”]*calls\/root/, with: "").replacing(/[0-9A-Fa-f\-]{8,}|[0-9]+/, with: "#")
  }
}

/// A way in which calls fail.
struct Failure: Sendable {
  let name: String
  let error: String
  let isSticky: Bool

  static let all =
    ["EIO", "ENOSPC", "EINTR", "half", "done"].map { Failure(name: $0, error: $0, isSticky: false) }
    + ["EIO", "ENOSPC"].map { Failure(name: $0 + "-onwards", error: $0, isSticky: true) }
}

/// The check of what a run with a failed call left: as it is, and after a power cut at its end.
struct Judge {
  let recording: String

  func run() async throws {
    let trace = try Trace(at: recording + "/trace")
    let ledger = try Ledger(of: trace, in: recording)
    for finding in ledger.findings { say("finding\t\(finding)") }
    let time = trace.times.last ?? 0
    await report("") {
      var check = ImageCheck(of: recording)
      try await check.check(recording + "/root", ledger, at: time)
    }
    setenv("TORTURE_BOOT", Campaign.boot(3), 1)
    await report("after a power cut at the end: ") {
      var player = Player(trace, on: try Disk(savedIn: recording + "/before"))
      player.move(to: trace.recordCount)
      let image = recording + "/image"
      try FileManager.default.createDirectory(atPath: image, withIntermediateDirectories: true)
      try player.disk.image { _ in .nothing }.write(to: image, seed: 0)
      var check = ImageCheck(of: recording)
      try await check.check(image, ledger, at: time)
    }
  }

  private func report(_ words: String, _ body: () async throws -> Void) async {
    do { try await body() } catch { say("finding\t\(words)\(error)") }
  }
}

// MARK: Workloads that go on

/// Whether this process is a workload in which calls fail, so that it tries each step once more.
private let isFailing = getenv("TORTURE_FAIL") != nil

/// Runs a step; once more after an error, if calls fail in this process.
nonisolated(nonsending) func retrying<R>(_ body: () async throws -> R) async throws -> R {
  do { return try await body() } catch {
    guard isFailing else { throw error }
    say("error\t\(error)")
    return try await body()
  }
}

/// Runs a step; once more after an error, if calls fail in this process.
func retryingBlocking<R>(_ body: () throws -> R) throws -> R {
  do { return try body() } catch {
    guard isFailing else { throw error }
    say("error\t\(error)")
    return try body()
  }
}
