// What is done in a composer, each action as the smallest change.

// MARK: Events

extension Composer {
  /// What can happen to a composer.
  public enum Event: Hashable, Sendable {
    /// Somebody is in front of it; it goes on with what it holds.
    case opened
    /// It holds this, from a draft or from what another device wrote.
    indirect case filled(Composition, selection: UTF16Range)
    /// The text changed; the caret stands behind what came.
    case typed(Splice)
    /// A user was picked: the text changed, and this many of its first new units stand for them.
    case mentionPicked(User.ID, Splice, length: Int)
    /// The text changed, by an undo or a paste: these users are meant in what came, and this is selected then.
    case replaced(Splice, mentions: [Mention], selection: UTF16Range)
    /// Something else is selected.
    case selectionMoved(UTF16Range)
    /// Something was attached.
    indirect case attached(ComposedAttachment)
    /// An attachment was taken off.
    case detached(Attachment.ID)
    /// Something else is said of an attachment: a caption, what an upload found out.
    indirect case attachmentChanged(Attachment)
    /// So many thousandths of an attachment are uploaded.
    case uploadProgressed(Attachment.ID, permille: UInt16)
    /// An attachment is uploaded, and reached at this address.
    case uploadFinished(Attachment.ID, url: UserText)
    /// An attachment could not be uploaded.
    case uploadFailed(Attachment.ID, reason: UserText)
    /// The upload of an attachment begins again.
    case uploadRetried(Attachment.ID)
    /// The preview of an address is not wanted.
    case previewDismissed(url: UserText)
    /// The message quotes another.
    case quoted(Message.ID)
    /// It quotes no other any more.
    case quoteEnded
    /// A message is being edited; it holds this.
    indirect case editBegan(Message.ID, Composition)
    /// The edit is over; what was set aside comes back.
    case editEnded(EditEnd)
    /// It is about something of an app's own, and keeps these parts.
    case entered(ComposerState, keeping: SmallSet<Part>)
    /// Something else is open beside the text.
    case pickerChanged(Picker)
    /// Whether a reply in a thread is shown in the channel too.
    case showsInChannelSet(Bool)
    /// Whether nobody shall be notified.
    case silentSet(Bool)
    /// An app adds something else.
    case extraSet(Extra)
    /// Whether all commands are shown without one being typed.
    case commandsShown(Bool)
    /// A command is active; the change takes its word out of the text.
    case commandActivated(ComposedCommand, Splice?)
    /// The active command was given a user, or the user was taken away.
    case commandTargeted(User.ID?)
    /// No command is active; the change puts its word back, where there is one.
    case commandCleared(Splice?)
    /// The active command is at work.
    case commandStarted(CommandExecution)
    /// It did what it is for.
    case commandExecuted(CommandExecution.ID)
    /// It did not; what was written stays.
    case commandFailed(CommandExecution.ID, reason: UserText)
    /// Nobody knows whether it did; it is not tried again by itself.
    case commandInterrupted(CommandExecution.ID)
    /// The message was not sent.
    case sendRefused(RefusalName, detail: UserText)
    /// The message was sent; what was written meanwhile stays.
    indirect case sent(Message.ID, keeping: Composition?)
    /// What it held is gone, or did its work as a command; what was written meanwhile stays.
    indirect case cleared(keeping: Composition?)
    /// Nobody is in front of it; its content stays or goes.
    case left(keepingContent: Bool)
    /// An app's own action.
    case custom(ActionName, payload: [UInt8])
  }

  /// Why an edit is over.
  public enum EditEnd: UInt8, CaseIterable, Hashable, Sendable {
    /// It was given up.
    case cancelled = 1
    /// It was saved, or there was nothing to save.
    case saved
    /// The message was deleted meanwhile.
    case messageGone
  }

  /// The parts of a content that an app's own state may keep.
  public enum Part: UInt8, CaseIterable, Hashable, Sendable {
    /// The text with its mentions.
    case text
    /// The attachments.
    case attachments
    /// The active command.
    case command
    /// What the app added.
    case extra
  }
}

