// Texts that describe attachments.
public import Chat

extension RenderingContext {
  /// Returns an attachment's title, or its kind if it has none.
  public func words(for attachment: Attachment) -> String {
    if let title = attachment.title, !title.isEmpty { return title.string }
    if case .link = attachment.kind { return attachment.address ?? words.file }
    return kind(of: attachment)
  }

  /// Returns the word for an attachment's kind.
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

  /// Returns an attachment's waveform, dimensions, duration and size in bytes, as far as they are known.
  public func facts(about attachment: Attachment) -> [String] {
    let size = attachment.size.map { "\($0.width)×\($0.height)" }
    let wave = attachment.waveform.isEmpty ? nil : Self.bars(of: attachment.waveform)
    return [wave, size, attachment.duration.map { duration($0) }, attachment.byteCount.map { words.byteCount($0) }]
      .compactMap(\.self)
  }

  /// Returns a waveform as bars of different heights, at most 32: each has the loudest value of its part.
  private static func bars(of waveform: [UInt8]) -> String {
    let count = min(waveform.count, 32)
    return (0..<count).reduce(into: "") { bars, index in
      let part = waveform[index * waveform.count / count..<(index + 1) * waveform.count / count]
      bars.unicodeScalars.append(Unicode.Scalar(0x2581 + UInt32(part.max() ?? 0) / 32) ?? "▁")
    }
  }
}

extension Attachment {
  /// The address under which other users reach the content; nil if there is none.
  public var address: String? {
    if case .url(let url) = location { url.string } else { nil }
  }
}
