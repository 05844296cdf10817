// The derivation of the presentation from the composer.
public import Chat

extension ComposerReducer {
  /// Returns the presentation at an instant.
  public func presentation(
    at instant: Timestamp, isSending: Bool = false, suggestions: SuggestionList? = nil,
    _ resolved: ResolvedTarget? = nil
  ) -> ComposerPresentation {
    let appearance = options.appearance
    let state = composer.state
    let refusal = refusal(at: instant, isSending: isSending, resolved)
    var shown = ComposerPresentation(
      state: state, title: appearance.titles[state],
      placeholder: appearance.placeholders[state] ?? appearance.placeholders[.new] ?? "",
      channelConfig: composerContext.config, maxMessageLength: Int(composerContext.config.messageLengthMax),
      hasContent: hasContent, refusal: refusal, cooldown: composerContext.cooldown(at: instant),
      shouldScroll: hasLines(beyond: appearance.linesMax), leading: leading, input: input,
      trailing: [ComposerItem(.send, icon: "send", isEnabled: refusal == nil, action: .send)],
      picker: picker, pickerSources: sources, suggestions: suggestions)
    appearance.arrange(&shown, composer)
    return shown
  }

  private var mayUpload: Bool {
    composerContext.config.has(.uploads) && composerContext.capabilities.contains(.upload)
  }

  /// The open picker, or collapsed if the channel no longer supports it.
  private var picker: Composer.Picker {
    switch composer.picker {
    case .media where !mayUpload: .collapsed
    case .giphy where !composerContext.config.has("giphy"): .collapsed
    default: composer.picker
    }
  }

  /// Returns the action that removes an attachment; a found link preview is dismissed, so that it is not found again.
  private func removal(of attachment: Attachment) -> Composer.Action {
    if attachment.isFoundPreview, case .url(let url) = attachment.location { return .dismissPreview(url: url) }
    return .detach(attachment.id)
  }

  private var leading: [ComposerItem] {
    var items: [ComposerItem] = []
    if mayUpload {
      let isOpen = picker != .collapsed
      items.append(
        ComposerItem(
          .attachments, icon: "attachments", action: .perform(.showPicker(isOpen ? .collapsed : .media))))
    }
    let hasCommands = commands.instant.contains {
      !$0.listed(for: "", under: composerContext, beside: commands.mentions).items.isEmpty
    }
    if hasCommands, composer.editing == nil {
      items.append(
        ComposerItem(.commands, icon: "commands", action: .perform(.showCommands(!composer.showsCommands))))
    }
    return items
  }

  private var input: [ComposerItem] {
    var items: [ComposerItem] = []
    if let editing = composer.editing {
      items.append(ComposerItem(.edit, icon: "edit", label: UserText(editing.text), action: .perform(.cancelEdit)))
    }
    if let quoted = content.quoted {
      let isEdit = composer.editing != nil
      items.append(
        ComposerItem(
          .quote, icon: composerContext.messages[quoted] == .gone ? "quote.gone" : "quote",
          label: UserText(quoted.text),
          isEnabled: !isEdit, action: isEdit ? .none : .perform(.stopQuoting)))
    }
    if let command = content.command {
      let info = commands.command(command.id)?.displayInfo
      items.append(
        ComposerItem(
          .command, icon: info?.icon, label: info?.displayName ?? UserText(command.id.text),
          action: .perform(.clearCommand)))
      if let target = command.target {
        let name = composerContext.names[target] ?? UserText(target.text)
        items.append(ComposerItem(.target, icon: "user", label: name, action: .perform(.target(nil))))
      }
    }
    items += content.attachments.map { attachment in
      ComposerItem(
        .attachment(attachment.attachment.id), icon: attachment.icon, label: attachment.attachment.fileName,
        action: .perform(removal(of: attachment.attachment)))
    }
    items.append(ComposerItem(.text))
    if composer.key.thread != nil {
      items.append(
        ComposerItem(
          .showsInChannel, icon: content.showsInChannel ? "checked" : "unchecked",
          action: .perform(.setShowsInChannel(!content.showsInChannel))))
    }
    return items
  }

  /// The attachment sources: an app opens its own picker for each.
  private var sources: [ComposerItem] {
    guard mayUpload, picker != .collapsed else { return [] }
    let ids: [(UserText, Composer.ActionName)] = [
      ("photosAndVideos", "pickPhotosAndVideos"), ("files", "pickFiles"), ("camera", "openCamera"),
    ]
    return ids.map { ComposerItem($0.0, icon: $0.0, action: .perform(.custom($0.1))) }
  }

  /// Whether the text has more than `count` lines, judged by line feeds.
  private func hasLines(beyond count: Int) -> Bool {
    var lines = 1
    for unit in content.text.units where unit == 0x0A {
      lines += 1
      if lines > count { return true }
    }
    return false
  }
}

extension ComposedAttachment {
  /// The icon name: the kind, with the upload state until the upload is done.
  fileprivate var icon: UserText {
    let name = attachment.kind.name
    let kind = if case .custom = attachment.kind { "custom." + name } else { name }
    return switch upload {
    case .done: UserText(kind)
    case .local, .uploading: UserText(kind + ".uploading")
    case .failed: UserText(kind + ".failed")
    }
  }
}

extension Attachment.Kind {
  /// The name of the kind; for a custom kind, the app's name.
  package var name: String {
    switch self {
    case .image: "image"
    case .video: "video"
    case .file: "file"
    case .audio: "audio"
    case .link: "link"
    case .giphy: "giphy"
    case .custom(let kind, _): kind.text
    }
  }
}
