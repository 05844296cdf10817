// The draft of a block: its appends and the stream versions that its events get.
internal import Bytes

/// The next block of a log, built under the writer lock.
package struct BlockDraft: ~Copyable {
  /// The head after which the block is appended.
  package private(set) var head: Head
  /// The time of the block: not before that of the block it follows, unless it corrects the clock.
  package private(set) var recorded = Timestamp(rawValue: 0)
  internal var builder = BlockBuilder()

  /// The log and its index, while the block is being decided.
  private var source: (log: any Log, index: any LogIndex)?
  private var cipher: (any ContentCipher)?
  private var parts = ContentParts()
  /// The version of each stream of the block, by its number.
  private var versions: [UInt64] = []
  /// The numbers of the streams of an append's events, and the streams that it adds; kept to allocate once.
  private var numbers: [Int] = []
  private var added: [Name] = []
  private var appends: [AppendID: Int] = [:]
  private var members: [(append: Append, receipt: Receipt)] = []

  /// Whether the receipt of an earlier append was found in the log since the draft was emptied; such an append may not
  /// be durable yet, if the call that made it was cut off.
  internal private(set) var foundEarlier = false

  internal init(after head: Head) { self.head = head }

  internal mutating func begin(after head: Head, at recorded: Timestamp, of log: any Log, _ index: any LogIndex) {
    (self.head, self.recorded) = (head, recorded)
    (source, cipher) = ((log, index), log.content.cipher)
    removeAll()
  }

  internal mutating func end() { source = nil }

  /// Whether nothing was added.
  package var isEmpty: Bool { builder.count == 0 }

  /// The position of the event added last; the end of the log when none was.
  package var last: Position { head.position.advanced(by: builder.count) }

  /// Discards all that was added.
  package mutating func removeAll() {
    foundEarlier = false
    builder.removeAll()
    versions.removeAll(keepingCapacity: true)
    appends.removeAll(keepingCapacity: true)
    members.removeAll(keepingCapacity: true)
  }

  /// Returns the result of an earlier append with the same id, in this block or in the log; nil when there is none.
  package mutating func outcome(
    ofEarlier append: Append, _ id: AppendID
  ) throws(LogError) -> Result<Receipt, AppendError>? {
    if let member = appends[id] {
      let (earlier, receipt) = members[member]
      return append.isSame(as: earlier) ? .success(receipt) : .failure(.idReused(id, at: receipt.positions.lowerBound))
    }
    guard let source else { return nil }
    let outcome = try source.log.storedAppend(id, foundIn: source.index)?.outcome(of: append, cipher)
    if case .success = outcome { foundEarlier = true }
    return outcome
  }

  /// Returns the first expectation that does not hold after what was added.
  package func conflict(with expectations: [StreamExpectation]) throws(LogError) -> AppendConflict? {
    for expectation in expectations {
      let actual = try version(of: expectation.stream)
      guard expectation.holds(at: actual) else {
        return AppendConflict(stream: expectation.stream, expected: expectation.state, actual: actual)
      }
    }
    return nil
  }

  /// Returns whether an event is in the log or in this block, so that it can be the cause of an added one.
  package func isKnown(_ cause: Position) -> Bool { cause > .zero && cause <= last }

  /// Adds an append's events and returns the receipt that holds once the block is in the log.
  ///
  /// The caller has checked the append's expectations.
  package mutating func write(_ append: Append, _ id: AppendID) throws(LogError) -> Receipt {
    let (events, first) = (append.events.span, last.next)
    var proposal = append.proposal
    if let cipher, let given = proposal {
      proposal = try cipher.hidden(
        given, of: id, by: events[0].actor, at: recorded, hasStream: Self.existence(in: index))
    }
    builder.beginAppend(id, count: events.count, correlation: append.correlation, proposal: proposal)
    try numberStreams(of: events)
    var ranges = StreamRanges(near: numbers[0])
    for index in events.indices {
      let number = numbers[index]
      let version = versions[number] + 1
      versions[number] = version
      try add(index, of: events, AppendPlace(id, index), stream: number, version: version)
      ranges.add(events[index].stream, number, version)
    }
    let receipt = Receipt(
      id: id, positions: first...first.advanced(by: events.count - 1), recorded: recorded, streams: ranges.all)
    appends[id] = members.count
    members.append((append, receipt))
    return receipt
  }

  private mutating func add(
    _ index: Int, of events: Span<ProposedEvent>, _ place: AppendPlace, stream: Int, version: UInt64
  ) throws(LogError) {
    guard events[index].content != nil, source?.log.genesis.isErasable == true else {
      return builder.add(index, of: events, stream: stream, version: version)
    }
    guard let cipher else { throw .keysMissing }
    parts.removeAll()
    let hasStream = Self.existence(in: self.index)
    guard try cipher.encrypt(events[index], place, at: recorded, into: &parts, hasStream: hasStream) else {
      return builder.add(index, of: events, stream: stream, version: version)
    }
    parts.readable.withBytes { readable in
      parts.encrypted.withBytes { encrypted in
        builder.add(
          index, of: events, stream: stream, version: version, payload: readable, encrypted: encrypted)
      }
    }
  }

  /// Returns a function that returns whether the log has a stream.
  private static func existence(in index: any LogIndex) -> (Name) throws(LogError) -> Bool {
    { stream throws(LogError) in try index.version(ofStream: stream) > .zero }
  }

  /// Finds the numbers of the streams of an append's events, and the versions of those that are new in the block.
  ///
  /// All are looked up at once: for one stream, locking and calling the index takes twice the time of the look-up.
  private mutating func numberStreams(of events: Span<ProposedEvent>) throws(LogError) {
    numbers.removeAll(keepingCapacity: true)
    added.removeAll(keepingCapacity: true)
    for index in events.indices {
      let number = builder.number(ofStream: events[index].stream)
      if number == versions.count + added.count { added.append(events[index].stream) }
      numbers.append(number)
    }
    if !added.isEmpty { try index.readVersions(of: added, into: &versions) }
  }

  /// Returns the version of a stream after what the block holds so far.
  private func version(of stream: Name) throws(LogError) -> StreamVersion {
    if let number = builder.streams.known(stream) { return StreamVersion(rawValue: versions[number]) }
    return try index.version(ofStream: stream)
  }

  /// The index of the log, while the block is being decided.
  private var index: any LogIndex {
    guard let source else { preconditionFailure("a block draft is used outside a decision") }
    return source.index
  }
}

