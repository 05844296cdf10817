// The JSON form of values that programs write and read: one table of keys per struct serves both directions.
internal import Chat
internal import Errors
internal import JSONLines
internal import Scenarios

/// A value that is written to JSON and read from it in the same form.
protocol JSONForm: PrintedValue {
  /// Reads the value; `what` names it in errors.
  init(json: JSON, of what: String) throws(InputDefect)
}

/// A struct whose JSON form is an object of the members in its table.
protocol JSONObjectForm: JSONForm {
  /// The value of an object without members; a placeholder where members are required.
  static var blank: Self { get }
  /// The members, in the order in which they are written.
  static var fields: [JSONField<Self>] { get }
}

extension JSONObjectForm {
  /// The object of all members; those that are nil are left out.
  var json: JSON { .object(members) }

  /// The members of the object.
  var members: [JSON.Member] {
    Self.fields.compactMap { field in field.written(self).map { JSON.Member(key: field.key, value: $0) } }
  }

  init(json: JSON, of what: String) throws(InputDefect) {
    var reader = try ObjectReader(json, what: what)
    try self.init(takenFrom: &reader)
    try reader.finish()
  }

  /// Takes the members of the value from an object that may have others.
  init(takenFrom reader: inout ObjectReader) throws(InputDefect) {
    self = Self.blank
    for field in Self.fields { try field.read(&self, &reader) }
  }
}

/// A member of an object in JSON, and the property that it holds.
struct JSONField<Owner> {
  let key: String
  /// Returns the JSON form of the property; nil where it is left out.
  let written: (Owner) -> JSON?
  /// Takes the member from an object and sets the property; a missing member leaves the property as it is.
  let read: (inout Owner, inout ObjectReader) throws(InputDefect) -> Void

  /// Creates a member that is always written and may be missing when it is read, unless it is required.
  init<Value: JSONForm>(_ key: String, _ property: WritableKeyPath<Owner, Value>, isRequired: Bool = false) {
    self.key = key
    written = { $0[keyPath: property].json }
    read = { owner, reader throws(InputDefect) in
      let value: Value? = try reader.form(key)
      if isRequired { _ = try reader.required(key, value) }
      if let value { owner[keyPath: property] = value }
    }
  }

  /// Creates a member that is left out where the property is nil.
  init<Value: JSONForm>(_ key: String, _ property: WritableKeyPath<Owner, Value?>) {
    self.key = key
    written = { $0[keyPath: property]?.json }
    read = { owner, reader throws(InputDefect) in
      if let value: Value = try reader.form(key) { owner[keyPath: property] = value }
    }
  }

  /// Creates a member with an array.
  init<Value: JSONForm>(_ key: String, each property: WritableKeyPath<Owner, [Value]>) {
    self.key = key
    written = { .array($0[keyPath: property].map(\.json)) }
    read = { owner, reader throws(InputDefect) in
      if let values: [Value] = try reader.forms(key) { owner[keyPath: property] = values }
    }
  }

  /// Creates a member with an array that is left out where the property is nil.
  init<Value: JSONForm>(_ key: String, each property: WritableKeyPath<Owner, [Value]?>) {
    self.key = key
    written = { owner in owner[keyPath: property].map { .array($0.map(\.json)) } }
    read = { owner, reader throws(InputDefect) in
      if let values: [Value] = try reader.forms(key) { owner[keyPath: property] = values }
    }
  }
}

extension ObjectReader {
  /// Takes a value; nil when the key is missing.
  mutating func form<Value: JSONForm>(_ key: String) throws(InputDefect) -> Value? {
    guard let value = value(key) else { return nil }
    return try Value(json: value, of: "“\(key)” of \(what)")
  }

  /// Takes an array of values; nil when the key is missing.
  mutating func forms<Value: JSONForm>(_ key: String) throws(InputDefect) -> [Value]? {
    guard let values = try array(key) else { return nil }
    return try values.map { value throws(InputDefect) in try Value(json: value, of: "“\(key)” of \(what)") }
  }

  /// Takes a value that must be present.
  mutating func needed<Value: JSONForm>(_ key: String) throws(InputDefect) -> Value {
    try required(key, try form(key))
  }

  /// Takes a payload: `payload` as text, or `payload64` in base64.
  mutating func payloadBytes() throws(InputDefect) -> [UInt8] {
    switch (try text("payload"), try text("payload64")) {
    case (let text?, nil): return Array(text.utf8)
    case (nil, let text?):
      guard let bytes = bytes(base64: text) else {
        throw InputDefect("“payload64” of \(what) is not base64: encode it with padding and without line breaks.")
      }
      return bytes
    default:
      let what = what.prefix(1).uppercased() + what.dropFirst()
      throw InputDefect("\(what) must have either “payload” or “payload64”.")
    }
  }
}

