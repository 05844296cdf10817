// Writers of field values, the counterparts of the readers in `FieldReader`.
package import Bytes
package import Chat

// MARK: Texts and bytes

extension ByteWriter {
  /// Writes a text, omitted when it is empty.
  package mutating func text(_ number: UInt64, _ text: UserText) {
    if !text.isEmpty { string(number, text.string) }
  }

  /// Writes an optional text.
  package mutating func optionalText(_ number: UInt64, _ text: UserText?) {
    if let text { string(number, text.string) }
  }

  /// Writes an optional text that may be a URL, or the URL that replaces it.
  package mutating func optionalURL(_ number: UInt64, _ url: UserText?) {
    if let url { string(number, urls.isEmpty ? url.string : urls[url.string] ?? url.string) }
  }

  /// Writes texts, in order.
  package mutating func texts(_ number: UInt64, _ texts: [UserText]) {
    for text in texts { string(number, text.string) }
  }

  /// Writes bytes, omitted when there are none.
  package mutating func bytes(_ number: UInt64, _ bytes: [UInt8]) {
    if !bytes.isEmpty { bytes.withUnsafeBytes { field(number, bytes: $0) } }
  }

  /// Writes an id.
  package mutating func id<Named>(_ number: UInt64, _ id: ID<Named>) { string(number, id.text) }

  /// Writes an optional id.
  package mutating func optionalID<Named>(_ number: UInt64, _ id: ID<Named>?) {
    if let id { string(number, id.text) }
  }

  /// Writes ids, in order.
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
  /// Writes an integer, omitted when it is 0.
  @inline(__always)
  package mutating func number(_ number: UInt64, _ value: some UnsignedInteger) {
    if value != 0 { field(number, varint: UInt64(value)) }
  }

  /// Writes an optional integer.
  @inline(__always)
  package mutating func optionalNumber<Number: UnsignedInteger>(_ number: UInt64, _ value: Number?) {
    if let value { field(number, varint: UInt64(value)) }
  }

  /// Writes an optional signed integer.
  package mutating func optionalInt64(_ number: UInt64, _ value: Int64?) {
    if let value { field(number, varint: UInt64(bitPattern: value)) }
  }

  /// Writes a Boolean value, omitted when it is false.
  package mutating func flag(_ number: UInt64, _ value: Bool) {
    if value { field(number, varint: 1) }
  }

  /// Writes an instant, omitted when it is 0, the beginning of 1970.
  package mutating func instant(_ number: UInt64, _ instant: Timestamp) {
    if instant.rawValue != 0 { field(number, fixed64: UInt64(bitPattern: instant.rawValue)) }
  }

  /// Writes an expiry, omitted when it has no end.
  package mutating func expiry(_ number: UInt64, _ expiry: Expiry) {
    if let end = expiry.end { field(number, fixed64: UInt64(bitPattern: end.rawValue)) }
  }

  /// Writes a range of a text: its start, and in the following field, its length.
  package mutating func range(_ number: UInt64, _ range: UTF16Range) {
    let (start, end) = (range.lowerBound.rawValue, range.upperBound.rawValue)
    guard 0 <= start, end <= utf16OffsetMax else { return misfit("the range \(start)..<\(end) is outside any text") }
    unitCount(number, start)
    unitCount(number + 1, end - start)
  }

  /// Writes a number of units of a text, omitted when it is 0.
  package mutating func unitCount(_ number: UInt64, _ count: Int) {
    guard 0 <= count, count <= utf16OffsetMax else { return misfit("no text has \(count) units") }
    self.number(number, UInt64(count))
  }
}

// MARK: Cases and values

extension ByteWriter {
  /// Writes a case of an enum.
  package mutating func option(_ number: UInt64, _ option: some StoredCase) { field(number, varint: option.stored) }

  /// Writes a set of cases in the order of their numbers, omitted when it is empty.
  package mutating func set<Case: StoredCase & RawRepresentable<UInt8>>(_ number: UInt64, _ set: SmallSet<Case>) {
    if set.isEmpty { return }
    let numbers = set.elements.map(\.stored).sorted()
    field(number) { writer in
      for number in numbers { writer.varint(number) }
    }
  }

  /// Writes a value as a nested message.
  @inline(__always)
  package mutating func value(_ number: UInt64, _ value: some StoredValue) {
    field(number) { writer in value.write(to: &writer) }
  }

  /// Writes an optional value as a nested message.
  @inline(__always)
  package mutating func optionalValue<Value: StoredValue>(_ number: UInt64, _ value: Value?) {
    if let value { self.value(number, value) }
  }

  /// Writes values as nested messages, in order.
  package mutating func values(_ number: UInt64, _ values: [some StoredValue]) {
    for value in values { self.value(number, value) }
  }

  /// Writes an app's extra values, omitted when there are none.
  package mutating func extra(_ number: UInt64, _ extra: Extra) {
    if !extra.isEmpty { optionalExtra(number, extra) }
  }

  /// Writes an app's optional extra values.
  package mutating func optionalExtra(_ number: UInt64, _ extra: Extra?) {
    guard let extra else { return }
    guard extra.depth <= Limits.storedDepthMax else {
      return misfit("extra values are nested \(extra.depth) levels deep")
    }
    value(number, extra)
  }
}
