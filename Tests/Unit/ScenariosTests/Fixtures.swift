// Loads the scenarios of the package, and plays them in temporary directories.
import EventLog
import Foundation
import Verbatim

@testable import Scenarios

/// A scenario loaded from a file.
struct Fixture: CustomStringConvertible, Sendable {
  /// The name: `composer/typing`, for `Fixtures/scenarios/composer/typing.jsonl`.
  let name: String
  let scenario: Scenario

  var description: String { name }

  static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures/scenarios")

  /// All scenarios of the package.
  static let all: [Fixture] = ["composer", "drafts", "list", "people"].flatMap { part in
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.appending(path: part).path)) ?? []
    return names.filter { $0.hasSuffix(".jsonl") }.sorted().map { file in
      let bytes = FileManager.default.contents(atPath: folder.appending(path: "\(part)/\(file)").path) ?? Data()
      let name = "\(part)/\(file.dropLast(".jsonl".count))"
      do { return Fixture(name: name, scenario: try Scenario(bytes)) } catch { fatalError("\(name): \(error)") }
    }
  }
}

/// The contents of a log; the head's hash covers every byte.
struct Kept: Sendable {
  let events: [RecordedEvent]
  let head: Head
  /// The trace output after each line.
  let trace: [String]
}

/// Plays a scenario in a temporary directory, and returns the recorded log.
func playedAndKept(_ scenario: Scenario) async throws -> (report: ScenarioReport, kept: Kept) {
  let name = "verbatim-\(UInt64.random(in: 0 ... .max))"
  let path = FileManager.default.temporaryDirectory.appending(path: name).path
  defer { try? FileManager.default.removeItem(atPath: path) }
  let lines = Lines()
  let report = try await scenario.play(in: path) { lines.all.append($0) }
  let workspace = try Workspace.open(at: path, creates: false)
  let kept = Kept(
    events: try workspace.store.events(from: .first, limit: 100_000), head: try workspace.store.head(),
    trace: await lines.all)
  await workspace.close()
  return (report, kept)
}

/// Plays a scenario in a temporary directory.
func played(_ scenario: Scenario) async throws -> ScenarioReport { try await playedAndKept(scenario).report }

@MainActor
private final class Lines {
  var all: [String] = []
}

/// Returns a scenario of lines after a default first line.
func scenario(_ lines: String...) throws -> Scenario {
  let first = #"{"scenario":1,"title":"a test","users":{"ada":"Ada","ben":"Ben"},"channels":{"general":["ada","ben"]}}"#
  return try Scenario(([first] + lines).joined(separator: "\n").utf8)
}