extension Append {
  /// Returns whether it has the same proposal as another append or, without one, the same events.
  fileprivate func isSame(as other: Append) -> Bool {
    if proposal != nil { return proposal == other.proposal }
    return other.proposal == nil && events == other.events && correlation == other.correlation
  }
}

/// Collects the versions given in each stream.
internal struct StreamRanges {
  private(set) var all: [Receipt.StreamRange] = []
  /// The index of each stream's range, from 1; 0 while it has none.
  private var rangeIndexes: [Int32] = []
  private let firstNumber: Int

  /// Creates ranges of streams whose numbers are close to one another.
  init(near number: Int) { firstNumber = number }

  mutating func add(_ stream: @autoclosure () -> Name, _ number: Int, _ version: UInt64) {
    let version = StreamVersion(rawValue: version)
    // Numbers below the first are few: an append mostly adds streams of its own, after those of others.
    let index = number >= firstNumber ? 2 * (number - firstNumber) : 2 * (firstNumber - number) - 1
    while rangeIndexes.count <= index { rangeIndexes.append(0) }
    let rangeIndex = Int(rangeIndexes[index]) - 1
    if rangeIndex >= 0 {
      all[rangeIndex].extend(to: version)
    } else {
      all.append(Receipt.StreamRange(stream: stream(), versions: version...version))
      rangeIndexes[index] = Int32(all.count)
    }
  }
}

extension Receipt.StreamRange {
  fileprivate mutating func extend(to version: StreamVersion) {
    versions = versions.lowerBound...version
  }
}
