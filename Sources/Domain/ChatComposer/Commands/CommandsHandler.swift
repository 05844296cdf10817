// All handlers of a composer, in their order.
public import Chat

/// What a composer knows of commands: the app replaces, orders and removes as it likes.
public protocol CommandsConfig: Sendable {
  /// What one types to mention somebody; nil where nobody is suggested.
  var mentionsSymbol: String? { get }
  /// What one types before a command; nil where none is typed.
  var instantCommandsSymbol: String? { get }
  /// The handlers for the composers of a channel.
  func makeCommandsHandler(for channel: Channel.ID) -> CommandsHandler
}

/// The commands there are where an app chooses no others: users to mention, and the ready-made ones.
public struct DefaultCommandsConfig: CommandsConfig {
  /// `@`.
  public var mentionsSymbol: String?
  /// `/`.
  public var instantCommandsSymbol: String?
  /// The ready-made commands.
  public var instantCommands: [any CommandHandler]
  /// Whether all users are suggested, not only members of the channel.
  public var mentionsAllUsers = false

  /// Symbols, and commands in the order in which they are listed.
  public init(
    mentionsSymbol: String? = "@", instantCommandsSymbol: String? = "/",
    instantCommands: [any CommandHandler] = Self.readyMade
  ) {
    (self.mentionsSymbol, self.instantCommandsSymbol) = (mentionsSymbol, instantCommandsSymbol)
    self.instantCommands = instantCommands
  }

  /// The ready-made commands, in their order.
  public static var readyMade: [any CommandHandler] {
    [
      GiphyCommandHandler(), MuteCommandHandler(), UnmuteCommandHandler(), BanCommandHandler(), UnbanCommandHandler(),
      FlagCommandHandler(),
    ]
  }

  /// Users to mention, then commands.
  public func makeCommandsHandler(for channel: Channel.ID) -> CommandsHandler {
    CommandsHandler(commands: [
      MentionsCommandHandler(symbol: mentionsSymbol, mentionsAllUsers: mentionsAllUsers),
      InstantCommandsHandler(symbol: instantCommandsSymbol, commands: instantCommands),
    ])
  }
}

/// All handlers of a composer, asked in their order.
public struct CommandsHandler: Sendable {
  /// The handlers.
  public let commands: [any CommandHandler]
  /// The handlers of commands that are called by a word.
  let instant: [InstantCommandsHandler]
  /// Whoever suggests users to mention, be it that nobody does.
  public let mentions: MentionsCommandHandler

  /// Handlers in the order in which they are asked.
  public init(commands: [any CommandHandler]) {
    self.commands = commands
    instant = commands.compactMap { $0 as? InstantCommandsHandler }
    mentions = commands.lazy.compactMap { $0 as? MentionsCommandHandler }.first ?? MentionsCommandHandler(symbol: nil)
  }

  /// The handler of a command, be it one of those that another is made of.
  public func command(_ id: ComposedCommand.ID) -> (any CommandHandler)? {
    for handler in commands {
      if let found = handler.commandHandler(for: id) { return found }
    }
    return nil
  }

  /// The handler of what is being typed, and what that is: commands at the start of the text are asked first, where one
  /// may be called.
  func typing(in text: TypedText, caret: UTF16Offset, mayCall: Bool) -> SuggestionQuery? {
    let others = commands.filter { !($0 is InstantCommandsHandler) }
    for handler in (mayCall ? instant : []) + others {
      guard let found = handler.canHandleCommand(in: text, caretLocation: caret) else { continue }
      // Of handlers that are called the same, it is the one who found it.
      return (handler.commandHandler(for: found.id) ?? command(found.id)).map {
        SuggestionQuery(command: found, handler: $0)
      }
    }
    return nil
  }

  /// The text that calls a command; nil when none does.
  func word(of id: ComposedCommand.ID) -> String? {
    for handler in instant {
      if let symbol = handler.symbolOfCommands, let command = handler.commandHandler(for: id) {
        return symbol + command.symbol
      }
    }
    return nil
  }

  /// Whether a change of a text can put a command's word at its start.
  func concerns(_ splice: Splice, of text: TypedText) -> Bool {
    instant.contains { handler in
      guard let symbol = handler.symbolOfCommands?.utf16 else { return false }
      return splice.range.lowerBound.rawValue < symbol.count || text.units.starts(with: symbol)
    }
  }

  /// The command whose word begins a text and is followed by white space; it ends behind one of that.
  func activatedWord(in text: TypedText, under composerContext: ComposerContext) -> CommandWord? {
    guard let word = calledCommand(in: text, under: composerContext), word.end < text.end else { return nil }
    return CommandWord(command: word.command, end: text.behindWhiteSpace(at: word.end))
  }

  /// The command whose word is the first of a text.
  func calledCommand(in text: TypedText, under composerContext: ComposerContext) -> CommandWord? {
    for handler in instant {
      guard let word = handler.firstWord(of: text), let command = handler.command(called: word.text),
        composerContext.config.has(command.id), command.isAvailable(in: composerContext)
      else { continue }
      return CommandWord(command: command.id, end: word.range.upperBound)
    }
    return nil
  }

  /// Behind what is typed of a command's word at the start of a text; nil when nothing is.
  func typedWord(of id: ComposedCommand.ID, in text: TypedText) -> UTF16Offset? {
    instant.lazy.compactMap { $0.typedWord(of: id, in: text) }.first
  }
}
