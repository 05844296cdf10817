// The built-in commands and their intents.
public import Chat

/// `/giphy words`: shows its author an animated picture, which they then send, shuffle or cancel.
public struct GiphyCommandHandler: CommandHandler {
  /// The id of the command.
  public let id: ComposedCommand.ID
  /// The word that calls the command.
  public let commandSymbol: String
  /// The display info of the command.
  public let displayInfo: CommandDisplayInfo?
  /// The command replaces the message.
  public var replacesMessageSent: Bool { true }
  /// The picture is sent to the channel once its author confirms it.
  public var speaks: Bool { true }

  /// Creates the command with its word, id and display info.
  public init(
    commandSymbol: String? = nil, id: ComposedCommand.ID = "giphy",
    displayInfo: CommandDisplayInfo? = CommandDisplayInfo(
      displayName: "Giphy", icon: "giphy", arguments: ["text"])
  ) {
    (self.id, self.commandSymbol, self.displayInfo) = (id, commandSymbol ?? id.text, displayInfo)
  }

  /// Whether the query is not blank.
  public func canBeExecuted(_ command: ComposerCommand) -> Bool { !command.arguments.isBlank }

  /// Finds a picture for the query and returns it as an ephemeral message.
  public func executeOnMessageSent(
    _ command: ComposerCommand, in context: ExecutionContext
  ) async throws -> CommandOutcome {
    let gif = try await context.gifs.picture(for: command.arguments, number: 0)
    let (content, key) = (context.content, context.newMessage())
    let message = Message.Content(
      "", kind: .ephemeral, attachments: [Attachment(gif, for: command.arguments, number: 0)],
      parent: context.composer.thread, showsInChannel: content.showsInChannel, quoted: content.quoted,
      isSilent: content.isSilent)
    return CommandOutcome([.message(key, .send(message))])
  }
}

extension Attachment {
  /// Creates an animated picture that keeps its query and number, so that it can be shuffled.
  init(_ gif: GIF, for words: UserText, number: Int) {
    self.init(
      "giphy", .giphy, at: .url(gif.url), title: gif.title, size: gif.size,
      extra: ["words": .text(words), "number": .integer(Int64(number))])
  }

  /// The query and number with which an animated picture was found; a stored number without a successor counts as 0.
  var found: (words: UserText, number: Int)? {
    guard kind == .giphy, case .text(let words)? = extra["words"], case .integer(let number)? = extra["number"] else {
      return nil
    }
    return (words, (0..<Int64(Int32.max)).contains(number) ? Int(number) : 0)
  }
}

/// `/mute @user 8h`: mutes a user for the caller, for a duration or permanently.
public struct MuteCommandHandler: TwoStepMentionCommand {
  /// The id of the command.
  public let id: ComposedCommand.ID
  /// The word that calls the command.
  public let commandSymbol: String
  /// The display info of the command.
  public let displayInfo: CommandDisplayInfo?

  /// Creates the command with its word, id and display info.
  public init(
    commandSymbol: String? = nil, id: ComposedCommand.ID = "mute",
    displayInfo: CommandDisplayInfo? = CommandDisplayInfo(
      displayName: "Mute", icon: "mute", arguments: [.username, "duration"])
  ) {
    (self.id, self.commandSymbol, self.displayInfo) = (id, commandSymbol ?? id.text, displayInfo)
  }

  /// Mutes the user.
  public func execute(
    _ command: ComposerCommand, on user: User.ID, in context: ExecutionContext
  ) async throws -> CommandOutcome {
    let (expiry, rest) = Expiry.parse(command.arguments, from: context.instant)
    if !rest.isBlank { throw CommandError.noDuration(rest) }
    let key = Mute.Key(by: context.composer.user, of: .user(user))
    return CommandOutcome([.mute(key, .begin(expiry ?? .endless))])
  }
}

/// `/unmute @user`: unmutes a user for the caller.
public struct UnmuteCommandHandler: TwoStepMentionCommand {
  /// The id of the command.
  public let id: ComposedCommand.ID
  /// The word that calls the command.
  public let commandSymbol: String
  /// The display info of the command.
  public let displayInfo: CommandDisplayInfo?

  /// Creates the command with its word, id and display info.
  public init(
    commandSymbol: String? = nil, id: ComposedCommand.ID = "unmute",
    displayInfo: CommandDisplayInfo? = CommandDisplayInfo(
      displayName: "Unmute", icon: "unmute", arguments: [.username])
  ) {
    (self.id, self.commandSymbol, self.displayInfo) = (id, commandSymbol ?? id.text, displayInfo)
  }

