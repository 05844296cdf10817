// The encoder of typed keys: components in a form whose byte order is their order.

/// The kinds of a key's components, in the order in which they sort.
internal enum KeyComponent: UInt8 {
  case nothing = 0
  case no = 1
  case yes = 2
  case integer = 3
  case unsigned = 4
  case number = 5
  case text = 6
}

/// The maximum number of bytes of a key in a table.
private let keyByteCountMax = 511

/// Encodes a key: the fields of a value in the order in which it encodes them, each in a form that sorts.
///
/// Numbers sort by value, text by its UTF-8 bytes, and an absent value before all others. A key of several fields sorts
/// by the first, then by the second; the encoding of the first fields alone is a prefix of it.
internal func encodeKey(_ key: some Encodable) throws -> [UInt8] {
  let buffer = KeyBuffer()
  try buffer.append(key, at: [])
  if let failure = buffer.failure { throw failure }
  guard 1...keyByteCountMax ~= buffer.bytes.count else {
    throw EncodingError.invalidValue(
      key,
      .init(
        codingPath: [],
        debugDescription: "A key has 1 to \(keyByteCountMax) bytes, and this has \(buffer.bytes.count)."))
  }
  return buffer.bytes
}

/// A collection whose order depends on the process.
private protocol Unordered {}

extension Set: Unordered {}
extension Dictionary: Unordered {}

private final class KeyBuffer {
  var bytes: [UInt8] = []
  /// The first value that keys cannot hold: a container is returned before it can be refused.
  var failure: EncodingError?

  func append(_ value: some Encodable, at path: [any CodingKey]) throws {
    switch value {
    case let value as String: append(value)
    case let value as Bool: append(value ? .yes : .no)
    case let value as Double: append(value)
    case let value as Float: append(Double(value))
    case let value as any FixedWidthInteger & SignedInteger:
      guard let number = Int64(exactly: value) else { return refuse("integer of more than 64 bits", at: path) }
      append(.integer, UInt64(bitPattern: number) ^ 1 << 63)
    case let value as any FixedWidthInteger & UnsignedInteger:
      guard let number = UInt64(exactly: value) else { return refuse("integer of more than 64 bits", at: path) }
      append(.unsigned, number)
    case is any Unordered: refuse("set or dictionary", at: path)
    default: try value.encode(to: KeyEncoder(buffer: self, codingPath: path))
    }
  }

  func append(_ component: KeyComponent, _ number: UInt64? = nil) {
    bytes.append(component.rawValue)
    if let number { withUnsafeBytes(of: number.bigEndian) { bytes += $0 } }
  }

  private func append(_ value: Double) {
    // Negative numbers sort in the reverse order of their bits. The two zeros are one value.
    let bits = (value == 0 ? 0 : value).bitPattern
    append(.number, bits >> 63 == 0 ? bits | 1 << 63 : ~bits)
  }

  /// Appends text so that a shorter one sorts before those that it begins.
  private func append(_ text: String) {
    bytes.append(KeyComponent.text.rawValue)
    for byte in text.utf8 {
      bytes.append(byte)
      if byte == 0 { bytes.append(0xFF) }
    }
    bytes.append(0)
  }

  func refuse(_ what: String, at path: [any CodingKey]) {
    failure =
      failure
      ?? .invalidValue(
        what, .init(codingPath: path, debugDescription: "A key holds no \(what): make it of numbers, text and ids."))
  }
}

private struct KeyEncoder: Encoder {
  let buffer: KeyBuffer
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy _: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(Fields(buffer: buffer, codingPath: codingPath))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    buffer.refuse("array", at: codingPath)
    return Elements(buffer: buffer, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { Single(buffer: buffer, codingPath: codingPath) }

  private struct Fields<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let buffer: KeyBuffer
    let codingPath: [any CodingKey]

    func encodeNil(forKey _: Key) { buffer.append(.nothing) }

    func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try buffer.append(value, at: codingPath + [key]) }

    // The default implementations leave an absent value out; a key would then have another number of components.
    func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try encodeOrMark(value, forKey: key) }
    func encodeIfPresent(_ value: String?, forKey key: Key) throws { try encodeOrMark(value, forKey: key) }
    func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try encodeOrMark(value, forKey: key) }
    func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try encodeOrMark(value, forKey: key) }
    func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try encodeOrMark(value, forKey: key) }
    func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try encodeOrMark(value, forKey: key) }
    func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try encodeOrMark(value, forKey: key) }
    func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try encodeOrMark(value, forKey: key) }
    func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try encodeOrMark(value, forKey: key) }
    func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try encodeOrMark(value, forKey: key) }
    func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try encodeOrMark(value, forKey: key) }
    func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try encodeOrMark(value, forKey: key) }
    func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try encodeOrMark(value, forKey: key) }
    func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try encodeOrMark(value, forKey: key) }
    func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws { try encodeOrMark(value, forKey: key) }

    private func encodeOrMark<T: Encodable>(_ value: T?, forKey key: Key) throws {
      if let value { try encode(value, forKey: key) } else { buffer.append(.nothing) }
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) -> KeyedEncodingContainer<
      Nested
    > {
      buffer.refuse("enum with values", at: codingPath + [key])
      return encoder.container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey _: Key) -> any UnkeyedEncodingContainer { encoder.unkeyedContainer() }

    func superEncoder() -> any Encoder { encoder }

    func superEncoder(forKey _: Key) -> any Encoder { encoder }

    private var encoder: KeyEncoder { KeyEncoder(buffer: buffer, codingPath: codingPath) }
  }

  private struct Elements: UnkeyedEncodingContainer {
    let buffer: KeyBuffer
    let codingPath: [any CodingKey]
    var count: Int { 0 }

    func encodeNil() {}
    func encode<T: Encodable>(_: T) {}

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
      encoder.container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }

    func superEncoder() -> any Encoder { encoder }

    private var encoder: KeyEncoder { KeyEncoder(buffer: buffer, codingPath: codingPath) }
  }

  private struct Single: SingleValueEncodingContainer {
    let buffer: KeyBuffer
    let codingPath: [any CodingKey]

    func encodeNil() { buffer.append(.nothing) }

    func encode<T: Encodable>(_ value: T) throws { try buffer.append(value, at: codingPath) }
  }
}
