// The protocol of the state's rows: a key, and the fields of the value stored under it.
package import Bytes
internal import Chat
package import ChatCodec
internal import Tables

/// A row of the state, stored as the fields of a Protocol Buffers message without the parts that its key holds.
protocol ChatRow: BinaryRow {
  /// The key under which the row is stored.
  associatedtype RowKey: ChatKey

  /// Reads the fields of the row with a key.
  @_lifetime(fields: copy fields)
  init(_ key: RowKey, from fields: inout FieldReader) throws(PayloadDefect)

  /// Writes the fields of the row.
  func write(to writer: inout ByteWriter)
}

extension ChatRow {
  /// Always returns nil: a row cannot be decoded without its key.
  public init?(decoding bytes: RawSpan) { nil }

  /// Decodes the stored form of the row with a key; nil when the key or the value is invalid.
  public init?(decoding bytes: RawSpan, of key: RawSpan) {
    guard let key = RowKey(spelledBy: key) else { return nil }
    var fields = FieldReader(bytes)
    do throws(PayloadDefect) {
      try self.init(key, from: &fields)
      try fields.end()
    } catch {
      return nil
    }
  }

  /// Writes the stored form of the row.
  public func encode(into writer: inout ByteWriter) { write(to: &writer) }
}

// MARK: Common fields

extension ByteWriter {
  /// Writes an instant that may be absent.
  mutating func optionalInstant(_ number: UInt64, _ instant: Timestamp?) { expiry(number, Expiry(until: instant)) }

  /// Writes the number of a message; zero, the number before the first message, is left out.
  mutating func messageNumber(_ number: UInt64, _ value: Message.Number) { self.number(number, value.rawValue) }

  /// Writes the number of a message that may be absent.
  mutating func optionalMessageNumber(_ number: UInt64, _ value: Message.Number?) {
    if let value { field(number, varint: value.rawValue) }
  }

  /// Writes a value that few rows have. Specialized in this module, unlike the generic function of another.
  mutating func rareValue<Value: StoredValue>(_ number: UInt64, _ value: Value?) {
    if let value { self.value(number, value) }
  }
}

extension FieldReader {
  /// Reads an instant that may be absent.
  @_lifetime(self: copy self)
  mutating func optionalInstant(_ number: UInt8) throws(PayloadDefect) -> Timestamp? { try expiry(number).end }

  /// Reads the number of a message; zero when the field is absent.
  @_lifetime(self: copy self)
  mutating func messageNumber(_ number: UInt8) throws(PayloadDefect) -> Message.Number {
    Message.Number(rawValue: try self.number(number))
  }
}

extension Author: StoredValue {
  package static var message: StaticString { "Actor" }

  package init(from fields: inout FieldReader) throws(PayloadDefect) {
    guard let user: User.ID = try fields.optionalID(1) else {
      self = .system
      return
    }
    self = .user(user, on: try fields.optionalID(2))
  }

  package func write(to writer: inout ByteWriter) {
    writer.optionalID(1, user)
    writer.optionalID(2, device)
  }
}

extension EventOrigin: StoredValue {
  package static var message: StaticString { "Stamp" }

  package init(from fields: inout FieldReader) throws(PayloadDefect) {
    self.init(by: try fields.value(1), at: try fields.instant(2))
  }

  package func write(to writer: inout ByteWriter) {
    writer.value(1, actor)
    writer.instant(2, at)
  }
}
