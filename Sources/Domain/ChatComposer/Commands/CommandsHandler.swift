// The handlers of a composer, in order.
public import Chat

/// The configuration of a composer's commands, which an app replaces, orders and removes.
public protocol CommandsConfig: Sendable {
  /// The symbol of mentions; nil disables suggesting users.
  var mentionsSymbol: String? { get }
  /// The symbol of commands; nil disables typing commands.
  var instantCommandsSymbol: String? { get }
  /// Returns the handlers for the composers of a channel.
  func makeCommandsHandler(for channel: Channel.ID) -> CommandsHandler
}

/// The default configuration: mentions and the built-in commands.
public struct DefaultCommandsConfig: CommandsConfig {
  /// The symbol of mentions, by default `@`.
  public var mentionsSymbol: String?
  /// The symbol of commands, by default `/`.
  public var instantCommandsSymbol: String?
  /// The commands in list order, by default the built-in ones.
  public var instantCommands: [any CommandHandler]
  /// Whether all users are suggested, not only members of the channel.
  public var mentionsAllUsers = false

  /// Creates a configuration from symbols and commands in list order.
  public init(
    mentionsSymbol: String? = "@", instantCommandsSymbol: String? = "/",
    instantCommands: [any CommandHandler] = Self.readyMade
  ) {
    (self.mentionsSymbol, self.instantCommandsSymbol) = (mentionsSymbol, instantCommandsSymbol)
    self.instantCommands = instantCommands
  }

  /// The built-in commands, in list order.
  public static var readyMade: [any CommandHandler] {
    [
      GiphyCommandHandler(), MuteCommandHandler(), UnmuteCommandHandler(), BanCommandHandler(), UnbanCommandHandler(),
      FlagCommandHandler(),
    ]
  }

  /// Returns the handlers: mentions, then commands.
  public func makeCommandsHandler(for channel: Channel.ID) -> CommandsHandler {
    CommandsHandler(commands: [
      MentionsCommandHandler(symbol: mentionsSymbol, mentionsAllUsers: mentionsAllUsers),
      InstantCommandsHandler(symbol: instantCommandsSymbol, commands: instantCommands),
    ])
  }
}

/// The handlers of a composer, queried in order.
public struct CommandsHandler: Sendable {
  /// The handlers.
  public let commands: [any CommandHandler]
  /// The handlers of commands called by a word.
  let instant: [InstantCommandsHandler]
  /// The handler of mentions; one without a symbol if none is configured.
  public let mentions: MentionsCommandHandler

  /// Creates a list of handlers in query order.
  public init(commands: [any CommandHandler]) {
    self.commands = commands
    instant = commands.compactMap { $0 as? InstantCommandsHandler }
    mentions = commands.lazy.compactMap { $0 as? MentionsCommandHandler }.first ?? MentionsCommandHandler(symbol: nil)
  }

  /// Returns the handler of a command, including commands inside other handlers.
  public func command(_ id: ComposedCommand.ID) -> (any CommandHandler)? {
    for handler in commands {
      if let found = handler.commandHandler(for: id) { return found }
    }
    return nil
  }

  /// Returns the query being typed and its handler: commands at the start of the text are checked first, if `mayCall`.
  func typing(in text: TypedText, caret: UTF16Offset, mayCall: Bool) -> SuggestionQuery? {
    let others = commands.filter { !($0 is InstantCommandsHandler) }
    for handler in (mayCall ? instant : []) + others {
      guard let found = handler.canHandleCommand(in: text, caretLocation: caret) else { continue }
      // If several handlers share an id, the one that matched is used.
      return (handler.commandHandler(for: found.id) ?? command(found.id)).map {
        SuggestionQuery(command: found, handler: $0)
      }
    }
    return nil
  }

  /// Returns the text that calls a command; nil if it has none.
  func word(of id: ComposedCommand.ID) -> String? {
    for handler in instant {
      if let symbol = handler.symbolOfCommands, let command = handler.commandHandler(for: id) {
        return symbol + command.symbol
      }
    }
    return nil
  }

  /// Whether a text change can put a command's word at the start of the text.
  func concerns(_ splice: Splice, of text: TypedText) -> Bool {
    instant.contains { handler in
      guard let symbol = handler.symbolOfCommands?.utf16 else { return false }
      return splice.range.lowerBound.rawValue < symbol.count || text.units.starts(with: symbol)
    }
  }

  /// Returns the command whose word starts a text and is followed by white space; its end is after one white space.
  func activatedWord(in text: TypedText, under composerContext: ComposerContext) -> CommandWord? {
    guard let word = calledCommand(in: text, under: composerContext), word.end < text.end else { return nil }
    return CommandWord(command: word.command, end: text.behindWhiteSpace(at: word.end))
  }

  /// Returns the command whose word is the first word of a text.
  func calledCommand(in text: TypedText, under composerContext: ComposerContext) -> CommandWord? {
    for handler in instant {
      guard let word = handler.firstWord(of: text), let command = handler.command(called: word.text),
        composerContext.config.has(command.id), command.isAvailable(in: composerContext)
      else { continue }
      return CommandWord(command: command.id, end: word.range.upperBound)
    }
    return nil
  }

  /// Returns the offset after the typed part of a command's word at the start of a text; nil if there is none.
  func typedWord(of id: ComposedCommand.ID, in text: TypedText) -> UTF16Offset? {
    instant.lazy.compactMap { $0.typedWord(of: id, in: text) }.first
  }
}
