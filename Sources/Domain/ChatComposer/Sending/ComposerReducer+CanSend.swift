// The checks whether the content can be sent.
public import Chat

extension ComposerReducer {
  /// Returns the reason why the content cannot be sent at an instant; nil if it can.
  ///
  /// Sending uses the same check. `isSending` says whether a send is already in progress.
  public func refusal(
    at instant: Instant, isSending: Bool = false, _ resolved: ResolvedTarget? = nil
  ) -> SendRefusal? {
    if isSending || composer.execution != nil { return .busy }
    if !hasContent { return .empty }
    let plan = plan(resolved)
    return tooLong(plan) ?? uploads(of: plan) ?? channel(plan, at: instant) ?? commandRefusal(plan)
  }

  private func tooLong(_ plan: SendPlan) -> SendRefusal? {
    guard let text = newText(of: plan)?.string else { return nil }
    let max = Int(composerContext.config.messageLengthMax)
    // Counting characters is slow, and a text has at least as many bytes as characters.
    guard text.utf8.count > max else { return nil }
    let count = text.count
    return count > max ? .tooLong(count: count, max: max) : nil
  }

  private func uploads(of plan: SendPlan) -> SendRefusal? {
    if plan.attachments.isEmpty { return nil }
    for attachment in content.attachments {
      switch attachment.upload {
      case .done: continue
      case .local, .uploading: return .uploading(file: attachment.attachment.fileName)
      case .failed(let reason): return .uploadFailed(file: attachment.attachment.fileName, reason: reason)
      }
    }
    return nil
  }

  private func channel(_ plan: SendPlan, at instant: Instant) -> SendRefusal? {
    // Commands that send no message are checked by the decider.
    if case .command(let command, _) = plan, commands.command(command.id)?.speaks == false { return nil }
    if composerContext.isFrozen { return .frozen }
    if composerContext.isBanned(at: instant) { return .banned(until: composerContext.ban?.term.end) }
    if let refusal = capability(plan) { return refusal }
    let seconds = plan.startsCooldown ? composerContext.cooldown(at: instant) : 0
    return seconds > 0 ? .coolingDown(seconds: seconds) : nil
  }

  private func capability(_ plan: SendPlan) -> SendRefusal? {
    let capabilities = composerContext.capabilities
    func missing(_ capability: Capability, _ flag: ChannelFlag? = nil) -> SendRefusal? {
      if let flag, !composerContext.config.has(flag) { return .off(flag) }
      return capabilities.contains(capability) ? nil : .notAllowed(capability)
    }
    let (attachments, text) = (newAttachments(of: plan), newText(of: plan))
    let hasPreview = attachments.contains { $0.kind == .link }
    var refusals: [SendRefusal?] = []
    if plan.isEdit {
      refusals.append(isOwnEdit ? missing(.editOwn) : missing(.editAny))
    } else {
      refusals.append(composer.key.thread == nil ? missing(.send) : missing(.reply, .replies))
      if content.quoted != nil { refusals.append(missing(.quote, .quotes)) }
    }
    if attachments.contains(where: \.isUpload) { refusals.append(missing(.upload, .uploads)) }
    if hasPreview { refusals.append(composerContext.config.has(.urlEnrichment) ? nil : .off(.urlEnrichment)) }
    if hasPreview || text?.hasLink == true { refusals.append(missing(.sendLinks)) }
    return refusals.lazy.compactMap { $0 }.first
  }

  /// Returns the attachments that an edit adds; existing ones may stay, whatever is allowed now.
  private func newAttachments(of plan: SendPlan) -> [Attachment] {
    guard plan.isEdit, let message = edited else { return plan.attachments }
    return plan.attachments.filter { !message.content.attachments.contains($0) }
  }

  private func newText(of plan: SendPlan) -> UserText? {
    guard plan.isEdit, let message = edited, message.content.text == plan.text else { return plan.text }
    return nil
  }

  /// The current version of the edited message.
  var edited: Message? {
    guard let id = composer.editing, case .present(let message)? = composerContext.messages[id] else { return nil }
    return message
  }

  private var isOwnEdit: Bool { edited.map { $0.author == composer.key.user } ?? true }

  private func commandRefusal(_ plan: SendPlan) -> SendRefusal? {
    switch plan {
    case .edit: return nil
    case .message:
      guard options.refusesUnknownCommands || content.command != nil else { return nil }
      return unknownWord.map { .unknownCommand($0) }
    case .command(let command, _):
      guard let handler = commands.command(command.id) else { return .unknownCommand(UserText(command.id.text)) }
      guard composerContext.config.has(command.id), handler.isAvailable(in: composerContext) else {
        return .unknownCommand(UserText(commands.word(of: command.id) ?? command.id.text))
      }
      return handler.canBeExecuted(command) ? nil : .incomplete(command.id, format: handler.displayInfo?.format)
    }
  }

  /// The word that calls an unknown command; nil if the text does not start like a command.
  private var unknownWord: UserText? {
    // An active command that does not exist any more.
    if let id = content.command?.id { return UserText(commands.word(of: id) ?? id.text) }
    for handler in commands.instant {
      if let word = handler.firstWord(of: content.text), !word.text.isEmpty {
        return content.text.userText(of: word.range)
      }
    }
    return nil
  }
}

extension SendPlan {
  var text: UserText? {
    switch self {
    case .message(let content): content.text
    case .edit(_, let edits): edits.text
    case .command(_, let message): message?.text
    }
  }

  var attachments: [Attachment] {
    switch self {
    case .message(let content): content.attachments
    case .edit(_, let edits): edits.attachments ?? []
    case .command(_, let message): message?.attachments ?? []
    }
  }

  var isEdit: Bool { if case .edit = self { true } else { false } }

  /// Whether it is subject to slow mode and starts its cooldown: not edits or commands that replace a message.
  var startsCooldown: Bool {
    switch self {
    case .message, .command(_, _?): true
    case .edit, .command(_, nil): false
    }
  }
}
