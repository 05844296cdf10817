// Sending: refusals first, then the command, then all at once.
public import Chat

extension LiveComposer {
  /// Sends what is written: executes the command, if one is there, and says or changes what is to be.
  ///
  /// What is refused is recorded, and all stays where it is. Typing goes on meanwhile; what goes when it is sent is
  /// only what was there when it began.
  @discardableResult
  public func send() async throws(ComposerError) -> Sent {
    if !isBusy { await findPeople() }
    if let refusal { throw refuse(refusal) }
    let plan = composing.plan(found)
    isSending = true
    concurrentEdits = ConcurrentEdits(since: plan.takes(composer.content))
    defer {
      (isSending, concurrentEdits) = (false, nil)
      wakeWaiting()
      // Another device may have saved a draft that was not the one that was sent.
      if options.draftMessagesEnabled { refresh() }
    }
    switch plan {
    case .edit(let id, let edits):
      let closing: [Composer.Event] = composer.picker == .collapsed ? [] : [.pickerChanged(.collapsed)]
      let message = Message.Key(key.channel, id)
      try await submitted([.message(message, .edit(edits))]) { _ in [.editEnded(.saved)] + closing }
      return .edit(id)
    case .message(let content):
      return .message(try await say(content, with: [], recording: []))
    case .command(let command, let message):
      return try await execute(command, message)
    }
  }

  /// Finds the user whose name was typed for a command, and what users are called who stand in what is sent.
  private func findPeople() async {
    await findTargetInTime()
    guard case .command(let command, _?) = composing.plan(found), let target = command.target else { return }
    if composing.composerContext.names[target] == nil { await lookAround() }
  }

  /// Records why something is not sent.
  private func refuse(_ refusal: SendRefusal) -> ComposerError {
    notice = .notSent(refusal)
    // Where this cannot be recorded either, it is told all the same.
    do throws(ComposerError) { try note([refusal.event]) } catch { return error }
    return .notSent(refusal)
  }

  /// Says something, together with what else is wanted and done.
  private func say(
    _ content: Message.Content, with intents: [ChatIntent], recording events: [Composer.Event]
  ) async throws(ComposerError) -> Message.ID {
    // What came to nothing, as far as is known, is sent again as the same.
    let message = unanswered?.of(content) ?? UnconfirmedSend(newID(), newID(), content, deletionOfDraft)
    unanswered = message
    let key = Message.Key(key.channel, message.id)
    do throws(ComposerError) {
      try await submitted(message.deletionOfDraft + intents + [.message(key, .send(message.toSend))]) { kept in
        events + [.sent(key.id, keeping: kept)]
      }
    } catch {
      if case .notSent = error { unanswered = nil }
      throw error
    }
    unanswered = nil
    return key.id
  }

  private func submitted(
    _ intents: [ChatIntent], events: (Composition?) -> [Composer.Event]
  ) async throws(ComposerError) {
    if let refusal = try await submit(intents, events: events) { throw refuse(.refused(refusal)) }
    // The slow mode counts from now on.
    await lookAround()
  }

  private func newID<Named>() -> ID<Named> { ID(stringLiteral: host.newID()) }

  /// What takes the draft away that is sent. It comes first, so that at no position
  /// within the append both are there.
  private var deletionOfDraft: [ChatIntent] {
    options.draftMessagesEnabled ? [.draft(key.draft, .delete(.sent, editedAt: editedAt))] : []
  }

  // MARK: Commands

  private func execute(
    _ command: ComposerCommand, _ message: Message.Content?
  ) async throws(ComposerError) -> Sent {
    let composed = ComposedCommand(command.id, target: command.target)
    let execution = CommandExecution(newID(), of: composed, arguments: command.arguments)
    try note([.commandStarted(execution)])
    let outcome: CommandOutcome
    do {
      // It is known that it began before anybody outside hears of it.
      try await flush()
      guard let handler = composing.commands.command(command.id) else { throw CommandError.unknown(command.id) }
      let host = host
      let context = ExecutionContext(
        composer: key, at: host.now, content: composer.content, gifs: options.gifs, newID: { host.newID() })
      outcome = try await handler.executeOnMessageSent(command, in: context)
    } catch {
      throw fail(execution, UserText("\(error)"))
    }
    do throws(ComposerError) {
      if let message {
        return .message(try await say(message, with: outcome.intents, recording: [.commandExecuted(execution.id)]))
      }
      try await submitted(deletionOfDraft + outcome.intents) { kept in
        [.commandExecuted(execution.id), .cleared(keeping: kept)]
      }
      return .command(command.id)
    } catch {
      guard case .notSent(let refusal) = error else { throw fail(execution, UserText("\(error)")) }
      throw fail(execution, UserText(refusal.description))
    }
  }

  /// Records that a command did not do what it is for.
  private func fail(_ execution: CommandExecution, _ reason: UserText) -> ComposerError {
    notice = .commandFailed(execution.command.id, reason: reason)
    let reason = UserText(String(reason.string.prefix(1000)))
    do throws(ComposerError) { try note([.commandFailed(execution.id, reason: reason)]) } catch { return error }
    return .commandFailed(execution.command.id, reason: reason)
  }
}

// MARK: What only its author sees

/// What one can do with a message that only its author sees.
public enum EphemeralAction: String, Hashable, Sendable, CaseIterable {
  /// Says it to all.
  case send
  /// Exchanges the picture.
  case shuffle
  /// Takes it away.
  case cancel
}

extension LiveComposer {
  /// Does something with a message that only its author sees.
  public func act(_ action: EphemeralAction, on message: Message) async throws(ComposerError) {
    let intent: Message.Intent
    switch action {
    case .send: intent = .sendEphemeral
    case .cancel: intent = .cancelEphemeral
    case .shuffle: intent = .shuffleEphemeral(try await shuffled(message))
    }
    let (outcome, held) = await hold([.message(message.key, intent)], [])
    goOn(with: held)
    switch outcome {
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
        throw .commandFailed("giphy", reason: UserText("\(error)"))
      }
    }
    return attachments
  }
}

// MARK: What is not known to have been sent

/// A message that was to be sent, and of which nobody knows whether it was.
struct UnconfirmedSend {
  let id: Message.ID
  let deletionOfDraft: [ChatIntent]
  /// The message with the id that it has for its author, so that it is there once.
  let toSend: Message.Content
  private let content: Message.Content

  init(
    _ id: Message.ID, _ client: Message.ClientID, _ content: Message.Content, _ deletionOfDraft: [ChatIntent]
  ) {
    (self.id, self.content, self.deletionOfDraft) = (id, content, deletionOfDraft)
    var toSend = content
    toSend.client = client
    self.toSend = toSend
  }

  /// The same again, if a content is still the same.
  func of(_ content: Message.Content) -> UnconfirmedSend? { content == self.content ? self : nil }
}
