// The decoder of typed keys: the inverse of the encoder.

/// Decodes the key that ``encodeKey(_:)`` encoded.
internal func decodeKey<Key: Decodable>(_ type: Key.Type, from bytes: [UInt8]) throws -> Key {
  let source = KeySource(bytes)
  let key = try source.next(type, at: [])
  guard source.isAtEnd else { throw source.defect("has more components than a \(type)", at: []) }
  return key
}

private final class KeySource {
  private let bytes: [UInt8]
  private var offset = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { offset == bytes.count }

  func defect(_ what: String, at path: [any CodingKey]) -> DecodingError {
    .dataCorrupted(.init(codingPath: path, debugDescription: "The key \(what)."))
  }

  func next<Value: Decodable>(_ type: Value.Type, at path: [any CodingKey]) throws -> Value {
    let value: Any?
    switch type {
    case is String.Type: value = text()
    case is Bool.Type: value = bool()
    case is Double.Type: value = double()
    case is Float.Type: value = double().map { Float($0) }
    case let type as any (FixedWidthInteger & SignedInteger).Type:
      value = number(.integer).flatMap { integer(type, Int64(bitPattern: $0 ^ 1 << 63)) }
    case let type as any (FixedWidthInteger & UnsignedInteger).Type:
      value = number(.unsigned).flatMap { integer(type, $0) }
    default: return try Value(from: KeyDecoder(source: self, codingPath: path))
    }
    guard let value = value as? Value else { throw defect("has no \(type) at byte \(offset + 1)", at: path) }
    return value
  }

  /// Passes an absent value; returns whether there was one.
  func nothing() -> Bool {
    guard offset < bytes.count, bytes[offset] == KeyComponent.nothing.rawValue else { return false }
    offset += 1
    return true
  }

  private func integer<Integer: FixedWidthInteger>(_: Integer.Type, _ value: some FixedWidthInteger) -> Any? {
    Integer(exactly: value)
  }

  private func number(_ component: KeyComponent) -> UInt64? {
    guard bytes.count - offset >= 9, bytes[offset] == component.rawValue else { return nil }
    defer { offset += 9 }
    return bytes[(offset + 1)..<(offset + 9)].reduce(0) { $0 << 8 | UInt64($1) }
  }

  private func double() -> Double? {
    number(.number).map { Double(bitPattern: $0 >> 63 == 1 ? $0 & ~(1 << 63) : ~$0) }
  }

  private func bool() -> Bool? {
    guard offset < bytes.count, [KeyComponent.yes, .no].contains(KeyComponent(rawValue: bytes[offset])) else {
      return nil
    }
    defer { offset += 1 }
    return bytes[offset] == KeyComponent.yes.rawValue
  }

  private func text() -> String? {
    guard offset < bytes.count, bytes[offset] == KeyComponent.text.rawValue else { return nil }
    var text: [UInt8] = []
    var index = offset + 1
    while index < bytes.count {
      if bytes[index] == 0 {
        guard index + 1 < bytes.count, bytes[index + 1] == 0xFF else {
          offset = index + 1
          return String(validating: text, as: UTF8.self)
        }
        index += 1
        text.append(0)
      } else {
        text.append(bytes[index])
      }
      index += 1
    }
    return nil
  }
}

private struct KeyDecoder: Decoder {
  let source: KeySource
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy _: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(Fields(source: source, codingPath: codingPath))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw source.defect("has no arrays", at: codingPath)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { Single(source: source, codingPath: codingPath) }

  private struct Fields<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let source: KeySource
    let codingPath: [any CodingKey]
    var allKeys: [Key] { [] }

    func contains(_: Key) -> Bool { true }

    func decodeNil(forKey _: Key) -> Bool { source.nothing() }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
      try source.next(type, at: codingPath + [key])
    }

    func nestedContainer<Nested: CodingKey>(
      keyedBy _: Nested.Type, forKey _: Key
    ) throws -> KeyedDecodingContainer<Nested> { throw source.defect("has no nested values", at: codingPath) }

    func nestedUnkeyedContainer(forKey _: Key) throws -> any UnkeyedDecodingContainer {
      throw source.defect("has no arrays", at: codingPath)
    }

    func superDecoder() -> any Decoder { KeyDecoder(source: source, codingPath: codingPath) }

    func superDecoder(forKey _: Key) -> any Decoder { superDecoder() }
  }

  private struct Single: SingleValueDecodingContainer {
    let source: KeySource
    let codingPath: [any CodingKey]

    func decodeNil() -> Bool { source.nothing() }

    func decode<T: Decodable>(_ type: T.Type) throws -> T { try source.next(type, at: codingPath) }
  }
}
