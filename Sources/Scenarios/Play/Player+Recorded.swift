// What was recorded since a line began.
internal import Chat
internal import EventLog
internal import Verbatim

extension Player {
  /// An event that was recorded.
  struct Recorded {
    let type: String
    let append: String
  }

  /// What was recorded by the last line that did something.
  func recorded() async throws -> [Recorded] {
    let end = try workspace.head()
    if end == start { return [] }
    var events: [Recorded] = []
    for try await event in workspace.follow(from: start.next) {
      // A scenario says what happened, and not in which form it is stored.
      let type = String(event.type.text.prefix { $0 != "." })
      events.append(Recorded(type: type, append: "\(event.append)"))
      if event.position >= end { break }
    }
    return events
  }

  /// What happened in the chat by the last line that did something.
  func changes() async throws -> [Change] {
    let end = try workspace.head()
    if end == start { return [] }
    var changes: [Change] = []
    for try await change in workspace.changes(from: start.next) {
      changes.append(change)
      if change.position >= end { break }
    }
    return changes
  }
}