  /// Unmutes the user.
  public func execute(
    _ command: ComposerCommand, on user: User.ID, in context: ExecutionContext
  ) async throws -> CommandOutcome {
    CommandOutcome([.mute(Mute.Key(by: context.composer.user, of: .user(user)), .end)])
  }
}

/// `/ban @user 1d reason`: bans a user, who can then only read the channel, for a duration or permanently.
public struct BanCommandHandler: TwoStepMentionCommand {
  /// The id of the command.
  public let id: ComposedCommand.ID
  /// The word that calls the command.
  public let commandSymbol: String
  /// The display info of the command.
  public let displayInfo: CommandDisplayInfo?

  /// Creates the command with its word, id and display info.
  public init(
    commandSymbol: String? = nil, id: ComposedCommand.ID = "ban",
    displayInfo: CommandDisplayInfo? = CommandDisplayInfo(
      displayName: "Ban", icon: "ban", arguments: [.username, "duration", "reason"])
  ) {
    (self.id, self.commandSymbol, self.displayInfo) = (id, commandSymbol ?? id.text, displayInfo)
  }

  /// Whether the user has the capability to ban.
  public func isAvailable(in composerContext: ComposerContext) -> Bool { composerContext.capabilities.contains(.ban) }

  /// Bans the user.
  public func execute(
    _ command: ComposerCommand, on user: User.ID, in context: ExecutionContext
  ) async throws -> CommandOutcome {
    let (expiry, reason) = Expiry.parse(command.arguments, from: context.instant)
    let key = Ban.Key(of: user, from: .channel(context.composer.channel))
    return CommandOutcome([.ban(key, .impose(expiry ?? .endless, reason: reason.isBlank ? nil : reason))])
  }
}

/// `/unban @user`: lifts the ban of a user.
public struct UnbanCommandHandler: TwoStepMentionCommand {
  /// The id of the command.
  public let id: ComposedCommand.ID
  /// The word that calls the command.
  public let commandSymbol: String
  /// The display info of the command.
  public let displayInfo: CommandDisplayInfo?

  /// Creates the command with its word, id and display info.
  public init(
    commandSymbol: String? = nil, id: ComposedCommand.ID = "unban",
    displayInfo: CommandDisplayInfo? = CommandDisplayInfo(
      displayName: "Unban", icon: "unban", arguments: [.username])
  ) {
    (self.id, self.commandSymbol, self.displayInfo) = (id, commandSymbol ?? id.text, displayInfo)
  }

  /// Whether the user has the capability to ban.
  public func isAvailable(in composerContext: ComposerContext) -> Bool { composerContext.capabilities.contains(.ban) }

  /// Lifts the ban.
  public func execute(
    _ command: ComposerCommand, on user: User.ID, in context: ExecutionContext
  ) async throws -> CommandOutcome {
    CommandOutcome([.ban(Ban.Key(of: user, from: .channel(context.composer.channel)), .lift)])
  }
}

/// `/flag @user reason`: reports a user to the moderators.
public struct FlagCommandHandler: TwoStepMentionCommand {
  /// The id of the command.
  public let id: ComposedCommand.ID
  /// The word that calls the command.
  public let commandSymbol: String
  /// The display info of the command.
  public let displayInfo: CommandDisplayInfo?

  /// Creates the command with its word, id and display info.
  public init(
    commandSymbol: String? = nil, id: ComposedCommand.ID = "flag",
    displayInfo: CommandDisplayInfo? = CommandDisplayInfo(
      displayName: "Flag", icon: "flag", arguments: [.username, "reason"])
  ) {
    (self.id, self.commandSymbol, self.displayInfo) = (id, commandSymbol ?? id.text, displayInfo)
  }

  /// Whether the user has the capability to flag.
  public func isAvailable(in composerContext: ComposerContext) -> Bool { composerContext.capabilities.contains(.flag) }

  /// Flags the user.
  public func execute(
    _ command: ComposerCommand, on user: User.ID, in context: ExecutionContext
  ) async throws -> CommandOutcome {
    let reason = command.arguments.isBlank ? nil : command.arguments
    return CommandOutcome([.flag(Flag.Key(by: context.composer.user, on: .user(user)), .raise(reason: reason))])
  }
}
