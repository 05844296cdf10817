// What stands behind a symbol in a text: a command, or suggestions of any kind.
public import Chat

/// Something that a person can call up while they write: a command such as `/mute`, or suggestions such as those of
/// users to mention.
///
/// A handler is a value without state of its own: what was chosen, a user for instance, is part of what is written, and
/// so is kept with it. Everything but an ``id`` has a default.
public protocol CommandHandler: Sendable {
  /// What it is called.
  var id: ComposedCommand.ID { get }

  /// The word by which one calls it, behind the symbol of commands; the id where it says no other.
  var symbol: String { get }

  /// What is shown of it; one without is not listed, and can be typed all the same.
  var displayInfo: CommandDisplayInfo? { get }

  /// Whether executing it takes the place of sending the message.
  var replacesMessageSent: Bool { get }

  /// Whether what it does is said in the channel, and so needs what a message needs.
  var speaks: Bool { get }

  /// Whether it is there for a user in a channel; the channel's configuration is asked besides.
  func isAvailable(in composerContext: ComposerContext) -> Bool

  /// What is being typed for it at the caret; nil when nothing is.
  func canHandleCommand(in text: TypedText, caretLocation: UTF16Offset) -> ComposerCommand?

  /// What is being typed for it at the caret once it is the active command; nil when nothing is to be suggested. It is
  /// told which handlers there are besides.
  func canContinueCommand(
    _ command: ComposerCommand, in text: TypedText, caretLocation: UTF16Offset, beside commands: CommandsHandler
  ) -> ComposerCommand?

  /// The handler of a command: itself, or one of those that it is made of.
  func commandHandler(for id: ComposedCommand.ID) -> (any CommandHandler)?

  /// What is suggested for what is being typed. What it throws is shown as an item.
  func suggestions(for command: ComposerCommand, in context: SuggestionContext) async throws -> SuggestionInfo

  /// Changes what is written when something was picked for it.
  func handleCommand(_ command: ComposerCommand, picked answer: SuggestionAnswer, in content: inout CommandContent)

  /// Whether all is there that it needs to be executed.
  func canBeExecuted(_ command: ComposerCommand) -> Bool

  /// Does what it is for, when the message is sent; what it throws is shown, and what was written stays.
  ///
  /// What it wants of the conversation it answers as intents, which are submitted together with the message.
  func executeOnMessageSent(_ command: ComposerCommand, in context: ExecutionContext) async throws -> CommandOutcome
}

extension CommandHandler {
  /// The id.
  public var symbol: String { id.text }
  /// Nothing.
  public var displayInfo: CommandDisplayInfo? { nil }
  /// The message is sent, too.
  public var replacesMessageSent: Bool { false }
  /// Where a message is sent besides.
  public var speaks: Bool { !replacesMessageSent }
  /// For everybody.
  public func isAvailable(in composerContext: ComposerContext) -> Bool { true }
  /// Nothing is being typed for it.
  public func canHandleCommand(in text: TypedText, caretLocation: UTF16Offset) -> ComposerCommand? { nil }
  /// Nothing is suggested for it.
  public func canContinueCommand(
    _ command: ComposerCommand, in text: TypedText, caretLocation: UTF16Offset, beside commands: CommandsHandler
  ) -> ComposerCommand? { nil }
  /// Itself, by its id.
  public func commandHandler(for id: ComposedCommand.ID) -> (any CommandHandler)? { id == self.id ? self : nil }
  /// Nothing.
  public func suggestions(
    for command: ComposerCommand, in context: SuggestionContext
  ) async throws -> SuggestionInfo { SuggestionInfo(.mentions, []) }
  /// Nothing is changed.
  public func handleCommand(
    _ command: ComposerCommand, picked answer: SuggestionAnswer, in content: inout CommandContent
  ) {}
  /// It can.
  public func canBeExecuted(_ command: ComposerCommand) -> Bool { true }
  /// Nothing is done.
  public func executeOnMessageSent(
    _ command: ComposerCommand, in context: ExecutionContext
  ) async throws -> CommandOutcome { CommandOutcome() }
}

/// What is being typed of a command, or is to be executed of it.
public struct ComposerCommand: Hashable, Sendable {
  /// Which command.
  public let id: ComposedCommand.ID
  /// What is being typed for it, while something is.
  public var typingSuggestion: TypingSuggestion?
  /// The user it was given.
  public var target: User.ID?
  /// What was written behind it, without white space around it.
  public var arguments: UserText
  /// Who is meant where in the arguments.
  public var mentions: [Mention]

  /// A command with what was typed and chosen for it.
  public init(
    _ id: ComposedCommand.ID, typing: TypingSuggestion? = nil, target: User.ID? = nil, arguments: UserText = "",
    mentions: [Mention] = []
  ) {
    (self.id, typingSuggestion, self.target, self.arguments, self.mentions) = (id, typing, target, arguments, mentions)
  }
}

/// A word that is being typed, for which something is suggested.
public struct TypingSuggestion: Hashable, Sendable {
  /// What was typed of it, without its symbol.
  public var text: UserText
  /// Where it stands with its symbol: what a pick takes the place of.
  public var range: UTF16Range

  /// A word that is being typed at a place.
  public init(_ text: UserText, at range: UTF16Range) { (self.text, self.range) = (text, range) }
}

/// What is shown of a command.
public struct CommandDisplayInfo: Hashable, Sendable {
  /// What it is called for people.
  public var displayName: UserText
  /// The name of a picture for it.
  public var icon: UserText
  /// How it is written, with what it takes.
  public var format: UserText
  /// Whether it does something at once, and is no message.
  public var isInstant: Bool

  /// What is shown of a command.
  public init(displayName: UserText, icon: UserText, format: UserText, isInstant: Bool) {
    (self.displayName, self.icon, self.format, self.isInstant) = (displayName, icon, format, isInstant)
  }
}
