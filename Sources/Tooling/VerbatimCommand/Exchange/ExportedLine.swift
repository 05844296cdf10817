// Parses lines of an export strictly: every member is checked.
internal import Errors
internal import JSONLines
internal import EventLog

/// The line of an event.
struct ExportedEvent {
  let position: Position
  let version: StreamVersion
  let block: UInt64
  let recorded: Timestamp
  let append: AppendID
  let correlation: Name?
  let proposal: ProposalHash?
  let event: ProposedEvent
}

/// The last line of an export.
struct ExportedEnding {
  /// The position of the last event.
  let to: UInt64
  /// The number of blocks up to that event.
  let blocks: UInt64
  /// The time of the last block.
  let recorded: Timestamp
  /// The hash of the lines' chain; nil if the line has none.
  let hash: String?
  /// Whether the lines end within a block of the log.
  let isCut: Bool
}

/// A line of an export.
enum ExportedLine {
  /// The first line: the log's genesis, its hash, and the first position.
  case beginning(Genesis, hash: String, from: UInt64)
  /// The line of an event.
  case event(ExportedEvent)
  /// The last line: the end of the lines' chain.
  case ending(ExportedEnding)

  /// Parses a line of the log with the given source; without a source, of any log.
  init(_ line: [UInt8], from source: String?) throws(InputDefect) {
    let json = try rethrow(
      JSONParser.parse(line),
      as: { (defect: InputDefect) in InputDefect("the line is not JSON (\(defect.description))") })
    var line = try ObjectReader(json, what: "the line")
    let specification = try line.required("specversion", line.text("specversion"))
    guard specification == ExportForm.specification else {
      throw InputDefect("“specversion” is “\(specification)” and must be \(ExportForm.specification)")
    }
    let id = try line.required("id", line.text("id"))
    let own = try line.required("source", line.text("source"))
    guard source == nil || own == source else {
      throw InputDefect("“source” is “\(own)”, and the first line names another log, “\(source ?? "")”")
    }
    switch try line.required("type", line.text("type")) {
    case ExportForm.beginning where source == nil: self = try Self.beginning(&line, id, own)
    case ExportForm.ending where id.hasPrefix("to-"): self = try Self.ending(&line, id)
    case let type: self = .event(try ExportedEvent(&line, id, type))
    }
    try line.finish()
  }

  private static func beginning(
    _ line: inout ObjectReader, _ id: String, _ source: String
  ) throws(InputDefect) -> ExportedLine {
    let created = try line.instant()
    var data = try line.content()
    let application = try data.name("application")
    let isErasable = try data.isErasable()
    let from = try data.required("from", data.integer("from"))
    let hash = try data.required("genesis", data.text("genesis"))
    try data.finish()
    let uuid = source.hasPrefix("urn:uuid:") ? AppendID(String(source.dropFirst(9))) : nil
    guard let uuid else { throw InputDefect("“source” is “\(source)” and must be urn:uuid: with a UUID") }
    guard id == "from-\(from)" else { throw InputDefect("“id” is “\(id)” and must be from-\(from)") }
    let genesis = Genesis(id: uuid, created: created, application: application, isErasable: isErasable)
    return .beginning(genesis, hash: hash, from: from)
  }

  private static func ending(_ line: inout ObjectReader, _ id: String) throws(InputDefect) -> ExportedLine {
    let recorded = try line.instant()
    var data = try line.content()
    let to = try data.required("to", data.integer("to"))
    let blocks = try data.required("blocks", data.integer("blocks"))
    let hash = try data.text(ExportForm.hash)
    let cutHash = try data.text(ExportForm.cutHash)
    try data.finish()
    guard hash == nil || cutHash == nil else {
      throw InputDefect("“data” has “\(ExportForm.hash)” and “\(ExportForm.cutHash)”, and can have one of the two")
    }
    guard id == "to-\(to)" else { throw InputDefect("“id” is “\(id)” and must be to-\(to)") }
    return .ending(
      ExportedEnding(to: to, blocks: blocks, recorded: recorded, hash: hash ?? cutHash, isCut: cutHash != nil))
  }
}

extension ExportedEvent {
  fileprivate init(_ line: inout ObjectReader, _ id: String, _ type: String) throws(InputDefect) {
    position = Position(rawValue: try number(id, "id", least: 1))
    recorded = try line.instant()
    version = StreamVersion(rawValue: try number(line.required("version", line.text("version")), "version", least: 1))
    block = try number(line.required("block", line.text("block")), "block", least: 1)
    append = try line.required("append", line.appendID("append"))
    correlation = try line.name("correlation")
    proposal = try line.proposal("proposal")
    let cause = try line.text("cause").map { text throws(InputDefect) in try number(text, "cause", least: 1) }
    var event = ProposedEvent(
      stream: try line.required("subject", line.name("subject")), type: try name(type, "type"),
      payload: try line.payload(), actor: try line.name("actor"), device: try line.name("device"),
      cause: cause.map { Position(rawValue: $0) })
    if let text = try line.text("encrypted") {
      guard let encrypted = bytes(base64: text), !encrypted.isEmpty else {
        throw InputDefect("“encrypted” is not base64 with padding and without line breaks")
      }
      event.encrypted = encrypted
    }
    self.event = event
  }
}

/// Parses a number from a string in its only form: CloudEvents limits integers to 2^31.
private func number(_ text: String, _ key: String, least: UInt64) throws(InputDefect) -> UInt64 {
  guard let number = UInt64(text), number >= least, String(number) == text else {
    throw InputDefect("“\(key)” is “\(text)” and must be a string with an integer of at least \(least)")
  }
  return number
}

private func name(_ text: String, _ key: String) throws(InputDefect) -> Name {
  try rethrow(
    Name(text), as: { (error: NameError) in InputDefect("“\(key)” is not a valid name (\(error))") })
}

extension ObjectReader {
  fileprivate mutating func instant() throws(InputDefect) -> Timestamp {
    let text = try required("time", text("time"))
    guard let instant = Timestamp(text) else {
      throw InputDefect("“time” is “\(text)” and must be an instant as 2026-01-01T00:00:00.000000Z")
    }
    return instant
  }

  /// Reads whether the content of the log is encrypted, which is not said of others.
  fileprivate mutating func isErasable() throws(InputDefect) -> Bool {
    guard let value = value("erasable") else { return false }
    guard value == .bool(true) else { throw InputDefect("“erasable” must be true or absent") }
    return true
  }

  /// Reads the object under `data` in the first and the last line.
  fileprivate mutating func content() throws(InputDefect) -> ObjectReader {
    let type = try required("datacontenttype", text("datacontenttype"))
    guard type == ExportForm.json else {
      throw InputDefect("“datacontenttype” is “\(type)” and must be \(ExportForm.json)")
    }
    return try ObjectReader(try required("data", value("data")), what: "“data”")
  }

  fileprivate mutating func payload() throws(InputDefect) -> [UInt8] {
    let type = try text("datacontenttype")
    switch (try text("data"), try text("data_base64")) {
    case (nil, nil) where type == nil: return []
    case (let text?, nil) where type == ExportForm.text && !text.isEmpty: return Array(text.utf8)
    case (nil, let text?) where type == ExportForm.bytes || type == ExportForm.protobuf:
      guard let bytes = bytes(base64: text), !bytes.isEmpty else {
        throw InputDefect("“data_base64” is not base64 with padding and without line breaks")
      }
      return bytes
    default:
      throw InputDefect(
        "“data” goes with “datacontenttype” \(ExportForm.text), “data_base64” with \(ExportForm.bytes) or "
          + "\(ExportForm.protobuf), and neither with none")
    }
  }
}
