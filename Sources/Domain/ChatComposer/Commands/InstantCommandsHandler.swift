// Commands called by a word at the start of the text.
public import Chat

/// A handler of commands called by a symbol and a word at the start of the text, listed during typing.
public struct InstantCommandsHandler: CommandHandler {
  /// The id of the list of commands.
  public let id: ComposedCommand.ID
  /// The commands, in list order.
  public private(set) var commands: [any CommandHandler]
  /// The symbol before a command's word; nil until the configuration's ``CommandsConfig/instantCommandsSymbol`` is
  /// inherited.
  public private(set) var instantCommandsSymbol: String?
  private let typingCommand: (@Sendable (TypedText, UTF16Offset) -> TypingSuggestion?)?

  /// Creates a handler with the configuration's symbol or its own; `typingCommand` replaces the detection of the word
  /// being typed.
  public init(
    commands: [any CommandHandler], instantCommandsSymbol: String? = nil, id: ComposedCommand.ID = "instantCommands",
    typingCommand: (@Sendable (TypedText, UTF16Offset) -> TypingSuggestion?)? = nil
  ) {
    (self.instantCommandsSymbol, self.commands, self.id) = (instantCommandsSymbol, commands, id)
    self.typingCommand = typingCommand
  }

  /// Returns the handler with the configuration's symbol, unless it has its own.
  func inheriting(_ symbol: String?) -> Self {
    var handler = self
    handler.instantCommandsSymbol = instantCommandsSymbol ?? symbol
    return handler
  }

  /// Returns the handler with further commands at the end of its list.
  func adding(_ more: [any CommandHandler]) -> Self {
    var handler = self
    handler.commands += more
    return handler
  }

  /// Returns the word after the symbol at the start of the text while the caret is within it.
  public func canHandleCommand(in text: TypedText, caretLocation: UTF16Offset) -> ComposerCommand? {
    if let typingCommand { return typingCommand(text, caretLocation).map { ComposerCommand(id, typing: $0) } }
    guard let instantCommandsSymbol, let word = firstWord(of: text),
      instantCommandsSymbol.utf16.count <= caretLocation.rawValue, caretLocation <= word.range.upperBound
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
    listed(for: command.typingSuggestion?.text ?? "", under: context.composerContext, beside: context.commands.mentions)
  }

  func listed(
    for query: UserText, under composerContext: ComposerContext, beside mentions: MentionsCommandHandler
  ) -> SuggestionInfo {
    let query = query.string.lowercased()
    let shown = commands.filter { composerContext.config.has($0.id) && $0.isAvailable(in: composerContext) }
    let starting = shown.filter { word(of: $0).lowercased().hasPrefix(query) }
    let containing = shown.filter { handler in
      let word = word(of: handler).lowercased()
      return !word.hasPrefix(query) && word.contains(query)
    }
    return SuggestionInfo(.instantCommands, (starting + containing).compactMap { listed($0, beside: mentions) }) {
      Suggestion($0)
    }
  }

  /// Returns a command as it is listed; nil if it has no display info.
  func listed(_ handler: any CommandHandler, beside mentions: MentionsCommandHandler) -> ListedCommand? {
    handler.displayInfo.map {
      ListedCommand(
        handler.id, symbol: UserText(instantCommandsSymbol ?? ""), word: word(of: handler), $0,
        symbolOfUsers: (handler as? any TwoStepMentionCommand)?.people?.mentionsSymbol ?? mentions.mentionsSymbol ?? "")
    }
  }

  /// Activates the picked command and removes its word from the text; a command that is not instant becomes its word.
  public func handleCommand(
    _ command: ComposerCommand, picked answer: SuggestionValue, in content: inout CommandContent
  ) {
    guard case .instantCommand(let id) = answer, content.command?.id != id else { return }
    let typed = command.typingSuggestion?.range ?? .start ..< .start
    if isInstant(id) {
      if !typed.isEmpty {
        content.takeOut(typed, withSpaceBehind: true)
      } else if let typed = typedWord(of: id, in: content.text) {
        content.takeOut(upTo: typed)
      }
      content.command = ComposedCommand(id)
    } else {
      call(id, in: &content, replacing: typed)
    }
  }

