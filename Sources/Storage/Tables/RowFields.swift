// The fields of a row as text, to show differences to users.

/// A named field of a row, as text.
public struct RowField: Hashable, Sendable {
  /// The names of the properties on the path to the field, separated by full stops.
  public let name: String
  /// The value as text.
  public let text: String

  /// Creates a field.
  public init(name: String, text: String) { (self.name, self.text) = (name, text) }
}

extension BinaryRow {
  /// Returns the fields of a stored row; nil when it is malformed.
  @usableFromInline
  internal static func fields(of value: [UInt8], key: [UInt8]) -> [RowField]? {
    guard let row = Self(decoding: value.span.bytes, of: key.span.bytes) else { return nil }
    var fields: [RowField] = []
    add(row, as: "", to: &fields)
    return fields
  }
}

/// Adds the fields of a value; dictionaries and sets are sorted by their text, so that equal values give equal text.
private func add(_ value: Any, as name: String, to fields: inout [RowField]) {
  func child(_ label: String?) -> String {
    let label = label ?? "value"
    if label == "rawValue", !name.isEmpty { return name }
    return name.isEmpty ? label : "\(name).\(label)"
  }
  // An empty array can be cast to an array of any element type.
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
