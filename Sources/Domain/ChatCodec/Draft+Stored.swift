// The stored form of draft events.
package import Bytes
package import Chat

extension Draft.Event {
  /// Reads an event of a shape.
  static func read(
    _ shape: Shape, of key: Draft.Key, _ fields: inout FieldReader
  ) throws(PayloadDefect) -> ChatEvent.Change {
    let event: Draft.Event
    switch shape {
    case .draftUpdated1, .draftUpdated2: event = .updated(try fields.value(1), try fields.value(2))
    case .draftDeleted1: event = .deleted(try fields.option(1), try fields.value(2))
    case .draftSuperseded1, .draftSuperseded2: event = .superseded(try fields.optionalValue(1), try fields.value(2))
    default: throw .misfit
    }
    guard event.shapeVersion == shape.version else { throw fields.defect(1, .version) }
    return .draft(key, event)
  }

  /// Writes the event and returns its shape.
  func write(to writer: inout ByteWriter) -> Shape {
    switch self {
    case .updated(let content, let edit):
      writer.value(1, content)
      writer.value(2, edit)
      return shapeVersion == 1 ? .draftUpdated1 : .draftUpdated2
    case .deleted(let reason, let edit):
      writer.option(1, reason)
      writer.value(2, edit)
      return .draftDeleted1
    case .superseded(let content, let edit):
      writer.optionalValue(1, content)
      writer.value(2, edit)
      return shapeVersion == 1 ? .draftSuperseded1 : .draftSuperseded2
    }
  }

  /// The version of the event's shape, determined by its content.
  private var shapeVersion: UInt32 {
    switch self {
    case .updated(let content, _), .superseded(let content?, _): content.shapeVersion
    case .deleted, .superseded(nil, _): 1
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
