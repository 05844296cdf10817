// A long run: writers and readers of one workspace, with memory, file sizes and times as they go on.
import Chat
import Foundation
import EventLogLMDB
import VerbatimUI

/// The arguments of a run.
struct Arguments {
  var events = 10_000_000
  var seed = UInt64.random(in: 1...UInt64(UInt32.max))
  var writers = 16
  var interval = Duration.seconds(60)
  var directory = ".build/soak"
  var report = ".build/soak-report"

  init(_ arguments: [String]) throws {
    var rest = arguments[...]
    while let option = rest.popFirst() {
      guard let value = rest.popFirst() else { throw Wrong(text: "\(option) has no value") }
      switch (option, Int(value)) {
      case ("--events", let number?) where number > 0: events = number
      case ("--seed", let number?) where number > 0: seed = UInt64(number)
      case ("--writers", let number?) where number > 0: writers = number
      case ("--interval", let number?) where number > 0: interval = .seconds(number)
      case ("--dir", _): directory = value
      case ("--report", _): report = value
      default: throw Wrong(text: "\(option) \(value) is unknown, or no number above 0")
      }
    }
  }

  struct Wrong: Error { let text: String }
}

@main enum Soak {
  @MainActor static func main() async {
    do {
      let arguments = try Arguments(Array(CommandLine.arguments.dropFirst()))
      guard try await run(arguments) else { exit(1) }
    } catch let error as Arguments.Wrong {
      say("Tools/soak: \(error.text); see --help.")
      exit(2)
    } catch {
      say("Tools/soak: \(error)")
      exit(1)
    }
  }

  /// Runs until the log has the events, and verifies it; returns whether nothing is damaged.
  @MainActor private static func run(_ arguments: Arguments) async throws -> Bool {
    let path = arguments.directory + "/run-\(getpid())"
    defer { try? FileManager.default.removeItem(atPath: path) }
    for directory in [arguments.directory, arguments.report] {
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    }
    let workspace = try Workspace.open(at: path)
    say("seed \(arguments.seed), \(arguments.writers) writers")
    let cast = try await Cast(in: workspace, writers: arguments.writers)
    let (times, progress) = (Times(), Progress(goal: UInt64(arguments.events)))
    let samples = Samples(of: workspace, times, every: arguments.interval)
    // All end with the first one that has reached the goal, or that has failed.
    var tasks = [Task { try await samples.take(progress) }]
    for number in 0..<arguments.writers + 2 {
      let actor = Actor(number, of: cast, seed: arguments.seed, times)
      tasks.append(
        Task {
          defer { progress.end() }
          if number < arguments.writers { try await actor.write(progress) } else { try await actor.read(progress) }
        })
    }
    for task in tasks { try await task.value }
    try await samples.add()
    let statistics = try workspace.statistics()
    await workspace.close()
    try samples.table.write(toFile: arguments.report + "/soak.tsv", atomically: true, encoding: .utf8)
    try Plot(samples.all).svg.write(toFile: arguments.report + "/soak.svg", atomically: true, encoding: .utf8)
    say("\(statistics.submits.refused) submits were refused, \(statistics.submits.failed) failed")
    return try verify(path)
  }

  private static func verify(_ path: String) throws -> Bool {
    let began = ContinuousClock.now
    let report = try LogCheck.verify(logAt: path)
    for finding in report.findings { say("\(finding)") }
    let seconds = began.duration(to: .now).components.seconds
    say("verified in \(seconds) s: \(report.findings.isEmpty ? "no finding" : "DAMAGED")")
    return report.findings.isEmpty
  }
}

/// Prints a line immediately, even to a file.
func say(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }

/// Whether the run goes on.
@MainActor final class Progress {
  let goal: UInt64
  private(set) var isOver = false

  init(goal: UInt64) { self.goal = goal }

  func reach(_ position: Position) { if position.rawValue >= goal { isOver = true } }

  func end() { isOver = true }
}
