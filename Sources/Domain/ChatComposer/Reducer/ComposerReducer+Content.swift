// The events of all actions other than typing.
internal import Chat

extension ComposerReducer {
  /// Returns the events of an action that does not concern the text; none if its effect already holds.
  func events(for action: Composer.Action) throws(ComposerRefusal) -> [Composer.Event] {
    switch action {
    case .showCommands(let isOn):
      if isOn == composer.showsCommands { return [] }
      if isOn, composer.editing != nil { throw .noCommandInEdit }
      return [.commandsShown(isOn)]
    case .attach(let attachment): return try attach(attachment)
    case .detach(let id): return attachment(id) == nil ? [] : [.detached(id)]
    case .changeAttachment(let attachment): return try change(attachment)
    case .upload(let id, let step): return upload(id, step)
    case .dismissPreview(let url): return dismissPreview(of: UserText(url))
    case .quote(let message): return composer.quoting == message && composer.state == .quote ? [] : [.quoted(message)]
    case .stopQuoting: return composer.quoting == nil ? [] : [.quoteEnded]
    case .beginEdit(let message): return try beginEdit(of: message)
    case .cancelEdit: return composer.editing == nil ? [] : [.editEnded(.cancelled)]
    case .enter(let state, let kept): return try enter(state, keeping: kept)
    case .showPicker(let picker): return picker == composer.picker ? [] : [.pickerChanged(picker)]
    case .setShowsInChannel(let isOn):
      guard composer.key.thread != nil, isOn != content.showsInChannel else { return [] }
      return [.showsInChannelSet(isOn)]
    case .setSilent(let isOn): return isOn == content.isSilent ? [] : [.silentSet(isOn)]
    case .setExtra(let extra): return extra == content.extra ? [] : [.extraSet(extra)]
    case .clear: return holdsNothing ? [] : [.cleared(keeping: nil)] + closingPicker
    case .custom(let name, let payload): return [.custom(name, payload: payload)]
    case .type, .replace, .setText, .backspace, .moveSelection, .paste, .undo, .redo: return []
    case .activate, .target, .clearCommand: return []
    }
  }

  /// During an edit, a clear removes only the edit; an open picker is closed in addition.
  private var closingPicker: [Composer.Event] {
    composer.editing == nil || composer.picker == .collapsed ? [] : [.pickerChanged(.collapsed)]
  }

  /// Whether a clear would remove nothing.
  private var holdsNothing: Bool {
    content == Composition() && composer.state == .new && composer.picker == .collapsed && !composer.showsCommands
  }
}

// MARK: States

extension ComposerReducer {
  private func beginEdit(of message: Message) throws(ComposerRefusal) -> [Composer.Event] {
    if composer.editing == message.key.id { return [] }
    let capabilities = composerContext.capabilities
    let needed = capabilities.needed(own: .editOwn, any: .editAny, isOwn: message.author == composer.key.user)
    guard message.presence == .present, message.key.channel == composer.key.channel,
      message.content.kind != .ephemeral, capabilities.contains(needed)
    else { throw .notEditable(message.key.id) }
    return [.editBegan(message.key.id, Composition(editing: message.content))]
  }

  private func enter(_ state: ComposerState, keeping kept: SmallSet<Composer.Part>) throws(ComposerRefusal)
    -> [Composer.Event]
  {
    switch state {
    case composer.state where state != .edit && state != .quote: return []
    case .edit, .quote: throw .needsMessage(state)
    case .new where composer.editing != nil: return [.editEnded(.cancelled)]
    case .new where composer.quoting != nil: return [.quoteEnded]
    default: return [.entered(state, keeping: kept)]
    }
  }
}

extension Composition {
  /// Creates the content for editing a message.
  init(editing message: Message.Content) {
    self.init(TypedText(message.text))
    (mentions, quoted, extra) = (message.mentions, message.quoted, message.extra)
    (showsInChannel, isSilent) = (message.showsInChannel, message.isSilent)
    attachments = message.attachments.map { ComposedAttachment($0, .done) }
  }
}

// MARK: Attachments

extension ComposerReducer {
  func attachment(_ id: Attachment.ID) -> ComposedAttachment? {
    content.attachments.first { $0.attachment.id == id }
  }

  private func attach(_ attachment: Attachment) throws(ComposerRefusal) -> [Composer.Event] {
    if let existing = self.attachment(attachment.id) {
      throw .attachmentTwice(attachment.id, file: existing.attachment.fileName)
    }
    try options.attachments.check(attachment, besides: content.attachments.count, under: composerContext.limits)
    let isLocal = if case .device = attachment.location { true } else { false }
    return [.attached(ComposedAttachment(attachment, isLocal ? .local : .done))]
  }

  private func change(_ attachment: Attachment) throws(ComposerRefusal) -> [Composer.Event] {
    guard let existing = self.attachment(attachment.id)?.attachment, existing != attachment else { return [] }
    // An existing attachment of an edited message may exceed the limits unless its file changes.
    if !attachment.isSameFile(as: existing) {
      try options.attachments.check(attachment, besides: content.attachments.count - 1, under: composerContext.limits)
    }
    return [.attachmentChanged(attachment)]
  }

  private func upload(_ id: Attachment.ID, _ step: Composer.UploadStep) -> [Composer.Event] {
    // Late steps of a removed attachment or a finished upload are no-ops.
    guard let upload = attachment(id)?.upload, upload != .done else { return [] }
    switch step {
    case .progressed(let part):
      let permille = UInt16(max(0, min(part.isNaN ? 0 : part, 1)) * 1000)
      if case .failed = upload { return [] }
      if case .uploading(let existing) = upload, existing >= permille { return [] }
      return [.uploadProgressed(id, permille: permille)]
    case .finished(let url): return [.uploadFinished(id, url: UserText(url))]
    case .failed(let failure):
      if case .failed = upload { return [] }
      return [.uploadFailed(id, failure)]
    case .retried:
      guard case .failed(let failure) = upload, !failure.isOfFileElsewhere(than: composer.key.device) else { return [] }
      return [.uploadRetried(id)]
    }
  }

  private func dismissPreview(of url: UserText) -> [Composer.Event] {
    var events: [Composer.Event] = content.dismissedPreviews.contains(url) ? [] : [.previewDismissed(url: url)]
    for shown in content.attachments where shown.attachment.isPreview(of: url) {
      events.append(.detached(shown.attachment.id))
    }
    return events
  }
}

extension Attachment {
  /// The display name of the file.
  var fileName: UserText { title ?? UserText(id.text) }

  /// Whether the limits treat it as the same file as another.
  fileprivate func isSameFile(as other: Attachment) -> Bool {
    (kind, fileName, mimeType, byteCount) == (other.kind, other.fileName, other.mimeType, other.byteCount)
  }

  /// Whether it is the preview of a URL.
  func isPreview(of url: UserText) -> Bool { kind == .link && location == .url(url) }
}
