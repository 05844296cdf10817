// Events as they were meant: decoded, for programs and for people.
internal import Chat
internal import ChatCodec
internal import EventLog
internal import JSONLines
internal import Terminal

extension RecordedEvent {
  /// What it means; nil where this program knows no such event.
  var chatEvent: ChatEvent? { try? decode(self) }

  /// What happened; nil where this program knows no such event.
  var change: ChatEvent.Change? { chatEvent?.change }

  /// What happened in a few words; where it cannot be read, how much of it there is.
  var words: String { change?.words ?? "(unreadable, \(counted(payload.count, "byte")))" }
}

extension JSONWriter {
  /// Writes an event as `verbatim log read` does, and behind that what it means, or why that cannot be told.
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
  /// What it happened to, by its kind, and what happened, by its name: `{"message":{…},"sent":{…}}`.
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

/// Events as lines that people read.
struct EventLines: Sendable {
  private let times: Times
  private let digits: Int
  /// How wide a line may be; nil where it goes to no terminal.
  private let columns: Int?
  private let hasColors: Bool
  /// How wide the columns of streams, types and actors are.
  private var widths = (stream: 15, type: 12, actor: 4)

  /// Lines that go to a descriptor, of events up to a position.
  init(upTo last: Position, _ times: Times, on descriptor: Int32) {
    (self.times, digits) = (times, "\(last)".count)
    hasColors = Descriptor(descriptor).hasColors
    columns = Descriptor(descriptor).isTerminal ? WindowSize(of: descriptor).columns : nil
  }

  /// Lines that have room for what is common to all of some events.
  func fitting(_ events: [RecordedEvent]) -> EventLines {
    var lines = self
    // On a terminal the end of a long name goes, so that there is room for what happened.
    let most = columns.map { max(12, $0 / 5) } ?? 40
    for event in events {
      lines.widths.stream = max(lines.widths.stream, min(most, Line(event.stream.text).columns))
      lines.widths.type = max(lines.widths.type, min(most, Line(event.type.text.withoutVersion).columns))
      lines.widths.actor = max(lines.widths.actor, min(most, Line(event.actorWords).columns))
    }
    return lines
  }

  /// The line of an event, without its end.
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

  /// When it was recorded; on a narrow terminal without the day, so that there is room for what happened.
  private func time(of event: RecordedEvent) -> String {
    let time = times(event.recorded)
    return columns ?? .max < 100 ? String(time.suffix(8)) : time
  }

  /// A name in a column: with spaces behind it, and on a terminal without what is too much.
  private func shown(_ name: String, _ width: Int) -> String {
    let name = columns == nil ? name : Line(name).text(cutTo: width)
    return name + String(repeating: " ", count: max(0, width - Line(name).columns))
  }
}

extension RecordedEvent {
  fileprivate var actorWords: String { actor?.text ?? "system" }
}
