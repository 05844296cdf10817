// `verbatim run`: plays scenarios, and reports where the result differs from their expectations.
internal import Dispatch
internal import Errors
internal import EventLogPostgres
internal import Foundation
internal import JSONLines
internal import Scenarios
internal import Verbatim

/// The command that plays scenarios, each in a workspace of its own.
struct RunCommand: Command {
  static let name = "run"
  static let summary = "Plays scenarios: actions in a workspace and their expected results."
  static let details = """
    A scenario is a file of JSON lines. The first has the settings; each other line is an action, or a set
    of expected values with “expect”. Each difference is reported with its line, the expected and the
    found value. All settings, verbs, keys and expectations are on the page ScenarioFormat of the
    documentation of the module Scenarios: Sources/Tooling/Scenarios/Scenarios.docc/ScenarioFormat.md.

    example:
      {"scenario":1,"title":"hello","users":{"ada":"Ada"},"channels":{"general":["ada"]}}
      {"as":"ada","type":"Hello"}
      {"expect":{"text":"Hello","canSend":true}}
      {"send":true}
      {"expect":{"text":"","messages":["Hello"]}}

    exit codes here: 0 no difference, 1 a difference, 2 an invalid scenario, 3 it cannot be played.
    """

  static let examples = [
    "verbatim run hello.jsonl", "verbatim run Fixtures/scenarios/composer/typing.jsonl --trace",
    "verbatim run hello.jsonl --into chat",
  ]

  static var parameters: [Parameter<Self>] {
    [
      .positionals("SCRIPT", "The scenarios, files of JSON lines.", \.scripts),
      .option(
        "into", "DIR", "Plays one scenario in this new directory, or log on a server, and keeps it.", \.directory),
      .flag("erasable", "With --into, encrypts what people write, so that it can be erased.", \.isErasable),
      .flag("trace", "Shows the presentation of the composer after each line, as a line of JSON.", \.traces),
      .flag("json", "Shows differences as lines of JSON.", \.isJSON),
    ]
  }

  var scripts: [String] = []
  var directory: String?
  var isErasable = false
  var traces = false
  var isJSON = false

  func contradiction() -> String? {
    if isErasable, directory.map({ PostgresAddress.isAddress($0) }) ?? true {
      return "--erasable goes with --into and a directory."
    }
    return scripts.count > 1 && directory != nil
      ? "--into can be used with one scenario only: play the others separately." : nil
  }

  /// Runs on the main actor, which composers require: in a process of its own the main thread serves it from here on,
  /// and the task exits the process.
  func run(in context: Context) throws(Failure) -> ExitCode {
    let scenarios = try read()
    if let directory { try requireFree(directory, in: context) }
    let command = self
    guard context.ownsProcess, Thread.isMainThread else {
      return try waited { () async throws(Failure) in try await command.play(scenarios, in: context) }
    }
    Task { @MainActor in
      let code: ExitCode
      do throws(Failure) { code = try await command.play(scenarios, in: context) } catch {
        context.note(error)
        code = error.code
      }
      exit(code.rawValue)
    }
    dispatchMain()
  }

  // MARK: Reading

  private func read() throws(Failure) -> [(path: String, scenario: Scenario)] {
    var scenarios: [(String, Scenario)] = []
    for path in scripts {
      guard let bytes = FileManager.default.contents(atPath: path) else {
        throw Failure(.unable, "The scenario \(path) cannot be read: give an existing file.")
      }
      let scenario = try rethrow(
        Scenario(bytes), as: { (defect: ScenarioDefect) in Failure(.misused, "\(path): \(defect)") })
      scenarios.append((path, scenario))
    }
    return scenarios
  }

  private func requireFree(_ path: String, in context: Context) throws(Failure) {
    if PostgresAddress.isAddress(path) { return try requireNoLog(at: path, in: context) }
    guard FileManager.default.fileExists(atPath: path) else { return }
    if let names = try? FileManager.default.contentsOfDirectory(atPath: path), names.isEmpty { return }
    throw Failure(.unable, "The directory \(path) is not empty: give an empty or new one.")
  }

  // MARK: Play

  @MainActor
  private func play(
    _ scenarios: [(path: String, scenario: Scenario)], in context: Context
  ) async throws(Failure) -> ExitCode {
    var output = Output(context.output, ofCheck: true)
    var differing = 0
    for (path, scenario) in scenarios {
      let (report, trace) = try await play(scenario, at: path, in: context)
      for line in trace { try output.write(line + "\n") }
      if !report.holds { differing += 1 }
      for mismatch in report.mismatches {
        try output.write(isJSON ? json(mismatch, of: path) : "\(path): \(mismatch)\n")
      }
      if !isJSON, report.holds {
        try output.write("\(path): passed, \(report.expectationCount) expectations in \(report.lineCount) lines\n")
      }
      try output.flush()
    }
    if !isJSON, scenarios.count > 1 {
      try output.write("\(scenarios.count) scenarios: \(scenarios.count - differing) passed, \(differing) failed\n")
    }
    try output.flush()
    return differing == 0 ? .done : .refused
  }

  @MainActor
  private func play(
    _ scenario: Scenario, at path: String, in context: Context
  ) async throws(Failure) -> (ScenarioReport, trace: [String]) {
    let workspacePath = directory ?? FileManager.default.temporaryDirectory.appending(path: "verbatim-\(UUID())").path
    defer { if directory == nil { try? FileManager.default.removeItem(atPath: workspacePath) } }
    var trace: [String] = []
    do {
      let cacheDirectory = context.configuration.cacheDirectory
      let report = try await scenario.play(
        in: workspacePath, cacheDirectory: cacheDirectory, isErasable: isErasable
      ) {
        if traces { trace.append($0) }
      }
      return (report, trace)
    } catch {
      throw Failure(.unable, "\(path) cannot be played: \(error)")
    }
  }

  private func json(_ mismatch: ScenarioReport.Mismatch, of path: String) -> String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("script", path)
      writer.member("line", mismatch.line)
      writer.member("what", mismatch.what)
      writer.key("expected")
      writer.json(mismatch.expected)
      if let found = mismatch.found {
        writer.key("found")
        writer.json(found)
      }
      writer.member("reason", mismatch.reason)
    }
    return writer.text + "\n"
  }
}
