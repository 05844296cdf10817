// The encoder of rows: JSON with one form for each value.
internal import JSONLines

/// Encodes a value as JSON text with exactly one form.
///
/// The members of an object are sorted by their names, and so are the elements of sets and the entries of dictionaries:
/// their order in memory differs from process to process and must not reach a table.
///
/// A value that is nested more deeply than the decoder reads is refused.
internal func encodeRow(_ value: some Encodable) throws -> [UInt8] {
  var writer = JSONWriter()
  writer.value(try json(of: value, at: []))
  let (depth, depthMax) = (writer.depthReached, JSONParser.depthMax)
  guard depth <= depthMax else {
    throw EncodingError.invalidValue(
      type(of: value),
      .init(
        codingPath: [],
        debugDescription: "A row is nested at most \(depthMax) levels deep, and this is nested \(depth)."))
  }
  return writer.bytes
}

/// Returns a value as JSON.
private func json(of value: some Encodable, at path: [any CodingKey]) throws -> JSON {
  if let value = value as? any EncodedDirectly { return try value.json(at: path) }
  let node = EncodedNode()
  try value.encode(to: RowEncoder(node: node, codingPath: path))
  return node.json
}

/// A value that does not describe itself by containers.
private protocol EncodedDirectly: Encodable {
  func json(at path: [any CodingKey]) throws -> JSON
}

extension EncodedDirectly where Self: FixedWidthInteger {
  func json(at _: [any CodingKey]) -> JSON { .number(String(self)) }
}

extension EncodedDirectly where Self: BinaryFloatingPoint & CustomStringConvertible {
  func json(at path: [any CodingKey]) throws -> JSON {
    guard isFinite else {
      throw EncodingError.invalidValue(self, .init(codingPath: path, debugDescription: "A row holds no \(self)."))
    }
    return .number(description)
  }
}

extension Int: EncodedDirectly {}
extension Int8: EncodedDirectly {}
extension Int16: EncodedDirectly {}
extension Int32: EncodedDirectly {}
extension Int64: EncodedDirectly {}
extension UInt: EncodedDirectly {}
extension UInt8: EncodedDirectly {}
extension UInt16: EncodedDirectly {}
extension UInt32: EncodedDirectly {}
extension UInt64: EncodedDirectly {}
extension Double: EncodedDirectly {}
extension Float: EncodedDirectly {}

extension Bool: EncodedDirectly {
  fileprivate func json(at _: [any CodingKey]) -> JSON { .bool(self) }
}

extension String: EncodedDirectly {
  fileprivate func json(at _: [any CodingKey]) -> JSON { .string(self) }
}

extension Set: EncodedDirectly where Element: Encodable {
  fileprivate func json(at path: [any CodingKey]) throws -> JSON {
    .array(elements(of: try map { try Projections.json(of: $0, at: path) }.map { [$0] }))
  }
}

extension Dictionary: EncodedDirectly where Key: Encodable, Value: Encodable {
  fileprivate func json(at path: [any CodingKey]) throws -> JSON {
    if Key.self == String.self || Key.self == Int.self || Key.self is any CodingKeyRepresentable.Type {
      let node = EncodedNode()
      try encode(to: RowEncoder(node: node, codingPath: path))
      return node.json
    }
    return .array(
      elements(of: try map { [try Projections.json(of: $0, at: path), try Projections.json(of: $1, at: path)] }))
  }
}

/// Returns the elements of all groups, with the groups in the order of the text of their first elements.
private func elements(of groups: [[JSON]]) -> [JSON] {
  let texts = groups.map { group in
    var writer = JSONWriter()
    writer.value(group[0])
    return writer.bytes
  }
  return groups.indices.sorted { texts[$0].lexicographicallyPrecedes(texts[$1]) }.flatMap { groups[$0] }
}

/// A part of an encoded value while its containers are filled.
private final class EncodedNode {
  var value: JSON?
  var members: [(name: String, node: EncodedNode)]?
  var elements: [EncodedNode]?

  init(_ value: JSON? = nil) { self.value = value }

  var json: JSON {
    if let value { return value }
    if let elements { return .array(elements.map(\.json)) }
    // A name that is encoded twice has the later value.
    let nodes = Dictionary((members ?? []).map { ($0.name, $0.node) }) { $1 }
    let names = nodes.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    return .object(names.map { JSON.Member(key: $0, value: nodes[$0]!.json) })
  }

  func set(_ node: EncodedNode, for name: String) { members?.append((name, node)) }
}

private struct RowEncoder: Encoder {
  let node: EncodedNode
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy _: Key.Type) -> KeyedEncodingContainer<Key> {
    node.members = node.members ?? []
    return KeyedEncodingContainer(Members(node: node, codingPath: codingPath))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    node.elements = node.elements ?? []
    return Elements(node: node, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { Single(node: node, codingPath: codingPath) }

  private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let node: EncodedNode
    let codingPath: [any CodingKey]

    func encodeNil(forKey key: Key) { node.set(EncodedNode(.null), for: key.stringValue) }

    func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
      node.set(EncodedNode(try json(of: value, at: codingPath + [key])), for: key.stringValue)
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) -> KeyedEncodingContainer<
      Nested
    > { nested(key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { nested(key).unkeyedContainer() }

    func superEncoder() -> any Encoder { nested(SuperKey()) }

    func superEncoder(forKey key: Key) -> any Encoder { nested(key) }

    private func nested(_ key: any CodingKey) -> RowEncoder {
      let child = EncodedNode()
      node.set(child, for: key.stringValue)
      return RowEncoder(node: child, codingPath: codingPath + [key])
    }
  }

  private struct Elements: UnkeyedEncodingContainer {
    let node: EncodedNode
    let codingPath: [any CodingKey]
    var count: Int { node.elements?.count ?? 0 }

    func encodeNil() { node.elements?.append(EncodedNode(.null)) }

    func encode<T: Encodable>(_ value: T) throws {
      node.elements?.append(EncodedNode(try json(of: value, at: codingPath)))
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
      nested().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nested().unkeyedContainer() }

    func superEncoder() -> any Encoder { nested() }

    private func nested() -> RowEncoder {
      let child = EncodedNode()
      node.elements?.append(child)
      return RowEncoder(node: child, codingPath: codingPath)
    }
  }

  private struct Single: SingleValueEncodingContainer {
    let node: EncodedNode
    let codingPath: [any CodingKey]

    func encodeNil() { node.value = .null }

    func encode<T: Encodable>(_ value: T) throws { node.value = try json(of: value, at: codingPath) }
  }
}

/// The name under which a class encodes its superclass.
internal struct SuperKey: CodingKey {
  var stringValue: String { "super" }
  var intValue: Int? { nil }

  init() {}
  init?(stringValue: String) { if stringValue != "super" { return nil } }
  init?(intValue _: Int) { nil }
}
