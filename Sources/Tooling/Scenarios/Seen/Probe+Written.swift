// Probes of the contents of the target's composer.
internal import Chat
internal import ChatComposer
internal import JSONLines
internal import Verbatim
internal import VerbatimUI

extension Probe {
  static let written: [Probe] = [
    of("text", "the typed text") { .string($0.text) },
    of("caret", "the offset of the caret; null if text is selected") { composer in
      let selection = composer.composer.selection
      return selection.isEmpty ? .count(selection.lowerBound.rawValue) : .null
    },
    of("selection", "the selected range") { JSON($0.composer.selection) },
    of("mentions", "the mentions: user, text, range") { composer in
      JSON(composer.composer.content.mentions, in: composer.typedText)
    },
    Probe("attachments", "the attachments: id, kind, upload, reason, title, url, caption, type, bytes, payload, extra")
    {
      player in player.openComposer.map { .array($0.composer.content.attachments.map { JSON($0) }) } ?? .null
    },
    of("command", "the active command: id, target") { JSON($0.composer.content.command) },
    naming("quoting", "the quoted message; null during an edit") { $0.composer.quoting },
    naming("quote", "the quoted message, also during an edit") { $0.composer.content.quoted },
    naming("editing", "the edited message") { $0.composer.editing },
    Probe("aside", "the content set aside when the edit began: text, quote, attachments") { player in
      guard let aside = player.openComposer?.composer.aside else { return .null }
      return .members([
        "text": .string(aside.text.userText.string), "quote": .text(aside.quoted?.text),
        "attachments": .array(aside.attachments.map { JSON($0) }),
      ])
    },
    of("state", "the state: `new`, `edit`, `quote`, or a custom one") {
      .string($0.composer.state.text)
    },
    of("showsInChannel", "whether a reply is also shown in the channel") { .bool($0.composer.content.showsInChannel) },
    of("silent", "whether the message is silent") { .bool($0.composer.content.isSilent) },
    of("extra", "the custom data of the app") { JSON($0.composer.content.extra) },
    of("dismissed", "the links whose preview was dismissed") { composer in
      .texts(composer.composer.content.dismissedPreviews.map(\.string))
    },
    of("touched", "whether the content was edited since it was filled") { .bool($0.composer.isTouched) },
    Probe("open", "whether the composer is open") { .bool($0.openComposer?.composer.isOpen ?? false) },
    Probe("kept", "the content of the composer on this device, open or not: text") { player in
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
    Probe(name, help) { player in .text(player.openComposer.flatMap(find)?.text) }
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
      case .failed(let failure): (.string("failed"), failure.sentence)
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
