// Sending: checks refusals, executes the command, then submits everything in one append.
public import Chat

extension LiveComposer {
  /// Sends the content: executes the command, if any, then sends the message or saves the edit.
  ///
  /// A refusal is recorded, and the content stays. Typing continues concurrently; the send removes only the content
  /// that existed when it began. An earlier notice is removed.
  @discardableResult
  public func send() async throws(ComposerError) -> Sent { try await send(as: nil) }

  /// Sends the content; a message gets this id, or a new one.
  package func send(as id: Message.ID?) async throws(ComposerError) -> Sent {
    if phase.stopped == nil { notice = nil }
    if !isBusy { await resolveTargetForSend() }
    // What is typed during the wait belongs to what is sent.
    while recording.isHolding, !isBusy { await waitForOthers(after: recording.endCount) }
    if let refusal { throw refuse(refusal) }
    let plan = reducer.plan(resolvedTarget)
    begin(.sending(ConcurrentEdits(since: plan.takes(composer.content))))
    defer {
      begin(.idle)
      // Another device can have saved a draft other than the sent one.
      if options.draftMessagesEnabled { refresh() }
    }
    switch plan {
    case .edit(let edited, let edits):
      let closing: [Composer.Event] = composer.picker == .collapsed ? [] : [.pickerChanged(.collapsed)]
      let message = Message.Key(key.channel, edited)
      let start = beginHolding()
      try await submitted([.message(message, .edit(edits))], from: start) { _ in [.editEnded(.saved)] + closing }
      return .edit(edited)
    case .message(let content):
      let start = beginHolding()
      return .message(try await sendMessage(content, as: id, with: [], from: start, recording: []))
    case .command(let command, let message):
      return try await execute(command, message, as: id)
    }
  }

  /// Resolves the typed target of a command and loads its user's name.
  private func resolveTargetForSend() async {
    await resolveTargetWithTimeout()
    guard case .command(let command, _) = reducer.plan(resolvedTarget), let target = command.target else { return }
    if reducer.composerContext.names[target] == nil { await refreshContext() }
  }

  /// Records a refusal to send.
  private func refuse(_ refusal: SendRefusal) -> ComposerError {
    notice = .notSent(refusal)
    // The refusal is reported even if it cannot be recorded.
    do throws(ComposerError) { try commit([refusal.event]) } catch { return error }
    return .notSent(refusal)
  }

  /// Sends a message in one append with further intents and events, made from a state since which events are held back.
  private func sendMessage(
    _ content: Message.Content, as id: Message.ID?, with intents: [ChatIntent], from start: ComposerReducer,
    recording events: [Composer.Event]
  ) async throws(ComposerError) -> Message.ID {
    // After an unconfirmed send of the same content, its ids are reused: the retry is idempotent.
    let retried = unconfirmedSend.flatMap { $0.isRetried(by: content) ? $0 : nil }
    let message = retried ?? UnconfirmedSend(id ?? newID(), newID(), content, at: host.now)
    unconfirmedSend = message
    let key = Message.Key(key.channel, message.id)
    do throws(ComposerError) {
      let deletion = draftDeletion(at: message.instant)
      try await submitted(deletion + intents + [.message(key, .send(message.toSend))], from: start) { kept in
        events + [.sent(key.id, keeping: kept)]
      }
    } catch {
      if case .notSent = error { unconfirmedSend = nil }
      throw error
    }
    unconfirmedSend = nil
    return key.id
  }

  private func submitted(
    _ intents: [ChatIntent], from start: ComposerReducer, events: (Composition?) -> [Composer.Event]
  ) async throws(ComposerError) {
    if let refusal = try await submit(intents, from: start, events: events) { throw refuse(.refused(refusal)) }
    // Slow mode starts now.
    await refreshContext()
  }

  /// Returns a new id; those of messages are valid for anything else.
  private func newID<Named>() -> ID<Named> { ID(rawValue: host.newID().text)! }