  /// Replaces a range by the word of a command and a space, with the caret after it.
  func call(_ id: ComposedCommand.ID, in content: inout CommandContent, replacing typed: UTF16Range) {
    guard let handler = commandHandler(for: id), let instantCommandsSymbol else { return }
    let typed = typed.isEmpty ? .start..<(typedWord(of: id, in: content.text) ?? .start) : typed
    content.takeOut(typed, withSpaceBehind: true)
    content.replace(.start ..< .start, with: UserText(instantCommandsSymbol + word(of: handler) + " "))
  }

  /// Whether a called command becomes the active command.
  func isInstant(_ id: ComposedCommand.ID) -> Bool { commandHandler(for: id)?.displayInfo?.isInstant ?? true }

  /// Returns the first word of a text that starts with the symbol, without the symbol.
  func firstWord(of text: TypedText) -> TypingSuggestion? {
    guard let symbol = instantCommandsSymbol?.utf16, text.units.starts(with: symbol) else { return nil }
    let rest = text.units[symbol.count...]
    let end = rest.firstIndex { TypedText.isWhiteSpace($0) } ?? rest.endIndex
    let word = UTF16Offset(rawValue: symbol.count)..<UTF16Offset(rawValue: end)
    return TypingSuggestion(text.userText(of: word), at: .start..<word.upperBound)
  }

  /// Returns the offset after a command's typed word at the start of a text and one white space; nil if not typed.
  func typedWord(of id: ComposedCommand.ID, in text: TypedText) -> UTF16Offset? {
    guard let handler = commandHandler(for: id), let typed = firstWord(of: text),
      word(of: handler).lowercased().hasPrefix(typed.text.string.lowercased())
    else { return nil }
    return text.behindWhiteSpace(at: typed.range.upperBound)
  }

  /// Returns the command with a word, ignoring case.
  func command(called typed: UserText) -> (any CommandHandler)? {
    commands.first { word(of: $0).lowercased() == typed.string.lowercased() }
  }

  /// Returns the word of a command without the symbol of commands.
  func word(of handler: any CommandHandler) -> String {
    let word = handler.commandSymbol
    guard let instantCommandsSymbol, word.hasPrefix(instantCommandsSymbol) else { return word }
    return String(word.dropFirst(instantCommandsSymbol.count))
  }
}

/// A command in the list of commands.
public struct ListedCommand: Hashable, Sendable, Identifiable {
  /// The id of the command.
  public let id: ComposedCommand.ID
  /// The symbol of commands.
  public let symbol: UserText
  /// The word that calls it, with the symbol of commands.
  public let word: UserText
  /// The display info of the command.
  public let displayInfo: CommandDisplayInfo
  private let symbolOfUsers: String

  init(
    _ id: ComposedCommand.ID, symbol: UserText, word: String, _ displayInfo: CommandDisplayInfo, symbolOfUsers: String
  ) {
    (self.id, self.symbol, self.word) = (id, symbol, UserText(symbol.string + word))
    (self.displayInfo, self.symbolOfUsers) = (displayInfo, symbolOfUsers)
  }

  /// The syntax: the command's own, or its word and its arguments.
  public var format: UserText { UserText(format { $0 }) }

  /// Returns the syntax with the names of the arguments in the words of a renderer.
  public func format(_ name: (String) -> String) -> String {
    if let format = displayInfo.format { return name(format.string) }
    let arguments = displayInfo.arguments.map { "[" + ($0.isUser ? symbolOfUsers : "") + name($0.name.string) + "]" }
    return ([word.string] + arguments).joined(separator: " ")
  }
}
