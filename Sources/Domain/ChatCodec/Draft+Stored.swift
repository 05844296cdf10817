// The stored form of draft events.
package import Bytes
package import Chat

extension Draft.Event {
  /// Reads an event of a shape.
  static func read(
    _ shape: Shape, of key: Draft.Key, _ fields: inout FieldReader
  ) throws(PayloadDefect) -> ChatEvent.Change {
    switch shape {
    case .draftUpdated1: return .draft(key, .updated(try fields.value(1), try fields.value(2)))
    case .draftDeleted1: return .draft(key, .deleted(try fields.option(1), try fields.value(2)))
    case .draftSuperseded1: return .draft(key, .superseded(try fields.optionalValue(1), try fields.value(2)))
    default: throw .misfit
    }
  }

  /// Writes the event and returns its shape.
  func write(to writer: inout ByteWriter) -> Shape {
    switch self {
    case .updated(let content, let edit):
      writer.value(1, content)
      writer.value(2, edit)
      return .draftUpdated1
    case .deleted(let reason, let edit):
      writer.option(1, reason)
      writer.value(2, edit)
      return .draftDeleted1
    case .superseded(let content, let edit):
      writer.optionalValue(1, content)
      writer.value(2, edit)
      return .draftSuperseded1
    }
  }
}

extension Edit: StoredValue {
  package static var message: StaticString { "Edit" }

  package init(from fields: inout FieldReader) throws(PayloadDefect) {
    self.init(at: try fields.instant(1), on: try fields.optionalID(2))
  }

  package func write(to writer: inout ByteWriter) {
    writer.instant(1, at)
    writer.optionalID(2, device)
  }
}

extension Draft.DeletionReason: StoredCase {
  package var stored: UInt64 {
    switch self {
    case .cleared: 1
    case .sent: 2
    case .discarded: 3
    case .targetGone: 4
    }
  }
}
