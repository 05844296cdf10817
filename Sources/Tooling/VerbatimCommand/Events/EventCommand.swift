// `verbatim event`: prints one event in full, with its causes and effects.
internal import EventLog
internal import JSONLines

/// The command that prints an event with its causes and effects.
struct EventCommand: Command {
  static let name = "event"
  static let summary = "Shows one event of a workspace with its causes and effects."
  static let details = """
    Its causes are the event that it names as its cause, the cause of that one, and so on. Its effects are
    the later events that name it, or one of its effects, as their cause. Appended are the other events of
    the same append; correlated are later events with the same correlation.

    --json: the event as `verbatim events` shows it, and causes, effects, appended and correlated, each an
    array of such events.
    """
  static let examples = ["verbatim event chat 12", "verbatim event chat 12 --json"]

  static var parameters: [Parameter<Self>] {
    [
      .positional("DIR", "The directory of the workspace, or its address on a server.", \.path),
      .positional("POSITION", "The position of the event.", \.position),
      .option("time-zone", "ZONE", "The time zone of shown times, as Europe/Berlin; default this machine's.", \.zone),
      .flag("json", "Shows one line of JSON.", \.isJSON),
    ]
  }

  var path = ""
  var position = Position.first
  var zone: Zone?
  var isJSON = false

  func run(in context: Context) throws(Failure) -> ExitCode {
    let store = try openEvents(path, in: context)
    defer { store.close() }
    let found = try asked { () throws(LogError) in try store.event(at: position) }
    let head = try asked { () throws(LogError) in try store.head().position }
    guard let event = found else {
      throw Failure(
        .unable, "The log at \(path) ends at position \(head), before \(position): give a position of the log.")
    }
    let surroundings = try RelatedEvents(of: event, in: store)
    var output = Output(context.output)
    if isJSON {
      var (writer, pauses) = (JSONWriter(), ComposerPauses(store))
      let pause = try pauses.pause(before: event)
      let parts = try surroundings.parts.map { part throws(Failure) in
        (part.key, try part.events.map { event throws(Failure) in (event, try pauses.pause(before: event)) })
      }
      writer.decoded(event, sincePrevious: pause) { writer in
        for (key, events) in parts {
          writer.key(key)
          writer.array { writer in for (event, pause) in events { writer.decoded(event, sincePrevious: pause) } }
        }
      }
      writer.endLine()
      try output.write(writer.bytes)
    } else {
      let lines = text(event, surroundings, EventLines(upTo: head, Times(zone), on: context.output), context)
      try output.write(styled: lines.joined(separator: "\n") + "\n")
    }
    try output.flush()
    return .done
  }

  private func text(
    _ event: RecordedEvent, _ surroundings: RelatedEvents, _ shown: EventLines, _ context: Context
  ) -> [String] {
    var list = PropertyList()
    list.add("position", "\(event.position)")
    list.add("recorded", event.recorded.description)
    list.add("stream", "\(event.stream), version \(event.version)")
    list.add("type", event.type.text)
    list.add("actor", event.actor?.text ?? "the app")
    list.add("device", event.device?.text)
    list.add("append", event.append.description)
    list.add("correlation", event.correlation?.text)
    list.add("proposal", event.proposal?.description)
    list.add("payload", counted(event.payload.count, "byte"))
    list.add("event", event.change?.json.indented ?? event.words)
    return Answer.Text.list(list).lines(for: context.output)
      + surroundings.parts.filter { !$0.events.isEmpty }.flatMap { part in
        ["", part.title + ":"] + part.events.map(shown.fitting(part.events).line)
      }
  }
}

/// The events related to an event: causes, effects, the same append, the same correlation.
private struct RelatedEvents {
  private var causes: [RecordedEvent] = []
  private var effects: [RecordedEvent] = []
  private var appended: [RecordedEvent] = []
  private var correlated: [RecordedEvent] = []

  /// The related events with the title and the key of each kind.
  var parts: [(title: String, key: String, events: [RecordedEvent])] {
    [
      ("caused by", "causes", causes), ("effect", "effects", effects), ("appended with it", "appended", appended),
      ("correlated", "correlated", correlated),
    ]
  }

  init(of event: RecordedEvent, in store: EventStore) throws(Failure) {
    try asked { () throws(LogError) in
      var cause = event.cause
      while let position = cause, let event = try store.event(at: position) {
        causes.append(event)
        cause = event.cause
      }
      if let receipt = try store.receipt(of: event.append) {
        let first = receipt.positions.lowerBound
        let count = Int(receipt.positions.upperBound.rawValue - first.rawValue) + 1
        appended = try store.events(from: first, limit: count).filter { $0.position != event.position }
      }
    }
    var consequences: Set<Position> = [event.position]
    var chunks = try EventChunks(store.log, from: event.position.next, to: Position(rawValue: .max))
    while let events = try chunks.next() {
      for later in events {
        if let cause = later.cause, consequences.contains(cause) {
          consequences.insert(later.position)
          effects.append(later)
        }
        let isSame = event.correlation != nil && later.correlation == event.correlation
        if isSame, later.append != event.append { correlated.append(later) }
      }
    }
  }
}

extension JSON {
  /// The value over several lines, one per member.
  var indented: String { lines.joined(separator: "\n") }

  private var lines: [String] {
    switch self {
    case .object(let members) where !members.isEmpty:
      members.flatMap { member -> [String] in
        let inner = member.value.lines
        let isNested = if case .object(let members) = member.value { !members.isEmpty } else { false }
        if !isNested { return ["\(member.key): \(inner.joined())"] }
        return ["\(member.key):"] + inner.map { "\u{A0}\u{A0}" + $0 }
      }
    default: [asWritten]
    }
  }

  private var asWritten: String {
    var writer = JSONWriter()
    writer.value(self)
    return writer.text
  }
}
