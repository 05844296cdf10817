// The fold of composer events.

// MARK: Fold

extension Composer.Event {
  func fold(on key: Composer.Key, _ origin: EventOrigin, into state: inout some ChatStateStore) {
    // A single access, because the store looks the row up at each.
    state[key].apply(self, to: key, at: origin.at)
  }
}

extension Composer? {
  fileprivate mutating func apply(_ event: Composer.Event, to key: Composer.Key, at instant: Timestamp) {
    if case .none = self { self = Composer(key) }
    self?.apply(event, at: instant)
  }
}

extension Composer {
  /// Applies an event, both in the fold and in a live composer to its own events.
  public mutating func apply(_ event: Event, at instant: Timestamp) {
    defer {
      // What changes during an edit is the edited message: the content that was set aside stays as it was filled.
      if event.touches, editing == nil { isTouched = true }
    }
    switch event {
    case .opened: isOpen = true
    case .filled(let content, let range): fill(content.sound, selecting: range)
    case .typed(let splice, _): change(splice, at: instant)
    case .mentionPicked(let user, let splice, let length):
      let start = content.text.whole(splice.range).lowerBound
      change(splice, at: instant)
      let end = UTF16Offset(rawValue: start.rawValue + max(0, min(length, splice.text.string.utf16.count)))
      mention(user, at: start..<end)
    case .replaced(let splice, let mentions, let range, _):
      change(splice, at: instant)
      for mention in mentions { self.mention(mention.user, at: content.text.clamp(mention.range)) }
      selection = content.text.clamp(range)
    case .selectionMoved(let range): selection = content.text.clamp(range)
    case .attached, .detached, .attachmentChanged, .uploadProgressed, .uploadFinished, .uploadFailed, .uploadRetried:
      content.attachments.apply(event)
    case .previewDismissed(let url):
      if !content.dismissedPreviews.contains(url) { content.dismissedPreviews.append(url) }
    case .quoted, .quoteEnded, .editBegan, .editEnded, .entered: enter(event)
    case .pickerChanged(let picker): self.picker = picker
    case .showsInChannelSet(let isOn): content.showsInChannel = isOn
    case .silentSet(let isOn): content.isSilent = isOn
    case .extraSet(let extra): content.extra = extra
    case .commandsShown(let isOn): showsCommands = isOn
    case .commandActivated(let command, let splice):
      (content.command, showsCommands) = (command, false)
      if let splice { change(splice, at: instant) }
    case .commandTargeted(let user): content.command?.target = user
    case .commandCleared(let splice):
      content.command = nil
      if let splice { change(splice, at: instant) }
    case .commandStarted(let execution): self.execution = execution
    case .commandExecuted(let id), .commandFailed(let id, _), .commandInterrupted(let id):
      if execution?.id == id { execution = nil }
    case .sendRefused, .actionRefused, .custom, .erased: return
    case .sent(_, let kept), .cleared(let kept): clear(keeping: kept)
    case .left(let keepingContent):
      if !keepingContent { empty(keeping: nil) }
      (isOpen, picker, showsCommands, typed) = (false, .collapsed, false, nil)
    }
  }

  private mutating func fill(_ content: Composition, selecting range: UTF16Range) {
    self.content = content
    selection = content.text.clamp(range)
    (isOpen, isTouched) = (true, false)
    (editing, aside, asideState) = (nil, nil, .new)
    state = content.quoted == nil ? .new : .quote
  }

  private mutating func change(_ splice: Splice, at instant: Timestamp) {
    let range = content.text.whole(splice.range)
    let splice = Splice(range, to: splice.text)
    content.text.apply(splice)
    content.mentions = content.mentions.compactMap { mention in
      splice.shift(mention.range).map { Mention(mention.user, at: $0) }
    }
    if !content.mentions.isEmpty { content = content.sound }
    let caret = UTF16Offset(rawValue: range.lowerBound.rawValue + splice.text.string.utf16.count)
    (selection, typed, showsCommands) = (caret..<caret, instant, false)
  }

  private mutating func mention(_ user: User.ID, at range: UTF16Range) {
    let index = content.mentions.firstIndex { $0.range.lowerBound > range.lowerBound } ?? content.mentions.endIndex
    content.mentions.insert(Mention(user, at: range), at: index)
    content = content.sound
  }

