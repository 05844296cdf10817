// Compares expected with found values; members that the expectation does not name are ignored.
package import JSONLines

/// A value that differs from its expectation.
package struct Difference: Equatable, Sendable {
  /// The key of the expectation, and the path into its value.
  package let what: String
  /// The expected value.
  package let expected: JSON
  /// The found value; nil where there is none of that name.
  package let found: JSON?

  /// Returns the differences between an expected and a found value.
  ///
  /// Of an object only the named members are compared; an array must have exactly the expected number of values, each
  /// as expected. Where a text, a number or a truth value is expected and an object is found, the object's first member
  /// is compared in its place.
  package static func all(_ what: String, expected: JSON, found: JSON) -> [Difference] {
    switch (expected, found) {
    case (.object(let members), .object):
      return members.flatMap { member -> [Difference] in
        let path = "\(what).\(member.key)"
        guard let value = found.value(member.key) else {
          return [Difference(what: path, expected: member.value, found: nil)]
        }
        return all(path, expected: member.value, found: value)
      }
    case (.array(let expectedValues), .array(let values)) where expectedValues.count == values.count:
      return zip(expectedValues, values).enumerated().flatMap { index, pair in
        all("\(what)[\(index)]", expected: pair.0, found: pair.1)
      }
    case (.string, .object(let members)), (.number, .object(let members)), (.bool, .object(let members)):
      guard let first = members.first?.value, all(what, expected: expected, found: first).isEmpty else {
        return [Difference(what: what, expected: expected, found: members.first?.value ?? found)]
      }
      return []
    case (.number(let number), .number(let other)) where isSame(number, other): return []
    default:
      return expected == found ? [] : [Difference(what: what, expected: expected, found: found.outline)]
    }
  }
}

/// Whether two numbers are equal, independent of their notation.
private func isSame(_ number: String, _ other: String) -> Bool {
  if let whole = Int64(number), let otherWhole = Int64(other) { return whole == otherWhole }
  return number == other || Double(number) == Double(other)
}

extension JSON {
  /// The value, with the objects of an array replaced by their first members: enough to show what else was found.
  fileprivate var outline: JSON {
    guard case .array(let values) = self else { return self }
    return .array(
      values.map { value in
        guard case .object(let members) = value, let first = members.first else { return value }
        return first.value
      })
  }
}
