// The decoder of rows: the inverse of the encoder.
internal import Errors
internal import JSONLines

/// Decodes a value from the JSON text that ``encodeRow(_:)`` returned for it.
internal func decodeRow<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
  let json = try rethrow(
    JSONParser.parse(bytes),
    as: { (defect: InputDefect) in
      DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: defect.description))
    })
  return try value(type, of: json, at: [])
}

/// Returns the value that JSON encodes.
private func value<Value: Decodable>(_ type: Value.Type, of json: JSON, at path: [any CodingKey]) throws -> Value {
  if let direct = type as? any DecodedDirectly.Type {
    if let value = direct.init(json) as? Value { return value }
    throw mismatch(type, json, path)
  }
  return try Value(from: RowDecoder(json: json, codingPath: path))
}

private func mismatch(_ type: Any.Type, _ json: JSON, _ path: [any CodingKey]) -> DecodingError {
  .typeMismatch(type, .init(codingPath: path, debugDescription: "The row holds \(json.kind), not a \(type)."))
}

/// A value that is not described by containers.
private protocol DecodedDirectly: Decodable {
  init?(_ json: JSON)
}

extension DecodedDirectly where Self: FixedWidthInteger {
  init?(_ json: JSON) {
    guard case .number(let text) = json else { return nil }
    self.init(text)
  }
}

extension DecodedDirectly where Self: LosslessStringConvertible & BinaryFloatingPoint {
  init?(_ json: JSON) {
    guard case .number(let text) = json else { return nil }
    self.init(text)
  }
}

extension Int: DecodedDirectly {}
extension Int8: DecodedDirectly {}
extension Int16: DecodedDirectly {}
extension Int32: DecodedDirectly {}
extension Int64: DecodedDirectly {}
extension UInt: DecodedDirectly {}
extension UInt8: DecodedDirectly {}
extension UInt16: DecodedDirectly {}
extension UInt32: DecodedDirectly {}
extension UInt64: DecodedDirectly {}
extension Double: DecodedDirectly {}
extension Float: DecodedDirectly {}

extension Bool: DecodedDirectly {
  fileprivate init?(_ json: JSON) {
    guard case .bool(let value) = json else { return nil }
    self = value
  }
}

extension String: DecodedDirectly {
  fileprivate init?(_ json: JSON) {
    guard case .string(let text) = json else { return nil }
    self = text
  }
}

private struct RowDecoder: Decoder {
  let json: JSON
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy _: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let members) = json else { throw mismatch([String: Any].self, json, codingPath) }
    let values = Dictionary(members.map { ($0.key, $0.value) }) { $1 }
    return KeyedDecodingContainer(Members(names: members.map(\.key), values: values, codingPath: codingPath))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let elements) = json else { throw mismatch([Any].self, json, codingPath) }
    return Elements(elements: elements, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { Single(json: json, codingPath: codingPath) }

  private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let names: [String]
    let values: [String: JSON]
    let codingPath: [any CodingKey]
    var allKeys: [Key] { names.compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { values[key.stringValue] != nil }

    func decodeNil(forKey key: Key) throws -> Bool { try json(key) == .null }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
      try value(type, of: try json(key), at: codingPath + [key])
    }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { try nested(key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
      try nested(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { try nested(SuperKey()) }

    func superDecoder(forKey key: Key) throws -> any Decoder { try nested(key) }

    private func nested(_ key: any CodingKey) throws -> RowDecoder {
      RowDecoder(json: try json(key), codingPath: codingPath + [key])
    }

    private func json(_ key: any CodingKey) throws -> JSON {
      guard let value = values[key.stringValue] else {
        throw DecodingError.keyNotFound(
          key, .init(codingPath: codingPath, debugDescription: "The row has no member \(key.stringValue)."))
      }
      return value
    }
  }

  private struct Elements: UnkeyedDecodingContainer {
    let elements: [JSON]
    let codingPath: [any CodingKey]
    var currentIndex = 0
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex == elements.count }

    mutating func decodeNil() throws -> Bool {
      let isNull = try next() == .null
      if !isNull { currentIndex -= 1 }
      return isNull
    }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try value(type, of: try next(), at: codingPath) }

    mutating func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> { try superRowDecoder().container(keyedBy: type) }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
      try superRowDecoder().unkeyedContainer()
    }

    mutating func superDecoder() throws -> any Decoder { try superRowDecoder() }

    private mutating func superRowDecoder() throws -> RowDecoder {
      RowDecoder(json: try next(), codingPath: codingPath)
    }

    private mutating func next() throws -> JSON {
      guard currentIndex < elements.count else {
        throw DecodingError.valueNotFound(
          JSON.self, .init(codingPath: codingPath, debugDescription: "The row has no more elements."))
      }
      defer { currentIndex += 1 }
      return elements[currentIndex]
    }
  }

  private struct Single: SingleValueDecodingContainer {
    let json: JSON
    let codingPath: [any CodingKey]

    func decodeNil() -> Bool { json == .null }

    func decode<T: Decodable>(_ type: T.Type) throws -> T { try value(type, of: json, at: codingPath) }
  }
}
