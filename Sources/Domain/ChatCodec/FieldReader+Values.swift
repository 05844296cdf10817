// What fields hold, read: texts, ids, numbers, instants, cases, values and lists of them.
internal import Bytes
package import Chat

// MARK: Texts and bytes

extension FieldReader {
  /// A text; absent, it is empty.
  @_lifetime(self: copy self)
  package mutating func text(_ number: UInt8) throws(PayloadDefect) -> UserText {
    guard let text = try optionalText(number) else { return "" }
    if text.isEmpty { throw defect(number, .byDefault) }
    return text
  }

  /// A text that may be absent.
  @_lifetime(self: copy self)
  package mutating func optionalText(_ number: UInt8) throws(PayloadDefect) -> UserText? {
    guard let bytes = try span(number) else { return nil }
    guard let text = UserText(utf8: bytes) else { throw defect(number, .text) }
    return text
  }

  /// Texts in order.
  @_lifetime(self: copy self)
  package mutating func texts(_ number: UInt8) throws(PayloadDefect) -> [UserText] {
    var texts: [UserText] = []
    while let text = try optionalText(number) { texts.append(text) }
    return texts
  }

  /// Bytes; absent, there are none.
  @_lifetime(self: copy self)
  package mutating func bytes(_ number: UInt8) throws(PayloadDefect) -> [UInt8] {
    guard let bytes = try span(number) else { return [] }
    if bytes.isEmpty { throw defect(number, .byDefault) }
    return bytes.withUnsafeBytes { Array($0) }
  }

  /// An id, which has to be there.
  @_lifetime(self: copy self)
  package mutating func id<Named>(_ number: UInt8) throws(PayloadDefect) -> ID<Named> {
    guard let id: ID<Named> = try optionalID(number) else { throw absence(of: number) }
    return id
  }

  /// An id that may be absent.
  @_lifetime(self: copy self)
  package mutating func optionalID<Named>(_ number: UInt8) throws(PayloadDefect) -> ID<Named>? {
    guard let bytes = try span(number) else { return nil }
    guard let id = ID<Named>(spelledBy: bytes) else { throw defect(number, .id) }
    return id
  }

  /// Ids in order.
  @_lifetime(self: copy self)
  package mutating func ids<Named>(_ number: UInt8) throws(PayloadDefect) -> [ID<Named>] {
    var ids: [ID<Named>] = []
    while let id: ID<Named> = try optionalID(number) { ids.append(id) }
    return ids
  }
}

// MARK: Numbers

extension FieldReader {
  /// A number; absent, it is 0.
  @inline(__always)
  @_lifetime(self: copy self)
  package mutating func number<Number: FixedWidthInteger>(_ number: UInt8) throws(PayloadDefect) -> Number {
    guard let value: Number = try optionalNumber(number) else { return 0 }
    if value == 0 { throw defect(number, .byDefault) }
    return value
  }

  /// A number that may be absent.
  @inline(__always)
  @_lifetime(self: copy self)
  package mutating func optionalNumber<Number: FixedWidthInteger>(_ number: UInt8) throws(PayloadDefect) -> Number? {
    guard let value = try varint(number) else { return nil }
    guard let result = Number(exactly: value) else { throw defect(number, .range) }
    return result
  }

  /// A number; absent, it is 0. Other modules read theirs quicker so than through what fits any number.
  @_lifetime(self: copy self)
  package mutating func number(_ number: UInt8) throws(PayloadDefect) -> UInt64 {
    guard let value = try varint(number) else { return 0 }
    if value == 0 { throw defect(number, .byDefault) }
    return value
  }

  /// A number; absent, it is 0.
  @_lifetime(self: copy self)
  package mutating func number(_ number: UInt8) throws(PayloadDefect) -> UInt32 {
    let value: UInt64 = try self.number(number)
    guard let result = UInt32(exactly: value) else { throw defect(number, .range) }
    return result
  }

