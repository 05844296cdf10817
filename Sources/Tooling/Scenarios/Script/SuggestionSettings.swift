// The suggested mentions and commands in the first line of a scenario.
internal import Chat
internal import ChatComposer
internal import JSONLines

/// The suggestions in the composers of a scenario.
struct SuggestionSettings: Sendable {
  var mentionsSymbol: String? = "@"
  var commandsSymbol: String? = "/"
  var commands: [Listed]?
  var suggestsAllUsers = false
  /// The users returned for a query in place of members; nil to suggest members.
  var people: [(typed: String, users: [User.ID])]?

  /// A command in a scenario's list.
  enum Listed: Sendable {
    /// A built-in command.
    case readyMade(ComposedCommand.ID)
    /// A custom command of the scenario.
    case own(OwnCommand)
  }

  init() {}

  /// Reads the keys of the first line that configure suggestions.
  init(_ reader: inout ObjectReader) throws(InputDefect) {
    mentionsSymbol = try reader.symbol("mentionsSymbol", mentionsSymbol)
    commandsSymbol = try reader.symbol("commandsSymbol", commandsSymbol)
    suggestsAllUsers = try reader.bool("suggestsAllUsers") ?? false
    commands = try reader.array("commands")?.map { value throws(InputDefect) in
      if case .string(let text) = value { return .readyMade(try Self.readyMade(text)) }
      var reader = try ObjectReader(value, what: "a command")
      return .own(try OwnCommand(&reader))
    }
    guard let value = reader.value("people") else { return }
    guard case .object(let members) = value else { throw reader.defect("people", "an object of arrays", value) }
    people = try members.map { member throws(InputDefect) in
      var reader = try ObjectReader(.object([member]), what: "“people”")
      return (member.key, try reader.ids(member.key) ?? [])
    }
  }

  private static func readyMade(_ text: String) throws(InputDefect) -> ComposedCommand.ID {
    let known = DefaultCommandsConfig.readyMade.map(\.id.text)
    guard known.contains(text) else {
      let advice = nearest(to: text, among: known).map { "did you mean “\($0)”?" } ?? "use one of \(known)."
      throw InputDefect("There is no built-in command “\(text)”: \(advice)")
    }
    return try ID(valid: text)
  }
}

extension ObjectReader {
  /// Takes a text that may be null.
  fileprivate mutating func symbol(_ key: String, _ unlessTold: String?) throws(InputDefect) -> String? {
    switch value(key) {
    case nil: unlessTold
    case .null: nil
    case .string(let text): text
    case let value?: throw defect(key, "a text or null", value)
    }
  }

  /// Whether there is a member with a key; the member is not taken.
  func has(_ key: String) -> Bool {
    var copy = self
    return copy.value(key) != nil
  }
}

// MARK: Workspace options

/// The scenario's suggestions as the configuration of a workspace.
struct ScenarioCommands: CommandsConfig {
  let suggesting: SuggestionSettings
  let stage: Stage
  let names: [User.ID: UserText]

  var mentionsSymbol: String? { suggesting.mentionsSymbol }
  var instantCommandsSymbol: String? { suggesting.commandsSymbol }

  func makeCommandsHandler(for context: CommandsContext) -> CommandsHandler {
    let readyMade = DefaultCommandsConfig.readyMade
    let commands = suggesting.commands?.compactMap { listed -> (any CommandHandler)? in
      switch listed {
      case .readyMade(let id): readyMade.first { $0.id == id }
      case .own(let command): command.handler(on: stage)
      }
    }
    return CommandsHandler(commands: [
      MentionsCommandHandler(mentionAllAppUsers: suggesting.suggestsAllUsers, provider: provider),
      InstantCommandsHandler(commands: commands ?? readyMade),
    ])
  }

  /// The lookup of users by query; it throws for a query without an entry.
  private var provider: (@Sendable (UserText) async throws -> [User])? {
    guard let people = suggesting.people else { return nil }
    let (stage, names) = (stage, names)
    return { typed in
      try await stage.pass("people", for: typed.string)
      guard let answer = people.first(where: { $0.typed == typed.string }) else {
        throw Failing("there are no users for “\(typed)”")
      }
      return answer.users.map { User(id: $0, name: names[$0] ?? UserText($0.text)) }
    }
  }
}

extension User {
  fileprivate init(id: User.ID, name: UserText) {
    let instant = Timestamp(rawValue: 0)
    self.init(
      id: id, profile: Profile(name: name), role: .user, isDeactivated: false, created: instant, changed: instant)
  }
}
