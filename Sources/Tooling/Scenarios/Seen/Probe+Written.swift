// Probes of the contents of the target's composer.
internal import Chat
internal import ChatComposer
internal import JSONLines
internal import Verbatim
internal import VerbatimUI

extension Probe {
  static let written: [Probe] = [
    of("text", "what is typed") { .string($0.text.userText.string) },
    of("caret", "where the caret is; null where something is selected") { composer in
      let selection = composer.composer.selection
      return selection.isEmpty ? .count(selection.lowerBound.rawValue) : .null
    },
    of("selection", "from where to where is selected") { JSON($0.composer.selection) },
    of("mentions", "who is meant where: user, text, range") { composer in
      JSON(composer.composer.content.mentions, in: composer.text)
    },
    Probe("attachments", "what hangs on it: id, kind, upload, reason, title, url, caption, type, bytes, payload, extra")
    {
      player in player.openComposer.map { .array($0.composer.content.attachments.map { JSON($0) }) } ?? .null
    },
    of("command", "the active command: id, target") { JSON($0.composer.content.command) },
    naming("quoting", "the message that is quoted while none is edited") { $0.composer.quoting },
    naming("quote", "the message that is quoted, also in an edit") { $0.composer.content.quoted },
    naming("editing", "the message that is edited") { $0.composer.editing },
    Probe("aside", "what was set aside when the edit began: text, quote, attachments") { player in
      guard let aside = player.openComposer?.composer.aside else { return .null }
      return .members([
        "text": .string(aside.text.userText.string), "quote": .text(aside.quoted.map { player.name($0) }),
        "attachments": .array(aside.attachments.map { JSON($0) }),
      ])
    },
    of("state", "what the composer is about: `new`, `edit`, `quote`, or the app's own") {
      .string($0.composer.state.text)
    },
    of("showsInChannel", "whether a reply stands in the channel, too") { .bool($0.composer.content.showsInChannel) },
    of("silent", "whether nobody is notified") { .bool($0.composer.content.isSilent) },
    of("extra", "what the app adds") { JSON($0.composer.content.extra) },
    of("dismissed", "the pages of which nothing is to be shown") { composer in
      .texts(composer.composer.content.dismissedPreviews.map(\.string))
    },
    of("touched", "whether anything was written since it was filled") { .bool($0.composer.isTouched) },
    Probe("open", "whether the composer is open") { .bool($0.openComposer?.composer.isOpen ?? false) },
    Probe("kept", "what this device holds for the place, also where nobody is in front of it: text") { player in
      let key = player.composerKey
      let composers = try await player.client.read { try $0.composers(in: key.channel) }
      return .text(composers.first { $0.key == key }?.content.text.userText.string)
    },
  ]

  static func of(_ name: String, _ help: String, _ find: @escaping @MainActor @Sendable (LiveComposer) -> JSON) -> Probe
  {
    Probe(name, help) { player in player.openComposer.map(find) ?? .null }
  }

  private static func naming(
    _ name: String, _ help: String, _ find: @escaping @MainActor @Sendable (LiveComposer) -> Message.ID?
  ) -> Probe {
    Probe(name, help) { player in .text(player.openComposer.flatMap(find).map { player.name($0) }) }
  }
}

extension Player {
  /// The composer of the target; nil if it is not open.
  var openComposer: LiveComposer? { composers[composerKey] }
}

// MARK: Values

extension JSON {
  init(_ range: UTF16Range) { self = .array([.count(range.lowerBound.rawValue), .count(range.upperBound.rawValue)]) }

  init(_ mentions: [Mention], in text: TypedText) {
    self = .array(
      mentions.map { mention in
        .members([
          "user": .string(mention.user.text), "text": .string(text.userText(of: mention.range).string),
          "range": JSON(mention.range),
        ])
      })
  }

  init(_ command: ComposedCommand?) {
    guard let command else {
      self = .null
      return
    }
    self = .members(["id": .string(command.id.text), "target": .text(command.target?.text)])
  }

  init(_ composed: ComposedAttachment) {
    let (upload, reason): (JSON, String?) =
      switch composed.upload {
      case .local: (.string("local"), nil)
      case .uploading(let permille): (.count(permille), nil)
      case .done: (.string("done"), nil)
      case .failed(let reason): (.string("failed"), reason.string)
      }
    self = JSON(composed.attachment, upload, reason: reason)
  }

  init(_ attachment: Attachment) { self = JSON(attachment, .string("done"), reason: nil) }

  private init(_ attachment: Attachment, _ upload: JSON, reason: String?) {
    let (kind, payload): (String, String?) =
      switch attachment.kind {
      case .custom(let kind, let payload): (kind.text, String(decoding: payload, as: UTF8.self))
      case .image, .video, .file, .audio, .link, .giphy: ("\(attachment.kind)", nil)
      }
    var url: String?
    if case .url(let address) = attachment.location { url = address.string }
    self = .members([
      "id": .string(attachment.id.text), "kind": .string(kind), "upload": upload, "reason": .text(reason),
      "title": .text(attachment.title?.string), "url": .text(url), "caption": .text(attachment.summary?.string),
      "type": .text(attachment.mimeType?.string), "bytes": attachment.byteCount.map { .count($0) } ?? .null,
      "payload": .text(payload), "extra": JSON(attachment.extra),
    ])
  }
}
