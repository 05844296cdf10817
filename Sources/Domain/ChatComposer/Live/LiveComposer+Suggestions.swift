// Suggestion requests during typing.
public import Chat
internal import TextFolding

extension LiveComposer {
  /// Picks a suggestion; an informational one is a no-op. The pick of one that is not offered any more is refused, and
  /// recorded.
  public func pick(_ id: Suggestion.ID) throws(ComposerError) {
    guard let query = requests.suggestions.query, let item = suggestions?.items.first(where: { $0.id == id })
    else { throw recorded(.suggestionGone(id)) }
    if let answer = item.answer { try pick(answer, for: query) }
  }

  /// Picks a value for the text being typed; it need not be one that was suggested.
  public func pick(_ answer: SuggestionValue) throws(ComposerError) {
    guard let query = requests.suggestions.query else { throw .refused(.nothingSuggested) }
    try pick(answer, for: query)
  }

  /// Replaces the app's commands beside those of the configuration.
  package func register(_ commands: [any CommandHandler]) {
    var next = reducer
    next.register(commands)
    replaceReducer(by: next, after: [])
  }

  private func pick(_ answer: SuggestionValue, for query: SuggestionQuery) throws(ComposerError) {
    var next = reducer
    let events = next.pick(answer, for: query, at: host.now)
    try apply(next, recording: events)
  }

  /// Sends a new query if the text being typed changed; results of an outdated query are never shown.
  func updateSuggestions() {
    let next = requests.suggestions.queryToSend(reducer.suggestionQuery)
    if requests.suggestions.isCurrent(next, revision: reducer.commandsRevision) { return }
    guard let next else { return change { $0.cancel() } }
    if let instant = next.handler as? InstantCommandsHandler {
      let listed = instant.listed(
        for: next.typing.text, under: reducer.composerContext, beside: reducer.commands.mentions)
      return change { $0.show(listed, for: next) }
    }
    let context = SuggestionContext(reducer, people: host)
    let request = Task { [weak self] in
      // A query outdated before its task started is not sent.
      if Task.isCancelled { return }
      let answer: Result<SuggestionInfo, any Error>
      do { answer = .success(try await next.handler.suggestions(for: next.command, in: context)) } catch {
        answer = .failure(error)
      }
      if !Task.isCancelled { self?.show(answer, for: next) }
    }
    change { $0.load(next, by: request) }
  }

  private func show(_ answer: Result<SuggestionInfo, any Error>, for query: SuggestionQuery) {
    guard query.command == requests.suggestions.query?.command else { return }
    let info: SuggestionInfo
    switch answer {
    case .success(let answered): info = answered
    case .failure(let error):
      info = SuggestionInfo(.failure, [Suggestion(failure: UserText("\(error)"))])
    }
    change { $0.show(info, for: query) }
  }

  /// Changes the requests for suggestions and notifies observers of ``suggestions``.
  private func change(_ change: (inout SuggestionRequests) -> Void) {
    withMutation(keyPath: \.suggestions) { change(&requests.suggestions) }
  }
}

extension ID where Named == SuggestionInfo {
  /// The key of a failed request's error item.
  public static var failure: SuggestionInfo.Key { "failure" }
}

// MARK: Typed target of a command

extension LiveComposer {
  /// Resolves the user whose name was typed after a command that needs a target, so that the presentation can show
  /// whether the command can be executed.
  func resolveTarget() {
    guard typedNames != nil else {
      requests.target.cancel()
      if requests.target.resolved != nil { resolvedTarget = nil }
      return
    }
    requests.target.start(Task { [weak self] in await self?.resolveTargetNow() })
  }

  /// Resolves the typed target and waits for the result.
  func resolveTargetNow() async {
    guard let (names, handler) = typedNames else { return }
    if let resolved = requests.target.resolved, resolved.typed == names.first { return }
    let people = handler.people ?? reducer.commands.mentions
    let symbol = people.mentionsSymbol ?? reducer.commands.mentions.mentionsSymbol ?? ""
    let context = SuggestionContext(reducer, people: host)
    for name in names {
      let typed = UserText(String(name.string.dropFirst(symbol.count)))
      let users = try? await people.users(matching: typed, in: context)
      if Task.isCancelled { return }
      // Without an answer, a shorter name could be that of another user.
      guard let users else { return resolvedTarget = nil }
      guard let user = uniqueUser(among: users, called: typed), let now = typedNames?.names, now.contains(name) else {
        continue
      }
      resolvedTarget = ResolvedTarget(user.id, typed: name)
      return
    }
    resolvedTarget = nil
  }

  /// Resolves the typed target within 5 s; after the timeout the target is unresolved.
  func resolveTargetWithTimeout() async {
    if typedNames == nil { return }
    let (resolution, end) = (Task { await resolveTargetNow() }, host.now + .seconds(5))
    await withCheckedContinuation { continuation in
      let first = FirstResume(continuation)
      let waiting = Task {
        await host.wait(until: end)
        resolution.cancel()
        if first.resume() { resolvedTarget = nil }
      }
      Task {
        await resolution.value
        waiting.cancel()
        first.resume()
      }
    }
  }

  /// Returns the user with this id, or the only user with this name; a name shared by several users is ambiguous.
  private func uniqueUser(among users: [User], called typed: UserText) -> User? {
    if let user = users.first(where: { $0.id.text == typed.string }) { return user }
    let named = users.filter { FoldedText($0.profile.name.string) == FoldedText(typed.string) }
    return named.count == 1 ? named[0] : nil
  }

  /// The candidate names, with symbol, after a command that still needs a target: the longest first.
  private var typedNames: (names: [UserText], handler: any TwoStepMentionCommand)? {
    guard composer.editing == nil, let (command, handler) = reducer.command(),
      let handler = handler as? any TwoStepMentionCommand, command.target == nil,
      let symbol = handler.people?.mentionsSymbol ?? reducer.commands.mentions.mentionsSymbol, !symbol.isEmpty,
      command.arguments.string.hasPrefix(symbol)
    else { return nil }
    let text = TypedText(command.arguments)
    let ends = text.units.indices.filter { $0 > symbol.utf16.count && TypedText.isWhiteSpace(text.units[$0]) }
    let offsets = ends.prefix(Self.wordsMax) + (ends.count < Self.wordsMax ? [text.units.count] : [])
    return (offsets.reversed().map { text.userText(of: .start..<UTF16Offset(rawValue: $0)) }, handler)
  }

  /// The maximum number of words in a typed name.
  private static let wordsMax = 4
}

/// Resumes a continuation at the first of several events.
@MainActor
private final class FirstResume {
  private var continuation: CheckedContinuation<Void, Never>?

  init(_ continuation: CheckedContinuation<Void, Never>) { self.continuation = continuation }

  /// Returns whether this is the first event.
  @discardableResult
  func resume() -> Bool {
    guard let continuation else { return false }
    continuation.resume()
    self.continuation = nil
    return true
  }
}
