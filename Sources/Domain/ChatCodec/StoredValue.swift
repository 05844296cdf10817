// Field types besides texts and numbers: nested messages, and cases with numbers.
package import Bytes

/// A value that is stored as a message of the schema.
package protocol StoredValue {
  /// The name of the message in the schema.
  static var message: StaticString { get }

  /// Reads the fields.
  @_lifetime(fields: copy fields)
  init(from fields: inout FieldReader) throws(PayloadDefect)

  /// Writes the fields.
  func write(to writer: inout ByteWriter)
}

/// A case of an enum of the schema. The numbers never change, whatever the order of the cases in the program.
package protocol StoredCase: CaseIterable {
  /// The stored number: 1 or more.
  var stored: UInt64 { get }
}

extension StoredCase where Self: RawRepresentable<UInt64> {
  package var stored: UInt64 { rawValue }
}

extension StoredCase {
  /// Creates the case with a number; nil when there is none.
  package init?(stored number: UInt64) {
    guard let found = Self.allCases.first(where: { $0.stored == number }) else { return nil }
    self = found
  }
}
