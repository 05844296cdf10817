// The blocks assembled from the lines of an export, each checked before use.
internal import ChatCodec
internal import Errors
internal import JSONLines
internal import EventLog
internal import Verbatim

/// The result of reading all lines of an export.
struct ImportedLines {
  /// The genesis of the log.
  var genesis: Genesis
  /// The head of the lines' chain.
  var head: Head
  /// The end that the last line states.
  var ending: ExportedEnding
  /// The number of the last line.
  var lineCount: Int

  /// Whether the chain is proved to be the exported one.
  var isSame: Bool { difference == nil }

  /// The reason why the chain differs or may differ from the exported one, and the remedy; nil if it is the same.
  var difference: String? {
    guard let hash = ending.hash else {
      return "Line \(lineCount), the last, has no chain hash, so it is unknown whether the events are unchanged: "
        + "export the log again, or import the lines with --changed."
    }
    guard hash == "\(head.hash)" else {
      return "The chain hash of the lines is \(head.hash), and their last line has "
        + "\(hash), so lines were changed, moved or omitted: nothing was imported; "
        + "export the log again, or import the lines with --changed."
    }
    guard ending.recorded == head.recorded else {
      return "Line \(lineCount) has \(ending.recorded) as the time of the last block, and its events have "
        + "\(head.recorded): export the log again, or import the lines with --changed."
    }
    return nil
  }
}

/// A reader that assembles lines into the blocks that they were exported from.
struct ImportedBlocks: ~Copyable {
  private var lines: LineReader
  private var genesis: Genesis?
  /// The head of what was read; a placeholder until the first line gives the log's genesis.
  private var head = Head(of: .new())
  private var decoder = EventDecoder()
  private var given = CopiedBlock()
  /// The block being assembled: its events, and the line number of the first.
  private var events: [ExportedEvent] = []
  private var firstLine = 0
  private var byteCount = 0
  /// The number of events of each stream.
  private var versions: [Name: UInt64] = [:]
  private var ids: Set<AppendID> = []

  /// The maximum byte count of a block: its length is stored in four bytes.
  private static let byteCountMax = 1 << 31 - 1

  /// Creates a reader of the lines of a descriptor. A line may hold any event that fits a block: JSON has six bytes for
  /// some that a payload or a name has.
  init(_ descriptor: Int32) { lines = LineReader(descriptor, byteCountMax: 6 * Self.byteCountMax) }

  /// Reads all lines, and calls the closure with each block and the head that it follows.
  mutating func forEachBlock(
    _ body: (BlockView, Head) throws(Failure) -> Void
  ) throws(Failure) -> ImportedLines {
    var source: String?
    while case .line(let line) = try lines.next(waits: true) {
      let read = try rethrow(
        ExportedLine(line, from: source),
        as: { (error: InputDefect) in defect(error.description, .misused) })
      switch read {
      case .beginning(let begun, let hash, let from):
        try begin(begun, hash, from)
        source = ExportForm.source(begun)
      case .event where source == nil, .ending where source == nil:
        throw defect("it is not the first line of an export, which identifies the log", .misused)
      case .event(let event): try add(event, body)
      case .ending(let ending): return try end(ending, body)
      }
    }
    guard source != nil else { throw Failure(.misused, "The input is empty: give an export of `verbatim export`.") }
    throw Failure(
      .refused,
      "The input ends after line \(lines.number) without the last line of an export: export the log again.")
  }

  // MARK: First and last line

  private mutating func begin(_ begun: Genesis, _ hash: String, _ from: UInt64) throws(Failure) {
    guard from == 1 else {
      throw defect("the lines begin with position \(from): export the log from its first event", .refused)
    }
    guard "\(begun.hash)" == hash else {
      throw defect("the genesis of the log has the hash \(begun.hash), and the line has “\(hash)”", .refused)
    }
    (genesis, head) = (begun, Head(of: begun))
  }

  private mutating func end(
    _ ending: ExportedEnding, _ body: (BlockView, Head) throws(Failure) -> Void
  ) throws(Failure) -> ImportedLines {
    let number = lines.number
    try finishBlock(body)
    guard ending.to == head.position.rawValue, ending.blocks == UInt64(head.blocks) else {
      throw Failure(
        .refused,
        "Line \(number) has \(ending.to) events in \(ending.blocks) blocks, and there are \(head.position) in "
          + "\(head.blocks): export the log again.")
    }
    guard case .end = try lines.next(waits: true) else {
      throw defect("lines follow the last line of the export", .refused)
    }
    guard let genesis else { preconditionFailure("the first line is missing") }
    return ImportedLines(genesis: genesis, head: head, ending: ending, lineCount: number)
  }

