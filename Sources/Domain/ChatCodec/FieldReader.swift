// A strict reader of stored messages, field by field, that accepts canonical bytes only.
internal import Bytes
internal import Chat

/// A cursor in a stored message, from which the next field is read.
///
/// Fields are read in the order of their numbers, each once. A field that is read but not next is absent; a field that
/// is next but never read is rejected by ``end()``. So fields out of order, repeated or unknown are never accepted.
package struct FieldReader: ~Escapable {
  private var reader: ByteReader
  private let start: Int
  /// The name of the nested message; empty for the payload itself.
  private let message: StaticString
  /// The nesting depth within an app's extra values.
  package private(set) var depth: Int

  /// Creates a reader of a payload.
  @_lifetime(copy payload)
  package init(_ payload: RawSpan) {
    reader = ByteReader(payload)
    (start, message, depth) = (0, "", 0)
  }

  @_lifetime(copy bytes)
  private init(_ bytes: RawSpan, _ range: Range<Int>, of message: StaticString, depth: Int) {
    reader = ByteReader(bytes, from: range.lowerBound, to: range.upperBound)
    (start, self.message, self.depth) = (range.lowerBound, message, depth)
  }

  /// Whether all fields were read.
  package var isAtEnd: Bool { reader.isAtEnd }

  /// Throws if any bytes are left.
  package func end() throws(PayloadDefect) {
    if !reader.isAtEnd { throw leftover }
  }
}

// MARK: Steps

extension FieldReader {
  /// The wire type of a field.
  package enum Wire: UInt8 { case varint, fixed64, bytes }

  /// Skips the tag of a field and returns whether it was next.
  @inline(__always)
  @_lifetime(self: copy self)
  package mutating func skip(_ number: UInt8, _ wire: Wire) -> Bool { reader.skip(number << 3 | wire.rawValue) }

  /// Returns the integer of a field, which is not its default; nil when it is absent.
  @inline(__always)
  @_lifetime(self: copy self)
  package mutating func varint(_ number: UInt8) throws(PayloadDefect) -> UInt64? {
    guard skip(number, .varint) else { return nil }
    guard let value = reader.varint() else { throw defect(number, .number) }
    return value
  }

  /// Returns the eight bytes of a field; nil when it is absent.
  @inline(__always)
  @_lifetime(self: copy self)
  package mutating func fixed64(_ number: UInt8) throws(PayloadDefect) -> UInt64? {
    guard skip(number, .fixed64) else { return nil }
    guard let value = reader.fixed64() else { throw defect(number, .length) }
    return value
  }

  /// Returns the bytes of a field; nil when it is absent.
  @inline(__always)
  @_lifetime(copy self)
  @_lifetime(self: copy self)
  package mutating func span(_ number: UInt8) throws(PayloadDefect) -> RawSpan? {
    guard let range = try extent(number) else { return nil }
    return reader.bytes.extracting(range)
  }

  @inline(__always)
  @_lifetime(self: copy self)
  private mutating func extent(_ number: UInt8) throws(PayloadDefect) -> Range<Int>? {
    guard skip(number, .bytes) else { return nil }
    let offset = reader.offset
    guard let range = reader.lengthDelimited() else { throw lengthDefect(number, at: offset) }
    return range
  }

  /// Returns the value of a nested message; nil when it is absent.
  @inline(__always)
  @_lifetime(self: copy self)
  package mutating func optionalValue<Value: StoredValue>(_ number: UInt8) throws(PayloadDefect) -> Value? {
    guard let range = try extent(number) else { return nil }
    var inner = FieldReader(reader.bytes, range, of: Value.message, depth: depth)
    let value = try Value(from: &inner)
    try inner.end()
    return value
  }

  /// Increments the depth for values nested in an app's extra values; at the end of the message it does nothing.
  @_lifetime(self: copy self)
  package mutating func deepen(_ number: UInt8) throws(PayloadDefect) {
    if isAtEnd { return }
    guard depth < Limits.storedDepthMax else { throw defect(number, .depth) }
    depth += 1
  }
}

// MARK: Defects

extension FieldReader {
  /// Returns a defect of a field.
  @inline(never)
  package func defect(_ number: UInt8, _ kind: PayloadDefect.Kind) -> PayloadDefect {
    PayloadDefect(kind, field: UInt64(number), of: message.description)
  }

  /// Returns the defect of a required field that is not next.
  @inline(never)
  package func absence(of number: UInt8) -> PayloadDefect {
    let rest = numbers(in: reader.offset..<reader.end)
    if let next = rest.first, next <= number { return leftover }
    return defect(number, rest.contains(UInt64(number)) ? .order : .missing)
  }

  /// The number of the next field; nil when it cannot be read.
  var nextNumber: UInt64? { numbers(in: reader.offset..<reader.end).first }

  /// The defect of a next field that must not be there.
  private var leftover: PayloadDefect {
    guard let next = nextNumber else {
      return PayloadDefect(.number, field: 0, of: message.description)
    }
    let before = numbers(in: start..<reader.offset)
    let kind: PayloadDefect.Kind = before.last == next ? .twice : (before.max() ?? 0) > next ? .order : .unknown
    return PayloadDefect(kind, field: next, of: message.description)
  }

  @inline(never)
  private func lengthDefect(_ number: UInt8, at offset: Int) -> PayloadDefect {
    var reader = ByteReader(reader.bytes, from: offset, to: reader.end)
    return defect(number, reader.varint() == nil ? .number : .length)
  }

  /// Returns the numbers of the fields in a range of the bytes, up to the first unreadable one.
  private func numbers(in range: Range<Int>) -> [UInt64] {
    var numbers: [UInt64] = []
    var reader = ByteReader(reader.bytes, from: range.lowerBound, to: range.upperBound)
    while !reader.isAtEnd, let tag = reader.varint() {
      numbers.append(tag >> 3)
      if !reader.skipValue(ofTag: tag) { break }
    }
    return numbers
  }
}

extension PayloadDefect {
  /// The marker for a shape in the wrong stream; the payload itself has no defect.
  static let misfit = PayloadDefect(.missing, field: 0)
}
