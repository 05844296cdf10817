// Commands called by a word at the start of the text.
public import Chat

/// A handler of commands called by a symbol and a word at the start of the text, listed during typing.
public struct InstantCommandsHandler: CommandHandler {
  /// The id of the list of commands.
  public let id: ComposedCommand.ID
  /// The commands, in list order.
  public let commands: [any CommandHandler]
  /// The symbol before a command's word; nil disables typing commands.
  public let symbolOfCommands: String?
  private let typingCommand: (@Sendable (TypedText, UTF16Offset) -> TypingSuggestion?)?

  /// Creates a handler; `typingCommand` replaces the detection of the word being typed.
  public init(
    symbol: String? = "/", commands: [any CommandHandler], id: ComposedCommand.ID = "instantCommands",
    typingCommand: (@Sendable (TypedText, UTF16Offset) -> TypingSuggestion?)? = nil
  ) {
    (symbolOfCommands, self.commands, self.id, self.typingCommand) = (symbol, commands, id, typingCommand)
  }

  /// Returns the word after the symbol at the start of the text while the caret is within it.
  public func canHandleCommand(in text: TypedText, caretLocation: UTF16Offset) -> ComposerCommand? {
    if let typingCommand { return typingCommand(text, caretLocation).map { ComposerCommand(id, typing: $0) } }
    guard let symbolOfCommands, let word = firstWord(of: text),
      symbolOfCommands.utf16.count <= caretLocation.rawValue, caretLocation <= word.range.upperBound
    else { return nil }
    return ComposerCommand(id, typing: word)
  }

  /// Returns itself or the command with the id.
  public func commandHandler(for id: ComposedCommand.ID) -> (any CommandHandler)? {
    if id == self.id { return self }
    for command in commands {
      if let found = command.commandHandler(for: id) { return found }
    }
    return nil
  }

  /// Returns the available commands with display info: those whose word starts with the query, then those that contain
  /// it.
  public func suggestions(
    for command: ComposerCommand, in context: SuggestionContext
  ) async throws -> SuggestionInfo {
    SuggestionInfo(.instantCommands, listed(for: command.typingSuggestion?.text ?? "", under: context.composerContext))
  }

  func listed(for query: UserText, under composerContext: ComposerContext) -> [Suggestion] {
    let query = query.string.lowercased()
    let shown = commands.filter { composerContext.config.has($0.id) && $0.isAvailable(in: composerContext) }
    let starting = shown.filter { $0.symbol.lowercased().hasPrefix(query) }
    let containing = shown.filter { handler in
      let word = handler.symbol.lowercased()
      return !word.hasPrefix(query) && word.contains(query)
    }
    return (starting + containing).compactMap { handler in
      handler.displayInfo.map { Suggestion(command: handler.id, $0) }
    }
  }

  /// Activates the picked command and removes its word from the text.
  public func handleCommand(
    _ command: ComposerCommand, picked answer: SuggestionValue, in content: inout CommandContent
  ) {
    guard case .instantCommand(let id) = answer, content.command?.id != id else { return }
    if let range = command.typingSuggestion?.range, !range.isEmpty {
      content.takeOut(range, withSpaceBehind: true)
    } else if let typed = typedWord(of: id, in: content.text) {
      content.takeOut(upTo: typed)
    }
    content.command = ComposedCommand(id)
  }

  /// Returns the first word of a text that starts with the symbol, without the symbol.
  func firstWord(of text: TypedText) -> TypingSuggestion? {
    guard let symbol = symbolOfCommands?.utf16, text.units.starts(with: symbol) else { return nil }
    let rest = text.units[symbol.count...]
    let end = rest.firstIndex { TypedText.isWhiteSpace($0) } ?? rest.endIndex
    let word = UTF16Offset(rawValue: symbol.count)..<UTF16Offset(rawValue: end)
    return TypingSuggestion(text.userText(of: word), at: .start..<word.upperBound)
  }

  /// Returns the offset after a command's typed word at the start of a text and one white space; nil if not typed.
  func typedWord(of id: ComposedCommand.ID, in text: TypedText) -> UTF16Offset? {
    guard let symbol = commandHandler(for: id)?.symbol, let word = firstWord(of: text),
      symbol.lowercased().hasPrefix(word.text.string.lowercased())
    else { return nil }
    return text.behindWhiteSpace(at: word.range.upperBound)
  }

  /// Returns the command with a word, ignoring case.
  func command(called word: UserText) -> (any CommandHandler)? {
    commands.first { $0.symbol.lowercased() == word.string.lowercased() }
  }
}