  // MARK: Events

  private mutating func add(
    _ event: ExportedEvent, _ body: (BlockView, Head) throws(Failure) -> Void
  ) throws(Failure) {
    if event.block != UInt64(head.blocks + 1), !events.isEmpty { try finishBlock(body) }
    try check(event)
    guard event.event.encrypted.isEmpty || genesis?.isErasable == true else {
      throw defect("it has encrypted content, and the log is not that of an erasable workspace", .refused)
    }
    if events.isEmpty { firstLine = lines.number }
    events.append(event)
    byteCount += event.event.payload.count + event.event.encrypted.count + 512
    guard byteCount <= Self.byteCountMax else { throw defect("its block is too large", .refused) }
  }

  private mutating func check(_ event: ExportedEvent) throws(Failure) {
    let expected = head.position.advanced(by: events.count).next
    guard event.position == expected else {
      throw defect("the position is \(event.position) and must be \(expected)", .refused)
    }
    guard event.block == UInt64(head.blocks + 1) else {
      throw defect("the block is \(event.block) after block \(head.blocks)", .refused)
    }
    let earliest = events.last?.recorded ?? head.recorded
    let mayFall = events.isEmpty && ClockCorrection(event.event)?.wrong == earliest
    guard event.recorded == earliest || events.isEmpty && event.recorded > earliest || mayFall else {
      throw defect("its time is \(event.recorded), which does not fit \(earliest) before it", .refused)
    }
    if let first = events.first, first.recorded < head.recorded {
      throw defect("it is in the block of a correction of the clock, which has one event", .refused)
    }
    let version = versions[event.event.stream, default: 0] + 1
    guard event.version.rawValue == version else {
      throw defect("the version of \(event.event.stream) is \(event.version) and must be \(version)", .refused)
    }
    versions[event.event.stream] = version
    if let cause = event.event.cause, cause >= event.position {
      throw defect("its cause, \(cause), is not an earlier position", .refused)
    }
    try checkAppend(of: event)
  }

  private mutating func checkAppend(of event: ExportedEvent) throws(Failure) {
    guard let last = events.last, last.append == event.append else {
      guard ids.insert(event.append).inserted else {
        throw defect("the append \(event.append) occurred in an earlier line already", .refused)
      }
      return
    }
    guard last.correlation == event.correlation else {
      throw defect("it has another correlation than the line before, of the same append", .refused)
    }
    guard event.proposal == nil else { throw defect("only the first event of an append has a proposal", .refused) }
  }

  // MARK: Blocks

  private mutating func finishBlock(_ body: (BlockView, Head) throws(Failure) -> Void) throws(Failure) {
    guard let first = events.first else { return }
    given.removeAll()
    var start = events.startIndex
    while start < events.endIndex {
      let append = events[start]
      let part = events[start...].prefix { $0.append == append.append }
      given.add(
        Append(part.map(\.event), correlation: append.correlation, proposal: append.proposal), append.append,
        versions: part.map(\.version))
      start = part.endIndex
    }
    let before = head
    let isChat = genesis?.application == Workspace.application
    var (decoder, line) = (decoder, firstLine)
    head = try given.withBlock(after: before, at: first.recorded) { block throws(Failure) in
      if isChat {
        for index in 0..<block.count {
          try Self.checkForm(of: block.event(at: index), &decoder, line: line)
          line += 1
        }
      }
      try body(block, before)
      return block.head
    }
    self.decoder = decoder
    events.removeAll(keepingCapacity: true)
    byteCount = 0
  }

  /// Checks that a chat event can be decoded by this program, and that its bytes are in canonical form.
  private static func checkForm(
    of event: EventView, _ decoder: inout EventDecoder, line: Int
  ) throws(Failure) {
    do throws(UnreadableEvent) {
      if try decoder.isInForm(event) { return }
    } catch {
      throw Failure(.refused, "Line \(line): \(error)")
    }
    throw Failure(.refused, "Line \(line): the event is not in its canonical encoding.")
  }

  /// Returns the failure for the line that was read last.
  private func defect(_ what: String, _ code: ExitCode) -> Failure {
    let end = what.last.map { ".!?".contains($0) } == true ? "" : "."
    return Failure(code, "Line \(max(1, lines.number)): \(what)\(end)")
  }
}
