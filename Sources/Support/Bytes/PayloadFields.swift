// Splitting a payload into two parts by its fields, and joining them again.

/// A field of a payload in the Protocol Buffers wire format: its number, and all of its bytes.
private struct FieldCursor: ~Escapable {
  private var reader: ByteReader

  @_lifetime(copy bytes)
  init(_ bytes: RawSpan) { reader = ByteReader(bytes) }

  /// The number of the next field; nil at the end.
  var number: UInt8? { reader.peek.map { $0 >> 3 } }

  /// Returns the range of the next field; nil when it is malformed.
  @_lifetime(self: copy self)
  mutating func next() -> Range<Int>? {
    let start = reader.offset
    guard let tag = reader.peek, tag < 0x80, reader.skip(tag), reader.skipValue(ofTag: UInt64(tag)) else { return nil }
    return start..<reader.offset
  }
}

extension ByteReader {
  /// Skips the value of a field, by the wire type in its tag; returns whether it is whole.
  @_lifetime(self: copy self)
  package mutating func skipValue(ofTag tag: UInt64) -> Bool {
    switch tag & 7 {
    case 0: varint() != nil
    case 1: fixed64() != nil
    case 2: lengthDelimited() != nil
    case 5: fixed32() != nil
    default: false
    }
  }
}

/// Appends the fields of a payload to two writers: those of a set of numbers to `content`, all others to `rest`.
///
/// The payload is one that this program has encoded.
package func split(
  _ payload: RawSpan, by fields: UInt16, _ content: inout ByteWriter, _ rest: inout ByteWriter
) {
  if fields == .max { return payload.withUnsafeBytes { content.bytes($0) } }
  var cursor = FieldCursor(payload)
  while let number = cursor.number {
    guard let range = cursor.next() else { preconditionFailure("an encoded payload has no field \(number)") }
    payload.extracting(range).withUnsafeBytes { bytes in
      if fields >> UInt16(number) & 1 == 1 { content.bytes(bytes) } else { rest.bytes(bytes) }
    }
  }
}

/// Appends the fields of two parts of a payload in the order of their numbers; returns whether both are well-formed.
package func join(_ content: RawSpan, _ rest: RawSpan, into payload: inout ByteWriter) -> Bool {
  if rest.isEmpty {
    content.withUnsafeBytes { payload.bytes($0) }
    return true
  }
  var (contentFields, restFields) = (FieldCursor(content), FieldCursor(rest))
  while let number = min(contentFields.number ?? 16, restFields.number ?? 16) as UInt8?, number < 16 {
    let isContent = contentFields.number == number
    guard let range = isContent ? contentFields.next() : restFields.next() else { return false }
    (isContent ? content : rest).extracting(range).withUnsafeBytes { payload.bytes($0) }
  }
  return contentFields.number == nil && restFields.number == nil
}
