// A JSON text as it was read: members in their order, numbers as they were written.

/// A value of JSON.
///
/// It is not a general one: what reads it wants to know whether each byte was understood, so members keep their order,
/// a key stands once, and a number stays text until somebody says which numbers are meant.
package enum JSON: Equatable, Sendable {
  case null
  case bool(Bool)
  case number(String)
  case string(String)
  case array([JSON])
  case object([Member])

  /// A key with its value.
  package struct Member: Equatable, Sendable {
    /// The key, once in an object.
    package let key: String
    /// The value.
    package let value: JSON

    package init(key: String, value: JSON) { (self.key, self.value) = (key, value) }
  }

  /// What kind of value it is, with an article.
  package var kind: String {
    switch self {
    case .null: "null"
    case .bool: "a truth value"
    case .number: "a number"
    case .string: "a text"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

/// Why bytes are no JSON text.
package struct JSONError: Error, Equatable, CustomStringConvertible {
  /// Where reading stopped: 1 for the first byte.
  package let byte: Int
  /// What is wrong there.
  package let defect: String

  package init(byte: Int, defect: String) { (self.byte, self.defect) = (byte, defect) }

  /// What is wrong, and where.
  package var description: String { "byte \(byte): \(defect)" }
}
