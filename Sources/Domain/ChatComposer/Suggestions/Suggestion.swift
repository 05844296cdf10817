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

  /// Creates suggestions from values, with a function that returns how a value is shown.
  ///
  /// A pick returns the value, unless the function provides another one.
  public init<Value>(_ key: SuggestionKey<Value>, _ values: [Value], _ shown: (Value) -> Suggestion) {
    self.init(
      key.id,
      values.map { value in
        var item = shown(value)
        item.value = AnySuggestionValue(value, for: key)
        item.answer = item.answer ?? .custom(value, for: key)
        return item
      })
  }

  /// The id of a kind of suggestions; an app adds its own.
  public typealias Key = ID<SuggestionInfo>
}

extension ID where Named == SuggestionInfo {
  /// The kind of users to mention.
  public static var mentions: SuggestionInfo.Key { "mentions" }
  /// The kind of commands.
  public static var instantCommands: SuggestionInfo.Key { "instantCommands" }
}

/// The id of a kind of suggestions with the type of its values.
public struct SuggestionKey<Value: Hashable & Sendable>: Hashable, Sendable {
  /// The id of the kind.
  public let id: SuggestionInfo.Key

  /// Creates the key of a kind.
  public init(_ id: SuggestionInfo.Key) { self.id = id }
}

extension SuggestionKey where Value == User {
  /// The users to mention.
  public static var mentions: Self { Self(.mentions) }
}

extension SuggestionKey where Value == ListedCommand {
  /// The commands.
  public static var instantCommands: Self { Self(.instantCommands) }
}

/// A suggested item.
public struct Suggestion: Hashable, Sendable, Identifiable {
  /// The id, unique in a list of suggestions.
  public let id: UserText
  /// The title, or its key in the words of a renderer.
  public var title: UserText
  /// The secondary text.
  public var detail: UserText?
  /// The name or location of the icon; nil for none.
  public var icon: UserText?
  /// The symbol after which the item is typed; nil for none.
  public var symbol: UserText?
  /// The value returned by a pick; nil for an informational item that cannot be picked.
  public var answer: SuggestionValue?
  /// The value that the item shows; nil for one that was created without.
  var value: AnySuggestionValue?

  /// Creates a custom item.
  public init(
    _ id: UserText, title: UserText, detail: UserText? = nil, icon: UserText? = nil, symbol: UserText? = nil,
    answer: SuggestionValue? = nil
  ) {
    (self.id, self.title, self.detail, self.icon, self.answer) = (id, title, detail, icon, answer)
    self.symbol = symbol
  }

  /// The value that the item shows; nil if it is of another kind.
  public func value<Value>(for key: SuggestionKey<Value>) -> Value? { value?[key] }

  /// Creates an item for a user.
  public init(_ user: User, symbol: String? = nil) {
    self.init(
      UserText(user.id.text), title: user.shownName, detail: UserText(user.id.text), icon: user.profile.image,
      symbol: symbol.map { UserText($0) }, answer: .chatUser(user))
  }

  /// Creates an item for a command.
  public init(_ command: ListedCommand) {
    let info = command.displayInfo
    self.init(
      UserText(command.id.text), title: info.displayName, detail: command.format, icon: info.icon,
      symbol: command.symbol, answer: .instantCommand(command.id))
  }

  /// Creates an item that reports a failed request; its title is a key in the words of a renderer.
  public init(failure reason: UserText) {
    self.init("failure", title: "The suggestions could not be loaded", detail: reason)
  }
}

/// The value of a picked suggestion.
public enum SuggestionValue: Hashable, Sendable {
  /// A user, with the name inserted for them in the text.
  case chatUser(User.ID, name: UserText)
  /// A command.
  case instantCommand(ComposedCommand.ID)
  /// A value of the app's own kind of suggestions.
  case custom(AnySuggestionValue)

  /// Returns a value of a kind of suggestions; it need not be one that was offered.
  public static func custom<Value>(_ value: Value, for key: SuggestionKey<Value>) -> Self {
    .custom(AnySuggestionValue(value, for: key))
  }

  /// Returns a user to mention or to target.
  public static func chatUser(_ user: User) -> Self { .chatUser(user.id, name: user.shownName) }

  /// The value of a custom kind; nil for a value of another kind.
  public subscript<Value>(_ key: SuggestionKey<Value>) -> Value? {
    if case .custom(let value) = self { value[key] } else { nil }
  }
}

/// A value of a kind of suggestions.
public struct AnySuggestionValue: Hashable, Sendable {
  private let key: SuggestionInfo.Key
  private let value: any Hashable & Sendable

  init<Value>(_ value: Value, for key: SuggestionKey<Value>) { (self.key, self.value) = (key.id, value) }

  subscript<Value>(_ key: SuggestionKey<Value>) -> Value? { self.key == key.id ? value as? Value : nil }

  /// Returns whether both have the same kind and equal values.
  public static func == (a: Self, b: Self) -> Bool { a.key == b.key && AnyHashable(a.value) == AnyHashable(b.value) }

  /// Hashes the kind and the value.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(key)
    value.hash(into: &hasher)
  }
}

/// A searchable directory of users, provided by the host.
public protocol UserDirectory: Sendable {
  /// Returns other members of a channel whose id or name starts with the typed text, best match first.
  func members(of channel: Channel.ID, matching typed: UserText, limit: Int) async throws -> [User]
  /// Returns other users, members or not, in the same way.
  func users(matching typed: UserText, in channel: Channel.ID, limit: Int) async throws -> [User]
}

/// A directory without users.
public struct NoUsers: UserDirectory {
  /// Creates the directory.
  public init() {}
  /// Returns no users.
  public func members(of channel: Channel.ID, matching typed: UserText, limit: Int) async throws -> [User] { [] }
  /// Returns no users.
  public func users(matching typed: UserText, in channel: Channel.ID, limit: Int) async throws -> [User] { [] }
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
