// The table of verbs: the actions of scenario lines.
internal import JSONLines

/// The action of a line.
typealias ScenarioAction = @MainActor @Sendable (Player) async throws -> Void

/// An action that a line can perform.
struct Verb: Sendable {
  /// The key of the verb.
  let name: String
  /// The kind of value after the key, for the help.
  let value: String
  /// A description for the help.
  let help: String
  /// The additional keys that the verb accepts.
  let arguments: [Argument]
  /// Reads the line and returns its action.
  let read: @Sendable (inout ObjectReader) throws(InputDefect) -> ScenarioAction
  /// Reads the line and returns its intents; nil for a verb that does more than submit them.
  var intents: (@Sendable (inout ObjectReader) throws(InputDefect) -> VerbIntents)?
  /// The form of the value as a word.
  var word = WordForm.text

  /// An additional key of a verb.
  struct Argument: Sendable {
    let name: String
    let help: String
    /// The form of the value as a word.
    let word: WordForm

    init(_ name: String, _ help: String, _ word: WordForm = .text) {
      (self.name, self.help, self.word) = (name, help, word)
    }
  }

  init(
    _ name: String, _ value: String, _ help: String, _ arguments: [Argument] = [],
    read: @escaping @Sendable (inout ObjectReader) throws(InputDefect) -> ScenarioAction
  ) {
    (self.name, self.value, self.help, self.arguments, self.read) = (name, value, help, arguments, read)
  }

  /// A group of related verbs.
  struct Group: Sendable {
    let title: String
    let verbs: [Verb]
  }

  /// All verbs.
  static let groups = [
    Group(title: "Clock and users", verbs: world),
    Group(title: "Channels", verbs: channels),
    Group(title: "Messages", verbs: messages),
    Group(title: "People", verbs: people),
    Group(title: "Writing", verbs: writing),
    Group(title: "Composers", verbs: composers),
    Group(title: "Attachments", verbs: attachments),
    Group(title: "Drafts", verbs: drafts),
    Group(title: "Lists", verbs: lists),
    Group(title: "Lists of the app's messages", verbs: ownLists),
  ]

  static let all = groups.flatMap(\.verbs)

  // MARK: Short forms

  /// Returns a verb with the value `true` and no additional keys.
  static func plain(_ name: String, _ help: String, _ scenarioAction: @escaping ScenarioAction) -> Verb {
    Verb(name, "true", help) { reader throws(InputDefect) in
      try reader.truth(name)
      return scenarioAction
    }
  }
}

extension ObjectReader {
  /// Takes a value that must be `true`.
  mutating func truth(_ key: String) throws(InputDefect) {
    guard try required(key, try bool(key)) else {
      throw InputDefect("“\(key)” is false and has no effect: leave the line out.")
    }
  }
}
