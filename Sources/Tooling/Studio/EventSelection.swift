// A selection of events, and the rows of the list that shows them.
package import EventLog
internal import Locks

/// The criteria of a list of events; one that is empty selects all.
package struct EventCriteria: Hashable, Sendable {
  /// The types, without versions or with them; one must match.
  package var types: [String] = []
  /// The actors, `system` for the app; one must match.
  package var actors: [String] = []
  /// The devices; one must match.
  package var devices: [String] = []
  /// The streams; one must match.
  package var streams: [String] = []
  /// The channels; one must match.
  package var channels: [String] = []
  /// A text that the payload contains; ASCII letters match those of either case.
  package var text = ""
  /// The instant before which events are left out; nil for none.
  package var since: Timestamp?
  /// The instant after which events are left out; nil for none.
  package var until: Timestamp?
  /// Whether keystrokes in one composer are one row.
  package var joinsKeystrokes = true

  /// Creates criteria that select everything.
  package init() {}

  internal func selects(_ combination: Combination) -> Bool {
    func fits(_ wanted: [String], _ value: String?) -> Bool { wanted.isEmpty || value.map(wanted.contains) ?? false }
    return (fits(types, combination.type) || fits(types, combination.type.withoutVersion))
      && fits(actors, combination.actor ?? Combination.system) && fits(devices, combination.device)
      && fits(streams, combination.stream) && fits(channels, combination.channel)
  }
}

/// The rows of a list of selected events, which grow with the outline.
///
/// Keystrokes in one composer are one row until there is an event that is none: rows of users who type at the same time
/// overlap.
package final class EventSelection: Sendable {
  /// The criteria of the selection.
  package let criteria: EventCriteria
  private let outline: LogOutline
  private let rows: Locked<Rows>
  private let needle: [UInt8]

  /// A row: an event, or consecutive keystrokes.
  package struct Row: Hashable, Sendable {
    /// The positions of the first and the last event.
    package let first: Position, last: Position
    /// The number of events.
    package let count: Int
  }

  /// The extent of a selection, and of the log that was searched for it.
  package struct Extent: Sendable {
    /// The number of rows.
    package let rowCount: Int
    /// The number of events.
    package let eventCount: Int
    /// The position through which the log was searched.
    package let end: Position
  }

  fileprivate struct Rows {
    /// The position of the first event of each row.
    var firsts: [UInt32] = []
    /// The positions of the events of rows of keystrokes, by the first one.
    var runs: [UInt32: [UInt32]] = [:]
    var eventCount = 0
    var end: UInt32 = 0
    /// For each combination whether it is selected, and the stream of its keystrokes.
    var isSelected: [Bool] = []
    var run: [Int] = []
    var streams: [String: Int] = [:]
    /// The first events of the rows that further keystrokes belong to, by the number of the composer's stream.
    var open: [Int: UInt32] = [:]
  }

  /// Creates the selection of some criteria from an outline.
  package init(of criteria: EventCriteria, in outline: LogOutline) {
    (self.criteria, self.outline, rows) = (criteria, outline, Locked(Rows()))
    needle = criteria.text.utf8.map { $0.lowercasedASCII }
  }

  /// Searches what the outline has beyond the rows, at most `count` events; returns what is selected so far.
  package func extend(by count: Int) throws(LogError) -> Extent {
    let last = try last(within: count)
    let matches = needle.isEmpty ? nil : try positions(through: last)
    return rows.withLock { rows in
      outline.state.withLock { columns in
        rows.extend(through: last, columns, criteria, among: matches)
        return Extent(
          rowCount: rows.firsts.count, eventCount: rows.eventCount, end: Position(rawValue: UInt64(rows.end)))
      }
    }
  }

  /// A text is searched in the payloads, which takes longer.
  private func last(within count: Int) throws(LogError) -> UInt32 {
    let end = rows.withLock { $0.end }
    let known = UInt32(clamping: outline.end.rawValue)
    if known <= end { return end }
    return end + min(known - end, UInt32(clamping: needle.isEmpty ? count : min(count, 100_000)))
  }

  /// Returns rows by their numbers.
  package func rows(_ range: Range<Int>) -> [Row] {
    rows.withLock { rows in range.clamped(to: 0..<rows.firsts.count).map { rows.row($0) } }
  }

  /// Returns the number of the row with a position, or of the first one behind it; the number of rows if there is none.
  package func number(of position: Position) -> Int {
    rows.withLock { rows in
      let next = Columns.count(of: rows.firsts.count) { UInt64(rows.firsts[$0]) <= position.rawValue }
      // The rows of a few composers overlap.
      for number in stride(from: next - 1, through: 0, by: -1) {
        let first = rows.firsts[number]
        if UInt64(first) == position.rawValue { return number }
        guard let run = rows.runs[first] else { return next }
        if run.contains(sorted: position) { return number }
      }
      return next
    }
  }

  /// Returns the first position of the next row behind a position, or of the last one before it, as far as the log was
  /// searched; nil if no row begins there.
  package func beginning(_ direction: Direction, of position: Position) -> Position? {
    rows.withLock { rows in
      let number = Columns.count(of: rows.firsts.count) { number in
        let first = UInt64(rows.firsts[number])
        return direction == .forward ? first <= position.rawValue : first < position.rawValue
      }
      let found = direction == .forward ? number : number - 1
      return rows.firsts.indices.contains(found) ? Position(rawValue: UInt64(rows.firsts[found])) : nil
    }
  }

  /// Returns the events of a row.
  package func events(of row: Row) -> [Position] {
    rows.withLock { rows in
      let run = rows.runs[UInt32(clamping: row.first.rawValue)] ?? [UInt32(clamping: row.first.rawValue)]
      return run.map { Position(rawValue: UInt64($0)) }
    }
  }

  /// Returns the positions of the events, behind the rows so far, whose payload contains the text.
  private func positions(through last: UInt32) throws(LogError) -> Set<UInt32> {
    let start = rows.withLock { $0.end } + 1
    var found: Set<UInt32> = []
    if start > last { return found }
    let needle = needle
    var decryption = EventDecryption(with: outline.log.content.cipher)
    try outline.log.blocks(from: Position(rawValue: UInt64(start)), .forward, checks: .full) { block throws(LogError) in
      for index in 0..<block.count {
        try decryption.withDecrypted(block.event(at: index)) { event in
          if event.payload.containsFolded(needle) { found.insert(UInt32(clamping: event.position.rawValue)) }
        }
      }
      return block.last.rawValue < UInt64(last) ? .next : .stop
    }
    return found
  }
}

