// What hangs on a message besides its text.

/// A picture, a file, a link … that hangs on a message.
public struct Attachment: Hashable, Sendable {
  /// What it is called; once in a message.
  public typealias ID = Chat.ID<Attachment>

  /// What it is called.
  public var id: ID
  /// What it is.
  public var kind: Kind
  /// Where its content is.
  public var location: Location
  /// The name of its file, or the title of a link.
  public var title: UserText?
  /// What it says of itself: a caption, the description of a link.
  public var summary: UserText?
  /// Where a small picture of it is.
  public var thumbnail: UserText?
  /// The MIME type of its content.
  public var mimeType: UserText?
  /// How many bytes its content has.
  public var byteCount: UInt64?
  /// How large a picture or a video is.
  public var size: Size?
  /// How long a video or a recording runs.
  public var duration: Microseconds?
  /// What an app adds to it.
  public var extra: Extra

  /// What an attachment is.
  public enum Kind: Hashable, Sendable {
    /// A picture.
    case image
    /// A moving picture.
    case video
    /// A file of any kind.
    case file
    /// A recording.
    case audio
    /// A page elsewhere, with what is shown of it.
    case link
    /// An animated picture that a command found.
    case giphy
    /// An app's own kind, with what only the app can read.
    case custom(CustomKind, payload: [UInt8])
  }

  /// What an app's own kind is called.
  public typealias CustomKind = Chat.ID<CustomKindName>

  /// What the ids of an app's own kinds name.
  public enum CustomKindName: Sendable {}

  /// Where the content of an attachment is.
  public enum Location: Hashable, Sendable {
    /// It has none.
    case none
    /// Still on the device alone, at a place that the device knows.
    case device(UserText)
    /// At an address that others can reach.
    case url(UserText)
  }

  /// The width and height of a picture.
  public struct Size: Hashable, Sendable {
    /// How many pixels it is wide.
    public var width: UInt32
    /// How many pixels it is high.
    public var height: UInt32

    /// A size of so many pixels.
    public init(width: UInt32, height: UInt32) { (self.width, self.height) = (width, height) }
  }

  /// An attachment with its parts.
  public init(
    _ id: ID, _ kind: Kind, at location: Location = .none, title: UserText? = nil, summary: UserText? = nil,
    thumbnail: UserText? = nil, mimeType: UserText? = nil, byteCount: UInt64? = nil, size: Size? = nil,
    duration: Microseconds? = nil, extra: Extra = [:]
  ) {
    (self.id, self.kind, self.location, self.title, self.summary) = (id, kind, location, title, summary)
    (self.thumbnail, self.mimeType, self.byteCount) = (thumbnail, mimeType, byteCount)
    (self.size, self.duration, self.extra) = (size, duration, extra)
  }

  /// Whether it is content that was uploaded, and not only an address or an app's own.
  public var isUpload: Bool {
    switch kind {
    case .image, .video, .file, .audio: true
    case .link, .giphy, .custom: false
    }
  }

  /// About how many bytes it takes where it is stored.
  public var storedByteCount: Int {
    let texts = [title, summary, thumbnail, mimeType, location.text]
    let payload = if case .custom(_, let payload) = kind { payload.count } else { 0 }
    return texts.reduce(payload + extra.byteCount + 64) { $0 + ($1?.byteCount ?? 0) }
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
