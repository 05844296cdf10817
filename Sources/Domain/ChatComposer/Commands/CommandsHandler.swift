// The handlers of a composer, in order.
public import Chat

/// The configuration of a composer's commands, which an app replaces, orders and removes.
public protocol CommandsConfig: Sendable {
  /// The symbol of mentions; nil disables suggesting users.
  var mentionsSymbol: String? { get }
  /// The symbol of commands; nil disables typing commands.
  var instantCommandsSymbol: String? { get }
  /// Returns the handlers of a composer; again when the facts about its channel or its user change.
  ///
  /// Handlers without a symbol of their own get the configuration's.
  func makeCommandsHandler(for context: CommandsContext) -> CommandsHandler
}

/// The composer for which handlers are made.
public struct CommandsContext: Sendable {
  /// The user, device, channel and thread of the composer.
  public let composer: Composer.Key
  /// The facts about the channel and the user; the defaults until they were read.
  public let composerContext: ComposerContext
  private let people: any UserDirectory

  /// Creates the context of a composer.
  public init(_ composer: Composer.Key, in composerContext: ComposerContext, people: any UserDirectory) {
    (self.composer, self.composerContext, self.people) = (composer, composerContext, people)
  }

  /// The user of the composer.
  public var user: User.ID { composer.user }
  /// The channel of the composer.
  public var channel: Channel.ID { composer.channel }
  /// The configuration of the channel.
  public var config: ChannelConfig { composerContext.config }

  /// Returns the other members of the channel whose id or name starts with the typed text, best match first.
  public func members(matching typed: UserText = "", limit: Int = 100) async throws -> [User] {
    try await people.members(of: channel, matching: typed, limit: limit)
  }
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
  public var mentionAllAppUsers = false

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
  public func makeCommandsHandler(for context: CommandsContext) -> CommandsHandler {
    CommandsHandler(commands: [
      MentionsCommandHandler(mentionAllAppUsers: mentionAllAppUsers), InstantCommandsHandler(commands: instantCommands),
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
    mentions = commands.lazy.compactMap { $0 as? MentionsCommandHandler }.first ?? MentionsCommandHandler()
  }

  /// Returns the handlers with the symbols of a configuration where they have none of their own.
  func inheriting(from config: any CommandsConfig) -> Self {
    CommandsHandler(
      commands: commands.map { handler in
        switch handler {
        case let users as MentionsCommandHandler: users.inheriting(config.mentionsSymbol)
        case let instant as InstantCommandsHandler: instant.inheriting(config.instantCommandsSymbol)
        default: handler
        }
      })
  }

  /// Returns the handlers with further commands at the end of the first list of commands, or in a list of their own.
  func adding(_ more: [any CommandHandler]) -> Self {
    if more.isEmpty { return self }
    var all = commands
    if let index = all.firstIndex(where: { $0 is InstantCommandsHandler }) {
      all[index] = (all[index] as? InstantCommandsHandler)?.adding(more) ?? all[index]
    } else {
      all.append(InstantCommandsHandler(commands: more))
    }
    return CommandsHandler(commands: all)
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
      if let symbol = handler.instantCommandsSymbol, let command = handler.commandHandler(for: id) {
        return symbol + handler.word(of: command)
      }
    }
    return nil
  }

  /// Returns a command as it is listed; nil if it is in no list or has no display info.
  func listed(_ id: ComposedCommand.ID) -> ListedCommand? {
    for handler in instant {
      if let command = handler.commandHandler(for: id) { return handler.listed(command, beside: mentions) }
    }
    return nil
  }

  /// Returns the list that contains a command whose word stays part of the text; nil for an instant command.
  func listOfWord(_ id: ComposedCommand.ID) -> InstantCommandsHandler? {
    instant.first { $0.commandHandler(for: id) != nil }.flatMap { $0.isInstant(id) ? nil : $0 }
  }

  /// Whether a text change can put a command's word at the start of the text.
  func concerns(_ splice: Splice, of text: TypedText) -> Bool {
    instant.contains { handler in
      guard let symbol = handler.instantCommandsSymbol?.utf16 else { return false }
      return splice.range.lowerBound.rawValue < symbol.count || text.units.starts(with: symbol)
    }
  }

  /// Returns the instant command whose word starts a text and is followed by white space; its end is after one white
  /// space.
  func activatedWord(in text: TypedText, under composerContext: ComposerContext) -> CommandWord? {
    guard let word = calledCommand(in: text, under: composerContext), word.end < text.end,
      listOfWord(word.command) == nil
    else { return nil }
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
