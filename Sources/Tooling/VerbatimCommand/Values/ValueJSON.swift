// Values of a chat as JSON: members have the names of the Swift properties, always in the same order.
internal import Chat
internal import EventLog
internal import JSONLines

/// A type with its own form in JSON: an id, for example, is its text.
protocol PrintedValue {
  /// The JSON form.
  var json: JSON { get }
}

extension JSON {
  /// Creates the JSON form of any value by reflection.
  ///
  /// A struct is an object of its properties in the order of their declaration, without those that are nil. A case
  /// without values is its name; one with a value is an object whose only key is the case's name, with the value or an
  /// object of labelled values. Elements of sets and dictionaries, whose order is arbitrary, are sorted by their texts.
  init(of value: Any) {
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .optional: self = mirror.children.first.map { JSON(of: $0.value) } ?? .null
    case _ where value is any PrintedValue: self = (value as? any PrintedValue)?.json ?? .null
    case .collection: self = .array(mirror.children.map { JSON(of: $0.value) })
    case .set: self = .array(mirror.children.map { JSON(of: $0.value) }.sorted { $0.text < $1.text })
    case .dictionary: self = .object(JSON.pairs(mirror).sorted { $0.key < $1.key })
    case .enum: self = JSON(ofCase: value, mirror)
    case .struct, .tuple, .class: self = .object(JSON.members(mirror))
    default: self = .string("\(value)")
    }
  }

  /// Creates the JSON form of an enum case.
  private init(ofCase value: Any, _ mirror: Mirror) {
    guard let child = mirror.children.first, let name = child.label else {
      self = .string("\(value)")
      return
    }
    self = .object([Member(key: name, value: JSON(of: child.value))])
  }

  private static func members(_ mirror: Mirror) -> [Member] {
    mirror.children.compactMap { child in
      let json = JSON(of: child.value)
      return json == .null ? nil : child.label.map { Member(key: unboxed($0), value: json) }
    }
  }

  /// Returns the name of a property without the prefix of those that are stored outside of their struct.
  private static func unboxed(_ label: String) -> String {
    let prefix = "boxed"
    guard label.hasPrefix(prefix), let first = label.dropFirst(prefix.count).first, first.isUppercase else {
      return label
    }
    return first.lowercased() + label.dropFirst(prefix.count + 1)
  }

  private static func pairs(_ mirror: Mirror) -> [Member] {
    mirror.children.compactMap { child in
      let pair = Mirror(reflecting: child.value).children.map(\.value)
      return pair.count == 2 ? Member(key: JSON(of: pair[0]).text, value: JSON(of: pair[1])) : nil
    }
  }

  /// The value as text: a string's content, or the JSON of any other value.
  var text: String {
    if case .string(let text) = self { return text }
    var writer = JSONWriter()
    writer.value(self)
    return writer.text
  }

  /// The value of a key; nil where the key is missing or the value is not an object.
  subscript(key: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }
}

// MARK: Swift values

extension Bool: PrintedValue { var json: JSON { .bool(self) } }
extension String: PrintedValue { var json: JSON { .string(self) } }
extension Int: PrintedValue { var json: JSON { .number("\(self)") } }
extension Int64: PrintedValue { var json: JSON { .number("\(self)") } }
extension UInt8: PrintedValue { var json: JSON { .number("\(self)") } }
extension UInt16: PrintedValue { var json: JSON { .number("\(self)") } }
extension UInt32: PrintedValue { var json: JSON { .number("\(self)") } }
extension UInt64: PrintedValue { var json: JSON { .number("\(self)") } }

extension Double: PrintedValue {
  /// A number; a string for values that JSON numbers cannot express.
  var json: JSON { isFinite ? .number("\(self)") : .string("\(self)") }
}

/// A range in a text: its first offset, and the offset behind its last.
extension Range: PrintedValue where Bound == UTF16Offset {
  var json: JSON { .array([lowerBound.json, upperBound.json]) }
}

// MARK: Chat values

extension ID: PrintedValue { var json: JSON { .string(text) } }
extension UserText: PrintedValue { var json: JSON { .string(string) } }
extension TypedText: PrintedValue { var json: JSON { .string(userText.string) } }
extension UTF16Offset: PrintedValue { var json: JSON { .number("\(rawValue)") } }
extension Timestamp: PrintedValue { var json: JSON { .string(description) } }
extension Microseconds: PrintedValue { var json: JSON { .number("\(rawValue)") } }
extension Message.Number: PrintedValue { var json: JSON { .number("\(rawValue)") } }

extension Expiry: PrintedValue {
  /// The end, or `endless`.
  var json: JSON { .string(end?.description ?? "endless") }
}

extension Author: PrintedValue {
  /// The user and the device; for the app `system`.
  var json: JSON {
    guard let user else { return .string("system") }
    let device = device.map { [JSON.Member(key: "device", value: $0.json)] } ?? []
    return .object([JSON.Member(key: "user", value: user.json)] + device)
  }
}

extension SmallSet: PrintedValue {
  var json: JSON { .array(elements.map { JSON(of: $0) }) }
}

extension Extra: PrintedValue {
  var json: JSON { .object(fields.map { JSON.Member(key: $0.name.string, value: $0.value.json) }) }
}

extension Extra.Value: PrintedValue {
  var json: JSON {
    switch self {
    case .null: .null
    case .bool(let value): value.json
    case .integer(let value): value.json
    case .number(let value): value.json
    case .text(let text): text.json
    case .list(let values): .array(values.map(\.json))
    case .fields(let fields): fields.json
    }
  }
}

// MARK: Log values

extension Position: PrintedValue { var json: JSON { .number("\(rawValue)") } }
extension Name: PrintedValue { var json: JSON { .string(text) } }
extension AppendID: PrintedValue { var json: JSON { .string(description) } }
