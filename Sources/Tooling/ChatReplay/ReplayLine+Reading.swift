// Reads replay lines from JSON.
internal import Digests
internal import EventLog
package import JSONLines
internal import Tables
internal import Projections

extension ReplayLine {
  /// The version of the line format; other versions are refused.
  package static var version: UInt64 { 1 }

  /// Reads a line; throws its defect.
  package init(line: [UInt8]) throws(InputDefect) {
    var object = try ObjectReader(JSONParser.parse(line), what: "a line of a replay")
    self = try Self.line(&object)
    try object.finish()
  }

  private static func line(_ object: inout ObjectReader) throws(InputDefect) -> ReplayLine {
    if let version = try object.integer("replay") {
      guard version == Self.version else {
        throw InputDefect(
          "The lines of the replay have version \(version), and this program reads version \(Self.version): use a "
            + "program of that version."
        )
      }
      return .began(try ReplayBeginning(&object))
    }
    if let event = try object.integer("event") {
      return .event(try ReplayedEvent(Position(rawValue: event), &object))
    }
    if let changed = try object.integer("changed") {
      return .change(Position(rawValue: changed), try ExplainedRow(&object))
    }
    if let json = object.value("unstable") { return .unstable(try ExplainedDifference(json)) }
    if let json = object.value("mismatched") { return .mismatched(try ExplainedDifference(json)) }
    if let projection = try object.text("stopped") {
      return .stopped(
        ProjectionStop(
          projection: projection, position: try object.position("position"), reason: try object.words("reason")))
    }
    if let position = try object.integer("unreadable") {
      return .unreadable(Position(rawValue: position), try object.words("reason"))
    }
    if let position = try object.integer("ended") {
      return .ended(try ReplayEnd(Position(rawValue: position), &object))
    }
    return .digests(try ReplayedDigests(&object))
  }
}

extension ReplayBeginning {
  fileprivate init(_ object: inout ObjectReader) throws(InputDefect) {
    log = try object.chainHash("log")
    start = try object.position("start")
    end = try object.position("end")
    fingerprints = try object.required("fingerprints", try object.texts("fingerprints"))
  }
}

extension ReplayedDigests {
  package init(_ object: inout ObjectReader) throws(InputDefect) {
    position = try object.position("position")
    hash = try object.chainHash("hash")
    var tables: [Table] = []
    for json in try object.required("tables", try object.array("tables")) {
      var table = try ObjectReader(json, what: "a table")
      tables.append(
        Table(
          name: try table.words("table"), revision: try table.words("revision"), digest: try table.words("digest")))
      try table.finish()
    }
    self.tables = tables
  }
}

extension ReplayedEvent {
  fileprivate init(_ position: Position, _ object: inout ObjectReader) throws(InputDefect) {
    self.position = position
    digest = try object.tableDigest("rows")
    guard let array = try object.array("tables") else {
      tables = nil
      return
    }
    var tables: [String: TableDigest] = [:]
    for json in array {
      var table = try ObjectReader(json, what: "a table")
      tables[try table.words("table")] = try table.tableDigest("digest")
      try table.finish()
    }
    self.tables = tables
  }
}

extension ExplainedRow {
  fileprivate init(_ object: inout ObjectReader) throws(InputDefect) {
    table = try object.words("table")
    key = try object.bytes("key")
    _ = try object.text("keyText")
    var cases: [Case] = []
    for json in try object.required("cases", try object.array("cases")) {
      var one = try ObjectReader(json, what: "a case of a row")
      let name = try one.words("case")
      let fields = one.value("fields")
      try one.finish()
      cases.append(Case(name: name, fields: try fields.flatMap(Self.fields)))
    }
    self.cases = cases
  }

  private static func fields(_ json: JSON) throws(InputDefect) -> [RowField]? {
    guard case .array(let values) = json else { return nil }
    var fields: [RowField] = []
    for value in values {
      guard case .array(let parts) = value, parts.count == 2, case .string(let name) = parts[0],
        case .string(let text) = parts[1]
      else {
        throw InputDefect("A field of a row must be its name and its text.")
      }
      fields.append(RowField(name: name, text: text))
    }
    return fields
  }
}

extension ExplainedDifference {
  fileprivate init(_ json: JSON) throws(InputDefect) {
    var object = try ObjectReader(json, what: "a difference")
    what = try object.words("what")
    position = try object.integer("position").map { Position(rawValue: $0) }
    let ends = try object.required("stretch", try object.array("stretch"))
    guard ends.count == 2, case .number(let first) = ends[0], case .number(let last) = ends[1],
      let first = UInt64(first), let last = UInt64(last), first <= last
    else { throw InputDefect("“stretch” of a difference must be its first and last position.") }
    stretch = Position(rawValue: first)...Position(rawValue: last)
    tables = try object.required("tables", try object.texts("tables"))
    var rows: [ExplainedRow] = []
    for json in try object.required("rows", try object.array("rows")) {
      var row = try ObjectReader(json, what: "a row")
      rows.append(try ExplainedRow(&row))
      try row.finish()
    }
    self.rows = rows
    try object.finish()
  }
}

extension ReplayEnd {
  fileprivate init(_ position: Position, _ object: inout ObjectReader) throws(InputDefect) {
    self.position = position
    events = try object.required("events", try object.integer("events"))
    milliseconds = try object.required("milliseconds", try object.integer("milliseconds"))
    recoded = try object.required("recoded", try object.integer("recoded"))
    compared = try object.required("compared", try object.texts("compared"))
    skipped = try object.texts("skipped") ?? []
  }
}

extension ObjectReader {
  internal mutating func position(_ key: String) throws(InputDefect) -> Position {
    Position(rawValue: try required(key, try integer(key)))
  }

  internal mutating func words(_ key: String) throws(InputDefect) -> String { try required(key, try text(key)) }

  fileprivate mutating func bytes(_ key: String) throws(InputDefect) -> [UInt8] {
    let text = try words(key)
    guard let bytes = decodeHexadecimal(text) else {
      throw InputDefect("“\(key)” of \(what) must be pairs of hexadecimal digits.")
    }
    return bytes
  }

  internal mutating func chainHash(_ key: String) throws(InputDefect) -> ChainHash {
    let bytes = try bytes(key)
    guard let hash = bytes.withUnsafeBytes({ ChainHash(bytes: $0) }) else {
      throw InputDefect("“\(key)” of \(what) must be 64 hexadecimal digits.")
    }
    return hash
  }

  fileprivate mutating func tableDigest(_ key: String) throws(InputDefect) -> TableDigest {
    guard let sum = UInt128(try words(key), radix: 16) else {
      throw InputDefect("“\(key)” of \(what) must be 32 hexadecimal digits.")
    }
    return TableDigest(sum: sum)
  }
}

/// Decodes pairs of hexadecimal digits; nil for anything else.
private func decodeHexadecimal(_ text: String) -> [UInt8]? {
  let digits = text.map(\.hexDigitValue)
  guard digits.count % 2 == 0 else { return nil }
  var bytes: [UInt8] = []
  for index in stride(from: 0, to: digits.count, by: 2) {
    guard let high = digits[index], let low = digits[index + 1] else { return nil }
    bytes.append(UInt8(high << 4 | low))
  }
  return bytes
}
