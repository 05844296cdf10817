// A block in the making: the versions that its events give to streams, and the appends it holds.
internal import Bytes

/// What will be the next block of a log, while one holds the writer lock it.
package struct BlockDraft: ~Copyable {
  /// The end of the log, behind which it is appended.
  package private(set) var head: Head
  /// When it is recorded: not before the block that it follows.
  package private(set) var recorded = Timestamp(rawValue: 0)
  internal var builder = BlockBuilder()

  /// The log and its index, while somebody decides.
  private var source: (log: any Log, index: any LogIndex)?
  /// The version of each stream of the block, by its number; none until it is asked for.
  private var versions: [UInt64] = []
  private static let none = UInt64.max
  private var appends: [AppendID: Int] = [:]
  private var members: [(append: Append, receipt: Receipt)] = []

  internal init(after head: Head) { self.head = head }

  internal mutating func begin(after head: Head, at recorded: Timestamp, of log: any Log, _ index: any LogIndex) {
    (self.head, self.recorded) = (head, recorded)
    source = (log, index)
    removeAll()
  }

  internal mutating func end() { source = nil }

  /// Whether nothing was added.
  package var isEmpty: Bool { builder.count == 0 }

  /// Where the event stands that was added last; where the log ends when none was.
  package var last: Position { head.position.advanced(by: builder.count) }

  /// Takes back all that was added.
  package mutating func removeAll() {
    builder.removeAll()
    versions.removeAll(keepingCapacity: true)
    appends.removeAll(keepingCapacity: true)
    members.removeAll(keepingCapacity: true)
  }

  /// What came of an append with the same id, in this block or in the log; nil when there is none.
  package func outcome(
    ofEarlier append: Append, _ id: AppendID
  ) throws(LogError) -> Result<Receipt, AppendError>? {
    if let member = appends[id] {
      let (earlier, receipt) = members[member]
      return append.isSame(as: earlier) ? .success(receipt) : .failure(.idReused(id, at: receipt.positions.lowerBound))
    }
    guard let source else { return nil }
    return try source.log.storedAppend(id, foundIn: source.index)?.outcome(of: append)
  }

  /// The first expectation that does not hold behind what was added.
  package func conflict(with expectations: [StreamExpectation]) throws(LogError) -> AppendConflict? {
    for expectation in expectations {
      let actual = try version(of: expectation.stream)
      guard expectation.holds(at: actual) else {
        return AppendConflict(stream: expectation.stream, expected: expectation.state, actual: actual)
      }
    }
    return nil
  }

  /// Whether an event stands in the log or in this block, so that it can be the cause of one that is added.
  package func isKnown(_ cause: Position) -> Bool { cause > .zero && cause <= last }

  /// Adds an append's events and answers the receipt that it has once the block is in the log.
  ///
  /// What the append expects was looked at before.
  package mutating func write(_ append: Append, _ id: AppendID) throws(LogError) -> Receipt {
    let (events, first) = (append.events, last.next)
    builder.beginAppend(id, count: events.count, correlation: append.correlation, proposal: append.proposal)
    var ranges = StreamRanges(near: builder.number(ofStream: events[0].stream))
    for event in events {
      let number = builder.number(ofStream: event.stream)
      let version = try nextVersion(of: event.stream, number)
      builder.add(event, stream: number, version: version)
      ranges.add(event.stream, number, version)
    }
    let receipt = Receipt(
      id: id, positions: first...first.advanced(by: events.count - 1), recorded: recorded, streams: ranges.all)
    appends[id] = members.count
    members.append((append, receipt))
    return receipt
  }

  private mutating func nextVersion(of stream: Name, _ number: Int) throws(LogError) -> UInt64 {
    while versions.count <= number { versions.append(Self.none) }
    if versions[number] == Self.none { versions[number] = try stored(stream).rawValue }
    versions[number] += 1
    return versions[number]
  }

  /// The version of a stream behind what the block holds so far.
  private func version(of stream: Name) throws(LogError) -> StreamVersion {
    if let number = builder.streams.known(stream), number < versions.count, versions[number] != Self.none {
      return StreamVersion(rawValue: versions[number])
    }
    return try stored(stream)
  }

  private func stored(_ stream: Name) throws(LogError) -> StreamVersion {
    guard let index = source?.index else { preconditionFailure("a draft is used when nobody decides") }
    let result: Result<StreamVersion, LogError> = stream.withBytes { bytes in
      Result { () throws(LogError) in try index.version(of: bytes) }
    }
    return try result.get()
  }
}

extension Append {
  /// Whether it writes what another append wrote, or came of the same.
  fileprivate func isSame(as other: Append) -> Bool {
    if proposal != nil { return proposal == other.proposal }
    return other.proposal == nil && events == other.events && correlation == other.correlation
  }
}

/// Gathers which versions each stream got.
internal struct StreamRanges {
  private(set) var all: [Receipt.StreamRange] = []
  /// For each stream's number where its range is, from 1; 0 while it has none.
  private var places: [Int32] = []
  private let firstNumber: Int

  /// Ranges of streams whose numbers lie close to one another.
  init(near number: Int) { firstNumber = number }

  mutating func add(_ stream: @autoclosure () -> Name, _ number: Int, _ version: UInt64) {
    let version = StreamVersion(rawValue: version)
    // Numbers before the first are few: an append mostly brings streams of its own, behind those of others.
    let index = number >= firstNumber ? 2 * (number - firstNumber) : 2 * (firstNumber - number) - 1
    while places.count <= index { places.append(0) }
    let place = Int(places[index]) - 1
    if place >= 0 {
      all[place].extend(to: version)
    } else {
      all.append(Receipt.StreamRange(stream: stream(), versions: version...version))
      places[index] = Int32(all.count)
    }
  }
}

extension Receipt.StreamRange {
  fileprivate mutating func extend(to version: StreamVersion) {
    versions = versions.lowerBound...version
  }
}