  /// The deletion of the sent draft. It comes first, so that at no position within the append both the draft and the
  /// message exist.
  ///
  /// That of a retried send is the same, unless a draft was saved since.
  private func draftDeletion(at instant: Timestamp) -> [ChatIntent] {
    options.draftMessagesEnabled
      ? [.draft(key.draft, .delete(.sent, editedAt: draftSync.editedAt(instant)))] : []
  }

  // MARK: Commands

  private func execute(
    _ command: ComposerCommand, _ message: Message.Content?, as id: Message.ID?
  ) async throws(ComposerError) -> Sent {
    let composed = ComposedCommand(command.id, target: command.target)
    let name = command.target.flatMap { reducer.composerContext.names[$0]?.string }
    let execution = CommandExecution(newID(), of: composed, arguments: command.arguments)
    try commit([.commandStarted(execution)])
    // A leave waits for a send, but not for a command.
    wakeWaiters()
    let outcome: CommandOutcome
    do {
      // The start is durable before anything outside the process is called.
      try await flush()
      guard let handler = reducer.commands.command(command.id) else { throw CommandError.unknown(command.id) }
      let host = host
      let context = ExecutionContext(
        composer: key, at: host.now, content: composer.content, gifs: options.gifs, people: host,
        newID: { host.newID() })
      outcome = try await handler.executeOnMessageSent(command, in: context)
    } catch {
      throw fail(execution, RecordedFailure(error))
    }
    while recording.isHolding { await waitForOthers(after: recording.endCount) }
    let start = beginHolding()
    do throws(ComposerError) {
      if let message {
        let executed = [Composer.Event.commandExecuted(execution.id)]
        return .message(try await sendMessage(message, as: id, with: outcome.intents, from: start, recording: executed))
      }
      try await submitted(draftDeletion(at: host.now) + outcome.intents, from: start) { kept in
        [.commandExecuted(execution.id), .cleared(keeping: kept)]
      }
      if !outcome.sendsMessage { notice = .commandExecuted(composed, name: name) }
      return .command(command.id)
    } catch {
      throw fail(execution, error.failure)
    }
  }

  /// Records that a command failed.
  private func fail(_ execution: CommandExecution, _ failure: RecordedFailure) -> ComposerError {
    notice = .commandFailed(execution.command.id, failure)
    do throws(ComposerError) { try commit([.commandFailed(execution.id, failure)]) } catch { return error }
    return .commandFailed(execution.command.id, failure)
  }
}

extension CommandOutcome {
  /// Whether the intents send a message.
  fileprivate var sendsMessage: Bool { intents.contains { if case .message(_, .send) = $0 { true } else { false } } }
}

// MARK: Ephemeral messages

/// An action on an ephemeral message, which only its author sees.
public enum EphemeralAction: String, Hashable, Sendable, CaseIterable {
  /// Sends it to all members.
  case send
  /// Replaces the picture.
  case shuffle
  /// Discards the message.
  case cancel
}

extension LiveComposer {
  /// Performs an action on an ephemeral message.
  public func act(_ action: EphemeralAction, on message: Message) async throws(ComposerError) {
    let intent: Message.Intent
    switch action {
    case .send: intent = .sendEphemeral
    case .cancel: intent = .cancelEphemeral
    case .shuffle: intent = .shuffleEphemeral(try await shuffled(message))
    }
    switch await submitHoldingBack([.message(message.key, intent)]) {
    case .success(nil): return
    case .success(let refusal?): throw .notSent(.refused(refusal))
    case .failure(let error): throw .notRecorded(error)
    }
  }

  private func shuffled(_ message: Message) async throws(ComposerError) -> [Attachment] {
    var attachments = message.content.attachments
    for index in attachments.indices {
      guard let (words, number) = attachments[index].found else { continue }
      do {
        let gif = try await options.gifs.picture(for: words, number: number + 1)
        attachments[index] = Attachment(gif, for: words, number: number + 1)
      } catch {
        throw .commandFailed("giphy", RecordedFailure(error))
      }
    }
    return attachments
  }
}
