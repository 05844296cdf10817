// The checks whether the content can be sent.
public import Chat

extension ComposerReducer {
  /// Returns the reason why the content cannot be sent at an instant; nil if it can.
  ///
  /// Sending uses the same check. `isSending` says whether a send is already in progress.
  public func refusal(
    at instant: Timestamp, isSending: Bool = false, _ resolved: ResolvedTarget? = nil
  ) -> SendRefusal? {
    if isSending || composer.execution != nil { return .busy }
    if !hasContent { return .empty }
    let plan = plan(resolved)
    return tooLong(plan) ?? uploads(of: plan) ?? channel(plan, at: instant) ?? commandRefusal(plan)
  }

  private func tooLong(_ plan: SendPlan) -> SendRefusal? {
    guard let text = plan.text?.string else { return nil }
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
      case .failed(let failure): return .uploadFailed(file: attachment.attachment.fileName, failure)
      }
    }
    return nil
  }

  private func channel(_ plan: SendPlan, at instant: Timestamp) -> SendRefusal? {
    // Commands that send no message are checked by the decider.
    if case .command(let command, _) = plan, commands.command(command.id)?.speaks == false { return nil }
    let permissions = composerContext.permissions(of: composer.key, at: instant)
    do throws(Refusal) {
      switch plan {
      case .message(let content), .command(_, let content?): try permissions.needsRight(toSend: content)
      case .command(_, nil):
        try permissions.needsRight(toPostInThread: composer.key.thread != nil, quoting: content.quoted != nil)
      case .edit(_, let changes):
        if let edited {
          try permissions.needsRight(toEdit: edited, changes)
        } else {
          try permissions.needsRight(toEditMessageOf: composer.key.user, changes)
        }
      }
    } catch {
      return refusal(for: error, at: instant)
    }
    return nil
  }

  /// Returns a refusal of the decider in the words of a composer.
  private func refusal(for refusal: Refusal, at instant: Timestamp) -> SendRefusal {
    switch refusal {
    case .channelFrozen: .frozen
    case .banned(let ban): .banned(until: ban.term.end)
    case .off(let flag, _): .off(flag)
    case .notAllowed(let capability, _): .notAllowed(capability)
    case .coolingDown: .coolingDown(seconds: composerContext.cooldown(at: instant))
    default: .refused(refusal)
    }
  }

  /// The current version of the edited message.
  var edited: Message? {
    guard let id = composer.editing, case .present(let message)? = composerContext.messages[id] else { return nil }
    return message
  }

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
      return handler.canBeExecuted(command) ? nil : .incomplete(command.id, format: commands.listed(command.id)?.format)
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
}
