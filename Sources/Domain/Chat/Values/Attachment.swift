// Attachments of messages.

/// An attachment of a message: a picture, a file, a link …
public struct Attachment: Hashable, Sendable {
  /// The id of an attachment, unique in its message.
  public typealias ID = Chat.ID<Attachment>

  /// The id of the attachment.
  public var id: ID
  /// The kind of the attachment.
  public var kind: Kind
  /// The location of the content.
  public var location: Location
  /// The name of the file, or the title of the link.
  public var title: UserText?
  /// The caption, or the description of the link.
  public var summary: UserText?
  /// The address of a thumbnail.
  public var thumbnail: UserText?
  /// The MIME type of the content.
  public var mimeType: UserText?
  /// The size of the content in bytes.
  public var byteCount: UInt64?
  /// The size of a picture or a video in pixels.
  public var size: Size?
  /// The duration of a video or a recording.
  public var duration: Microseconds?
  /// The extra values of the app.
  public var extra: Extra
  /// The loudness of a recording over its duration, from silence (0) to the loudest (255); empty when it is unknown.
  public var waveform: [UInt8]

  /// The kind of an attachment.
  public enum Kind: Hashable, Sendable {
    /// The attachment is a picture.
    case image
    /// The attachment is a video.
    case video
    /// The attachment is a file of any kind.
    case file
    /// The attachment is a recording.
    case audio
    /// The attachment is a link to a page, with its preview.
    case link
    /// The attachment is an animated picture found by a command.
    case giphy
    /// The attachment is of an app's own kind, with a payload in a format of the app.
    case custom(CustomKind, payload: [UInt8])
  }

  /// The id of an app's own kind.
  public typealias CustomKind = Chat.ID<CustomKindName>

  /// The phantom type of ``CustomKind``.
  public enum CustomKindName: Sendable {}

  /// The location of the content of an attachment.
  public enum Location: Hashable, Sendable {
    /// The attachment has no content.
    case none
    /// The content is only on the device, at a location known to the device.
    case device(UserText)
    /// The content is at an address that others can reach.
    case url(UserText)
  }

  /// The width and height of a picture.
  public struct Size: Hashable, Sendable {
    /// The width in pixels.
    public var width: UInt32
    /// The height in pixels.
    public var height: UInt32

    /// Creates a size in pixels.
    public init(width: UInt32, height: UInt32) { (self.width, self.height) = (width, height) }
  }

  /// Creates an attachment from its parts.
  public init(
    _ id: ID, _ kind: Kind, at location: Location = .none, title: UserText? = nil, summary: UserText? = nil,
    thumbnail: UserText? = nil, mimeType: UserText? = nil, byteCount: UInt64? = nil, size: Size? = nil,
    duration: Microseconds? = nil, extra: Extra = [:], waveform: [UInt8] = []
  ) {
    (self.id, self.kind, self.location, self.title, self.summary) = (id, kind, location, title, summary)
    (self.thumbnail, self.mimeType, self.byteCount) = (thumbnail, mimeType, byteCount)
    (self.size, self.duration, self.extra, self.waveform) = (size, duration, extra, waveform)
  }

  /// Whether the content is uploaded, unlike links and an app's own kinds.
  public var isUpload: Bool {
    switch kind {
    case .image, .video, .file, .audio: true
    case .link, .giphy, .custom: false
    }
  }

  /// The approximate number of bytes of the stored attachment.
  public var storedByteCount: Int {
    let texts = [title, summary, thumbnail, mimeType, location.text]
    let payload = if case .custom(_, let payload) = kind { payload.count } else { 0 }
    return texts.reduce(payload + waveform.count + extra.byteCount + 64) { $0 + ($1?.byteCount ?? 0) }
  }
}

extension Attachment.Location {
  fileprivate var text: UserText? {
    switch self {
    case .none: nil
    case .device(let text), .url(let text): text
    }
  }
}
