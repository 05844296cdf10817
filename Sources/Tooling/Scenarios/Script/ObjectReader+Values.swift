// Reads the value types of scenario lines: ids, instants, spans, ranges.
package import Chat
internal import Errors
internal import Foundation
package import JSONLines

extension ObjectReader {
  /// Takes a truth value.
  mutating func bool(_ key: String) throws(InputDefect) -> Bool? {
    guard let value = value(key) else { return nil }
    guard case .bool(let bool) = value else { throw defect(key, "true or false", value) }
    return bool
  }

  /// Takes an id.
  mutating func id<Named>(_ key: String) throws(InputDefect) -> ID<Named>? {
    guard let text = try text(key) else { return nil }
    return try id(text, of: key)
  }

  /// Takes an array of ids.
  mutating func ids<Named>(_ key: String) throws(InputDefect) -> [ID<Named>]? {
    guard let texts = try texts(key) else { return nil }
    return try texts.map { text throws(InputDefect) in try id(text, of: key) }
  }

  private func id<Named>(_ text: String, of key: String) throws(InputDefect) -> ID<Named> {
    try rethrow(ID(text), as: { (error: IDError) in InputDefect("“\(key)” of \(what) is wrong: \(error)") })
  }

  /// Takes a user text.
  mutating func userText(_ key: String) throws(InputDefect) -> UserText? { try text(key).map { UserText($0) } }

  /// Takes a whole number of at most 32 bits.
  mutating func count(_ key: String) throws(InputDefect) -> Int? {
    guard let number = try integer(key) else { return nil }
    guard number <= UInt64(UInt32.max) else {
      throw InputDefect("“\(key)” of \(what) is \(number), which is too large: use a smaller number.")
    }
    return Int(number)
  }

  /// Takes a number, with or without a fraction.
  mutating func number(_ key: String) throws(InputDefect) -> Double? {
    guard let value = value(key) else { return nil }
    guard case .number(let text) = value, let number = Double(text) else { throw defect(key, "a number", value) }
    return number
  }

  /// Takes an object, to be read on its own.
  mutating func object(_ key: String) throws(InputDefect) -> ObjectReader? {
    guard let value = value(key) else { return nil }
    return try ObjectReader(value, what: "“\(key)” of \(what)")
  }

  /// Takes an array of objects.
  mutating func objects(_ key: String) throws(InputDefect) -> [ObjectReader]? {
    guard let values = try array(key) else { return nil }
    let what = "“\(key)” of \(what)"
    return try values.map { value throws(InputDefect) in try ObjectReader(value, what: what) }
  }

  /// Takes an offset or a pair of offsets in a text: a caret or a selection.
  mutating func range(_ key: String) throws(InputDefect) -> UTF16Range? {
    guard let value = value(key) else { return nil }
    if case .number = value, let offset = value.offset { return offset..<offset }
    if case .array(let ends) = value, ends.count == 2, let start = ends[0].offset, let end = ends[1].offset,
      start <= end
    {
      return start..<end
    }
    throw defect(key, "an offset such as 5, or two such as [2,5]", value)
  }

  /// Takes an instant, as `2026-01-01T09:00:00Z`.
  mutating func instant(_ key: String) throws(InputDefect) -> Timestamp? {
    guard let text = try text(key) else { return nil }
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: text.contains("."))
    guard let date = try? Date(text, strategy: style),
      let microseconds = Int64(exactly: (date.timeIntervalSince1970 * 1_000_000).rounded())
    else {
      throw InputDefect("“\(key)” of \(what) is “\(text)” and must be an instant such as 2026-01-01T09:00:00Z.")
    }
    return Timestamp(rawValue: microseconds)
  }

  /// Takes a time span, as `7s`, `5m`, `8h`, `1d`, or `250ms`.
  mutating func span(_ key: String) throws(InputDefect) -> Microseconds? {
    guard let text = try text(key) else { return nil }
    let units: [(String, Int64)] = [
      ("ms", 1000), ("s", 1_000_000), ("m", 60_000_000), ("h", 3_600_000_000), ("d", 86_400_000_000),
    ]
    for (unit, size) in units where text.hasSuffix(unit) {
      if let count = Int64(text.dropLast(unit.count)), count >= 0, count < 1_000_000 {
        return Microseconds(rawValue: count * size)
      }
    }
    throw InputDefect("“\(key)” of \(what) is “\(text)” and must be a duration such as 250ms, 7s, 5m, 8h or 1d.")
  }

  /// Takes one of several words.
  mutating func choice<Value>(_ key: String, _ choices: [(String, Value)]) throws(InputDefect) -> Value? {
    guard let text = try text(key) else { return nil }
    guard let found = choices.first(where: { $0.0 == text }) else {
      let words = choices.map(\.0)
      let advice = nearest(to: text, among: words).map { "did you mean “\($0)”?" } ?? "use one of \(words)."
      throw InputDefect("“\(text)” is not a value of “\(key)” of \(what): \(advice)")
    }
    return found.1
  }

  /// Takes an app's extra data: an object with values of any kind.
  mutating func extra(_ key: String) throws(InputDefect) -> Extra? {
    guard let value = value(key) else { return nil }
    guard case .fields(let extra) = try value.extraValue(of: "“\(key)” of \(what)") else {
      throw defect(key, "an object", value)
    }
    return extra
  }
}

extension JSON {
  fileprivate var offset: UTF16Offset? {
    guard case .number(let text) = self, let number = Int(text), number >= 0 else { return nil }
    return UTF16Offset(rawValue: number)
  }

  /// Returns the value as a value of an app's extra data; throws for a number that cannot be stored as it is.
  package func extraValue(of what: String) throws(InputDefect) -> Extra.Value {
    switch self {
    case .null: return .null
    case .bool(let value): return .bool(value)
    case .number(let text):
      if let whole = Int64(text) { return .integer(whole) }
      guard let number = Double(text), number.isFinite, text.contains(where: { ".eE".contains($0) }) else {
        throw InputDefect("\(what) has the number \(text), which is too large: write it as a text.")
      }
      return .number(number)
    case .string(let text): return .text(UserText(text))
    case .array(let values):
      return .list(try values.map { value throws(InputDefect) in try value.extraValue(of: what) })
    case .object(let members):
      let fields = try members.map { member throws(InputDefect) in
        Extra.Field(UserText(member.key), try member.value.extraValue(of: what))
      }
      return .fields(Extra(fields))
    }
  }

  /// Creates the object of an app's extra data.
  init(_ extra: Extra) {
    self = .object(extra.fields.map { Member(key: $0.name.string, value: JSON($0.value)) })
  }

  private init(_ value: Extra.Value) {
    switch value {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .integer(let value): self = .count(value)
    case .number(let value): self = .number("\(value)")
    case .text(let text): self = .string(text.string)
    case .list(let values): self = .array(values.map { JSON($0) })
    case .fields(let extra): self = JSON(extra)
    }
  }
}
