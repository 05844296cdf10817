// JSON as it is put together: what was found, to be compared and shown.
internal import JSONLines

extension JSON {
  /// A whole number.
  static func count(_ number: some BinaryInteger) -> JSON { .number(String(number)) }

  /// A text, or null.
  static func text(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }

  /// Texts.
  static func texts(_ texts: some Sequence<String>) -> JSON { .array(texts.map { .string($0) }) }

  /// An object with members in this order; the first is what stands for it where a text is expected.
  static func members(_ members: KeyValuePairs<String, JSON>) -> JSON {
    .object(members.map { Member(key: $0.key, value: $0.value) })
  }

  /// The value of a key; nil where there is none.
  func value(_ key: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// The value as it is written on one line.
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
      // A number of another form than a whole one is written as it was read.
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
