// A parsed JSON value: members in their order, numbers as they were written.

/// A JSON value.
///
/// The representation lets a reader check that each byte was understood: members keep their order, a key occurs once,
/// and a number remains text until the reader requests a numeric type.
package enum JSON: Equatable, Sendable {
  case null
  case bool(Bool)
  case number(String)
  case string(String)
  case array([JSON])
  case object([Member])

  /// A key with its value.
  package struct Member: Equatable, Sendable {
    /// The key, unique in its object.
    package let key: String
    /// The value.
    package let value: JSON

    package init(key: String, value: JSON) { (self.key, self.value) = (key, value) }
  }

  /// The kind of the value, with an article, for messages.
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
