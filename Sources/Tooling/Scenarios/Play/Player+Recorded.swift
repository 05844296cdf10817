// Reads the events recorded since a line began.
internal import Chat
internal import EventLog
internal import Verbatim

extension Player {
  /// A recorded event.
  struct Recorded {
    let type: String
    let append: String
  }

  /// Returns the events recorded by the last action.
  func recorded() async throws -> [Recorded] {
    let end = try workspace.head()
    if end == start { return [] }
    let events = try await Self.elements(of: workspace.follow(from: start.next), through: end, at: \.position)
    return events.map { event in
      // Scenarios name the event type without the version of its stored form.
      Recorded(type: String(event.type.text.prefix { $0 != "." }), append: "\(event.append)")
    }
  }

  /// Returns the chat changes of the last action.
  func changes() async throws -> [Change] {
    let end = try workspace.head()
    if end == start { return [] }
    return try await Self.elements(of: workspace.changes(from: start.next), through: end, at: \.position)
  }

  /// Returns the elements of a sequence up to a position; throws if that position is not reached in time.
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
