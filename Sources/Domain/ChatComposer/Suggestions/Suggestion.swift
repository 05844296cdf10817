// What is suggested while somebody types.
public import Chat

/// What is suggested for what is being typed: a key that says what it is, and items.
public struct SuggestionInfo: Hashable, Sendable {
  /// What the items are.
  public var key: Key
  /// The items, the best first.
  public var items: [Suggestion]

  /// Items of a kind.
  public init(_ key: Key, _ items: [Suggestion]) { (self.key, self.items) = (key, items) }

  /// What a kind of suggestions is called; an app adds its own.
  public typealias Key = ID<SuggestionInfo>
}

extension ID where Named == SuggestionInfo {
  /// Users to mention.
  public static var mentions: SuggestionInfo.Key { "mentions" }
  /// Commands.
  public static var instantCommands: SuggestionInfo.Key { "instantCommands" }
}

/// One thing that is suggested.
public struct Suggestion: Hashable, Sendable, Identifiable {
  /// What it is called, once among those that are suggested together.
  public let id: UserText
  /// What is shown of it.
  public var title: UserText
  /// What is shown besides.
  public var detail: UserText?
  /// The name of a picture for it, or where one is; nil for none.
  public var icon: UserText?
  /// What picking it answers; nil where it cannot be picked, for it only says something.
  public var answer: SuggestionAnswer?

  /// Something of an app's own.
  public init(
    _ id: UserText, title: UserText, detail: UserText? = nil, icon: UserText? = nil, answer: SuggestionAnswer?
  ) {
    (self.id, self.title, self.detail, self.icon, self.answer) = (id, title, detail, icon, answer)
  }

  /// A user.
  public init(_ user: User) {
    let name = user.profile.name
    self.init(
      UserText(user.id.text), title: name.isBlank ? UserText(user.id.text) : name, detail: UserText(user.id.text),
      icon: user.profile.image, answer: .chatUser(user.id, name: name.isBlank ? UserText(user.id.text) : name))
  }

  /// A command.
  public init(command id: ComposedCommand.ID, _ info: CommandDisplayInfo) {
    self.init(
      UserText(id.text), title: info.displayName, detail: info.format, icon: info.icon, answer: .instantCommand(id))
  }

  /// That nothing could be found out, and why.
  public init(failure reason: UserText) { self.init("failure", title: reason, answer: nil) }
}

/// What picking a suggestion answers.
public enum SuggestionAnswer: Hashable, Sendable {
  /// A user, with the name that stands for them in the text.
  case chatUser(User.ID, name: UserText)
  /// A command.
  case instantCommand(ComposedCommand.ID)
  /// An app's own.
  case custom(Extra)
}

/// Who knows people: whoever keeps the conversation.
public protocol UserDirectory: Sendable {
  /// Other members of a channel whose id or name begins with what was typed, the best first.
  func members(of channel: Channel.ID, matching typed: UserText, limit: Int) async throws -> [User]
  /// Other users, whoever they are, in the same way.
  func users(matching typed: UserText, in channel: Channel.ID, limit: Int) async throws -> [User]
}

/// What a handler may use to suggest something.
public struct SuggestionContext: Sendable {
  /// In whose composer, for where.
  public let composer: Composer.Key
  /// Where the composer stands.
  public let composerContext: ComposerContext
  /// Which handlers there are.
  public let commands: CommandsHandler
  /// Who knows people.
  public let people: any UserDirectory

  /// What a handler of a composer may use.
  public init(_ composing: ComposerReducer, people: any UserDirectory) {
    (composer, composerContext, commands) = (composing.composer.key, composing.composerContext, composing.commands)
    self.people = people
  }
}
