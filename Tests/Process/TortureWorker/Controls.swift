// Negative controls: the images of a program without a sync must break a promise.
import ChildProcess
import CrashImages
import Foundation

/// The controls of a campaign: one for each kind of sync that its traces have.
struct Controls {
  private let campaign: Campaign

  init(_ campaign: Campaign) { self.campaign = campaign }

  /// Runs all controls; returns whether each was caught.
  func run() throws -> Bool {
    var workloads: [String: [String]] = [:]
    var idle: Set<String> = []
    for recording in campaign.options.workloads.flatMap(campaign.recordings) {
      let (effective, all) = try kinds(of: recording)
      for kind in effective { workloads[kind, default: []].append(recording) }
      idle.formUnion(all)
    }
    say("controls: \(workloads.count) kinds of syncs")
    var isCaught = true
    for (kind, workloads) in workloads.sorted(by: { $0.key < $1.key }) {
      if !campaign.options.kinds.isEmpty, !campaign.options.kinds.contains(where: kind.contains) { continue }
      if try !control(kind, workloads) { isCaught = false }
    }
    for kind in idle.subtracting(workloads.keys).sorted() {
      say("  \(kind): made nothing certain in any workload")
    }
    return isCaught
  }

  private func control(_ kind: String, _ recordings: [String]) throws -> Bool {
    let options = campaign.options
    let (fault, word) = options.isOrdered ? (Fault.late(kind), "late") : (.without(kind), "without")
    // First a few images of some recordings, then many of the first ones. A late sync is missed most where something
    // was reported before it.
    var (recordings, changes) = (recordings, Set<String>())
    if options.isOrdered {
      let later = try recordings.map { try self.changes(after: kind, in: $0) }
      let (reported, others) = (zip(recordings, later).filter(\.1.isReported), zip(recordings, later))
      recordings = reported.map(\.0) + others.filter { !$0.1.isReported }.map(\.0)
      changes = later.reduce(into: []) { $0.formUnion($1.changes) }
    }
    let some = stride(from: 0, to: recordings.count, by: max(1, recordings.count / 12)).map { recordings[$0] }
    let attempts = some.map { ($0, min(60, options.controlImages)) }
    for (recording, limit) in attempts + recordings.prefix(2).map({ ($0, options.controlImages) }) {
      var run = CheckRun(
        recording: recording, scratch: options.scratch + "/images", seed: options.seed, limit: limit)
      (run.fault, run.findingsMax) = (fault, 1)
      run.kept = options.kept.map { "\($0)/\(word) \(kind.replacing("/", with: "_"))" }
      if let finding = try campaign.outcome(of: run).findings.first {
        say("  \(word) \(kind): caught, \(finding)")
        return true
      }
    }
    say("  \(word) \(kind): NOT CAUGHT in \(recordings.count) recordings")
    if options.isOrdered { say("    it was moved behind: \(changes.sorted().joined(separator: ", "))") }
    return false
  }

  /// Returns the changes behind which the syncs of a kind are moved, and whether something was reported before one of
  /// them.
  private func changes(after kind: String, in recording: String) throws -> (changes: Set<String>, isReported: Bool) {
    let trace = try Trace(at: recording + "/trace")
    var player = Player(trace, on: try Disk(savedIn: recording + "/before"))
    var (changes, isReported): (Set<String>, Bool) = ([], false)
    for (index, operation) in trace.operations.enumerated() where operation.isSync {
      player.move(to: operation.ended)
      guard player.kind(of: index) == kind else { continue }
      let next = trace.nextChange(after: index)
      changes.insert(next.map { player.change($0) } ?? "the end")
      if trace.operations[index..<(next ?? trace.operations.count)].contains(where: { $0.mark != nil }) {
        isReported = true
      }
    }
    return (changes, isReported)
  }

  /// Returns the kinds of syncs in a trace: those that made something certain, and all.
  private func kinds(of recording: String) throws -> (effective: Set<String>, all: Set<String>) {
    let trace = try Trace(at: recording + "/trace")
    var player = Player(trace, on: try Disk(savedIn: recording + "/before"))
    player.move(to: trace.recordCount)
    return (Set(player.effectiveSyncs.keys), Set(player.syncs.keys))
  }
}
