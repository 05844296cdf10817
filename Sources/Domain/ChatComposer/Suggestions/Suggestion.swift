// Suggestions during typing.
public import Chat

/// The suggestions for a query: a key that identifies their kind, and items.
public struct SuggestionInfo: Hashable, Sendable {
  /// The kind of the items.
  public var key: Key
  /// The items, best match first.
  public var items: [Suggestion]

  /// Creates suggestions of a kind.
  public init(_ key: Key, _ items: [Suggestion]) { (self.key, self.items) = (key, items) }

  /// The id of a kind of suggestions; an app adds its own.
  public typealias Key = ID<SuggestionInfo>
}

extension ID where Named == SuggestionInfo {
  /// The kind of users to mention.
  public static var mentions: SuggestionInfo.Key { "mentions" }
  /// The kind of commands.
  public static var instantCommands: SuggestionInfo.Key { "instantCommands" }
}

/// A suggested item.
public struct Suggestion: Hashable, Sendable, Identifiable {
  /// The id, unique in a list of suggestions.
  public let id: UserText
  /// The title.
  public var title: UserText
  /// The secondary text.
  public var detail: UserText?
  /// The name or location of the icon; nil for none.
  public var icon: UserText?
  /// The value returned by a pick; nil for an informational item that cannot be picked.
  public var answer: SuggestionValue?

  /// Creates a custom item.
  public init(
    _ id: UserText, title: UserText, detail: UserText? = nil, icon: UserText? = nil, answer: SuggestionValue?
  ) {
    (self.id, self.title, self.detail, self.icon, self.answer) = (id, title, detail, icon, answer)
  }

  /// Creates an item for a user.
  public init(_ user: User) {
    let name = user.profile.name
    self.init(
      UserText(user.id.text), title: name.isBlank ? UserText(user.id.text) : name, detail: UserText(user.id.text),
      icon: user.profile.image, answer: .chatUser(user.id, name: name.isBlank ? UserText(user.id.text) : name))
  }

  /// Creates an item for a command.
  public init(command id: ComposedCommand.ID, _ info: CommandDisplayInfo) {
    self.init(
      UserText(id.text), title: info.displayName, detail: info.format, icon: info.icon, answer: .instantCommand(id))
  }

  /// Creates an item that reports a failed request.
  public init(failure reason: UserText) { self.init("failure", title: reason, answer: nil) }
}

/// The value of a picked suggestion.
public enum SuggestionValue: Hashable, Sendable {
  /// A user, with the name inserted for them in the text.
  case chatUser(User.ID, name: UserText)
  /// A command.
  case instantCommand(ComposedCommand.ID)
  /// A custom value of the app.
  case custom(Extra)
}

/// A searchable directory of users, provided by the host.
public protocol UserDirectory: Sendable {
  /// Returns other members of a channel whose id or name starts with the typed text, best match first.
  func members(of channel: Channel.ID, matching typed: UserText, limit: Int) async throws -> [User]
  /// Returns other users, members or not, in the same way.
  func users(matching typed: UserText, in channel: Channel.ID, limit: Int) async throws -> [User]
}

/// The input of a suggestion request.
public struct SuggestionContext: Sendable {
  /// The key of the composer.
  public let composer: Composer.Key
  /// The context of the composer.
  public let composerContext: ComposerContext
  /// The handlers of the composer.
  public let commands: CommandsHandler
  /// The directory of users.
  public let people: any UserDirectory

  /// Creates the input from a reducer and a directory of users.
  public init(_ composing: ComposerReducer, people: any UserDirectory) {
    (composer, composerContext, commands) = (composing.composer.key, composing.composerContext, composing.commands)
    self.people = people
  }
}
