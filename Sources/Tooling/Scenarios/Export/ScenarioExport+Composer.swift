// The lines of what was done in composers.
internal import Chat
internal import ChatComposer
internal import JSONLines

extension ScenarioExport {
  /// Writes an event of a composer, and applies it.
  mutating func write(_ event: Composer.Event, at key: Composer.Key, _ instant: Timestamp) {
    let before = composers[key] ?? Composer(key)
    know(key.user)
    write(event, in: before)
    var after = before
    after.apply(event, at: instant)
    composers[key] = after
  }

  private mutating func write(_ event: Composer.Event, in before: Composer) {
    let key = before.key
    switch event {
    case .opened: line("open", .bool(true), at: key)
    case .typed(let splice, let kind): write(splice, kind, in: before)
    case .replaced(_, _, _, .undone): line("undo", .bool(true), at: key)
    case .replaced(_, _, _, .redone): line("redo", .bool(true), at: key)
    case .replaced(let splice, let mentions, let selection, _):
      if let mention = mentions.first { pick(mention.user, at: key) } else { write(splice, .replaced, in: before) }
      let end = splice.range.lowerBound.rawValue + splice.text.string.utf16.count
      if mentions.isEmpty, selection != UTF16Range(end..<end) { line("caret", JSON(selection), at: key) }
    case .mentionPicked(let user, _, _): pick(user, at: key)
    case .selectionMoved(let selection): line("caret", JSON(selection), at: key)
    case .attached, .detached, .attachmentChanged, .uploadProgressed, .uploadFinished, .uploadFailed, .uploadRetried,
      .previewDismissed:
      writeAttachment(event, at: key)
    case .commandsShown, .commandActivated, .commandTargeted, .commandCleared, .commandStarted, .commandFailed,
      .commandInterrupted, .commandExecuted:
      writeCommand(event, in: before)
    case .sent(let message, _):
      line("send", .bool(true), [("id", .string(message.text))], at: key)
    case .sendRefused(let failure):
      line("send", .bool(true), at: key)
      line("expect", .members(["says": .string(failure.sentence)]), at: key)
    case .left: line("leave", .bool(true), at: key)
    case .cleared: if executed.remove(key) == nil { line("clear", .bool(true), at: key) }
    default: writeMode(event, at: key)
    }
  }

  private mutating func writeMode(_ event: Composer.Event, at key: Composer.Key) {
    switch event {
    case .quoted(let message): line("quote", .string(message.text), at: key)
    case .quoteEnded: line("stopQuoting", .bool(true), at: key)
    case .editBegan(let message, _): line("beginEdit", .string(message.text), at: key)
    case .editEnded(.cancelled): line("cancelEdit", .bool(true), at: key)
    case .editEnded(.saved): line("send", .bool(true), at: key)
    case .entered(let state, let parts):
      let kept = Composer.Part.allCases.filter(parts.contains).map { "\($0)" }
      line("enter", .string(state.text), [("keeping", .texts(kept))], at: key)
    case .pickerChanged(let picker): line("picker", .string(picker.word), at: key)
    case .showsInChannelSet(let isOn): line("showInChannel", .bool(isOn), at: key)
    case .silentSet(let isOn): line("silent", .bool(isOn), at: key)
    case .extraSet(let extra): line("extra", JSON(extra), at: key)
    case .custom(let name, let payload):
      line("custom", .string(name.text), [("payload", .string(String(decoding: payload, as: UTF8.self)))], at: key)
    case .actionRefused(let failure): note("Refused: \(failure.sentence)")
    // The content of a draft comes when the composer opens; the message that was edited is deleted elsewhere.
    default: return
    }
  }

  // MARK: Text

  private mutating func write(_ splice: Splice, _ kind: Composer.ChangeKind, in before: Composer) {
    let (key, text) = (before.key, splice.text.string)
    switch kind {
    case .undone: line("undo", .bool(true), at: key)
    case .redone: line("redo", .bool(true), at: key)
    case .deleted where splice.range == before.selection && !splice.range.isEmpty:
      line("backspace", .count(1), at: key)
    case .deleted where splice.isBackspace(in: before): line("backspace", .count(1), at: key)
    case .typed where splice.range == before.selection && !text.isEmpty:
      if !splice.range.isEmpty || !extendTyped(text, at: key) { line("type", .string(text), at: key) }
    case .pasted where splice.range == before.selection: line("paste", .string(text), at: key)
    default: line("replace", JSON(splice.range), [("with", .string(text))], at: key)
    }
  }

  private mutating func pick(_ user: User.ID, at key: Composer.Key) {
    know(user)
    line("pick", .string(user.text), at: key)
  }

  // MARK: Commands

  /// The command whose pictures come from a provider, which a scenario holds until the end of the command.
  private static let giphy: ComposedCommand.ID = "giphy"

