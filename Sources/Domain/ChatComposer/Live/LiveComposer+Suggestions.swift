// Asking for suggestions while somebody types.
public import Chat
internal import TextFolding

extension LiveComposer {
  /// Picks something that is suggested.
  public func pick(_ id: Suggestion.ID) throws(ComposerError) {
    guard let query, let item = suggestions?.items.first(where: { $0.id == id }), let answer = item.answer else {
      return
    }
    try pick(answer, for: query)
  }

  private func pick(_ answer: SuggestionAnswer, for query: SuggestionQuery) throws(ComposerError) {
    var next = composing
    let events = next.pick(answer, for: query, at: host.now)
    try take(next, events)
  }

  /// Asks anew when something else is being typed; an answer for what was typed before is never shown.
  func updateSuggestions() {
    let standing = composing.suggestionQuery
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
        SuggestionInfo(.instantCommands, instant.listed(for: next.typing.text, under: composing.composerContext)),
        for: next)
    }
    suggestions = SuggestionList(nil, query: next.typing.text, range: next.typing.range, isLoading: true)
    let context = SuggestionContext(composing, people: host)
    asking = Task { [weak self] in
      // Nobody is asked for what was typed over before anybody could be.
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

  /// Whether what is being typed goes on from what nobody matched: a name may hold spaces as long as it is somebody's.
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
  /// Why nothing can be suggested.
  public static var failure: SuggestionInfo.Key { "failure" }
}

// MARK: A name that was typed for a command

extension LiveComposer {
  /// Looks for the user whose name was typed behind a command that needs one, so that it can be told before the fact
  /// whether it can be executed.
  func findTarget() {
    finding?.cancel()
    finding = nil
    guard typedNames != nil else {
      if found != nil { found = nil }
      return
    }
    finding = Task { [weak self] in await self?.findTargetNow() }
  }

  /// The same, and waits for the answer.
  func findTargetNow() async {
    guard let (names, handler) = typedNames else { return }
    if let found, found.typed == names.first { return }
    let people = handler.people ?? composing.commands.mentions
    let symbol = people.symbolOfMentions ?? ""
    let context = SuggestionContext(composing, people: host)
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

  /// The same, and waits for the answer for some seconds: who does not answer then knows nobody.
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

  /// The user with an id or a name, if there is only one: of two with one name nobody knows who is meant.
  private func theOne(among users: [User], called typed: UserText) -> User? {
    if let user = users.first(where: { $0.id.text == typed.string }) { return user }
    let named = users.filter { FoldedText($0.profile.name.string) == FoldedText(typed.string) }
    return named.count == 1 ? named[0] : nil
  }

  /// What may be a name, with its symbol, behind a command that needs a user and has none: the longest first.
  private var typedNames: (names: [UserText], handler: any TwoStepMentionCommand)? {
    guard composer.editing == nil, let (command, handler) = composing.command(),
      let handler = handler as? any TwoStepMentionCommand, command.target == nil,
      let symbol = (handler.people ?? composing.commands.mentions).symbolOfMentions, !symbol.isEmpty,
      command.arguments.string.hasPrefix(symbol)
    else { return nil }
    let text = TypedText(command.arguments)
    let ends = text.units.indices.filter { $0 > symbol.utf16.count && TypedText.isWhiteSpace(text.units[$0]) }
    let places = ends.prefix(Self.wordsMax) + (ends.count < Self.wordsMax ? [text.units.count] : [])
    return (places.reversed().map { text.userText(of: .start..<UTF16Offset(rawValue: $0)) }, handler)
  }

  /// How many words a name has at most that is typed and not picked.
  private static let wordsMax = 4
}

/// Lets somebody go on when the first of several things comes.
@MainActor
private final class First {
  private var continuation: CheckedContinuation<Void, Never>?

  init(_ continuation: CheckedContinuation<Void, Never>) { self.continuation = continuation }

  func comes() {
    continuation?.resume()
    continuation = nil
  }
}
