// Negative controls: the images of a program without a sync must break a promise.
import ChildProcess
import CrashImages
import Foundation
import Locks

/// The controls of a campaign: one for each kind of sync that its traces have.
struct Controls {
  private let campaign: Campaign

  init(_ campaign: Campaign) { self.campaign = campaign }

  /// The syncs of one kind in a recording.
  private struct Syncs: Sendable {
    let recording: String
    let recordCount: Int
    /// Whether one of them made a change certain.
    var isEffective = false
    /// The changes behind which they are moved if they are late.
    var changes: Set<String> = []
    /// Whether a mark is before one of these changes.
    var isMarked = false
  }

  /// Runs all controls; returns whether each was caught.
  func run() throws -> Bool {
    let found = Locked<[String: [String: Syncs]]>([:])
    let recordings = campaign.options.workloads.flatMap(campaign.recordings)
    _ = try campaign.run(recordings) { recording, _ in
      let syncs = try syncs(in: recording)
      found.withLock { $0[recording] = syncs }
      return Report()
    }
    var (kinds, idle): ([String: [Syncs]], Set<String>) = ([:], [])
    for syncs in recordings.compactMap({ recording in found.withLock { $0[recording] } }) {
      for (kind, ofKind) in syncs {
        if ofKind.isEffective { kinds[kind, default: []].append(ofKind) } else { idle.insert(kind) }
      }
    }
    say("controls: \(kinds.count) kinds of syncs")
    let wanted = campaign.options.kinds
    let chosen = kinds.sorted { $0.key < $1.key }.filter { kind, _ in
      wanted.isEmpty || wanted.contains(where: kind.contains)
    }
    let isCaught = try campaign.run(chosen) { part, scratch in try control(part.key, part.value, in: scratch) }
    for kind in idle.subtracting(kinds.keys).sorted() {
      say("  \(kind): made nothing certain in any workload")
    }
    return isCaught
  }

  private func control(_ kind: String, _ syncs: [Syncs], in scratch: String) throws -> Report {
    let options = campaign.options
    let (fault, word) = options.isOrdered ? (Fault.late(kind), "late") : (.without(kind), "without")
    // First a few images of each recording, then more. Images of a short one have more of its cuts, and are checked
    // faster. A late sync is missed most where a mark is before it.
    let short = syncs.sorted { ($0.recordCount, $0.recording) < ($1.recordCount, $1.recording) }
    let syncs = options.isOrdered ? short.filter(\.isMarked) + short.filter { !$0.isMarked } : short
    let recordings = syncs.map(\.recording)
    // A late sync makes a difference at few cuts.
    let few = min(options.isOrdered ? 20 : 60, options.controlImages)
    for (round, limit) in [few, max(few, options.controlImages / recordings.count)].enumerated() {
      for recording in recordings {
        let seed = options.seed &+ UInt64(round)
        var run = CheckRun(recording: recording, scratch: scratch, seed: seed, limit: limit)
        (run.fault, run.findingsMax) = (fault, 1)
        run.kept = options.kept.map { "\($0)/\(word) \(kind.replacing("/", with: "_"))" }
        if let finding = try campaign.outcome(of: run).findings.first {
          return Report(lines: ["  \(word) \(kind): caught, \(finding)"])
        }
      }
    }
    var report = Report(lines: ["  \(word) \(kind): NOT CAUGHT in \(syncs.count) recordings"], isKept: false)
    if options.isOrdered {
      let changes = syncs.reduce(into: Set()) { $0.formUnion($1.changes) }
      report.lines.append("    it was moved behind: \(changes.sorted().joined(separator: ", "))")
    }
    return report
  }

  /// Returns the syncs in a recording, by their kind.
  private func syncs(in recording: String) throws -> [String: Syncs] {
    let trace = try Trace(at: recording + "/trace")
    var player = Player(trace, on: try Disk(savedIn: recording + "/before"))
    var syncs: [String: Syncs] = [:]
    for (index, operation) in trace.operations.enumerated() where operation.isSync {
      player.move(to: operation.ended)
      guard let kind = player.kind(of: index) else { continue }
      var ofKind = syncs[kind] ?? Syncs(recording: recording, recordCount: trace.recordCount)
      if let next = trace.nextChange(after: index) {
        let isMarked = trace.operations[index..<next].contains { $0.mark != nil }
        ofKind.changes.insert(player.change(next) + (isMarked ? " after a mark" : ""))
        if isMarked { ofKind.isMarked = true }
      } else {
        ofKind.changes.insert("no change")
      }
      syncs[kind] = ofKind
    }
    player.move(to: trace.recordCount)
    for kind in player.effectiveKinds { syncs[kind]?.isEffective = true }
    return syncs
  }
}
