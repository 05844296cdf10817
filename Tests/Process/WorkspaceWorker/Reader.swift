// Reads and follows a workspace while other processes submit.
import ChildProcess
import Dispatch
import Locks
import Verbatim

extension Worker {
  /// Reads repeatedly, and follows, until a position given on standard input; then prints the results.
  static func read(_ workspace: Workspace) async throws {
    let end = End()
    say("ready")
    DispatchQueue.global().async {
      end.position = Position(rawValue: UInt64(awaitLine())!)
      say("noted")
    }
    async let followed = follow(workspace, until: end)
    let answers = try await answers(workspace, until: end)
    let found = try await followed
    say("done")
    awaitLine()
    for facts in answers { say("answer\t\(facts.position)\t\(word(facts.rows))\t\(word(facts.pages))") }
    say("followed \(found)")
    say("digests " + (try digests(workspace)))
  }

  /// Returns a text in one line.
  package static func word(_ text: String) -> String { text.debugDescription }

  /// Returns the contents read, once per position.
  private static func answers(_ workspace: Workspace, until end: End) async throws -> [Facts] {
    var answers: [Facts] = []
    while true {
      let facts = try await workspace.read { try Facts($0) }
      if let last = answers.last?.position, facts.position < last {
        say("error read at \(facts.position) after \(last)")
      }
      if facts.position != answers.last?.position { answers.append(facts) }
      // Beyond 400 readings every other one is dropped, so that the rest still covers the whole time.
      if answers.count > 400 { answers = answers.enumerated().filter { $0.offset % 2 == 0 }.map(\.element) }
      if facts.position >= end.position { return answers }
      _ = try await workspace.reached(facts.position.next, within: .seconds(1))
    }
  }

  /// Returns the number of events if their positions are consecutive; otherwise the first gap.
  private static func follow(_ workspace: Workspace, until end: End) async throws -> String {
    var next = Position.first
    for try await event in workspace.follow() {
      if event.position != next { return "to \(next), then \(event.position)" }
      next = next.next
      if event.position >= end.position { break }
    }
    return "to \(next)"
  }
}

/// The position up to which to read and follow.
private final class End: Sendable {
  private let state = Locked(Position(rawValue: .max))

  var position: Position {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}
