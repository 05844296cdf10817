// Builds JSON values of what was found, for comparison and output.
internal import JSONLines

extension JSON {
  /// Returns a whole number.
  static func count(_ number: some BinaryInteger) -> JSON { .number(String(number)) }

  /// Returns a text, or null for nil.
  static func text(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }

  /// Returns an array of texts.
  static func texts(_ texts: some Sequence<String>) -> JSON { .array(texts.map { .string($0) }) }

  /// Returns an object with members in this order; the first is compared where a text is expected.
  static func members(_ members: KeyValuePairs<String, JSON>) -> JSON {
    .object(members.map { Member(key: $0.key, value: $0.value) })
  }

  /// Returns the value of a key; nil where there is none.
  func value(_ key: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// The value as JSON on one line.
  package var written: String {
    var writer = JSONWriter()
    writer.value(self)
    return writer.text
  }
}

extension JSONWriter {
  /// Writes a value.
  mutating func value(_ value: JSON) {
    switch value {
    case .null: null()
    case .bool(let value): bool(value)
    case .number(let text):
      // A number that is not a 64-bit integer is written as a `Double`.
      if let number = Int64(text) { integer(number) } else { self.number(Double(text) ?? 0) }
    case .string(let text): string(text)
    case .array(let values): array { for value in values { $0.value(value) } }
    case .object(let members):
      object { writer in
        for member in members {
          writer.key(member.key)
          writer.value(member.value)
        }
      }
    }
  }
}
