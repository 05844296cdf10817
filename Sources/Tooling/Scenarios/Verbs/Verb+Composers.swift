// Verbs of composers: opening, quoting and editing, sending and leaving.
internal import Chat
internal import ChatComposer
internal import JSONLines
internal import ChatProjections
internal import Verbatim
internal import VerbatimUI

extension Verb {
  static let composers: [Verb] = [
    plain("open", "Opens the composer; any other action on it opens it, too.") {
      _ = try await $0.composer()
    },
    plain("leave", "Leaves the composer.") { player in
      let composer = try await player.composer()
      try await composer.leave()
      player.composers[composer.key] = nil
    },
    acting(
      "quote", "message", "Quotes a message.",
      scenarioAction: { player, name in
        try await player.perform(.quote(player.id(name.string)))
      }),
    performing("stopQuoting", "Removes the quote.", .stopQuoting),
    acting(
      "beginEdit", "message", "Begins to edit a message.",
      scenarioAction: { player, name in
        let message = try await player.channel.message(player.id(name.string))
        try await player.perform(.beginEdit(message))
      }),
    performing("cancelEdit", "Cancels the edit.", .cancelEdit),
    Verb(
      "enter", "state", "Enters a state, for example a custom one.",
      [Argument("keeping", "the parts to keep: `text`, `attachments`, `command`, `extra`")]
    ) { reader throws(InputDefect) in
      let state: ComposerState = try reader.required("enter", try reader.id("enter"))
      let words = try reader.texts("keeping") ?? []
      let parts = try words.map { word throws(InputDefect) in
        guard let part = Composer.Part.allCases.first(where: { "\($0)" == word }) else {
          throw InputDefect("“\(word)” is not a part of the content: use text, attachments, command or extra.")
        }
        return part
      }
      return { player in try await player.perform(.enter(state, keeping: SmallSet(parts))) }
    },
    acting("picker", "what", "Opens a picker: `collapsed`, `expanded`, `media`, `giphy`, or a custom one.") {
      .showPicker(Composer.Picker($0.string))
    },
    switching("showInChannel", "Sets whether a reply is also shown in the channel.") { .setShowsInChannel($0) },
    switching("silent", "Sets whether the message is sent without notifications.") { .setSilent($0) },
    Verb("extra", "object", "Sets the custom data of the app.") { reader throws(InputDefect) in
      let extra = try reader.required("extra", try reader.extra("extra"))
      return { player in try await player.perform(.setExtra(extra)) }
    },
    acting(
      "tap", "item", "Taps an item of the composer.",
      scenarioAction: { player, id in
        let composer = try await player.composer()
        guard composer.presentation.items.contains(where: { $0.id == id && $0.isEnabled }) else {
          throw Refused("notThere", "“\(id)” cannot be tapped: use an item that is shown and enabled.")
        }
        try await composer.tap(id)
      }),
    Verb(
      "custom", "name", "Performs a custom action of the app.", [Argument("payload", "its payload")]
    ) { reader throws(InputDefect) in
      let name: Composer.ActionName = try reader.required("custom", try reader.id("custom"))
      let payload = Array((try reader.text("payload") ?? "").utf8)
      return { player in try await player.perform(.custom(name, payload: payload)) }
    },
    Verb(
      "send", "true", "Sends the content.",
      [
        Argument("id", "the id of the message; default a new one"),
        Argument("meanwhile", "true to continue while the executed command is held"),
      ]
    ) { reader throws(InputDefect) in
      try reader.truth("send")
      let (id, goesOn): (Message.ID?, Bool) = (try reader.id("id"), try reader.bool("meanwhile") ?? false)
      return { player in
        let composer = try await player.composer()
        if goesOn { return try await player.beginSend(from: composer, as: id) }
        try await player.send(from: composer, as: id)
      }
    },
    Verb("act", "what", "Sends, shuffles or cancels an ephemeral message.", [Argument("on", "the message")]) {
      reader throws(InputDefect) in
      let actions = EphemeralAction.allCases.map { ($0.rawValue, $0) }
      let action = try reader.required("act", try reader.choice("act", actions))
      let name = try reader.text("on")
      return { player in
        let message = try await player.ephemeral(name)
        try await player.composer().act(action, on: message)
      }
    },
    performing("clear", "Clears the content.", .clear),
  ]
}

extension Composer.Picker {
  fileprivate init(_ word: String) {
    self =
      switch word {
      case "collapsed": .collapsed
      case "expanded": .expanded(.none)
      case "media": .expanded(.media)
      case "giphy": .expanded(.giphy)
      default: .expanded(.custom(Composer.PickerName(rawValue: word) ?? "-"))
      }
  }
}

extension Player {
  /// Sends the message, and waits for the end of the send.
  func send(from composer: LiveComposer, as id: Message.ID?) async throws {
    outcome = nil
    switch try await composer.send(as: id) {
    case .message: outcome = "message"
    case .edit: outcome = "edit"
    case .command(let id): outcome = "command \(id)"
    }
  }

  /// Begins to send, and waits until the command is held.
  fileprivate func beginSend(from composer: LiveComposer, as id: Message.ID?) async throws {
    var isOver = false
    let task = Task {
      defer { isOver = true }
      try await send(from: composer, as: id)
    }
    sends.append(task)
    try await wait("the send was not held: hold its command first") {
      let id = composer.composer.execution?.command.id.text
      return isOver || id.map { self.stage.isAwaited($0) || self.stage.isAwaited("gifs") } ?? false
    }
    if isOver { try await finishSends() }
  }

  /// Returns the user's ephemeral message with this name, or the newest one.
  fileprivate func ephemeral(_ name: String?) async throws -> Message {
    if let name { return try await channel.message(id(name)) }
    let page = try await channel.messages(limit: 50)
    guard let message = page.messages.last(where: { $0.content.kind == .ephemeral }) else {
      throw Refused("notThere", "There is no ephemeral message: create one first.")
    }
    return message
  }
}
