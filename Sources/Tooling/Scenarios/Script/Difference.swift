// How what is expected and what is found are compared: what is not named does not count.
package import JSONLines

/// A place at which what was found is not what was expected.
package struct Difference: Equatable, Sendable {
  /// Where: the key of the expectation, and the way into its value.
  package let what: String
  /// What was expected there.
  package let expected: JSON
  /// What was found; nil where there is nothing of that name.
  package let found: JSON?

  /// The places at which a value is not what was expected of it.
  ///
  /// Of an object only the members that are named count; an array has as many values as are expected, each what is
  /// expected of it. Where a text, a number or a truth value is expected and an object is found, the first member of
  /// the object is compared, which is what stands for it.
  package static func all(_ what: String, expected: JSON, found: JSON) -> [Difference] {
    switch (expected, found) {
    case (.object(let members), .object):
      return members.flatMap { member -> [Difference] in
        let place = "\(what).\(member.key)"
        guard let value = found.value(member.key) else {
          return [Difference(what: place, expected: member.value, found: nil)]
        }
        return all(place, expected: member.value, found: value)
      }
    case (.array(let wanted), .array(let values)) where wanted.count == values.count:
      return zip(wanted, values).enumerated().flatMap { index, pair in
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

/// Whether two numbers are the same, however they are written.
private func isSame(_ number: String, _ other: String) -> Bool {
  if let whole = Int64(number), let otherWhole = Int64(other) { return whole == otherWhole }
  return number == other || Double(number) == Double(other)
}

extension JSON {
  /// The same, with what stands for objects in place of those that an array holds: enough to see what else is there.
  fileprivate var outline: JSON {
    guard case .array(let values) = self else { return self }
    return .array(
      values.map { value in
        guard case .object(let members) = value, let first = members.first else { return value }
        return first.value
      })
  }
}
