// The rows of the list of events, with those below expanded rows.
internal import Chat
internal import ChatCodec
internal import EventLog
internal import JSONLines
internal import Studio

/// A list of selected events in which some rows of several keystrokes are expanded.
struct EventList {
  let selection: EventSelection
  /// The expanded rows in order, each with its number without expansion, and its number of events.
  private let expanded: [(number: Int, count: Int)]
  /// The maximum number of rows that are expanded.
  private static let expandedMax = 100

  /// Creates a list in which the rows of several events that begin at some positions are expanded.
  init(_ selection: EventSelection, expanded positions: [UInt64]) {
    self.selection = selection
    let sorted = Set(positions.prefix(Self.expandedMax)).sorted()
    expanded = sorted.compactMap { position in
      let number = selection.number(of: Position(rawValue: position))
      guard let row = selection.rows(number..<number + 1).first, row.first.rawValue == position, row.count > 1 else {
        return nil
      }
      return (number, row.count)
    }
  }

  /// Returns the number of rows of a selection with a number of rows.
  func total(_ count: Int) -> Int { count + expanded.reduce(0) { $0 + $1.count } }

  /// Returns the number of the row with a position, or of the first one behind it.
  func number(of position: Position) -> Int {
    let number = selection.number(of: position)
    let before = expanded.filter { $0.number < number }.reduce(0) { $0 + $1.count }
    guard expanded.contains(where: { $0.number == number }),
      let row = selection.rows(number..<number + 1).first, position > row.first
    else { return number + before }
    let index = selection.events(of: row).firstIndex { $0 >= position } ?? 0
    return number + before + 1 + index
  }

  /// Returns rows by their numbers.
  func rows(_ range: Range<Int>, in app: StudioApp) throws -> [EventRow] {
    var rows: [EventRow] = []
    var number = range.lowerBound
    while number < range.upperBound, let row = try self.rows(at: number, upTo: range.upperBound, in: app) {
      rows += row
      number += row.count
      if row.isEmpty { break }
    }
    return rows
  }

  /// Returns the row with a number, and those after it that are found with it; nil behind the last one.
  private func rows(at number: Int, upTo end: Int, in app: StudioApp) throws -> [EventRow]? {
    var before = 0
    for run in expanded {
      let header = run.number + before
      if number < header { break }
      if number == header { return try plain(run.number..<run.number + 1, isExpanded: true, in: app) }
      if number <= header + run.count {
        guard let row = selection.rows(run.number..<run.number + 1).first else { return nil }
        let events = selection.events(of: row)[(number - header - 1)..<min(run.count, end - header - 1)]
        return try events.map { EventRow(try app.event(at: $0), isInRun: true) }
      }
      before += run.count
    }
    let next = expanded.first { $0.number >= number - before }?.number ?? .max
    let found = try plain((number - before)..<min(end - before, next), isExpanded: false, in: app)
    return found.isEmpty ? nil : found
  }

  private func plain(_ range: Range<Int>, isExpanded: Bool, in app: StudioApp) throws -> [EventRow] {
    try selection.rows(range).map { row in
      let event = try app.event(at: row.first)
      if row.count == 1 { return EventRow(event) }
      let events = try selection.events(of: row).prefix(EventRow.typedMax).map { try app.event(at: $0) }
      return EventRow(event, last: row.last, count: row.count, words: typedText(events), isExpanded: isExpanded)
    }
  }
}

/// A row of a list of events.
struct EventRow: Sendable {
  /// The maximum number of keystrokes whose text is shown in one row.
  static let typedMax = 200

  /// The event, or the first one of several.
  let event: RecordedEvent
  private let last: Position
  private let count: Int
  private let words: String
  private let isExpanded: Bool?
  private let isInRun: Bool

  /// Creates the row of one event.
  init(_ event: RecordedEvent, isInRun: Bool = false) {
    (self.event, last, count, words) = (event, event.position, 1, event.words)
    (isExpanded, self.isInRun) = (nil, isInRun)
  }

  /// Creates the row of several events, of which the first is given.
  init(_ event: RecordedEvent, last: Position, count: Int, words: String, isExpanded: Bool) {
    (self.event, self.last, self.count, self.words) = (event, last, count, words)
    (self.isExpanded, isInRun) = (isExpanded, false)
  }

  /// Writes the members of the row.
  func write(to writer: inout JSONWriter) {
    writer.member("position", event.position.rawValue)
    writer.member("last", last.rawValue)
    writer.member("count", count)
    if let isExpanded {
      writer.key("isExpanded")
      writer.bool(isExpanded)
    }
    if isInRun {
      writer.key("isInRun")
      writer.bool(true)
    }
    writer.member("recorded", event.recorded.description)
    writer.member("stream", event.stream.text)
    writer.member("type", event.type.text.withoutVersion)
    writer.member("actor", event.actor?.text)
    writer.member("device", event.device?.text)
    writer.member("words", words)
  }
}

/// Returns the text that some keystrokes leave, as far as they follow each other; in quotation marks.
private func typedText(_ events: [RecordedEvent]) -> String {
  var (text, start): ([UInt16], Int?) = ([], nil)
  for event in events {
    guard case .composer(_, .typed(let splice, _))? = event.change else { continue }
    let begin = start ?? splice.range.lowerBound.rawValue
    start = begin
    let (from, to) = (splice.range.lowerBound.rawValue - begin, splice.range.upperBound.rawValue - begin)
    guard from >= 0, from <= to, to <= text.count else { break }
    text.replaceSubrange(from..<to, with: Array(splice.text.string.utf16))
  }
  return "“\(String(decoding: text, as: UTF16.self).inOneLine)”"
}
