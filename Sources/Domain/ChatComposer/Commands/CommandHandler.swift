// The protocol of commands and suggestions.
public import Chat

/// A handler that the user can invoke while writing: a command such as `/mute`, or suggestions such as users to
/// mention.
///
/// A handler is a value without state: the user's choices, such as a target user, are part of the content and stored
/// with it. Everything except ``id`` has a default.
public protocol CommandHandler: Sendable {
  /// The id of the command.
  var id: ComposedCommand.ID { get }

  /// The word that calls it, with or without the symbol of commands before it; the id by default.
  var commandSymbol: String { get }

  /// The display info; a command without it is not listed, but can be typed.
  var displayInfo: CommandDisplayInfo? { get }

  /// Whether executing it replaces sending the message.
  var replacesMessageSent: Bool { get }

  /// Whether it sends a message to the channel, which needs the capabilities for sending.
  var speaks: Bool { get }

  /// Whether the user can use it in the channel; the channel's configuration is checked in addition.
  func isAvailable(in composerContext: ComposerContext) -> Bool

  /// Returns the query being typed for it at the caret; nil if there is none.
  func canHandleCommand(in text: TypedText, caretLocation: UTF16Offset) -> ComposerCommand?

  /// Returns the query being typed for it at the caret while it is the active command, given the other handlers; nil if
  /// nothing is to be suggested.
  func canContinueCommand(
    _ command: ComposerCommand, in text: TypedText, caretLocation: UTF16Offset, beside commands: CommandsHandler
  ) -> ComposerCommand?

  /// Returns the handler of a command: itself, or one of its parts.
  func commandHandler(for id: ComposedCommand.ID) -> (any CommandHandler)?

  /// Returns the suggestions for a query. A thrown error is shown as an item.
  func suggestions(for command: ComposerCommand, in context: SuggestionContext) async throws -> SuggestionInfo

  /// Changes the content after a suggestion was picked.
  func handleCommand(_ command: ComposerCommand, picked answer: SuggestionValue, in content: inout CommandContent)

  /// Whether the command has everything needed to be executed.
  func canBeExecuted(_ command: ComposerCommand) -> Bool

  /// Executes the command when the message is sent; a thrown error is shown and the content stays.
  ///
  /// The returned intents are submitted together with the message.
  func executeOnMessageSent(_ command: ComposerCommand, in context: ExecutionContext) async throws -> CommandOutcome
}

extension CommandHandler {
  /// The default: the id.
  public var commandSymbol: String { id.text }
  /// The default: not listed.
  public var displayInfo: CommandDisplayInfo? { nil }
  /// The default: the message is sent as well.
  public var replacesMessageSent: Bool { false }
  /// The default: true if a message is sent as well.
  public var speaks: Bool { !replacesMessageSent }
  /// The default: available to every user.
  public func isAvailable(in composerContext: ComposerContext) -> Bool { true }
  /// The default: no query.
  public func canHandleCommand(in text: TypedText, caretLocation: UTF16Offset) -> ComposerCommand? { nil }
  /// The default: no query.
  public func canContinueCommand(
    _ command: ComposerCommand, in text: TypedText, caretLocation: UTF16Offset, beside commands: CommandsHandler
  ) -> ComposerCommand? { nil }
  /// The default: itself, by its id.
  public func commandHandler(for id: ComposedCommand.ID) -> (any CommandHandler)? { id == self.id ? self : nil }
  /// The default: no suggestions.
  public func suggestions(
    for command: ComposerCommand, in context: SuggestionContext
  ) async throws -> SuggestionInfo { SuggestionInfo(.mentions, []) }
  /// The default: no change.
  public func handleCommand(
    _ command: ComposerCommand, picked answer: SuggestionValue, in content: inout CommandContent
  ) {}
  /// The default: true.
  public func canBeExecuted(_ command: ComposerCommand) -> Bool { true }
  /// The default: no effect.
  public func executeOnMessageSent(
    _ command: ComposerCommand, in context: ExecutionContext
  ) async throws -> CommandOutcome { CommandOutcome() }
}

/// A command being typed or to be executed.
public struct ComposerCommand: Hashable, Sendable {
  /// The id of the command.
  public let id: ComposedCommand.ID
  /// The query being typed for it, if any.
  public var typingSuggestion: TypingSuggestion?
  /// The target user.
  public var target: User.ID?
  /// The trimmed text after the command.
  public var arguments: UserText
  /// The mentions in the arguments.
  public var mentions: [Mention]

  /// Creates a command from its parts.
  public init(
    _ id: ComposedCommand.ID, typing: TypingSuggestion? = nil, target: User.ID? = nil, arguments: UserText = "",
    mentions: [Mention] = []
  ) {
    (self.id, typingSuggestion, self.target, self.arguments, self.mentions) = (id, typing, target, arguments, mentions)
  }
}

/// A word being typed, for which suggestions are made.
public struct TypingSuggestion: Hashable, Sendable {
  /// The typed text, without the symbol.
  public var text: UserText
  /// Its range including the symbol, which a pick replaces.
  public var range: UTF16Range

  /// Creates a suggestion query for a range.
  public init(_ text: UserText, at range: UTF16Range) { (self.text, self.range) = (text, range) }
}

/// The display info of a command.
public struct CommandDisplayInfo: Hashable, Sendable {
  /// The display name, or its key in the words of a renderer.
  public var displayName: UserText
  /// The name of the icon.
  public var icon: UserText
  /// The syntax; nil for the word that calls the command and its ``arguments``.
  public var format: UserText?
  /// The arguments after the word, in order.
  public var arguments: [CommandArgument]
  /// Whether a called command leaves the text and becomes the active command, shown beside it. Otherwise its word stays
  /// part of the text, and the command is executed when the text is sent.
  public var isInstant: Bool

  /// Creates display info from its parts.
  public init(
    displayName: UserText, icon: UserText, format: UserText? = nil, arguments: [CommandArgument] = [],
    isInstant: Bool = true
  ) {
    (self.displayName, self.icon, self.format) = (displayName, icon, format)
    (self.arguments, self.isInstant) = (arguments, isInstant)
  }
}

/// An argument in the syntax of a command.
public struct CommandArgument: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The name of the argument, or its key in the words of a renderer.
  public var name: UserText
  /// Whether the argument is a user, who is named after the symbol of mentions.
  public var isUser: Bool

  /// Creates an argument.
  public init(_ name: UserText, isUser: Bool = false) { (self.name, self.isUser) = (name, isUser) }

  /// Creates an argument that is not a user.
  public init(stringLiteral name: String) { self.init(UserText(name)) }

  /// The user whom a command is about.
  public static let username = CommandArgument("username", isUser: true)
}
