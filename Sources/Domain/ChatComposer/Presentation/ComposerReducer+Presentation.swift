// The derivation of the presentation from the composer.
public import Chat

extension ComposerReducer {
  /// Returns the presentation at an instant, with the items that the giphy picker offers.
  public func presentation(
    at instant: Timestamp, isSending: Bool = false, suggestions: SuggestionList? = nil,
    pictures: [ComposerItem]? = nil, _ resolved: ResolvedTarget? = nil
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
      picker: shownPicker, pickerSources: pickerItems(pictures), suggestions: suggestions)
    appearance.arrange(&shown, composer)
    shown.closeOpenPicker()
    return shown
  }

  private var mayUpload: Bool {
    composerContext.config.has(.uploads) && composerContext.capabilities.contains(.upload)
  }

  /// The open picker, or collapsed if the channel no longer supports it.
  var shownPicker: Composer.Picker {
    switch composer.picker {
    case .expanded(.media) where !mayUpload: .collapsed
    case .expanded(.giphy) where !composerContext.config.has("giphy"): .collapsed
    default: composer.picker
    }
  }

  private var leading: [ComposerItem] {
    var items: [ComposerItem] = []
    if mayUpload {
      let next = shownPicker == .collapsed ? .expanded(options.appearance.attachmentsPicker) : Composer.Picker.collapsed
      items.append(ComposerItem(.attachments, icon: "attachments", action: .perform(.showPicker(next))))
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
      items.append(ComposerItem(.edit, icon: "edit", label: editing.text, action: .perform(.cancelEdit)))
    }
    if let quoted = content.quoted {
      let isEdit = composer.editing != nil
      items.append(
        ComposerItem(
          .quote, icon: composerContext.messages[quoted] == .gone ? "quote.gone" : "quote",
          label: quoted.text,
          isEnabled: !isEdit, action: isEdit ? .none : .perform(.stopQuoting)))
    }
    if let command = content.command {
      let info = commands.command(command.id)?.displayInfo
      items.append(
        ComposerItem(
          .command, icon: info?.icon.string, label: info?.displayName.string ?? command.id.text,
          action: .perform(.clearCommand)))
      if let target = command.target {
        let name = composerContext.names[target]?.string ?? target.text
        items.append(ComposerItem(.target, icon: "user", label: name, action: .perform(.target(nil))))
      }
    }
    items += content.attachments.map { attachment in
      var item = ComposerItem(
        .attachment(attachment.attachment.id), icon: attachment.icon, label: attachment.attachment.fileName.string,
        action: .perform(attachment.attachment.removal))
      if case .custom = attachment.attachment.kind { item.canOpen = options.appearance.onCustomAttachmentTap != nil }
      return item
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

  /// The items of the open picker.
  private func pickerItems(_ pictures: [ComposerItem]?) -> [ComposerItem] {
    switch shownPicker {
    case .collapsed: []
    case .expanded(.none): sources + pickers
    case .expanded(.media): sources
    case .expanded(.giphy): pictures ?? []
    case .expanded(.custom(let name)): options.appearance.pickers[name]?(composer) ?? []
    }
  }

  /// The attachment sources: an app opens its own view for each.
  private var sources: [ComposerItem] {
    guard mayUpload else { return [] }
    let ids: [(UserText, Composer.ActionName)] = [
      ("photosAndVideos", "pickPhotosAndVideos"), ("files", "pickFiles"), ("camera", "openCamera"),
    ]
    return ids.map { ComposerItem($0.0, icon: $0.0.string, action: .perform(.custom($0.1))) }
  }

  /// The items that open the other pickers, those of the app ordered by id.
  private var pickers: [ComposerItem] {
    let own = options.appearance.pickers.keys.sorted().map { name in
      ComposerItem(UserText(name.text), icon: name.text, action: .perform(.showPicker(.expanded(.custom(name)))))
    }
    if !composerContext.config.has("giphy") { return own }
    return [ComposerItem(.giphy, icon: "giphy", action: .perform(.showPicker(.expanded(.giphy))))] + own
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

extension ComposerPresentation {
  /// Makes the buttons that would open the open picker close it.
  fileprivate mutating func closeOpenPicker() {
    if picker == .collapsed { return }
    for area in [ComposerArea.leading, .input, .trailing] {
      for index in self[area].indices where self[area][index].action == .perform(.showPicker(picker)) {
        self[area][index].action = .perform(.showPicker(.collapsed))
      }
    }
  }
}

extension Attachment {
  /// The action that removes the attachment; a found link preview is dismissed, so that it is not found again.
  package var removal: Composer.Action {
    if isFoundPreview, case .url(let url) = location { return .dismissPreview(url: url.string) }
    return .detach(id)
  }
}

extension ComposedAttachment {
  /// The icon name: the kind, with the upload state until the upload is done.
  fileprivate var icon: String {
    let name = attachment.kind.name
    let kind = if case .custom = attachment.kind { "custom." + name } else { name }
    return switch upload {
    case .done: kind
    case .local, .uploading: kind + ".uploading"
    case .failed: kind + ".failed"
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
