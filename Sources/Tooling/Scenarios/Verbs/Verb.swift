// The verbs: all that a line of a scenario can do, in one table.
internal import JSONLines

/// What a line does when it is played.
typealias ScenarioAction = @MainActor @Sendable (Player) async throws -> Void

/// Something that a line can do.
struct Verb: Sendable {
  /// The key that stands for it.
  let name: String
  /// What stands behind the key, for the help.
  let value: String
  /// What it does.
  let help: String
  /// The keys that may stand beside it.
  let arguments: [Argument]
  /// Reads the line, and answers what it does.
  let read: @Sendable (inout ObjectReader) throws(InputDefect) -> ScenarioAction

  /// A key that may stand beside a verb.
  struct Argument: Sendable {
    let name: String
    let help: String

    init(_ name: String, _ help: String) { (self.name, self.help) = (name, help) }
  }

  init(
    _ name: String, _ value: String, _ help: String, _ arguments: [Argument] = [],
    read: @escaping @Sendable (inout ObjectReader) throws(InputDefect) -> ScenarioAction
  ) {
    (self.name, self.value, self.help, self.arguments, self.read) = (name, value, help, arguments, read)
  }

  /// Verbs that belong together.
  struct Group: Sendable {
    let title: String
    let verbs: [Verb]
  }

  /// All verbs.
  static let groups = [
    Group(title: "Time and people", verbs: world),
    Group(title: "Channels", verbs: channels),
    Group(title: "Messages", verbs: messages),
    Group(title: "Writing", verbs: writing),
    Group(title: "Composers", verbs: composers),
    Group(title: "Attachments", verbs: attachments),
    Group(title: "Drafts", verbs: drafts),
    Group(title: "Lists", verbs: lists),
    Group(title: "Lists of an app's own messages", verbs: ownLists),
  ]

  static let all = groups.flatMap(\.verbs)

  // MARK: Short forms

  /// A verb that is `true`, and needs nothing else.
  static func plain(_ name: String, _ help: String, _ scenarioAction: @escaping ScenarioAction) -> Verb {
    Verb(name, "true", help) { reader throws(InputDefect) in
      try reader.truth(name)
      return scenarioAction
    }
  }
}

extension ObjectReader {
  /// Takes what must be `true`.
  mutating func truth(_ key: String) throws(InputDefect) {
    guard try required(key, try bool(key)) else { throw InputDefect("“\(key)” is false: leave the line out.") }
  }
}
