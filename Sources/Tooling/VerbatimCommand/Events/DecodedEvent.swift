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
  var words: String { change?.words ?? "(unreadable, \(counted(payload.count, "byte")))" }
}

extension JSONWriter {
  /// Writes an event as `verbatim log read` does, followed by the decoded change, or by the reason why it is
  /// unreadable.
  mutating func decoded(_ event: RecordedEvent, _ more: (inout JSONWriter) -> Void = { _ in }) {
    self.event(event) { writer in
      do throws(UnreadableEvent) {
        writer.member("event", try decode(event).change.json)
      } catch {
        writer.member("unreadable", "\(error)")
      }
      more(&writer)
    }
  }
}

extension ChatEvent.Change: PrintedValue {
  /// The changed entity under its kind, and the change under its name: `{"message":{…},"sent":{…}}`.
  var json: JSON {
    guard let (name, values) = caseName, values.count == 2 else { return .null }
    let happened: [JSON.Member] =
      switch JSON(of: values[1]) {
      case .object(let members): members
      case let json: [JSON.Member(key: json.text, value: .object([]))]
      }
    return .object([JSON.Member(name, values[0])] + happened)
  }

  private var caseName: (name: String, values: [Any])? {
    let child = Mirror(reflecting: self).children.first
    return child.flatMap { child in
      child.label.map { ($0, Mirror(reflecting: child.value).children.map(\.value)) }
    }
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
