// The stored form of intents on drafts and composers, and of an app's events.
internal import Bytes
internal import Chat

// MARK: Drafts

extension Draft.Intent: StoredIntent {
  static var message: StaticString { "DraftIntent" }

  private enum Kind: UInt64, StoredCase {
    case update = 1, delete
  }

  init(from fields: inout FieldReader) throws(PayloadDefect) {
    switch try fields.kind() as Kind {
    case .update: self = .update(try fields.value(3), editedAt: try fields.instant(5))
    case .delete: self = .delete(try fields.option(4), editedAt: try fields.instant(5))
    }
  }

  func write(to writer: inout ByteWriter) {
    switch self {
    case .update(let content, let editedAt):
      writer.kind(Kind.update)
      writer.value(3, content)
      writer.instant(5, editedAt)
    case .delete(let reason, let editedAt):
      writer.kind(Kind.delete)
      writer.option(4, reason)
      writer.instant(5, editedAt)
    }
  }
}

// MARK: Composers

extension Composer.Intent: StoredIntent {
  static var message: StaticString { "ComposerIntent" }

  private enum Kind: UInt64, StoredCase {
    case record = 1
  }

  init(from fields: inout FieldReader) throws(PayloadDefect) {
    switch try fields.kind() as Kind {
    case .record: self = .record((try fields.values(3) as [ComposerAction]).map(\.event))
    }
  }

  func write(to writer: inout ByteWriter) {
    switch self {
    case .record(let events):
      writer.kind(Kind.record)
      writer.values(3, events.map { ComposerAction(event: $0) })
    }
  }
}

/// An action in a composer in its stored form: the name of its type, and its payload.
private struct ComposerAction: StoredValue {
  static var message: StaticString { "ComposerAction" }

  let event: Composer.Event

  init(event: Composer.Event) { self.event = event }

  init(from fields: inout FieldReader) throws(PayloadDefect) {
    guard let name = try fields.span(1) else { throw fields.absence(of: 1) }
    guard case .shape(let shape) = StoredType(name: name), shape.area == .composer else {
      throw fields.defect(1, .type(String(copying: name)))
    }
    let payload = try fields.span(2)
    if let payload, payload.isEmpty { throw fields.defect(2, .byDefault) }
    do throws(PayloadDefect) {
      event = if let payload { try .read(shape, payload) } else { try .read(shape, RawSpan()) }
    } catch {
      throw error.message.isEmpty ? PayloadDefect(error.kind, field: error.field, of: shape.message) : error
    }
  }

  func write(to writer: inout ByteWriter) {
    var payload = ByteWriter()
    payload.notesMisfits = writer.notesMisfits
    let shape = event.write(to: &payload)
    if payload.hasMisfit { return writer.misfit("\(shape.rawValue) has no payload") }
    writer.text(1, UserText(shape.rawValue))
    if payload.count > 0 { payload.withBytes { writer.field(2, bytes: $0) } }
  }
}

// MARK: Apps

extension AppEvent: StoredIntent {
  static var message: StaticString { "AppIntent" }

  private enum Kind: UInt64, StoredCase {
    case record = 1
  }

  init(from fields: inout FieldReader) throws(PayloadDefect) {
    switch try fields.kind() as Kind {
    case .record: self.init(try fields.id(3), version: try fields.number(4), payload: try fields.bytes(5))
    }
  }

  func write(to writer: inout ByteWriter) {
    writer.kind(Kind.record)
    writer.id(3, name)
    writer.number(4, version)
    writer.bytes(5, payload)
  }
}