  private mutating func writeCommand(_ event: Composer.Event, in before: Composer) {
    let key = before.key
    switch event {
    case .commandsShown(let isOn): if isOn { line("showCommands", .bool(true), at: key) }
    case .commandActivated(let command, let splice): activate(command, splice, in: before)
    case .commandTargeted(let user):
      if let user { know(user) }
      line("target", .text(user?.text), at: key)
    case .commandCleared(nil): line("clearCommand", .bool(true), at: key)
    case .commandCleared: line("backspace", .count(1), at: key)
    case .commandStarted(let execution):
      if execution.command.id == Self.giphy { line("hold", .string("gifs"), at: key) }
      line("send", .bool(true), execution.command.id == Self.giphy ? [("meanwhile", .bool(true))] : [], at: key)
    case .commandExecuted:
      executed.insert(key)
      if before.execution?.command.id == Self.giphy { line("release", .string("gifs"), at: key) }
    case .commandFailed(_, let failure):
      if before.execution?.command.id == Self.giphy {
        line("release", .string("gifs"), [("fails", .string(failure.sentence))], at: key)
      }
      line("expect", .members(["says": .string(failure.sentence)]), at: key)
    case .commandInterrupted: note("The program ended while the command was being executed.")
    default: return
    }
  }

  private mutating func activate(_ command: ComposedCommand, _ splice: Splice?, in before: Composer) {
    let key = before.key
    know(command.id)
    line("activate", .string(command.id.text), at: key)
    if let target = command.target {
      know(target)
      line("target", .string(target.text), at: key)
    }
    guard let splice else { return }
    var after = before.content.text
    after.apply(splice)
    // A word that was typed to find the command is removed with its activation.
    let isRemoved =
      splice.text.string.isEmpty && command.target == nil && before.content.text.userText.string.contains("/")
    if !isRemoved, after != before.content.text { line("setText", .string(after.userText.string), at: key) }
  }

  // MARK: Attachments

  private mutating func writeAttachment(_ event: Composer.Event, at key: Composer.Key) {
    switch event {
    case .attached(let composed): write("attach", composed.attachment, at: key)
    case .attachmentChanged(let attachment): write("change", attachment, at: key)
    case .detached(let id): line("detach", .string(id.text), at: key)
    case .uploadProgressed(let id, let permille):
      line("upload", .string(id.text), [("progress", .number("\(Double(permille) / 1000)"))], at: key)
    case .uploadFinished(let id, let url):
      line("upload", .string(id.text), [("url", .string(url.string))], at: key)
    case .uploadFailed(let id, let failure):
      line("upload", .string(id.text), [("fails", .string(failure.sentence))], at: key)
    case .uploadRetried(let id): line("retryUpload", .string(id.text), at: key)
    case .previewDismissed(let url): line("dismiss", .string(url.string), at: key)
    default: return
    }
  }

  private mutating func write(_ verb: String, _ attachment: Attachment, at key: Composer.Key) {
    if !attachment.isExpressed { noteLoss(of: "the attachment \(attachment.id)") }
    line(verb, .string(attachment.id.text), attachment.arguments, at: key)
  }
}

extension Splice {
  /// Whether the change deletes the character before the caret.
  fileprivate func isBackspace(in composer: Composer) -> Bool {
    let last = UTF16Offset(rawValue: max(0, range.upperBound.rawValue - 1))
    return composer.selection.isEmpty && range.upperBound == composer.selection.lowerBound
      && composer.content.text.clusterStart(at: last) == range.lowerBound
  }
}

extension Attachment {
  /// Whether the keys of a line describe everything of the attachment.
  var isExpressed: Bool {
    var expressed = self
    (expressed.thumbnail, expressed.size, expressed.duration, expressed.waveform) = (nil, nil, nil, [])
    guard case .custom(_, let payload) = kind else { return expressed == self }
    return expressed == self && Array(String(decoding: payload, as: UTF8.self).utf8) == payload
  }

  /// The keys that describe the attachment in a line.
  var arguments: [(String, JSON)] {
    var keys: [(String, JSON)] = []
    func add(_ key: String, _ text: String?) { if let text { keys.append((key, .string(text))) } }
    if case .custom(let kind, let payload) = kind {
      add("kind", kind.text)
      if !payload.isEmpty { add("payload", String(decoding: payload, as: UTF8.self)) }
    } else {
      add("kind", "\(kind)")
    }
    switch location {
    case .url(let url): add("url", url.string)
    case .device(let path): add("file", path.string)
    case .none: break
    }
    add("title", title?.string)
    add("caption", summary?.string)
    add("type", mimeType?.string)
    if let byteCount { keys.append(("bytes", .count(byteCount))) }
    if !extra.isEmpty { keys.append(("extra", JSON(extra))) }
    return keys
  }
}
