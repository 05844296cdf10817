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
    if let refusal = composing.refusal(at: host.now, isSending: isSending, found) { throw refuse(refusal) }
    let plan = composing.plan(found)
    isSending = true
    meanwhile = Meanwhile(since: plan.takes(composer.content))
    defer { (isSending, meanwhile) = (false, nil) }
    switch plan {
    case .edit(let id, let edits):
      let closing: [Composer.Event] = composer.picker == .collapsed ? [] : [.pickerChanged(.collapsed)]
      try await submit([.message(Message.Key(key.channel, id), .edit(edits))]) { _ in [.editEnded(.saved)] + closing }
      return .edit(id)
    case .message(let content):
      return .message(try await say(content, with: [], recording: []))
    case .command(let command, let message):
      return try await execute(command, message)
    }
  }

  /// Finds the user whose name was typed for a command, and what users are called who stand in what is sent.
  private func findPeople() async {
    await findTargetNow()
    guard case .command(let command, _?) = composing.plan(found), let target = command.target else { return }
    if composing.surroundings.names[target] == nil { await lookAround() }
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
    let key = Message.Key(key.channel, newID())
    var content = content
    content.client = newID()
    try await submit(intents + [.message(key, .send(content))] + deletionOfDraft) { kept in
      events + [.sent(key.id, keeping: kept)]
    }
    return key.id
  }

  private func newID<Named>() -> ID<Named> {
    guard let id = ID<Named>(rawValue: host.newID()) else { preconditionFailure("an id was made that is none") }
    return id
  }

  private var deletionOfDraft: [ChatIntent] {
    options.savesDrafts ? [.draft(key.draft, .delete(.sent, editedAt: host.now))] : []
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
      throw fail(execution, Wording("\(error)"))
    }
    do throws(ComposerError) {
      if let message {
        return .message(try await say(message, with: outcome.intents, recording: [.commandExecuted(execution.id)]))
      }
      try await submit(outcome.intents + deletionOfDraft) { kept in
        [.commandExecuted(execution.id), .cleared(keeping: kept)]
      }
      return .command(command.id)
    } catch {
      guard case .notSent(let refusal) = error else { throw fail(execution, Wording("\(error)")) }
      throw fail(execution, Wording(refusal.description))
    }
  }

  /// Records that a command did not do what it is for.
  private func fail(_ execution: CommandExecution, _ reason: Wording) -> ComposerError {
    notice = .commandFailed(execution.command.id, reason: reason)
    let reason = Wording(String(reason.string.prefix(1000)))
    do throws(ComposerError) { try note([.commandFailed(execution.id, reason: reason)]) } catch { return error }
    return .commandFailed(execution.command.id, reason: reason)
  }

  // MARK: All at once

  /// Submits what is wanted with what is done in the composer by it, and holds back what is typed meanwhile.
  private func submit(
    _ intents: [ChatIntent], events: (Composition?) -> [Composer.Event]
  ) async throws(ComposerError) {
    let kept = meanwhile?.kept(of: composer.content)
    let (start, events) = (composing, events(kept))
    held = []
    let outcome: Result<Refusal?, any Error>
    do { outcome = .success(try await host.submit(intents, recording: events)) } catch { outcome = .failure(error) }
    let held = held ?? []
    self.held = nil
    for waiting in waitingForSend { waiting.resume() }
    waitingForSend = []
    switch outcome {
    case .success(nil):
      try settle(start, events, kept, held)
      // The slow mode counts from now on.
      await lookAround()
    case .success(let refusal?):
      try release(held)
      throw refuse(.refused(refusal))
    case .failure(let error):
      try release(held)
      throw .notRecorded(error)
    }
  }

  /// Records what was done while something was being recorded, which came to nothing.
  private func release(_ held: [Composer.Event]) throws(ComposerError) {
    if held.isEmpty { return }
    do { try host.record(held) } catch { throw .notRecorded(error) }
  }

  /// Becomes what is left: what was written meanwhile.
  private func settle(
    _ start: Composing, _ events: [Composer.Event], _ kept: Composition?, _ held: [Composer.Event]
  ) throws(ComposerError) {
    let (now, editing) = (composing, start.composer.editing)
    var next = start
    next.commit(events, at: host.now)
    _ = next.meet(now.surroundings, at: host.now)
    composing = next
    var rest = held.filter { !$0.isOfContent }
    let left = meanwhile?.kept(of: now.content)
    if let editing, now.content != start.content {
      // What was changed in the edit while it was saved is to be saved yet.
      rest.append(.editBegan(editing, now.content))
      rest.append(.selectionMoved(now.composer.selection))
    } else if editing == nil, left != kept {
      rest.append(.cleared(keeping: left))
    }
    if rest.isEmpty { followUp() } else { try note(rest) }
  }
}

extension Composer.Event {
  /// Whether it is about what is written, and not about what is done or shown beside it.
  fileprivate var isOfContent: Bool {
    switch self {
    case .custom, .sendRefused, .pickerChanged, .commandsShown, .opened: false
    default: true
    }
  }
}

// MARK: What only its author sees

/// What one can do with a message that only its author sees.
public enum EphemeralAction: Hashable, Sendable {
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
    let refusal: Refusal?
    do { refusal = try await host.submit([.message(message.key, intent)], recording: []) } catch {
      throw .notRecorded(error)
    }
    if let refusal { throw .notSent(.refused(refusal)) }
  }

  private func shuffled(_ message: Message) async throws(ComposerError) -> [Attachment] {
    var attachments = message.content.attachments
    for index in attachments.indices {
      guard let (words, number) = attachments[index].found else { continue }
      do {
        let gif = try await options.gifs.picture(for: words, number: number + 1)
        attachments[index] = Attachment(gif, for: words, number: number + 1)
      } catch {
        throw .commandFailed("giphy", reason: Wording("\(error)"))
      }
    }
    return attachments
  }
}
