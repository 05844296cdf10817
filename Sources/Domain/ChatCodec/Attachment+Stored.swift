// The stored form of attachments.
package import Bytes
package import Chat

extension Attachment: StoredValue {
  package static var message: StaticString { "Attachment" }

  package init(from fields: inout FieldReader) throws(PayloadDefect) {
    self.init(
      try fields.id(1), try Kind(from: &fields), at: try Location(from: &fields), title: try fields.optionalText(6),
      summary: try fields.optionalText(7), thumbnail: try fields.optionalText(8),
      mimeType: try fields.optionalText(9), byteCount: try fields.optionalNumber(10),
      size: try fields.optionalValue(11),
      duration: try fields.optionalInt64(12).map { Microseconds(rawValue: $0) }, extra: try fields.extra(13),
      waveform: try fields.bytes(14))
  }

  package func write(to writer: inout ByteWriter) {
    writer.id(1, id)
    kind.write(to: &writer)
    location.write(to: &writer)
    writer.optionalText(6, title)
    writer.optionalText(7, summary)
    writer.optionalURL(8, thumbnail)
    writer.optionalText(9, mimeType)
    writer.optionalNumber(10, byteCount)
    writer.optionalValue(11, size)
    writer.optionalInt64(12, duration?.rawValue)
    writer.extra(13, extra)
    writer.bytes(14, waveform)
  }
}

// MARK: Kinds

/// The kinds of attachments other than an app's own.
private enum KnownKind: UInt64, StoredCase {
  case image = 1, video, file, audio, link, giphy
}

extension Attachment.Kind {
  fileprivate init(from fields: inout FieldReader) throws(PayloadDefect) {
    if let known: KnownKind = try fields.optionalOption(2) {
      self = Attachment.Kind(known)
    } else {
      let custom: CustomAttachment = try fields.value(3)
      self = .custom(custom.kind, payload: custom.payload)
    }
  }

  private init(_ known: KnownKind) {
    self =
      switch known {
      case .image: .image
      case .video: .video
      case .file: .file
      case .audio: .audio
      case .link: .link
      case .giphy: .giphy
      }
  }

  fileprivate func write(to writer: inout ByteWriter) {
    switch self {
    case .image: writer.option(2, KnownKind.image)
    case .video: writer.option(2, KnownKind.video)
    case .file: writer.option(2, KnownKind.file)
    case .audio: writer.option(2, KnownKind.audio)
    case .link: writer.option(2, KnownKind.link)
    case .giphy: writer.option(2, KnownKind.giphy)
    case .custom(let kind, let payload): writer.value(3, CustomAttachment(kind: kind, payload: payload))
    }
  }
}

private struct CustomAttachment: StoredValue {
  static var message: StaticString { "CustomAttachment" }

  let kind: Attachment.CustomKind
  let payload: [UInt8]

  init(kind: Attachment.CustomKind, payload: [UInt8]) { (self.kind, self.payload) = (kind, payload) }

  init(from fields: inout FieldReader) throws(PayloadDefect) {
    kind = try fields.id(1)
    payload = try fields.bytes(2)
  }

  func write(to writer: inout ByteWriter) {
    writer.id(1, kind)
    writer.bytes(2, payload)
  }
}

// MARK: Parts

extension Attachment.Location {
  fileprivate init(from fields: inout FieldReader) throws(PayloadDefect) {
    if let path = try fields.optionalText(4) {
      self = .device(path)
    } else if let url = try fields.optionalText(5) {
      self = .url(url)
    } else {
      self = .none
    }
  }

  fileprivate func write(to writer: inout ByteWriter) {
    switch self {
    case .none: return
    case .device(let path): writer.optionalText(4, path)
    case .url(let url): writer.optionalURL(5, url)
    }
  }
}

extension Attachment.Size: StoredValue {
  package static var message: StaticString { "PixelSize" }

  package init(from fields: inout FieldReader) throws(PayloadDefect) {
    self.init(width: try fields.number(1), height: try fields.number(2))
  }

  package func write(to writer: inout ByteWriter) {
    writer.number(1, width)
    writer.number(2, height)
  }
}

/// A list of attachments whose absence differs from an empty list.
struct StoredAttachments: StoredValue {
  static var message: StaticString { "AttachmentList" }

  let attachments: [Attachment]

  init(_ attachments: [Attachment]) { self.attachments = attachments }

  init(from fields: inout FieldReader) throws(PayloadDefect) { attachments = try fields.values(1) }

  func write(to writer: inout ByteWriter) { writer.values(1, attachments) }
}
