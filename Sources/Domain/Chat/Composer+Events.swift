// Events of composers: each action recorded as the smallest change.

// MARK: Events

extension Composer {
  /// An event of a composer.
  public enum Event: Hashable, Sendable {
    /// The user opened the composer; it keeps its content.
    case opened
    /// The composer was filled from a draft or from content written on another device.
    indirect case filled(Composition, selection: UTF16Range)
    /// The text was spliced in this way; the caret is after the inserted text.
    case typed(Splice, ChangeKind = .typed)
    /// A user was picked: the text was spliced, and the first `length` units inserted mention the user.
    case mentionPicked(User.ID, Splice, length: Int)
    /// The text was spliced in this way, with mentions in the inserted text and a new selection.
    case replaced(Splice, mentions: [Mention], selection: UTF16Range, ChangeKind = .typed)
    /// The selection moved.
    case selectionMoved(UTF16Range)
    /// An attachment was added.
    indirect case attached(ComposedAttachment)
    /// An attachment was removed.
    case detached(Attachment.ID)
    /// An attachment was changed: a caption, metadata found by the upload.
    indirect case attachmentChanged(Attachment)
    /// The upload of an attachment progressed, in thousandths.
    case uploadProgressed(Attachment.ID, permille: UInt16)
    /// The upload of an attachment finished at this address.
    case uploadFinished(Attachment.ID, url: UserText)
    /// The upload of an attachment failed.
    case uploadFailed(Attachment.ID, RecordedFailure)
    /// The failed upload of an attachment was restarted.
    case uploadRetried(Attachment.ID)
    /// The preview of an address was dismissed.
    case previewDismissed(url: UserText)
    /// A message was quoted.
    case quoted(Message.ID)
    /// The quote was removed.
    case quoteEnded
    /// An edit of a sent message began, with its content.
    indirect case editBegan(Message.ID, Composition)
    /// The edit ended; the content set aside was restored.
    case editEnded(EditEnd)
    /// The composer entered another mode, keeping these parts of the content.
    case entered(ComposerState, keeping: SmallSet<Part>)
    /// The picker changed.
    case pickerChanged(Picker)
    /// Showing a thread reply also in the channel was turned on or off.
    case showsInChannelSet(Bool)
    /// Sending without a notification was turned on or off.
    case silentSet(Bool)
    /// The extra values of the app were replaced.
    case extraSet(Extra)
    /// Listing all commands was turned on or off.
    case commandsShown(Bool)
    /// A command was activated; the splice removes its name from the text.
    case commandActivated(ComposedCommand, Splice?)
    /// The target user of the active command was set or removed.
    case commandTargeted(User.ID?)
    /// The active command was cleared; the splice, if any, restores its name in the text.
    case commandCleared(Splice?)
    /// The active command was started.
    case commandStarted(CommandExecution)
    /// The command succeeded.
    case commandExecuted(CommandExecution.ID)
    /// The command failed; the content stays.
    case commandFailed(CommandExecution.ID, RecordedFailure)
    /// The outcome of the command is unknown; there is no automatic retry.
    case commandInterrupted(CommandExecution.ID)
    /// The message was not sent.
    case sendRefused(RecordedFailure)
    /// An action was refused, such as attaching a file that is too large; nothing else changed.
    case actionRefused(RecordedFailure)
    /// The message was sent; content written in the meantime stays.
    indirect case sent(Message.ID, keeping: Composition?)
    /// The content was cleared or consumed by a command; content written in the meantime stays.
    indirect case cleared(keeping: Composition?)
    /// The user closed the composer; the content stays or is removed.
    case left(keepingContent: Bool)
    /// An action of the app was recorded.
    case custom(ActionName, payload: [UInt8])
    /// The content of the event was erased from the log, and with it what it did. It is never recorded.
    case erased
  }

  /// The way in which the text was changed; events stored without one read as typed.
  public enum ChangeKind: UInt8, CaseIterable, Hashable, Sendable {
    /// The text was typed, or set by the binding of a text view.
    case typed
    /// The text was pasted.
    case pasted
    /// The text was deleted, and none inserted.
    case deleted
    /// A range was replaced by an app or by a correction.
    case replaced
    /// A change was undone.
    case undone
    /// An undone change was redone.
    case redone
  }

  /// The reason for the end of an edit.
  public enum EditEnd: UInt8, CaseIterable, Hashable, Sendable {
    /// The edit was cancelled.
    case cancelled = 1
    /// The edit was saved, or nothing had changed.
    case saved
    /// The edited message was deleted.
    case messageGone
  }

  /// The parts of a content that an app's own mode may keep.
  public enum Part: UInt8, CaseIterable, Hashable, Sendable {
    /// The text with its mentions is kept.
    case text
    /// The attachments are kept.
    case attachments
    /// The active command is kept.
    case command
    /// The extra values of the app are kept.
    case extra
  }
}

extension Composer.Event {
  /// Returns the message that is being edited after the event, given the one before it; nil if none is.
  package func edited(after edited: Message.ID?) -> Message.ID? {
    switch self {
    case .editBegan(let message, _): message
    case .filled, .quoted, .editEnded, .entered, .sent, .cleared, .left(keepingContent: false): nil
    default: edited
    }
  }
}

