// Decoded events, for programs and for people.
internal import Chat
internal import ChatCodec
internal import EventLog
internal import JSONLines
internal import Terminal

extension RecordedEvent {
  /// The decoded event; nil where this program cannot decode it.
  var chatEvent: ChatEvent? { try? decode(self) }

  /// The change that the event records; nil where this program cannot decode it.
  var change: ChatEvent.Change? { chatEvent?.change }

  /// The change in a few words; the size of the payload where it cannot be decoded.
  var words: String {
    guard let words = change?.words else { return "(unreadable, \(counted(payload.count, "byte")))" }
    return erasedBy.map { "(erased by the event at \($0)) " + words } ?? words
  }
}

/// The content that is left out of an event.
struct OmittedContent: Sendable {
  /// The user who wrote the content.
  let owner: Name
  /// The change without the content; nil where it cannot be decoded.
  let rest: ChatEvent.Change?
}

extension JSONWriter {
  /// Writes an event as `verbatim log read` does, with the decoded change in place of the payload; where it cannot be
  /// decoded, the payload and the reason; where content is left out, the rest of the change and the owner.
  mutating func decoded(
    _ event: RecordedEvent, sincePrevious: Microseconds? = nil, without content: OmittedContent? = nil,
    _ more: (inout JSONWriter) -> Void = { _ in }
  ) {
    object { writer in
      writer.members(of: event)
      writer.member("sincePrevious", sincePrevious?.rawValue)
      if let content {
        if let rest = content.rest { writer.member("event", rest.json) }
        writer.member("contentOf", content.owner.text)
        return more(&writer)
      }
      do throws(UnreadableEvent) {
        writer.member("event", try decode(event).change.json)
        writer.member("erasedBy", event.erasedBy?.rawValue)
      } catch {
        writer.payload(event.payload)
        writer.member("unreadable", "\(error)")
      }
      more(&writer)
    }
  }
}

/// The times between the events of each composer, as `verbatim events --json` shows them.
struct ComposerPauses {
  private let store: EventStore
  /// The last event shown of each composer.
  private var last: [Name: (version: StreamVersion, recorded: Timestamp)] = [:]

  init(_ store: EventStore) { self.store = store }

  /// Returns the time since the previous event of the same composer; nil for its first event, and for other events.
  mutating func pause(before event: RecordedEvent) throws(Failure) -> Microseconds? {
    guard case .composer? = StreamSubject(name: event.stream) else { return nil }
    defer { last[event.stream] = (event.version, event.recorded) }
    guard event.version > .first else { return nil }
    let previous = StreamVersion(rawValue: event.version.rawValue - 1)
    if let last = last[event.stream], last.version == previous { return event.recorded - last.recorded }
    let store = store
    let found = try asked { () throws(LogError) in try store.events(of: event.stream, from: previous, limit: 1) }
    return found.first.map { event.recorded - $0.recorded }
  }
}

/// A formatter of events as lines for people.
struct EventLines: Sendable {
  private let times: Times
  private let digits: Int
  /// The maximum width of a line; nil where the output is not a terminal.
  private let columns: Int?
  private let hasColors: Bool
  /// The widths of the columns of streams, types and actors.
  private var widths = (stream: 15, type: 12, actor: 4)

  /// Creates a formatter for a descriptor and for events up to a position.
  init(upTo last: Position, _ times: Times, on descriptor: Int32) {
    (self.times, digits) = (times, "\(last)".count)
    hasColors = Descriptor(descriptor).hasColors
    columns = Descriptor(descriptor).isTerminal ? WindowSize(of: descriptor).columns : nil
  }

  /// Returns a formatter whose columns fit some events.
  func fitting(_ events: [RecordedEvent]) -> EventLines {
    var lines = self
    // On a terminal long names are truncated, to leave width for the change.
    let most = columns.map { max(12, $0 / 5) } ?? 40
    for event in events {
      lines.widths.stream = max(lines.widths.stream, min(most, Line(event.stream.text).columns))
      lines.widths.type = max(lines.widths.type, min(most, Line(event.type.text.withoutVersion).columns))
      lines.widths.actor = max(lines.widths.actor, min(most, Line(event.actorWords).columns))
    }
    return lines
  }

  /// Returns the line of an event, without its line end.
  func line(_ event: RecordedEvent) -> String {
    let position = "\(event.position)"
    let line = Line([
      Line.Run(String(repeating: " ", count: max(0, digits - position.count)) + position, .dim),
      Line.Run("  " + time(of: event), .dim), Line.Run("  " + shown(event.stream.text, widths.stream)),
      Line.Run("  " + shown(event.type.text.withoutVersion, widths.type), .colored(.cyan)),
      Line.Run("  " + shown(event.actorWords, widths.actor), .bold), Line.Run("  " + event.words.inOneLine),
    ])
    var text = line.row(cutTo: columns ?? .max).text(hasLooks: hasColors)
    while text.last == " " { text.removeLast() }
    return text
  }

  /// Returns the recorded time; on a narrow terminal without the day, to leave width for the change.
  private func time(of event: RecordedEvent) -> String {
    let time = times(event.recorded)
    return columns ?? .max < 100 ? String(time.suffix(8)) : time
  }

  /// Returns a name padded to its column; on a terminal also truncated to it.
  private func shown(_ name: String, _ width: Int) -> String {
    let name = columns == nil ? name : Line(name).text(cutTo: width)
    return name + String(repeating: " ", count: max(0, width - Line(name).columns))
  }
}

extension RecordedEvent {
  fileprivate var actorWords: String { actor?.text ?? "system" }
}