extension EventSelection.Rows {
  fileprivate func row(_ number: Int) -> EventSelection.Row {
    let first = firsts[number]
    let run = runs[first]
    return EventSelection.Row(
      first: Position(rawValue: UInt64(first)), last: Position(rawValue: UInt64(run?.last ?? first)),
      count: run?.count ?? 1)
  }

  fileprivate mutating func extend(
    through last: UInt32, _ columns: Columns, _ criteria: EventCriteria, among matches: Set<UInt32>?
  ) {
    guard last > end else { return }
    learn(columns, criteria)
    var (from, to) = (end + 1, last)
    end = last
    if let since = criteria.since { from = max(from, columns.first(since: since)) }
    if let until = criteria.until { to = min(to, columns.first(since: Timestamp(rawValue: until.rawValue + 1)) - 1) }
    guard from <= to else { return }
    for position in from...to {
      let number = Int(columns.events[Int(position) - 1])
      guard isSelected[number], matches?.contains(position) ?? true else { continue }
      eventCount += 1
      if let first = open[run[number]] {
        runs[first]?.append(position)
        continue
      }
      // Users type at the same time: only other events end a row.
      if run[number] < 0 { open.removeAll() } else { (open[run[number]], runs[position]) = (position, [position]) }
      firsts.append(position)
    }
  }

  /// Decides about the combinations that are new.
  private mutating func learn(_ columns: Columns, _ criteria: EventCriteria) {
    for combination in columns.combinations[isSelected.count...] {
      isSelected.append(criteria.selects(combination))
      guard criteria.joinsKeystrokes, combination.isKeystroke else {
        run.append(-1)
        continue
      }
      let number = streams[combination.stream] ?? streams.count
      streams[combination.stream] = number
      run.append(number)
    }
  }
}

extension Columns {
  /// Returns the first position that was recorded at an instant or later, behind the last position when there is none.
  fileprivate func first(since instant: Timestamp) -> UInt32 {
    let count = Columns.count(of: blocks.count) { blocks[$0].recorded < instant.rawValue }
    return count < blocks.count ? blocks[count].first : UInt32(events.count) + 1
  }
}

extension [UInt32] {
  /// Returns whether the positions, which are in ascending order, contain one.
  fileprivate func contains(sorted position: Position) -> Bool {
    let before = Columns.count(of: count) { UInt64(self[$0]) < position.rawValue }
    return before < count && UInt64(self[before]) == position.rawValue
  }
}

extension UInt8 {
  fileprivate var lowercasedASCII: UInt8 { (0x41...0x5A).contains(self) ? self + 0x20 : self }
}

extension RawSpan {
  /// Returns whether the bytes contain others, which are in small letters.
  fileprivate func containsFolded(_ needle: [UInt8]) -> Bool {
    withUnsafeBytes { bytes in
      guard bytes.count >= needle.count, let head = needle.first else { return needle.isEmpty }
      for start in 0...(bytes.count - needle.count) where bytes[start].lowercasedASCII == head {
        if needle.indices.allSatisfy({ bytes[start + $0].lowercasedASCII == needle[$0] }) { return true }
      }
      return false
    }
  }
}
