// Suggestion requests during typing.
public import Chat
internal import TextFolding

extension LiveComposer {
  /// Picks a suggestion.
  public func pick(_ id: Suggestion.ID) throws(ComposerError) {
    guard let query, let item = suggestions?.items.first(where: { $0.id == id }), let answer = item.answer else {
      return
    }
    try pick(answer, for: query)
  }

  private func pick(_ answer: SuggestionValue, for query: SuggestionQuery) throws(ComposerError) {
    var next = reducer
    let events = next.pick(answer, for: query, at: host.now)
    try take(next, events)
  }

  /// Sends a new query if the text being typed changed; results of an outdated query are never shown.
  func updateSuggestions() {
    let standing = reducer.suggestionQuery
    if standing == nil { ended = nil }
    let next = standing.flatMap { isEnded($0) ? nil : $0 }
    guard next?.command != query?.command || next?.handler.id != query?.handler.id else { return }
    asking?.cancel()
    (query, asking) = (next, nil)
    guard let next else {
      suggestions = nil
      return
    }
    if let instant = next.handler as? InstantCommandsHandler {
      return show(
        SuggestionInfo(.instantCommands, instant.listed(for: next.typing.text, under: reducer.composerContext)),
        for: next)
    }
    suggestions = SuggestionList(nil, query: next.typing.text, range: next.typing.range, isLoading: true)
    let context = SuggestionContext(reducer, people: host)
    asking = Task { [weak self] in
      // A query outdated before its task started is not sent.
      if Task.isCancelled { return }
      let answer: Result<SuggestionInfo, any Error>
      do { answer = .success(try await next.handler.suggestions(for: next.command, in: context)) } catch {
        answer = .failure(error)
      }
      if !Task.isCancelled { self?.show(answer, for: next) }
    }
  }

  private func show(_ answer: Result<SuggestionInfo, any Error>, for asked: SuggestionQuery) {
    guard asked.command == query?.command else { return }
    switch answer {
    case .success(let info): show(info, for: asked)
    case .failure(let error):
      let failure = Suggestion(failure: UserText("Nothing can be suggested: \(error)"))
      show(SuggestionInfo(.failure, [failure]), for: asked)
    }
  }

  private func show(_ info: SuggestionInfo, for asked: SuggestionQuery) {
    let typing = asked.typing
    if info.items.isEmpty {
      (ended, suggestions) = (asked.command, nil)
      return
    }
    ended = nil
    suggestions = SuggestionList(info.key, query: typing.text, range: typing.range, items: info.items)
  }

  /// Whether a query extends one without matches; a name can contain spaces only as long as it matches a user.
  private func isEnded(_ query: SuggestionQuery) -> Bool {
    guard let ended, ended.id == query.command.id, let last = ended.typingSuggestion,
      last.range.lowerBound == query.typing.range.lowerBound
    else { return false }
    let typed = query.typing.text.string
    return typed.utf8.starts(with: last.text.string.utf8)
      && typed.unicodeScalars.contains { TypedText.isWhiteSpace($0) }
  }
}

extension ID where Named == SuggestionInfo {
  /// The key of a failed request's error item.
  public static var failure: SuggestionInfo.Key { "failure" }
}

// MARK: A name that was typed for a command

extension LiveComposer {
  /// Resolves the user whose name was typed after a command that needs a target, so that the presentation can show
  /// whether the command can be executed.
  func findTarget() {
    finding?.cancel()
    finding = nil
    guard typedNames != nil else {
      if found != nil { found = nil }
      return
    }
    finding = Task { [weak self] in await self?.findTargetNow() }
  }

  /// Resolves the typed target and waits for the result.
  func findTargetNow() async {
    guard let (names, handler) = typedNames else { return }
    if let found, found.typed == names.first { return }
    let people = handler.people ?? reducer.commands.mentions
    let symbol = people.symbolOfMentions ?? ""
    let context = SuggestionContext(reducer, people: host)
    for name in names {
      let typed = UserText(String(name.string.dropFirst(symbol.count)))
      guard let users = try? await people.users(matching: typed, in: context) else { continue }
      if Task.isCancelled { return }
      guard let user = theOne(among: users, called: typed), let now = typedNames?.names, now.contains(name) else {
        continue
      }
      found = ResolvedTarget(user.id, typed: name)
      return
    }
    found = nil
  }

  /// Resolves the typed target within 5 s; after the timeout the target is unresolved.
  func findTargetInTime() async {
    if typedNames == nil { return }
    let (finding, end) = (Task { await findTargetNow() }, host.now + .seconds(5))
    await withCheckedContinuation { continuation in
      let first = First(continuation)
      let waiting = Task {
        await host.wait(until: end)
        finding.cancel()
        first.comes()
      }
      Task {
        await finding.value
        waiting.cancel()
        first.comes()
      }
    }
  }

  /// Returns the user with this id, or the only user with this name; a name shared by several users is ambiguous.
  private func theOne(among users: [User], called typed: UserText) -> User? {
    if let user = users.first(where: { $0.id.text == typed.string }) { return user }
    let named = users.filter { FoldedText($0.profile.name.string) == FoldedText(typed.string) }
    return named.count == 1 ? named[0] : nil
  }

  /// The candidate names, with symbol, after a command that still needs a target: the longest first.
  private var typedNames: (names: [UserText], handler: any TwoStepMentionCommand)? {
    guard composer.editing == nil, let (command, handler) = reducer.command(),
      let handler = handler as? any TwoStepMentionCommand, command.target == nil,
      let symbol = (handler.people ?? reducer.commands.mentions).symbolOfMentions, !symbol.isEmpty,
      command.arguments.string.hasPrefix(symbol)
    else { return nil }
    let text = TypedText(command.arguments)
    let ends = text.units.indices.filter { $0 > symbol.utf16.count && TypedText.isWhiteSpace(text.units[$0]) }
    let places = ends.prefix(Self.wordsMax) + (ends.count < Self.wordsMax ? [text.units.count] : [])
    return (places.reversed().map { text.userText(of: .start..<UTF16Offset(rawValue: $0)) }, handler)
  }

  /// The maximum number of words in a typed name.
  private static let wordsMax = 4
}

/// Resumes a continuation at the first of several events.
@MainActor
private final class First {
  private var continuation: CheckedContinuation<Void, Never>?

  init(_ continuation: CheckedContinuation<Void, Never>) { self.continuation = continuation }

  func comes() {
    continuation?.resume()
    continuation = nil
  }
}
