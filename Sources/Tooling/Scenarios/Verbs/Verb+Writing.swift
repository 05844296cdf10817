// Verbs of writing: typing, selecting, picking.
internal import Chat
internal import ChatComposer
internal import JSONLines
internal import Verbatim

extension Verb {
  static let writing: [Verb] = [
    acting("type", "text", "Types text in place of the selection.") { .type($0.string) },
    Verb("replace", "range", "Replaces a range by text.", [Argument("with", "the new text")]) {
      reader throws(InputDefect) in
      let range = try reader.required("replace", try reader.range("replace"))
      let text = try reader.required("with", try reader.userText("with"))
      return { player in try await player.perform(.replace(range.units, with: text.string)) }
    },
    acting("setText", "text", "Sets the whole text, as the binding of a text view does.") {
      .setText($0.string)
    },
    Verb("typeUnits", "numbers", "Types UTF-16 units, unpaired surrogates included.") { reader throws(InputDefect) in
      guard let values = try reader.array("typeUnits") else { throw InputDefect("“typeUnits” must be an array.") }
      let units = try values.map { value throws(InputDefect) in
        guard case .number(let text) = value, let unit = UInt16(text) else {
          throw InputDefect("“typeUnits” must hold numbers from 0 to 65535.")
        }
        return unit
      }
      return { player in try await player.perform(.type(String(decoding: units, as: UTF16.self))) }
    },
    Verb("backspace", "count", "Deletes the character before the caret, this number of times.") {
      reader throws(InputDefect) in
      let count = try reader.required("backspace", try reader.count("backspace"))
      return { player in for _ in 0..<count { try await player.perform(.backspace) } }
    },
    Verb("caret", "place", "Moves the caret to an offset, or selects between two.") { reader throws(InputDefect) in
      let range = try reader.required("caret", try reader.range("caret"))
      return { player in try await player.perform(.moveSelection(range.units)) }
    },
    acting("paste", "text", "Pastes text in place of the selection.") { .paste($0.string) },
    performing("undo", "Undoes the last text change.", .undo),
    performing("redo", "Redoes the last undone text change.", .redo),
    switching("showCommands", "Shows or hides the list of all commands.") { .showCommands($0) },
    acting(
      "pick", "id", "Picks a suggestion by its id.",
      scenarioAction: { player, id in
        let composer = try await player.composer()
        guard composer.suggestions?.items.contains(where: { $0.id == id }) == true else {
          throw Refused("notSuggested", "“\(id)” is not suggested: pick one of the suggestions.")
        }
        try await player.keeping { try $0.pick(id) }
      }),
    naming("activate", "command", "Activates a command.") { (id: ComposedCommand.ID) in .activate(id) },
    Verb("target", "user", "Sets the target of the active command; null removes it.") { reader throws(InputDefect) in
      let user: User.ID?
      if reader.isNull("target") { (user, _) = (nil, reader.value("target")) } else { user = try reader.id("target") }
      return { player in try await player.perform(.target(user)) }
    },
    performing("clearCommand", "Clears the active command without restoring its word.", .clearCommand),
  ]

  // MARK: Short forms

  /// Returns a verb that performs an action in the composer.
  static func performing(_ name: String, _ help: String, _ action: Composer.Action) -> Verb {
    plain(name, help) { player in try await player.perform(action) }
  }

  /// Returns a verb with a text.
  static func acting(
    _ name: String, _ value: String, _ help: String, _ action: @escaping @Sendable (UserText) -> Composer.Action
  ) -> Verb {
    acting(name, value, help, scenarioAction: { player, text in try await player.perform(action(text)) })
  }

  static func acting(
    _ name: String, _ value: String, _ help: String,
    scenarioAction: @escaping @MainActor @Sendable (Player, UserText) async throws -> Void
  ) -> Verb {
    Verb(name, value, help) { reader throws(InputDefect) in
      let text = try reader.required(name, try reader.userText(name))
      return { player in try await scenarioAction(player, text) }
    }
  }

  /// Returns a verb with a truth value.
  static func switching(
    _ name: String, _ help: String, _ action: @escaping @Sendable (Bool) -> Composer.Action
  ) -> Verb {
    Verb(name, "true or false", help) { reader throws(InputDefect) in
      let isOn = try reader.required(name, try reader.bool(name))
      return { player in try await player.perform(action(isOn)) }
    }
  }

  /// Returns a verb with an id.
  static func naming<Named: Sendable>(
    _ name: String, _ value: String, _ help: String, _ action: @escaping @Sendable (ID<Named>) -> Composer.Action
  ) -> Verb {
    Verb(name, value, help) { reader throws(InputDefect) in
      let id: ID<Named> = try reader.required(name, try reader.id(name))
      return { player in try await player.perform(action(id)) }
    }
  }
}

extension ObjectReader {
  /// Whether a member is null; the member is not taken.
  func isNull(_ key: String) -> Bool {
    var copy = self
    return copy.value(key) == .null
  }
}
