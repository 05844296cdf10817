// What there is to say of an attachment, in words.
public import Chat

extension RenderingContext {
  /// What an attachment is called, or what it is.
  public func words(for attachment: Attachment) -> String {
    if let title = attachment.title, !title.isEmpty { return title.string }
    if case .link = attachment.kind { return attachment.address ?? words.file }
    return kind(of: attachment)
  }

  /// What an attachment is, in a word.
  public func kind(of attachment: Attachment) -> String {
    switch attachment.kind {
    case .image: words.image
    case .video: words.video
    case .audio: words.audio
    case .file: words.file
    case .giphy: words.giphy
    case .link: words.link
    case .custom(let kind, _): kind.text
    }
  }

  /// How wide and high an attachment is, how long it runs, and how many bytes it has, as far as that is known.
  public func facts(about attachment: Attachment) -> [String] {
    let size = attachment.size.map { "\($0.width)×\($0.height)" }
    return [size, attachment.duration.map { duration($0) }, attachment.byteCount.map { words.byteCount($0) }]
      .compactMap(\.self)
  }
}

extension Attachment {
  /// Where its content is reached by others.
  public var address: String? {
    if case .url(let url) = location { url.string } else { nil }
  }
}
