// The stored form of an app's extra values.
package import Bytes
package import Chat

extension Extra: StoredValue {
  package static var message: StaticString { "Extra" }

  package init(from fields: inout FieldReader) throws(PayloadDefect) {
    try fields.deepen(1)
    guard let extra = Extra(ordered: try fields.values(1)) else { throw fields.defect(1, .sorting) }
    self = extra
  }

  package func write(to writer: inout ByteWriter) { writer.values(1, fields) }
}

extension Extra.Field: StoredValue {
  package static var message: StaticString { "Field" }

  package init(from fields: inout FieldReader) throws(PayloadDefect) {
    self.init(try fields.text(1), try fields.value(2))
  }

  package func write(to writer: inout ByteWriter) {
    writer.text(1, name)
    writer.value(2, value)
  }
}

extension Extra.Value: StoredValue {
  package static var message: StaticString { "Value" }

  package init(from fields: inout FieldReader) throws(PayloadDefect) {
    if let value = try fields.optionalFlag(1) {
      self = .bool(value)
    } else if let value = try fields.optionalInt64(2) {
      self = .integer(value)
    } else if let bits = try fields.fixed64(3) {
      self = .number(Double(bitPattern: bits))
    } else if let text = try fields.optionalText(4) {
      self = .text(text)
    } else if let list: StoredList = try fields.optionalValue(5) {
      self = .list(list.values)
    } else if let extra: Extra = try fields.optionalValue(6) {
      self = .fields(extra)
    } else {
      self = .null
    }
  }

  package func write(to writer: inout ByteWriter) {
    switch self {
    case .null: return
    case .bool(let value): writer.field(1, varint: value ? 1 : 0)
    case .integer(let value): writer.optionalInt64(2, value)
    case .number(let value): writer.field(3, fixed64: value.bitPattern)
    case .text(let text): writer.optionalURL(4, text)
    case .list(let values): writer.value(5, StoredList(values: values))
    case .fields(let extra): writer.value(6, extra)
    }
  }
}

private struct StoredList: StoredValue {
  static var message: StaticString { "List" }

  let values: [Extra.Value]

  init(values: [Extra.Value]) { self.values = values }

  init(from fields: inout FieldReader) throws(PayloadDefect) {
    try fields.deepen(1)
    values = try fields.values(1)
  }

  func write(to writer: inout ByteWriter) { writer.values(1, values) }
}
