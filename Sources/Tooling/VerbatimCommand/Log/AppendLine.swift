// Parses a line of JSON into an append; every member of the line is checked.
internal import Errors
internal import JSONLines
internal import EventLog

/// An append with the numbers of its input lines.
struct NumberedAppend: Sendable {
  var append: Append
  var lines: ClosedRange<Int>
}

extension Append {
  /// Parses a line: one event with the members of its append, or several events under `events`.
  init(line: [UInt8]) throws(InputDefect) {
    var line = try ObjectReader(try json(line), what: "the line")
    let id = try line.appendID("id")
    let correlation = try line.name("correlation")
    let expectations = try (line.array("expect") ?? []).map { json throws(InputDefect) in
      try StreamExpectation(json)
    }
    var events: [ProposedEvent] = []
    if let list = try line.array("events") {
      guard !list.isEmpty else { throw InputDefect("“events” of the line is empty: add an event.") }
      events = try list.map { json throws(InputDefect) in try ProposedEvent(json) }
    } else {
      events = [try line.event()]
    }
    try line.finish()
    self.init(events, expecting: expectations, id: id, correlation: correlation)
  }

  /// Parses a line that `verbatim log read` wrote. Position, version and time are assigned by the new log: they must be
  /// well-formed and are not used.
  init(recordedLine line: [UInt8]) throws(InputDefect) {
    var line = try ObjectReader(try json(line), what: "the line")
    _ = try line.required("position", line.position("position"))
    _ = try line.required("version", line.position("version"))
    _ = try line.required("recorded", line.text("recorded"))
    let id = try line.required("append", line.appendID("append"))
    let correlation = try line.name("correlation")
    let proposal = try line.proposal("proposal")
    let event = try line.event()
    try line.finish()
    self.init([event], id: id, correlation: correlation, proposal: proposal)
  }
}

private func json(_ line: [UInt8]) throws(InputDefect) -> JSON {
  try rethrow(
    JSONParser.parse(line),
    as: { (defect: InputDefect) in
      InputDefect("The line is not JSON (\(defect.description)): write one JSON object to a line.")
    })
}

extension ProposedEvent {
  fileprivate init(_ json: JSON) throws(InputDefect) {
    var object = try ObjectReader(json, what: "the event")
    self = try object.event()
    try object.finish()
  }
}

extension StreamExpectation {
  fileprivate init(_ json: JSON) throws(InputDefect) {
    var object = try ObjectReader(json, what: "the expectation")
    let stream = try object.required("stream", object.name("stream"))
    let word = try object.text("is")
    let version = try object.integer("version").map(StreamVersion.init(rawValue:))
    try object.finish()
    self.init(stream, try State(word, version))
  }
}

extension StreamExpectation.State {
  fileprivate init(_ word: String?, _ version: StreamVersion?) throws(InputDefect) {
    switch (word, version) {
    case (nil, let version?): self = .version(version)
    case ("any", nil): self = .any
    case ("none", nil): self = .none
    case ("exists", nil): self = .exists
    case (let word?, nil):
      throw InputDefect("“is” of the expectation is “\(word)” and must be any, none or exists.")
    default: throw InputDefect("The expectation must have either “is” or “version”.")
    }
  }
}

extension ObjectReader {
  /// Parses the members of an event.
  fileprivate mutating func event() throws(InputDefect) -> ProposedEvent {
    ProposedEvent(
      stream: try required("stream", name("stream")), type: try required("type", name("type")),
      payload: try payloadBytes(), actor: try name("actor"), device: try name("device"),
      cause: try position("cause"))
  }

  mutating func name(_ key: String) throws(InputDefect) -> Name? {
    guard let text = try text(key) else { return nil }
    return try rethrow(
      Name(text),
      as: { (error: NameError) in InputDefect("“\(key)” of \(what) is not a valid name (\(error.defect.words)).") })
  }

  mutating func position(_ key: String) throws(InputDefect) -> Position? {
    guard let number = try integer(key) else { return nil }
    guard number > 0 else { throw InputDefect("“\(key)” of \(what) is 0 and must be at least 1.") }
    return Position(rawValue: number)
  }

  mutating func appendID(_ key: String) throws(InputDefect) -> AppendID? {
    guard let text = try text(key) else { return nil }
    guard let id = AppendID(text) else {
      throw InputDefect("“\(key)” of \(what) is “\(text)” and must be a UUID.")
    }
    return id
  }

  mutating func proposal(_ key: String) throws(InputDefect) -> ProposalHash? {
    guard let text = try text(key) else { return nil }
    guard let hash = ProposalHash(text) else {
      throw InputDefect("“\(key)” of \(what) is “\(text)” and must be 16 hexadecimal digits, not all 0.")
    }
    return hash
  }
}

extension NameError.Defect {
  /// The defect and its remedy, for use in parentheses.
  fileprivate var words: String {
    switch self {
    case .empty: "it is empty: give it 1 to \(Name.byteCountMax) bytes"
    case .tooLong(let byteCount): "it has \(byteCount) bytes: give it at most \(Name.byteCountMax)"
    case .controlCharacter: "it has a control character: leave it out"
    case .notUTF8: "it is not UTF-8: encode it in UTF-8"
    }
  }
}