extension JSON.Member {
  /// Creates the member of a payload: text where it is UTF-8, otherwise base64.
  init(payload: [UInt8]) {
    if let text = String(validating: payload, as: UTF8.self) {
      self.init(key: "payload", value: .string(text))
    } else {
      self.init(key: "payload64", value: .string(base64(payload)))
    }
  }
}

extension JSON {
  /// Returns the defect of a value of the wrong kind.
  func mismatch(_ what: String, _ expected: String) -> InputDefect {
    InputDefect("\(what) must be \(expected) and is \(kind).")
  }

  /// Returns the value as text, which it must be.
  func string(of what: String) throws(InputDefect) -> String {
    guard case .string(let text) = self else { throw mismatch(what, "a text") }
    return text
  }

  /// Returns the value as a whole number, which it must be.
  fileprivate func whole<Number: FixedWidthInteger>(of what: String) throws(InputDefect) -> Number {
    guard case .number(let text) = self else { throw mismatch(what, "a whole number") }
    guard let number = Number(text) else {
      throw InputDefect("\(what) is \(text) and must be a whole number from \(Number.min) to \(Number.max).")
    }
    return number
  }
}

// MARK: Simple values

extension Bool: JSONForm {
  init(json: JSON, of what: String) throws(InputDefect) {
    guard case .bool(let value) = json else { throw json.mismatch(what, "true or false") }
    self = value
  }
}

extension UInt8: JSONForm {
  init(json: JSON, of what: String) throws(InputDefect) { self = try json.whole(of: what) }
}

extension UInt16: JSONForm {
  init(json: JSON, of what: String) throws(InputDefect) { self = try json.whole(of: what) }
}

extension UInt32: JSONForm {
  init(json: JSON, of what: String) throws(InputDefect) { self = try json.whole(of: what) }
}

extension UInt64: JSONForm {
  init(json: JSON, of what: String) throws(InputDefect) { self = try json.whole(of: what) }
}

extension Microseconds: JSONForm {
  init(json: JSON, of what: String) throws(InputDefect) { self.init(rawValue: try json.whole(of: what)) }
}

extension ID: JSONForm {
  init(json: JSON, of what: String) throws(InputDefect) {
    let text = try json.string(of: what)
    self = try rethrow(Self(text), as: { (error: IDError) in InputDefect("\(what) is wrong: \(error)") })
  }
}

extension UserText: JSONForm {
  init(json: JSON, of what: String) throws(InputDefect) { self.init(try json.string(of: what)) }
}

extension TypedText: JSONForm {
  init(json: JSON, of what: String) throws(InputDefect) { self.init(UserText(try json.string(of: what))) }
}

extension Timestamp: JSONForm {
  init(json: JSON, of what: String) throws(InputDefect) {
    let text = try json.string(of: what)
    guard let instant = Timestamp(rfc3339: text) else {
      throw InputDefect("\(what) is “\(text)” and must be an instant, as 2026-11-22T12:30:00Z.")
    }
    self = instant
  }
}

extension Range: JSONForm where Bound == UTF16Offset {
  init(json: JSON, of what: String) throws(InputDefect) {
    guard case .array(let ends) = json, ends.count == 2 else {
      throw json.mismatch(what, "two offsets in UTF-16 units, as [0,4],")
    }
    let (start, end): (UInt32, UInt32) = (try ends[0].whole(of: what), try ends[1].whole(of: what))
    guard start <= end else { throw InputDefect("\(what) begins at \(start), after its end \(end): swap them.") }
    self = UTF16Offset(rawValue: Int(start))..<UTF16Offset(rawValue: Int(end))
  }
}

extension Extra: JSONForm {
  init(json: JSON, of what: String) throws(InputDefect) {
    guard case .fields(let extra) = try json.extraValue(of: what) else { throw json.mismatch(what, "an object") }
    self = extra
  }
}

extension SmallSet: JSONForm {
  init(json: JSON, of what: String) throws(InputDefect) {
    guard case .array(let values) = json else { throw json.mismatch(what, "an array of names") }
    self.init()
    for value in values {
      let name = try value.string(of: what)
      guard let element = Element.allCases.first(where: { "\($0)" == name }) else {
        throw JSON.unknown(name, what, Element.allCases.map { "\($0)" })
      }
      insert(element)
    }
  }
}

extension JSON {
  /// Returns the name and the value of a case: a text is a name alone, an object has one member.
  func oneCase(of what: String) throws(InputDefect) -> (name: String, value: JSON?) {
    switch self {
    case .string(let name): return (name, nil)
    case .object(let members) where members.count == 1: return (members[0].key, members[0].value)
    default: throw mismatch(what, "a name, or an object with one member,")
    }
  }

  /// Returns the defect of a name that is not known.
  static func unknown(_ name: String, _ what: String, _ known: [String]) -> InputDefect {
    let advice = nearest(to: name, among: known).map { "did you mean “\($0)”?" }
    return InputDefect("“\(name)” is not a value of \(what): \(advice ?? "use \(known.joined(separator: ", ")).")")
  }
}
