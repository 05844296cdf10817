// The stored form of compositions, with their mentions, splices and uploads.
package import Bytes
package import Chat

extension Composition: StoredValue {
  package static var message: StaticString { "Composition" }

  package init(from fields: inout FieldReader) throws(PayloadDefect) {
    self.init(TypedText(try fields.text(1)))
    mentions = try fields.values(2)
    attachments = try fields.values(3)
    command = try fields.optionalValue(4)
    quoted = try fields.optionalID(5)
    showsInChannel = try fields.flag(6)
    isSilent = try fields.flag(7)
    extra = try fields.extra(8)
    dismissedPreviews = try fields.texts(9)
  }

  package func write(to writer: inout ByteWriter) {
    writer.text(1, text.userText)
    writer.values(2, mentions)
    writer.values(3, attachments)
    writer.optionalValue(4, command)
    writer.optionalID(5, quoted)
    writer.flag(6, showsInChannel)
    writer.flag(7, isSilent)
    writer.extra(8, extra)
    writer.texts(9, dismissedPreviews)
  }
}

// MARK: Texts

/// A range of a text as a nested message.
struct StoredRange: StoredValue {
  static var message: StaticString { "TextRange" }

  let range: UTF16Range

  init(_ range: UTF16Range) { self.range = range }

  init(from fields: inout FieldReader) throws(PayloadDefect) { range = try fields.range(1) }

  func write(to writer: inout ByteWriter) { writer.range(1, range) }
}

extension Splice: StoredValue {
  package static var message: StaticString { "Splice" }

  package init(from fields: inout FieldReader) throws(PayloadDefect) {
    self.init(try fields.range(1), to: try fields.text(3))
  }

  package func write(to writer: inout ByteWriter) {
    writer.range(1, range)
    writer.text(3, text)
  }
}

extension Mention: StoredValue {
  package static var message: StaticString { "Mention" }

  package init(from fields: inout FieldReader) throws(PayloadDefect) {
    self.init(try fields.id(1), at: try fields.range(2))
  }

  package func write(to writer: inout ByteWriter) {
    writer.id(1, user)
    writer.range(2, range)
  }
}

/// A list of mentions whose absence differs from an empty list.
struct StoredMentions: StoredValue {
  static var message: StaticString { "MentionList" }

  let mentions: [Mention]

  init(_ mentions: [Mention]) { self.mentions = mentions }

  init(from fields: inout FieldReader) throws(PayloadDefect) { mentions = try fields.values(1) }

  func write(to writer: inout ByteWriter) { writer.values(1, mentions) }
}

// MARK: Versions

extension Composition {
  /// The version of the shape of events with this content: 2 if the failure of an upload is more than a text.
  var shapeVersion: UInt32 { attachments.contains { $0.shapeVersion == 2 } ? 2 : 1 }
}

extension ComposedAttachment {
  /// The version of the shape of events with this attachment: 2 if the failure of its upload is more than a text.
  var shapeVersion: UInt32 { if case .failed(let failure) = upload, failure.text == nil { 2 } else { 1 } }
}

// MARK: Commands and uploads

extension ComposedCommand: StoredValue {
  package static var message: StaticString { "ComposedCommand" }

  package init(from fields: inout FieldReader) throws(PayloadDefect) {
    self.init(try fields.id(1), target: try fields.optionalID(2))
  }

  package func write(to writer: inout ByteWriter) {
    writer.id(1, id)
    writer.optionalID(2, target)
  }
}

extension ComposedAttachment: StoredValue {
  package static var message: StaticString { "ComposedAttachment" }

  package init(from fields: inout FieldReader) throws(PayloadDefect) {
    self.init(try fields.value(1), try Upload(from: &fields))
  }

  package func write(to writer: inout ByteWriter) {
    writer.value(1, attachment)
    upload.write(to: &writer)
  }
}

/// The states of an upload without associated values.
private enum KnownUpload: UInt64, StoredCase {
  case local = 1, done
}

extension ComposedAttachment.Upload {
  fileprivate init(from fields: inout FieldReader) throws(PayloadDefect) {
    if let known: KnownUpload = try fields.optionalOption(2) {
      self = known == .local ? .local : .done
    } else if let permille: UInt16 = try fields.optionalNumber(3) {
      self = .uploading(permille: permille)
    } else if let reason = try fields.optionalText(4) {
      self = .failed(.text(reason))
    } else if let failure: RecordedFailure = try fields.optionalValue(5) {
      if failure.text != nil { throw fields.defect(5, .version) }
      self = .failed(failure)
    } else {
      throw fields.absence(of: 4)
    }
  }

  fileprivate func write(to writer: inout ByteWriter) {
    switch self {
    case .local: writer.option(2, KnownUpload.local)
    case .done: writer.option(2, KnownUpload.done)
    case .uploading(let permille): writer.optionalNumber(3, permille)
    case .failed(let failure):
      if let text = failure.text { writer.optionalText(4, text) } else { writer.value(5, failure) }
    }
  }
}
