// What a field can hold besides texts and numbers: values with fields of their own, and cases with numbers.
package import Bytes

/// A value with fields of its own: a message of the schema.
package protocol StoredValue {
  /// What the schema calls it.
  static var message: StaticString { get }

  /// Reads its fields.
  @_lifetime(fields: copy fields)
  init(from fields: inout FieldReader) throws(PayloadDefect)

  /// Writes its fields.
  func write(to writer: inout ByteWriter)
}

/// One of a few cases: an enum of the schema. The numbers stay for good, in whatever order the cases stand here.
package protocol StoredCase: CaseIterable {
  /// The number that it is stored as: 1 or more.
  var stored: UInt64 { get }
}

extension StoredCase where Self: RawRepresentable<UInt64> {
  package var stored: UInt64 { rawValue }
}

extension StoredCase {
  /// The case with a number; nil when there is none.
  package init?(stored number: UInt64) {
    guard let found = Self.allCases.first(where: { $0.stored == number }) else { return nil }
    self = found
  }
}