  private mutating func enter(_ event: Event) {
    switch event {
    case .quoted(let message):
      endEdit()
      (state, content.quoted) = (.quote, message)
    case .quoteEnded:
      if quoting != nil { (state, content.quoted) = (.new, nil) }
    case .editBegan(let message, let content):
      if editing == nil { (aside, asideState) = (self.content, state) }
      (state, editing, self.content) = (.edit, message, content.sound)
      selection = content.text.end..<content.text.end
    case .editEnded: endEdit()
    case .entered(let state, let kept):
      endEdit()
      // Edit and quote modes need a message, and none is given.
      (self.state, content) = (state == .edit || state == .quote ? .new : state, content.keeping(kept))
      selection = content.text.clamp(selection)
    default: return
    }
  }

  /// Restores the content set aside by an edit.
  private mutating func endEdit() {
    guard editing != nil else { return }
    (editing, content, state) = (nil, aside ?? Composition(), asideState)
    (aside, asideState, typed) = (nil, .new, nil)
    selection = content.text.end..<content.text.end
  }

  /// Removes the content; during an edit, ends the edit instead.
  private mutating func clear(keeping kept: Composition?) {
    if editing == nil { empty(keeping: kept) } else { endEdit() }
  }

  private mutating func empty(keeping kept: Composition?) {
    let (isOpen, execution) = (isOpen, execution)
    self = Composer(key)
    (self.isOpen, self.execution) = (isOpen, execution)
    guard let kept else { return }
    fill(kept.sound, selecting: kept.text.end..<kept.text.end)
    (self.isOpen, isTouched) = (isOpen, true)
  }
}

extension Composition {
  /// The content without mentions whose ranges are invalid.
  fileprivate var sound: Composition {
    var content = self
    content.mentions = text.valid(mentions)
    return content
  }

  fileprivate func keeping(_ parts: SmallSet<Composer.Part>) -> Composition {
    var kept = Composition()
    if parts.contains(.text) { (kept.text, kept.mentions) = (text, mentions) }
    if parts.contains(.attachments) { kept.attachments = attachments }
    if parts.contains(.command) { kept.command = command }
    if parts.contains(.extra) { kept.extra = extra }
    (kept.showsInChannel, kept.isSilent, kept.dismissedPreviews) = (showsInChannel, isSilent, dismissedPreviews)
    return kept
  }
}

extension [ComposedAttachment] {
  fileprivate mutating func apply(_ event: Composer.Event) {
    switch event {
    case .attached(let new): append(new)
    case .detached(let id): removeAll { $0.attachment.id == id }
    case .attachmentChanged(let new):
      if let index = firstIndex(where: { $0.attachment.id == new.id }) { self[index].attachment = new }
    case .uploadProgressed(let id, _), .uploadFinished(let id, _), .uploadFailed(let id, _), .uploadRetried(let id):
      guard let index = firstIndex(where: { $0.attachment.id == id }) else { return }
      self[index].apply(event)
    default: return
    }
  }
}

extension ComposedAttachment {
  /// Applies an upload event; late ones are ignored: a finished upload stays, and only a failed one restarts.
  fileprivate mutating func apply(_ event: Composer.Event) {
    switch (event, upload) {
    case (.uploadFinished(_, let url), .local), (.uploadFinished(_, let url), .uploading),
      (.uploadFinished(_, let url), .failed):
      (upload, attachment.location) = (.done, .url(url))
    case (.uploadProgressed(_, let permille), .local), (.uploadProgressed(_, let permille), .uploading):
      upload = .uploading(permille: Swift.min(permille, 1000))
    case (.uploadFailed(_, let failure), .local), (.uploadFailed(_, let failure), .uploading):
      upload = .failed(failure)
    case (.uploadRetried, .failed): upload = .uploading(permille: 0)
    default: return
    }
  }
}

extension Composer.Event {
  /// Whether the event changes the content, so that content from another device does not replace it.
  fileprivate var touches: Bool {
    switch self {
    case .opened, .filled, .selectionMoved, .pickerChanged, .commandsShown, .sendRefused, .actionRefused, .custom,
      .left, .commandStarted, .commandExecuted, .commandFailed, .commandInterrupted, .sent, .cleared, .editEnded,
      .erased:
      false
    default: true
    }
  }
}
