// The criteria that select events of a log.
internal import ChatCodec
internal import EventLog
internal import JSONLines

/// A filter of events independent of their positions: an event passes if it meets all criteria.
struct EventFilter: Sendable {
  static var parameters: [Parameter<Self>] {
    [
      .option("stream", "STREAM", "Only events of this stream, as channel/general.", \.stream),
      .options("type", "TYPE", "Only events of this type, as messageSent; can be repeated.", \.types),
      .options(
        "actor", "USER", "Only events of this user, or system for the app; can be repeated.", \.actors),
      .option("correlation", "NAME", "Only events with this correlation.", \.correlation),
    ]
  }

  var stream: Name?
  var types: [EventType] = []
  var actors: [String] = []
  var correlation: Name?

  /// Whether the filter excludes any events.
  var isNarrow: Bool { stream != nil || !types.isEmpty || !actors.isEmpty || correlation != nil }

  /// Returns whether an event passes the filter.
  func wants(_ event: RecordedEvent) -> Bool {
    if let stream, event.stream != stream { return false }
    if let correlation, event.correlation != correlation { return false }
    if !types.isEmpty, !types.contains(where: { $0.fits(event.type.text) }) { return false }
    return actors.isEmpty || actors.contains(event.actor?.text ?? "system")
  }
}

/// An event type, with its version or without.
struct EventType: ArgumentValue, Sendable {
  private let name: String

  static var choices: [String] { Set(Shape.allCases.map { $0.rawValue.withoutVersion }).sorted() }

  init(argument text: String) throws(ValueDefect) {
    guard text.contains("/") || text.contains(".") || Self.choices.contains(text) else {
      let advice = nearest(to: text, among: Self.choices) ?? "messageSent"
      throw ValueDefect(expected: "an event type, as \(advice)")
    }
    name = text
  }

  /// Returns whether a type matches.
  func fits(_ type: String) -> Bool { type == name || type.withoutVersion == name }
}

extension String {
  /// The name of an event type without the version behind its last dot.
  var withoutVersion: String { lastIndex(of: ".").map { String(self[..<$0]) } ?? self }
}
