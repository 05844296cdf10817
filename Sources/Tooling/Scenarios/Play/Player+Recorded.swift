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
    let events = try await Self.elements(of: workspace.follow(from: start.next), through: end, at: \.position)
    return events.map { event in
      // A scenario says what happened, and not in which form it is stored.
      Recorded(type: String(event.type.text.prefix { $0 != "." }), append: "\(event.append)")
    }
  }

  /// What happened in the chat by the last line that did something.
  func changes() async throws -> [Change] {
    let end = try workspace.head()
    if end == start { return [] }
    return try await Self.elements(of: workspace.changes(from: start.next), through: end, at: \.position)
  }

  /// The elements of a sequence up to the one at a position; throws when that does not come.
  static func elements<Events: AsyncSequence & Sendable>(
    of events: Events, through end: Position, at position: @escaping @Sendable (Events.Element) -> Position
  ) async throws -> [Events.Element] where Events.Element: Sendable {
    try await within(Deadline.ofStep, awaiting: "the event at position \(end)") {
      var elements: [Events.Element] = []
      for try await element in events {
        elements.append(element)
        if position(element) >= end { break }
      }
      return elements
    }
  }
}