  /// A number that may be less than zero, or be absent.
  @_lifetime(self: copy self)
  package mutating func optionalInt64(_ number: UInt8) throws(PayloadDefect) -> Int64? {
    try varint(number).map { Int64(bitPattern: $0) }
  }

  /// Yes or no; absent, it is no.
  @_lifetime(self: copy self)
  package mutating func flag(_ number: UInt8) throws(PayloadDefect) -> Bool {
    guard let value = try optionalFlag(number) else { return false }
    if !value { throw defect(number, .byDefault) }
    return true
  }

  /// Yes or no, or absent.
  @_lifetime(self: copy self)
  package mutating func optionalFlag(_ number: UInt8) throws(PayloadDefect) -> Bool? {
    guard let value = try varint(number) else { return nil }
    if value > 1 { throw defect(number, .range) }
    return value == 1
  }

  /// An instant; absent, it is the beginning of 1970.
  @_lifetime(self: copy self)
  package mutating func instant(_ number: UInt8) throws(PayloadDefect) -> Instant {
    guard let value = try fixed64(number) else { return Instant(rawValue: 0) }
    if value == 0 { throw defect(number, .byDefault) }
    return Instant(rawValue: Int64(bitPattern: value))
  }

  /// A term; absent, it has no end.
  @_lifetime(self: copy self)
  package mutating func term(_ number: UInt8) throws(PayloadDefect) -> Expiry {
    Expiry(until: try fixed64(number).map { Instant(rawValue: Int64(bitPattern: $0)) })
  }

  /// A range of a text: its start, and in the field behind, how long it is.
  @_lifetime(self: copy self)
  package mutating func range(_ number: UInt8) throws(PayloadDefect) -> UTF16Range {
    let (start, count) = (try unitCount(number), try unitCount(number + 1))
    if start + count > utf16OffsetMax { throw defect(number + 1, .range) }
    return UTF16Offset(rawValue: start)..<UTF16Offset(rawValue: start + count)
  }

  /// How many units of a text there are somewhere; absent, none.
  @_lifetime(self: copy self)
  package mutating func unitCount(_ number: UInt8) throws(PayloadDefect) -> Int {
    let count: Int32 = try self.number(number)
    return Int(count)
  }
}

/// The last place in a text that is stored: sums of two places always fit.
package let utf16OffsetMax = Int(Int32.max)

// MARK: Cases and values

extension FieldReader {
  /// A case, which has to be there.
  @_lifetime(self: copy self)
  package mutating func option<Case: StoredCase>(_ number: UInt8) throws(PayloadDefect) -> Case {
    guard let option: Case = try optionalOption(number) else { throw absence(of: number) }
    return option
  }

  /// A case that may be absent.
  @_lifetime(self: copy self)
  package mutating func optionalOption<Case: StoredCase>(_ number: UInt8) throws(PayloadDefect) -> Case? {
    guard let value = try varint(number) else { return nil }
    guard let option = Case(stored: value) else { throw defect(number, value == 0 ? .byDefault : .option(value)) }
    return option
  }

  /// A set of cases in the order of their numbers; absent, it is empty.
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

  /// A value with fields of its own, which has to be there.
  @inline(__always)
  @_lifetime(self: copy self)
  package mutating func value<Value: StoredValue>(_ number: UInt8) throws(PayloadDefect) -> Value {
    guard let value: Value = try optionalValue(number) else { throw absence(of: number) }
    return value
  }

  /// Values with fields of their own, in order.
  @_lifetime(self: copy self)
  package mutating func values<Value: StoredValue>(_ number: UInt8) throws(PayloadDefect) -> [Value] {
    var values: [Value] = []
    while let value: Value = try optionalValue(number) { values.append(value) }
    return values
  }

  /// An app's extra values; absent, there are none.
  @_lifetime(self: copy self)
  package mutating func extra(_ number: UInt8) throws(PayloadDefect) -> Extra {
    guard let extra: Extra = try optionalValue(number) else { return Extra() }
    if extra.isEmpty { throw defect(number, .byDefault) }
    return extra
  }
}
