// Reading and following while others submit.
import ChildProcess
import Dispatch
import Synchronization
import Verbatim

extension Worker {
  /// Reads again and again, and follows, until a position that a line on standard input names; then says what it found.
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

  /// A text in one line.
  package static func word(_ text: String) -> String { text.debugDescription }

  /// What is read, once for each position at which it is.
  private static func answers(_ workspace: Workspace, until end: End) async throws -> [Facts] {
    var answers: [Facts] = []
    while true {
      let facts = try await workspace.read { try Facts($0) }
      if let last = answers.last?.position, facts.position < last {
        say("error read at \(facts.position) after \(last)")
      }
      if facts.position != answers.last?.position { answers.append(facts) }
      // Enough are kept, from all of the time.
      if answers.count > 400 { answers = answers.enumerated().filter { $0.offset % 2 == 0 }.map(\.element) }
      if facts.position >= end.position { return answers }
      _ = try await workspace.reached(facts.position.next, within: .seconds(1))
    }
  }

  /// How many events came, each behind the one before; or where they did not.
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

/// Up to where to read and follow.
private final class End: Sendable {
  private let state = Mutex(Position(rawValue: .max))

  var position: Position {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}
