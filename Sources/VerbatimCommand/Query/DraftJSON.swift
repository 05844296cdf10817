// Drafts as JSON: whole, with members in an order that never changes.
internal import JSONLines
internal import Chat
internal import ChatComposer
internal import ChatViews
internal import EventLog

extension ListedDrafts {
  /// The page as one line.
  var json: String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("position", position.rawValue)
      writer.key("drafts")
      writer.array { for draft in drafts { $0.draft(draft) } }
      writer.member("next", next?.description)
    }
    return writer.text + "\n"
  }
}

extension JSONWriter {
  fileprivate mutating func draft(_ draft: DraftItem) {
    object { writer in
      writer.member("id", draft.id)
      writer.member("user", draft.key.user.text)
      writer.member("channel", draft.key.channel.text)
      writer.member("thread", draft.key.thread?.text)
      if let parent = draft.parent { writer.parent(parent) }
      writer.key("content")
      writer.content(draft.content)
      writer.member("created", draft.created.description)
      writer.member("updated", draft.updated.description)
      writer.member("editedAt", draft.edit.at.description)
      writer.member("device", draft.edit.device?.text)
    }
  }

  private mutating func parent(_ message: Message) {
    key("parent")
    object { writer in
      writer.member("id", message.key.id.text)
      writer.member("author", message.author?.text)
      writer.member("text", message.content.text.string)
      writer.key("deleted")
      writer.bool(message.presence != .present)
    }
  }

  private mutating func content(_ content: Composition) {
    object { writer in
      writer.member("text", content.text.wording.string)
      writer.key("mentions")
      writer.array { for mention in content.mentions { $0.mention(mention) } }
      writer.key("attachments")
      writer.array { for attachment in content.attachments { $0.attachment(attachment) } }
      if let command = content.command { writer.command(command) }
      writer.member("quoted", content.quoted?.text)
      writer.key("showsInChannel")
      writer.bool(content.showsInChannel)
      writer.key("silent")
      writer.bool(content.isSilent)
      writer.key("extra")
      writer.fields(content.extra)
      writer.key("dismissedPreviews")
      writer.array { for address in content.dismissedPreviews { $0.string(address.string) } }
    }
  }

  private mutating func mention(_ mention: Mention) {
    object { writer in
      writer.member("user", mention.user.text)
      writer.key("range")
      writer.array {
        $0.integer(mention.range.lowerBound.rawValue)
        $0.integer(mention.range.upperBound.rawValue)
      }
    }
  }

  private mutating func command(_ command: ComposedCommand) {
    key("command")
    object { writer in
      writer.member("id", command.id.text)
      writer.member("target", command.target?.text)
    }
  }

  // MARK: Attachments

  private mutating func attachment(_ composed: ComposedAttachment) {
    let attachment = composed.attachment
    object { writer in
      writer.member("id", attachment.id.text)
      writer.member("kind", attachment.kind.name)
      if case .custom(_, let payload) = attachment.kind { writer.member("payload64", base64(payload)) }
      switch attachment.location {
      case .none: break
      case .device(let place): writer.member("file", place.string)
      case .url(let address): writer.member("url", address.string)
      }
      writer.member("title", attachment.title?.string)
      writer.member("summary", attachment.summary?.string)
      writer.member("thumbnail", attachment.thumbnail?.string)
      writer.member("mimeType", attachment.mimeType?.string)
      writer.member("byteCount", attachment.byteCount)
      writer.member("width", attachment.size?.width)
      writer.member("height", attachment.size?.height)
      writer.member("durationMicroseconds", attachment.duration?.rawValue)
      writer.key("extra")
      writer.fields(attachment.extra)
      writer.upload(composed.upload)
    }
  }

  private mutating func upload(_ upload: ComposedAttachment.Upload) {
    switch upload {
    case .local: member("upload", "local")
    case .uploading(let permille):
      member("upload", "uploading")
      member("permille", permille)
    case .done: member("upload", "done")
    case .failed(let reason):
      member("upload", "failed")
      member("reason", reason.string)
    }
  }

  // MARK: What an app adds

  private mutating func fields(_ extra: Extra) {
    object { writer in
      for field in extra.fields {
        writer.key(field.name.string)
        writer.value(field.value)
      }
    }
  }

  private mutating func value(_ value: Extra.Value) {
    switch value {
    case .null: null()
    case .bool(let value): bool(value)
    case .integer(let value): integer(value)
    case .number(let value): number(value)
    case .text(let text): string(text.string)
    case .list(let values): array { for value in values { $0.value(value) } }
    case .fields(let extra): fields(extra)
    }
  }
}
