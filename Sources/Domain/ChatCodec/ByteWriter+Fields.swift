// What fields hold, written: the counterparts of what `FieldReader` reads.
package import Bytes
package import Chat

// MARK: Texts and bytes

extension ByteWriter {
  /// A text; left out when it is empty.
  package mutating func text(_ number: UInt64, _ text: UserText) {
    if !text.isEmpty { string(number, text.string) }
  }

  /// A text that may be absent.
  package mutating func optionalText(_ number: UInt64, _ text: UserText?) {
    if let text { string(number, text.string) }
  }

  /// Texts in order.
  package mutating func texts(_ number: UInt64, _ texts: [UserText]) {
    for text in texts { string(number, text.string) }
  }

  /// Bytes; left out when there are none.
  package mutating func bytes(_ number: UInt64, _ bytes: [UInt8]) {
    if !bytes.isEmpty { bytes.withUnsafeBytes { field(number, bytes: $0) } }
  }

  /// An id.
  package mutating func id<Named>(_ number: UInt64, _ id: ID<Named>) { string(number, id.text) }

  /// An id that may be absent.
  package mutating func optionalID<Named>(_ number: UInt64, _ id: ID<Named>?) {
    if let id { string(number, id.text) }
  }

  /// Ids in order.
  package mutating func ids<Named>(_ number: UInt64, _ ids: [ID<Named>]) {
    for id in ids { self.id(number, id) }
  }

  @inline(__always)
  private mutating func string(_ number: UInt64, _ string: String) {
    let isWritten: Void? = string.utf8.withContiguousStorageIfAvailable {
      field(number, bytes: UnsafeRawBufferPointer($0))
    }
    if isWritten == nil { Array(string.utf8).withUnsafeBytes { field(number, bytes: $0) } }
  }
}

// MARK: Numbers

extension ByteWriter {
  /// A number; left out when it is 0.
  @inline(__always)
  package mutating func number(_ number: UInt64, _ value: some UnsignedInteger) {
    if value != 0 { field(number, varint: UInt64(value)) }
  }

  /// A number that may be absent.
  @inline(__always)
  package mutating func optionalNumber<Number: UnsignedInteger>(_ number: UInt64, _ value: Number?) {
    if let value { field(number, varint: UInt64(value)) }
  }

  /// A number that may be less than zero, or be absent.
  package mutating func optionalInt64(_ number: UInt64, _ value: Int64?) {
    if let value { field(number, varint: UInt64(bitPattern: value)) }
  }

  /// Yes or no; left out when it is no.
  package mutating func flag(_ number: UInt64, _ value: Bool) {
    if value { field(number, varint: 1) }
  }

  /// An instant; left out when it is the beginning of 1970.
  package mutating func instant(_ number: UInt64, _ instant: Instant) {
    if instant.rawValue != 0 { field(number, fixed64: UInt64(bitPattern: instant.rawValue)) }
  }

  /// A term; left out when it has no end.
  package mutating func term(_ number: UInt64, _ term: Expiry) {
    if let end = term.end { field(number, fixed64: UInt64(bitPattern: end.rawValue)) }
  }

  /// A range of a text: its start, and in the field behind, how long it is.
  package mutating func range(_ number: UInt64, _ range: UTF16Range) {
    let (start, end) = (range.lowerBound.rawValue, range.upperBound.rawValue)
    guard 0 <= start, end <= utf16OffsetMax else { return misfit("the range \(start)..<\(end) lies in no text") }
    unitCount(number, start)
    unitCount(number + 1, end - start)
  }

  /// How many units of a text there are somewhere; left out when there are none.
  package mutating func unitCount(_ number: UInt64, _ count: Int) {
    guard 0 <= count, count <= utf16OffsetMax else { return misfit("\(count) units stand in no text") }
    self.number(number, UInt64(count))
  }
}

// MARK: Cases and values

extension ByteWriter {
  /// A case.
  package mutating func option(_ number: UInt64, _ option: some StoredCase) { field(number, varint: option.stored) }

  /// A set of cases in the order of their numbers; left out when it is empty.
  package mutating func set<Case: StoredCase & RawRepresentable<UInt8>>(_ number: UInt64, _ set: SmallSet<Case>) {
    if set.isEmpty { return }
    let numbers = set.elements.map(\.stored).sorted()
    field(number) { writer in
      for number in numbers { writer.varint(number) }
    }
  }

  /// A value with fields of its own.
  @inline(__always)
  package mutating func value(_ number: UInt64, _ value: some StoredValue) {
    field(number) { writer in value.write(to: &writer) }
  }

  /// A value with fields of its own that may be absent.
  @inline(__always)
  package mutating func optionalValue<Value: StoredValue>(_ number: UInt64, _ value: Value?) {
    if let value { self.value(number, value) }
  }

  /// Values with fields of their own, in order.
  package mutating func values(_ number: UInt64, _ values: [some StoredValue]) {
    for value in values { self.value(number, value) }
  }

  /// An app's extra values; left out when there are none.
  package mutating func extra(_ number: UInt64, _ extra: Extra) {
    if !extra.isEmpty { optionalExtra(number, extra) }
  }

  /// An app's extra values that may be absent.
  package mutating func optionalExtra(_ number: UInt64, _ extra: Extra?) {
    guard let extra else { return }
    guard extra.depth <= Limits.storedDepthMax else { return misfit("extra values lie \(extra.depth) deep") }
    value(number, extra)
  }
}
