// Readers of field values: texts, ids, numbers, instants, cases, nested messages and lists of them.
internal import Bytes
package import Chat

// MARK: Texts and bytes

extension FieldReader {
  /// Returns a text; empty when absent.
  @_lifetime(self: copy self)
  package mutating func text(_ number: UInt8) throws(PayloadDefect) -> UserText {
    guard let text = try optionalText(number) else { return "" }
    if text.isEmpty { throw defect(number, .byDefault) }
    return text
  }

  /// Returns an optional text.
  @_lifetime(self: copy self)
  package mutating func optionalText(_ number: UInt8) throws(PayloadDefect) -> UserText? {
    guard let bytes = try span(number) else { return nil }
    guard let text = UserText(utf8: bytes) else { throw defect(number, .text) }
    return text
  }

  /// Returns texts, in order.
  @_lifetime(self: copy self)
  package mutating func texts(_ number: UInt8) throws(PayloadDefect) -> [UserText] {
    var texts: [UserText] = []
    while let text = try optionalText(number) { texts.append(text) }
    return texts
  }

  /// Returns bytes; empty when absent.
  @_lifetime(self: copy self)
  package mutating func bytes(_ number: UInt8) throws(PayloadDefect) -> [UInt8] {
    guard let bytes = try span(number) else { return [] }
    if bytes.isEmpty { throw defect(number, .byDefault) }
    return bytes.withUnsafeBytes { Array($0) }
  }

  /// Returns a required id.
  @_lifetime(self: copy self)
  package mutating func id<Named>(_ number: UInt8) throws(PayloadDefect) -> ID<Named> {
    guard let id: ID<Named> = try optionalID(number) else { throw absence(of: number) }
    return id
  }

  /// Returns an optional id.
  @_lifetime(self: copy self)
  package mutating func optionalID<Named>(_ number: UInt8) throws(PayloadDefect) -> ID<Named>? {
    guard let bytes = try span(number) else { return nil }
    guard let id = ID<Named>(spelledBy: bytes) else { throw defect(number, .id) }
    return id
  }

  /// Returns ids, in order.
  @_lifetime(self: copy self)
  package mutating func ids<Named>(_ number: UInt8) throws(PayloadDefect) -> [ID<Named>] {
    var ids: [ID<Named>] = []
    while let id: ID<Named> = try optionalID(number) { ids.append(id) }
    return ids
  }
}

// MARK: Numbers

extension FieldReader {
  /// Returns an integer; 0 when absent.
  @inline(__always)
  @_lifetime(self: copy self)
  package mutating func number<Number: FixedWidthInteger>(_ number: UInt8) throws(PayloadDefect) -> Number {
    guard let value: Number = try optionalNumber(number) else { return 0 }
    if value == 0 { throw defect(number, .byDefault) }
    return value
  }

  /// Returns an optional integer.
  @inline(__always)
  @_lifetime(self: copy self)
  package mutating func optionalNumber<Number: FixedWidthInteger>(_ number: UInt8) throws(PayloadDefect) -> Number? {
    guard let value = try varint(number) else { return nil }
    guard let result = Number(exactly: value) else { throw defect(number, .range) }
    return result
  }

  /// Returns an integer; 0 when absent. Specialized for callers in other modules, where the generic function is slower.
  @_lifetime(self: copy self)
  package mutating func number(_ number: UInt8) throws(PayloadDefect) -> UInt64 {
    guard let value = try varint(number) else { return 0 }
    if value == 0 { throw defect(number, .byDefault) }
    return value
  }

  /// Returns an integer; 0 when absent.
  @_lifetime(self: copy self)
  package mutating func number(_ number: UInt8) throws(PayloadDefect) -> UInt32 {
    let value: UInt64 = try self.number(number)
    guard let result = UInt32(exactly: value) else { throw defect(number, .range) }
    return result
  }

  /// Returns an optional signed integer.
  @_lifetime(self: copy self)
  package mutating func optionalInt64(_ number: UInt8) throws(PayloadDefect) -> Int64? {
    try varint(number).map { Int64(bitPattern: $0) }
  }

  /// Returns a Boolean value; false when absent.
  @_lifetime(self: copy self)
  package mutating func flag(_ number: UInt8) throws(PayloadDefect) -> Bool {
    guard let value = try optionalFlag(number) else { return false }
    if !value { throw defect(number, .byDefault) }
    return true
  }

