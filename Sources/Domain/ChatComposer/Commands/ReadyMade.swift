// The commands that are there already: what they want of the conversation.
public import Chat

/// `/giphy words`: an animated picture that only its author sees, until they send it, shuffle it or cancel it.
public struct GiphyCommandHandler: CommandHandler {
  /// What it is called.
  public let id: ComposedCommand.ID
  /// The word by which one calls it.
  public let symbol: String
  /// What is shown of it.
  public let displayInfo: CommandDisplayInfo?
  /// What is shown takes the place of the message.
  public var replacesMessageSent: Bool { true }
  /// It is sent once its author likes it.
  public var speaks: Bool { true }

  /// The command, called and shown as an app likes.
  public init(
    id: ComposedCommand.ID = "giphy", symbol: String? = nil,
    displayInfo: CommandDisplayInfo? = CommandDisplayInfo(
      displayName: "Giphy", icon: "giphy", format: "/giphy [text]", isInstant: true)
  ) {
    (self.id, self.symbol, self.displayInfo) = (id, symbol ?? id.text, displayInfo)
  }

  /// Once there are words.
  public func canBeExecuted(_ command: ComposerCommand) -> Bool { !command.arguments.isBlank }

  /// Has a picture found for the words.
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
  /// An animated picture, with what it was found for, so that another can be.
  init(_ gif: GIF, for words: UserText, number: Int) {
    self.init(
      "giphy", .giphy, at: .url(gif.url), title: gif.title, size: gif.size,
      extra: ["words": .text(words), "number": .integer(Int64(number))])
  }

  /// What an animated picture was found for.
  var found: (words: UserText, number: Int)? {
    guard kind == .giphy, case .text(let words)? = extra["words"], case .integer(let number)? = extra["number"] else {
      return nil
    }
    return (words, Int(clamping: number))
  }
}

/// `/mute @user 8h`: does not want to be told of what a user says, for a while or for good.
public struct MuteCommandHandler: TwoStepMentionCommand {
  /// What it is called.
  public let id: ComposedCommand.ID
  /// The word by which one calls it.
  public let symbol: String
  /// What is shown of it.
  public let displayInfo: CommandDisplayInfo?

  /// The command, called and shown as an app likes.
  public init(
    id: ComposedCommand.ID = "mute", symbol: String? = nil,
    displayInfo: CommandDisplayInfo? = CommandDisplayInfo(
      displayName: "Mute", icon: "mute", format: "/mute [@username] [duration]", isInstant: true)
  ) {
    (self.id, self.symbol, self.displayInfo) = (id, symbol ?? id.text, displayInfo)
  }

  /// Mutes the user.
  public func execute(
    _ command: ComposerCommand, on user: User.ID, in context: ExecutionContext
  ) async throws -> CommandOutcome {
    let (term, rest) = Expiry.parse(command.arguments, from: context.instant)
    if !rest.isBlank { throw CommandError.noDuration(rest) }
    let key = Mute.Key(by: context.composer.user, of: .user(user))
    return CommandOutcome([.mute(key, .begin(term ?? .endless))])
  }
}

/// `/unmute @user`: wants to be told again.
public struct UnmuteCommandHandler: TwoStepMentionCommand {
  /// What it is called.
  public let id: ComposedCommand.ID
  /// The word by which one calls it.
  public let symbol: String
  /// What is shown of it.
  public let displayInfo: CommandDisplayInfo?

  /// The command, called and shown as an app likes.
  public init(
    id: ComposedCommand.ID = "unmute", symbol: String? = nil,
    displayInfo: CommandDisplayInfo? = CommandDisplayInfo(
      displayName: "Unmute", icon: "unmute", format: "/unmute [@username]", isInstant: true)
  ) {
    (self.id, self.symbol, self.displayInfo) = (id, symbol ?? id.text, displayInfo)
  }

  /// Mutes the user no more.
  public func execute(
    _ command: ComposerCommand, on user: User.ID, in context: ExecutionContext
  ) async throws -> CommandOutcome {
    CommandOutcome([.mute(Mute.Key(by: context.composer.user, of: .user(user)), .end)])
  }
}

