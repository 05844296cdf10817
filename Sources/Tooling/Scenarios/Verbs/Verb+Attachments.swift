// Verbs of attachments.
internal import Chat
internal import ChatComposer
internal import JSONLines
internal import Verbatim

extension Verb {
  static let attachments: [Verb] = [
    Verb("attach", "id", "Attaches a file or a resource.", Attachment.arguments) { reader throws(InputDefect) in
      let id = try reader.required("attach", try reader.text("attach"))
      let attachment = try Attachment(id, &reader)
      return { player in try await player.perform(.attach(attachment)) }
    },
    Verb("change", "id", "Changes the properties of an attachment.", Attachment.arguments) {
      reader throws(InputDefect) in
      let id = try reader.required("change", try reader.text("change"))
      let attachment = try Attachment(id, &reader)
      return { player in try await player.perform(.changeAttachment(attachment)) }
    },
    naming("detach", "id", "Removes an attachment.") { (id: Attachment.ID) in .detach(id) },
    Verb(
      "upload", "id", "Reports a step of an upload in progress.",
      [
        Argument("progress", "the progress, from 0 to 1"), Argument("url", "the URL; the upload has finished"),
        Argument("fails", "the reason; the upload has failed"),
      ]
    ) { reader throws(InputDefect) in
      let id: Attachment.ID = try reader.required("upload", try reader.id("upload"))
      let (progress, url) = (try reader.number("progress"), try reader.userText("url"))
      let reason = try reader.text("fails")
      guard [progress != nil, url != nil, reason != nil].count(where: { $0 }) == 1 else {
        throw InputDefect("“upload” must have exactly one of “progress”, “url” and “fails”.")
      }
      return { player in
        if let progress { return try await player.progress(id, progress) }
        let outcome: Result<String, Failing>
        if let url { outcome = .success(url.string) } else { outcome = .failure(Failing(reason ?? "")) }
        try await player.finish(id, outcome)
      }
    },
    naming("retryUpload", "id", "Retries a failed upload.") { (id: Attachment.ID) in .upload(id, .retried) },
    acting("dismiss", "url", "Dismisses the preview of a page.") { .dismissPreview(url: $0.string) },
  ]
}

extension Attachment {
  /// The keys that describe an attachment.
  static let arguments = [
    Verb.Argument("kind", "`image`, `video`, `file`, `audio`, `link`, `giphy`, or a custom kind"),
    Verb.Argument("file", "its path on the device, to be uploaded; alternatively"),
    Verb.Argument("url", "its URL, if it is uploaded"), Verb.Argument("title", "the file name"),
    Verb.Argument("caption", "its caption"), Verb.Argument("type", "its MIME type"),
    Verb.Argument("bytes", "its size in bytes"), Verb.Argument("payload", "the payload of a custom kind"),
    Verb.Argument("extra", "the custom data of the app"),
  ]

  init(_ id: String, _ reader: inout ObjectReader) throws(InputDefect) {
    let word = try reader.required("kind", try reader.text("kind"))
    let payload = Array((try reader.text("payload") ?? "").utf8)
    let kind: Kind =
      switch word {
      case "image": .image
      case "video": .video
      case "file": .file
      case "audio": .audio
      case "link": .link
      case "giphy": .giphy
      default: .custom(try CustomKind(valid: word), payload: payload)
      }
    self.init(try ID(valid: id), kind)
    if let url = try reader.userText("url") { location = .url(url) }
    if let file = try reader.userText("file") { location = .device(file) }
    title = try reader.userText("title")
    summary = try reader.userText("caption")
    mimeType = try reader.userText("type")
    byteCount = try reader.integer("bytes")
    extra = try reader.extra("extra") ?? [:]
  }

  /// Reads an attachment of a message: an object with its id.
  init(_ reader: inout ObjectReader, isSent: Bool) throws(InputDefect) {
    let id = try reader.required("id", try reader.text("id"))
    try self.init(id, &reader)
    if isSent, isUpload, location == .none { location = .url("file:" + UserText(id)) }
    try reader.finish()
  }
}

extension UserText {
  fileprivate static func + (a: UserText, b: UserText) -> UserText { UserText(a.string + b.string) }
}

extension Player {
  /// Reports the progress of an upload.
  fileprivate func progress(_ id: Attachment.ID, _ part: Double) async throws {
    guard stage.progress(id, part) else { throw notUploading(id) }
    // The composer handles the report in a later task.
    await Task { @MainActor in }.value
  }

  /// Ends an upload.
  fileprivate func finish(_ id: Attachment.ID, _ outcome: Result<String, Failing>) async throws {
    let composer = try await composer()
    guard stage.finish(id, outcome) else { throw notUploading(id) }
    try await wait("the step of the upload of \(id) was not recorded") {
      switch composer.composer.content.attachments.first(where: { $0.attachment.id == id })?.upload {
      case .local, .uploading: false
      case .done, .failed, nil: true
      }
    }
  }

  private func notUploading(_ id: Attachment.ID) -> Refused {
    Refused("notUploading", "\(id) is not being uploaded: attach it with a path on the device.")
  }
}