  /// Returns an optional Boolean value.
  @_lifetime(self: copy self)
  package mutating func optionalFlag(_ number: UInt8) throws(PayloadDefect) -> Bool? {
    guard let value = try varint(number) else { return nil }
    if value > 1 { throw defect(number, .range) }
    return value == 1
  }

  /// Returns an instant; 0, the beginning of 1970, when absent.
  @_lifetime(self: copy self)
  package mutating func instant(_ number: UInt8) throws(PayloadDefect) -> Timestamp {
    guard let value = try fixed64(number) else { return Timestamp(rawValue: 0) }
    if value == 0 { throw defect(number, .byDefault) }
    return Timestamp(rawValue: Int64(bitPattern: value))
  }

  /// Returns an expiry; without an end when absent.
  @_lifetime(self: copy self)
  package mutating func expiry(_ number: UInt8) throws(PayloadDefect) -> Expiry {
    Expiry(until: try fixed64(number).map { Timestamp(rawValue: Int64(bitPattern: $0)) })
  }

  /// Returns a range of a text: its start, and in the following field, its length.
  @_lifetime(self: copy self)
  package mutating func range(_ number: UInt8) throws(PayloadDefect) -> UTF16Range {
    let (start, count) = (try unitCount(number), try unitCount(number + 1))
    if start + count > utf16OffsetMax { throw defect(number + 1, .range) }
    return UTF16Offset(rawValue: start)..<UTF16Offset(rawValue: start + count)
  }

  /// Returns a number of units of a text; 0 when absent.
  @_lifetime(self: copy self)
  package mutating func unitCount(_ number: UInt8) throws(PayloadDefect) -> Int {
    let count: Int32 = try self.number(number)
    return Int(count)
  }
}

/// The maximum stored offset in a text: the sum of two offsets always fits.
package let utf16OffsetMax = Int(Int32.max)

// MARK: Cases and values

extension FieldReader {
  /// Returns a required case of an enum.
  @_lifetime(self: copy self)
  package mutating func option<Case: StoredCase>(_ number: UInt8) throws(PayloadDefect) -> Case {
    guard let option: Case = try optionalOption(number) else { throw absence(of: number) }
    return option
  }

  /// Returns an optional case of an enum.
  @_lifetime(self: copy self)
  package mutating func optionalOption<Case: StoredCase>(_ number: UInt8) throws(PayloadDefect) -> Case? {
    guard let value = try varint(number) else { return nil }
    guard let option = Case(stored: value) else { throw defect(number, value == 0 ? .byDefault : .option(value)) }
    return option
  }

  /// Returns a set of cases, stored in the order of their numbers; empty when absent.
  @_lifetime(self: copy self)
  package mutating func set<Case: StoredCase & RawRepresentable<UInt8>>(
    _ number: UInt8
  ) throws(PayloadDefect) -> SmallSet<Case> {
    var set = SmallSet<Case>()
    guard let bytes = try span(number) else { return set }
    if bytes.isEmpty { throw defect(number, .byDefault) }
    var reader = ByteReader(bytes)
    var last: UInt64 = 0
    while !reader.isAtEnd {
      guard let value = reader.varint() else { throw defect(number, .number) }
      guard let option = Case(stored: value) else { throw defect(number, .option(value)) }
      guard value > last else { throw defect(number, .sorting) }
      set.insert(option)
      last = value
    }
    return set
  }

  /// Returns the value of a required nested message.
  @inline(__always)
  @_lifetime(self: copy self)
  package mutating func value<Value: StoredValue>(_ number: UInt8) throws(PayloadDefect) -> Value {
    guard let value: Value = try optionalValue(number) else { throw absence(of: number) }
    return value
  }

  /// Returns the values of nested messages, in order.
  @_lifetime(self: copy self)
  package mutating func values<Value: StoredValue>(_ number: UInt8) throws(PayloadDefect) -> [Value] {
    var values: [Value] = []
    while let value: Value = try optionalValue(number) { values.append(value) }
    return values
  }

  /// Returns an app's extra values; empty when absent.
  @_lifetime(self: copy self)
  package mutating func extra(_ number: UInt8) throws(PayloadDefect) -> Extra {
    guard let extra: Extra = try optionalValue(number) else { return Extra() }
    if extra.isEmpty { throw defect(number, .byDefault) }
    return extra
  }
}