// MARK: Intents

extension Composer {
  /// What one can want of a composer; it decides by itself what its actions come to, and has that recorded.
  public enum Intent: Hashable, Sendable {
    /// That this is recorded, in order.
    case record([Event])
  }
}

// MARK: Decide

extension Decision {
  func decide(_ intent: Composer.Intent, on key: Composer.Key) throws(Refusal) -> [Composer.Event] {
    _ = try known(key.user)
    try needsRight(toActFor: key.user)
    if let device = actor.device, device != key.device { throw .otherDevice(key.device) }
    // Where a channel was deleted, what was being written there can still be kept and left.
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
    case .typed(let splice), .commandActivated(_, let splice?), .commandCleared(let splice?):
      try check(splice.range, in: composer.content.text, of: composer)
    case .mentionPicked(_, let splice, let length):
      try check(splice.range, in: composer.content.text, of: composer)
      let named = UTF16Offset(rawValue: length)
      guard named > .start, TypedText(splice.text).allows(named) else { throw .notComposable(composer.key) }
    case .replaced(let splice, let mentions, let range):
      try check(splice.range, in: composer.content.text, of: composer)
      var after = composer.content.text
      after.apply(splice)
      guard after.allows(range), after.standing(mentions).count == mentions.count,
        mentions.allSatisfy({ splice.covers($0.range) })
      else { throw .notComposable(composer.key) }
    case .selectionMoved(let range): try check(range, in: composer.content.text, of: composer)
    case .filled(let content, let range):
      try check(content)
      try check(range, in: content.text, of: composer)
    case .editBegan(_, let content), .sent(_, let content?), .cleared(let content?): try check(content)
    case .attached(let new):
      guard !composer.content.attachments.contains(where: { $0.attachment.id == new.attachment.id }) else {
        throw .attachmentTwice(new.attachment.id)
      }
      try check(stored: new.attachment)
    case .attachmentChanged(let attachment): try check(stored: attachment)
    case .uploadFinished(_, let line), .uploadFailed(_, let line), .previewDismissed(let line),
      .sendRefused(_, let line):
      try check(line: line)
    case .commandStarted(let execution):
      if let running = composer.execution { throw .commandRuns(running.id) }
      try check(execution.arguments.byteCount, by: .textByteCount, max: rules.limits.textByteCountMax)
    case .commandExecuted(let id), .commandInterrupted(let id): try check(id, isAtWorkIn: composer)
    case .commandFailed(let id, let reason):
      try check(id, isAtWorkIn: composer)
      try check(line: reason)
    case .extraSet(let extra): try check(extra)
    case .custom(_, let payload):
      try check(payload.count, by: .payloadByteCount, max: rules.limits.payloadByteCountMax)
    default: return
    }
  }

  private func check(_ range: UTF16Range, in text: TypedText, of composer: Composer) throws(Refusal) {
    guard text.allows(range) else { throw .notComposable(composer.key) }
  }

  private func check(_ id: CommandExecution.ID, isAtWorkIn composer: Composer) throws(Refusal) {
    guard composer.execution?.id == id else { throw .commandEnded(id) }
  }

  /// What makes a content smaller is taken however large it is, or nobody could make it small enough.
  private func check(growthOf content: Composition, from before: Int) throws(Refusal) {
    if content.storedByteCount <= before { return }
    try check(content.storedByteCount, by: .compositionByteCount, max: rules.limits.compositionByteCountMax)
  }
}

extension Composer.Event {
  /// Whether it adds to a content, and brings back nothing that was in it before.
  fileprivate var isAddition: Bool {
    switch self {
    case .typed, .mentionPicked, .replaced, .attached, .attachmentChanged, .previewDismissed, .extraSet,
      .commandActivated, .commandCleared:
      true
    default: false
    }
  }
}
