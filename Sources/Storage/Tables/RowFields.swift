// What a row says, field by field, for people who look for a difference.

/// A field of a row, by its name and in words.
public struct RowField: Hashable, Sendable {
  /// The names of the properties that lead to it, with full stops between.
  public let name: String
  /// What it says.
  public let text: String

  /// A field with its parts.
  public init(name: String, text: String) { (self.name, self.text) = (name, text) }
}

extension TableRow {
  /// The fields of a stored row; nil when it is none.
  @usableFromInline
  internal static func fields(of value: [UInt8], key: [UInt8]) -> [RowField]? {
    guard let row = Self(decoding: value.span.bytes, of: key.span.bytes) else { return nil }
    var fields: [RowField] = []
    add(row, as: "", to: &fields)
    return fields
  }
}

/// Adds what a value consists of; dictionaries and sets in the order of their texts, so that equal values read alike.
private func add(_ value: Any, as name: String, to fields: inout [RowField]) {
  func child(_ label: String?) -> String {
    let label = label ?? "value"
    if label == "rawValue", !name.isEmpty { return name }
    return name.isEmpty ? label : "\(name).\(label)"
  }
  // An empty array would pass for one of anything.
  if type(of: value) == [UInt8].self, let bytes = value as? [UInt8] {
    return fields.append(
      RowField(name: name, text: "bytes \(bytes.map { String($0, radix: 16) }.joined(separator: " "))"))
  }
  if type(of: value) == [UInt16].self, let units = value as? [UInt16] {
    return fields.append(RowField(name: name, text: String(decoding: units, as: UTF16.self)))
  }
  let mirror = Mirror(reflecting: value)
  switch mirror.displayStyle {
  case .optional:
    guard let some = mirror.children.first else { return fields.append(RowField(name: name, text: "nothing")) }
    add(some.value, as: name, to: &fields)
  case .collection:
    if mirror.children.isEmpty { fields.append(RowField(name: name, text: "none")) }
    for (number, element) in mirror.children.enumerated() { add(element.value, as: "\(name)[\(number)]", to: &fields) }
  case .dictionary, .set:
    let texts = mirror.children.map { "\($0.value)" }.sorted()
    fields.append(RowField(name: name, text: "[\(texts.joined(separator: ", "))]"))
  case .enum:
    guard let payload = mirror.children.first else { return fields.append(RowField(name: name, text: "\(value)")) }
    fields.append(RowField(name: name, text: payload.label ?? "\(value)"))
    add(payload.value, as: child(payload.label), to: &fields)
  case .struct where !(value is any CustomStringConvertible), .class where !(value is any CustomStringConvertible),
    .tuple:
    for property in mirror.children { add(property.value, as: child(property.label), to: &fields) }
  default: fields.append(RowField(name: name.isEmpty ? "value" : name, text: "\(value)"))
  }
}
