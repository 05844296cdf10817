// Measures submits against plain appends, typing, and the time until other processes see a submit.
import ChatCodec
import EventLogLMDB
import Foundation
import Verbatim

/// The benchmarks of submits to a workspace.
final class SubmitBench {
  /// A part that can be run on its own.
  enum Part: String, CaseIterable {
    case one, tasks, typing, observed
  }

  let options: Options
  let disk: Disk
  let workload = SubmitWorkload()

  init(options: Options, disk: Disk) {
    self.options = options
    self.disk = disk
  }

  func run() throws -> [Grid] {
    var grids: [Grid] = []
    var columns: [(name: String, figures: [String: Figure])] = []
    if includes(.one) { columns.append(("1 caller", try inTurn(callers: 1))) }
    if includes(.tasks) { columns.append(("64 tasks", try inTurn(callers: 64))) }
    if !columns.isEmpty {
      grids.append(
        Grid(
          "submit", "Messages, each on the disk before the next of its caller, events/s", columns: columns,
          rows: ["append", "submit"], ratios: [Ratio("submit", to: "append")]))
    }
    if includes(.typing) { grids.append(try typing()) }
    if includes(.observed) { grids.append(try observed()) }
    return grids
  }

  private func includes(_ part: Part) -> Bool { options.submitPart == nil || options.submitPart == part }

  /// Passes a workspace with a channel to the body.
  func withWorkspace<R>(_ body: (Workspace) throws -> R) throws -> R {
    try disk.withDirectory { directory in
      let workspace = try Workspace.open(at: directory + "/workspace")
      defer { workspace.closeBlocking() }
      for submission in workload.beginning { try workspace.submitBlocking(submission) }
      return try body(workspace)
    }
  }
}

// MARK: Beside appends

extension SubmitBench {
  private func inTurn(callers: Int) throws -> [String: Figure] {
    let contestants: [Contestant] = [
      { [self] in ["append": callers == 1 ? try append() : try appendInTasks(callers)] },
      { [self] in ["submit": callers == 1 ? try submit() : try submitInTasks(callers)] },
    ]
    return try bench.inTurn(contestants, rounds: options.rounds, unit: .perSecond)
  }

  private func submit() throws -> Double {
    try withWorkspace { workspace in
      try rate(workload.submissions(options.limit.events / 10)) { try workspace.submitBlocking($0) }
    }
  }

  /// Appends the bytes that the submits produce.
  private func append() throws -> Double {
    try withStore { store in
      try rate(workload.proposals(options.limit.events / 10)) { _ = try store.appendBlocking([$0]) as Receipt }
    }
  }

  private func withStore<R>(_ body: (EventStore) throws -> R) throws -> R {
    try disk.withDirectory { directory in
      let store = try openStore(directory)
      defer { store.close() }
      return try body(store)
    }
  }

  /// Returns the operations per second, up to the limit.
  private func rate<Thing>(_ things: [Thing], _ body: (Thing) throws -> Void) throws -> Double {
    let start = ContinuousClock.now
    var elapsed = 0.0
    for (count, thing) in things.enumerated() {
      try body(thing)
      elapsed = secondsSince(start)
      if elapsed > options.limit.seconds { return Double(count + 1) / elapsed }
    }
    return Double(things.count) / elapsed
  }

  private func submitInTasks(_ tasks: Int) throws -> Double {
    let all = workload.submissions(options.limit.events)
    return try withWorkspace { workspace in
      try rate(all, inTasks: tasks) { try await workspace.submit($0) }
    }
  }

  private func appendInTasks(_ tasks: Int) throws -> Double {
    let all = workload.proposals(options.limit.events)
    return try withStore { store in
      try rate(all, inTasks: tasks) { _ = try await store.append([$0]) as Receipt }
    }
  }

  /// The same, distributed over tasks, each of which awaits one operation before the next.
  private func rate<Thing: Sendable>(
    _ things: [Thing], inTasks tasks: Int, _ body: @escaping @Sendable (Thing) async throws -> Void
  ) throws -> Double {
    let start = ContinuousClock.now
    let deadline = start + .seconds(options.limit.seconds)
    let count = try waiting {
      try await withThrowingTaskGroup(of: Int.self) { group in
        for task in 0..<tasks {
          group.addTask {
            var count = 0
            for index in stride(from: task, to: things.count, by: tasks) {
              if ContinuousClock.now > deadline { break }
              try await body(things[index])
              count += 1
            }
            return count
          }
        }
        return try await group.reduce(0, +)
      }
    }
    return Double(count) / secondsSince(start)
  }
}

// MARK: Typing

extension SubmitBench {
  /// Types characters without waiting for each, until all are durable.
  private func typing() throws -> Grid {
    var samples: [Double] = []
    for _ in 0..<options.rounds { samples.append(try withWorkspace { try type(in: $0) }) }
    return Grid(
      "typing", "Letters typed one by one, answered at once, up to when all are on the disk, events/s",
      columns: [("1 composer", ["typed": Figure(unit: .perSecond, samples: samples)])], rows: ["typed"])
  }

  private func type(in workspace: Workspace) throws -> Double {
    let (limit, key) = (options.limit, workload.composer)
    return try waiting {
      let composer = try await workspace.openComposer(key)
      let start = ContinuousClock.now
      var (count, length) = (0, 0)
      while count % 64 != 0 || secondsSince(start) < limit.seconds {
        let end = UTF16Offset(rawValue: length)
        let splice = length < 200 ? Splice(end..<end, to: "a") : Splice(.start..<end, to: "")
        length = length < 200 ? length + 1 : 0
        if try !record(splice, in: composer) {
          // When the queue is full, the writer waits for a flush, as an app would.
          try await composer.flush()
          _ = try record(splice, in: composer)
        }
        count += 1
      }
      try await composer.flush()
      return Double(count) / secondsSince(start)
    }
  }
}

/// Records a change of the text; returns whether the queue had space for it.
private func record(_ splice: Splice, in composer: OpenComposer) throws -> Bool {
  do { try composer.record([.typed(splice)]) } catch SubmitError.full { return false }
  return true
}
