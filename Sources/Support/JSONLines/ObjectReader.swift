// Reads the members of a JSON object one by one and rejects unknown members.

/// A defect in bytes that should be JSON, or in the values of valid JSON.
package struct InputDefect: Error, Equatable {
  /// The defect in one sentence, with what to do; for bytes that are not JSON, their offset and the defect.
  package let description: String

  package init(_ description: String) { self.description = description }

  /// Creates the defect at which parsing stopped: at offset 1 for the first byte.
  internal init(byte: Int, _ defect: String) { self.init("byte \(byte): \(defect)") }
}

/// A JSON object from which members are taken until none is left.
package struct ObjectReader {
  /// The kind of object, used after “of” in messages.
  package let what: String
  private let members: [JSON.Member]
  private var isTaken: [Bool]
  /// The index after the member that was taken last: most objects are read in the order in which they are written.
  private var next = 0
  private var known: [String] = []

  /// Reads a value that must be an object.
  package init(_ json: JSON, what: String) throws(InputDefect) {
    guard case .object(let members) = json else {
      throw InputDefect("\(what) must be an object and is \(json.kind).")
    }
    self.what = what
    self.members = members
    isTaken = [Bool](repeating: false, count: members.count)
    known.reserveCapacity(16)
  }

  /// Takes the value of a key; nil when the key is missing.
  package mutating func value(_ key: String) -> JSON? {
    known.append(key)
    let isNext = next < members.count && members[next].key == key
    guard let index = isNext ? next : members.firstIndex(where: { $0.key == key }), !isTaken[index] else { return nil }
    isTaken[index] = true
    next = index + 1
    return members[index].value
  }

  /// Takes a string.
  package mutating func text(_ key: String) throws(InputDefect) -> String? {
    guard let value = value(key) else { return nil }
    guard case .string(let text) = value else { throw defect(key, "a text", value) }
    return text
  }

  /// Takes a whole number.
  package mutating func integer(_ key: String) throws(InputDefect) -> UInt64? {
    guard let value = value(key) else { return nil }
    guard case .number(let text) = value else { throw defect(key, "a whole number", value) }
    guard let number = UInt64(text) else {
      throw InputDefect("“\(key)” of \(what) is \(text) and must be a whole number from 0 to \(UInt64.max).")
    }
    return number
  }

  /// Takes an array.
  package mutating func array(_ key: String) throws(InputDefect) -> [JSON]? {
    guard let value = value(key) else { return nil }
    guard case .array(let values) = value else { throw defect(key, "an array", value) }
    return values
  }

  /// Takes an array of strings.
  package mutating func texts(_ key: String) throws(InputDefect) -> [String]? {
    guard let values = try array(key) else { return nil }
    return try values.map { value throws(InputDefect) in
      guard case .string(let text) = value else { throw defect(key, "an array of texts", value) }
      return text
    }
  }

  /// Returns a value; throws when it is missing.
  package func required<Value>(_ key: String, _ value: Value?) throws(InputDefect) -> Value {
    guard let value else { throw InputDefect("“\(key)” of \(what) is missing: add it.") }
    return value
  }

  /// Throws when a member was not taken.
  package func finish() throws(InputDefect) {
    guard let key = isTaken.firstIndex(of: false).map({ members[$0].key }) else { return }
    let advice = nearest(to: key, among: known).map { "did you mean “\($0)”?" } ?? "leave it out."
    throw InputDefect("“\(key)” is not a key of \(what): \(advice)")
  }

  /// Returns the defect of a value of the wrong kind.
  package func defect(_ key: String, _ expected: String, _ value: JSON) -> InputDefect {
    InputDefect("“\(key)” of \(what) must be \(expected) and is \(value.kind).")
  }
}
