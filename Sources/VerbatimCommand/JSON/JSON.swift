// A JSON text as it was read: members in their order, numbers as they were written.

/// A value of JSON.
///
/// It is not a general one: what reads it wants to know whether each byte was understood, so members keep their order,
/// a key stands once, and a number stays text until somebody says which numbers are meant.
enum JSON: Equatable {
  case null
  case bool(Bool)
  case number(String)
  case string(String)
  case array([JSON])
  case object([Member])

  /// A key with its value.
  struct Member: Equatable {
    let key: String
    let value: JSON
  }

  /// What kind of value it is, with an article.
  var kind: String {
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
struct JSONError: Error, Equatable, CustomStringConvertible {
  /// Where reading stopped: 1 for the first byte.
  let byte: Int
  /// What is wrong there.
  let defect: String

  /// What is wrong, and where.
  var description: String { "byte \(byte): \(defect)" }
}