/// `/ban @user 1d reason`: lets a user do no more than read in the channel, for a while or for good.
public struct BanCommandHandler: TwoStepMentionCommand {
  /// What it is called.
  public let id: ComposedCommand.ID
  /// The word by which one calls it.
  public let symbol: String
  /// What is shown of it.
  public let displayInfo: CommandDisplayInfo?

  /// The command, called and shown as an app likes.
  public init(
    id: ComposedCommand.ID = "ban", symbol: String? = nil,
    displayInfo: CommandDisplayInfo? = CommandDisplayInfo(
      displayName: "Ban", icon: "ban", format: "/ban [@username] [duration] [reason]", isInstant: true)
  ) {
    (self.id, self.symbol, self.displayInfo) = (id, symbol ?? id.text, displayInfo)
  }

  /// For those who may ban.
  public func isAvailable(in composerContext: ComposerContext) -> Bool { composerContext.capabilities.contains(.ban) }

  /// Bans the user.
  public func execute(
    _ command: ComposerCommand, on user: User.ID, in context: ExecutionContext
  ) async throws -> CommandOutcome {
    let (term, reason) = Expiry.parse(command.arguments, from: context.instant)
    let key = Ban.Key(of: user, from: .channel(context.composer.channel))
    return CommandOutcome([.ban(key, .impose(term ?? .endless, reason: reason.isBlank ? nil : reason))])
  }
}

/// `/unban @user`: lets a user do again what they may.
public struct UnbanCommandHandler: TwoStepMentionCommand {
  /// What it is called.
  public let id: ComposedCommand.ID
  /// The word by which one calls it.
  public let symbol: String
  /// What is shown of it.
  public let displayInfo: CommandDisplayInfo?

  /// The command, called and shown as an app likes.
  public init(
    id: ComposedCommand.ID = "unban", symbol: String? = nil,
    displayInfo: CommandDisplayInfo? = CommandDisplayInfo(
      displayName: "Unban", icon: "unban", format: "/unban [@username]", isInstant: true)
  ) {
    (self.id, self.symbol, self.displayInfo) = (id, symbol ?? id.text, displayInfo)
  }

  /// For those who may ban.
  public func isAvailable(in composerContext: ComposerContext) -> Bool { composerContext.capabilities.contains(.ban) }

  /// Lifts the ban.
  public func execute(
    _ command: ComposerCommand, on user: User.ID, in context: ExecutionContext
  ) async throws -> CommandOutcome {
    CommandOutcome([.ban(Ban.Key(of: user, from: .channel(context.composer.channel)), .lift)])
  }
}

/// `/flag @user reason`: tells those who keep order of a user.
public struct FlagCommandHandler: TwoStepMentionCommand {
  /// What it is called.
  public let id: ComposedCommand.ID
  /// The word by which one calls it.
  public let symbol: String
  /// What is shown of it.
  public let displayInfo: CommandDisplayInfo?

  /// The command, called and shown as an app likes.
  public init(
    id: ComposedCommand.ID = "flag", symbol: String? = nil,
    displayInfo: CommandDisplayInfo? = CommandDisplayInfo(
      displayName: "Flag", icon: "flag", format: "/flag [@username] [reason]", isInstant: true)
  ) {
    (self.id, self.symbol, self.displayInfo) = (id, symbol ?? id.text, displayInfo)
  }

  /// For those who may flag.
  public func isAvailable(in composerContext: ComposerContext) -> Bool { composerContext.capabilities.contains(.flag) }

  /// Raises the flag.
  public func execute(
    _ command: ComposerCommand, on user: User.ID, in context: ExecutionContext
  ) async throws -> CommandOutcome {
    let reason = command.arguments.isBlank ? nil : command.arguments
    return CommandOutcome([.flag(Flag.Key(by: context.composer.user, on: .user(user)), .raise(reason: reason))])
  }
}
