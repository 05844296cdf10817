// The stored form of failures.
package import Bytes
package import Chat

extension RecordedFailure: StoredValue {
  package static var message: StaticString { "RecordedFailure" }

  package init(from fields: inout FieldReader) throws(PayloadDefect) {
    self.init(try fields.id(1), try fields.extra(2))
  }

  package func write(to writer: inout ByteWriter) {
    writer.id(1, code)
    writer.extra(2, values)
  }
}