// MARK: Intents

extension Composer {
  /// An intent on a composer: the composer computes the events of its actions and has them recorded.
  public enum Intent: Hashable, Sendable {
    /// Records these events, in order.
    case record([Event])
  }
}

// MARK: Decide

extension Decision {
  func decide(_ intent: Composer.Intent, on key: Composer.Key) throws(Refusal) -> [Composer.Event] {
    _ = try known(key.user)
    try needsRight(toActFor: key.user)
    if let device = actor.device, device != key.device { throw .otherDevice(key.device) }
    // In a deleted channel, unsent content can still be kept and the composer closed.
    guard state[key.channel] != nil else { throw .unknownChannel(key.channel) }
    switch intent {
    case .record(let events):
      var composer = state[key] ?? Composer(key)
      for event in events {
        try check(event, in: composer)
        let before = composer.content.storedByteCount
        composer.apply(event, at: instant)
        if event.isAddition { try check(growthOf: composer.content, from: before) }
      }
      return events
    }
  }

  private func check(_ event: Composer.Event, in composer: Composer) throws(Refusal) {
    switch event {
    case .erased: throw .notComposable(composer.key)
    case .typed(let splice, _), .commandActivated(_, let splice?), .commandCleared(let splice?):
      try check(splice.range, in: composer.content.text, of: composer)
    case .mentionPicked(_, let splice, let length):
      try check(splice.range, in: composer.content.text, of: composer)
      let named = UTF16Offset(rawValue: length)
      guard named > .start, TypedText(splice.text).allows(named) else { throw .notComposable(composer.key) }
    case .replaced(let splice, let mentions, let range, _):
      try check(splice.range, in: composer.content.text, of: composer)
      var after = composer.content.text
      after.apply(splice)
      guard after.allows(range), after.valid(mentions).count == mentions.count,
        mentions.allSatisfy({ splice.covers($0.range) })
      else { throw .notComposable(composer.key) }
    case .selectionMoved(let range): try check(range, in: composer.content.text, of: composer)
    case .filled(let content, let range):
      try check(content)
      try check(range, in: content.text, of: composer)
    case .editBegan(let id, let content):
      try needsRight(toBeginEditOf: Message.Key(composer.key.channel, id), in: composer)
      try check(content)
    case .sent(_, let content?), .cleared(let content?): try check(content)
    case .attached(let new):
      guard !composer.content.attachments.contains(where: { $0.attachment.id == new.attachment.id }) else {
        throw .attachmentTwice(new.attachment.id)
      }
      try check(stored: new.attachment)
      if case .failed(let failure) = new.upload { try check(failure) }
    case .attachmentChanged(let attachment): try check(stored: attachment)
    case .uploadFinished(_, let line), .previewDismissed(let line): try check(line: line)
    case .uploadFailed(_, let failure), .sendRefused(let failure), .actionRefused(let failure): try check(failure)
    case .commandStarted(let execution):
      if let running = composer.execution { throw .commandRuns(running.id) }
      try check(execution.arguments.byteCount, by: .textByteCount, max: rules.limits.textByteCountMax)
    case .commandExecuted(let id), .commandInterrupted(let id): try check(id, isAtWorkIn: composer)
    case .commandFailed(let id, let failure):
      try check(id, isAtWorkIn: composer)
      try check(failure)
    case .extraSet(let extra): try check(extra)
    case .custom(_, let payload):
      try check(payload.count, by: .payloadByteCount, max: rules.limits.payloadByteCountMax)
    default: return
    }
  }

  /// Throws for another author's message that the author may not edit: content typed in an edit belongs to the author
  /// of the message. An unknown message is not refused: the state of an open composer has no messages.
  private func needsRight(toBeginEditOf key: Message.Key, in composer: Composer) throws(Refusal) {
    guard let message = state[key], let channel = state[key.channel] else { return }
    if message.author != composer.key.user { try permissions(in: channel).needs(.editAny) }
  }

  private func check(_ range: UTF16Range, in text: TypedText, of composer: Composer) throws(Refusal) {
    guard text.allows(range) else { throw .notComposable(composer.key) }
  }

  private func check(_ id: CommandExecution.ID, isAtWorkIn composer: Composer) throws(Refusal) {
    guard composer.execution?.id == id else { throw .commandEnded(id) }
  }

  /// Changes that shrink the content are accepted at any size: otherwise an oversized content could not be reduced.
  private func check(growthOf content: Composition, from before: Int) throws(Refusal) {
    if content.storedByteCount <= before { return }
    try check(content.storedByteCount, by: .compositionByteCount, max: rules.limits.compositionByteCountMax)
  }
}

extension Composer.Event {
  /// Whether the event adds to the content, other than by restoring earlier content.
  fileprivate var isAddition: Bool {
    switch self {
    case .typed, .mentionPicked, .replaced, .attached, .attachmentChanged, .previewDismissed, .extraSet,
      .commandActivated, .commandCleared:
      true
    default: false
    }
  }
}
