// Verbs of composers: opening, quoting and editing, sending and leaving.
internal import Chat
internal import ChatComposer
internal import JSONLines
internal import ChatProjections
internal import Verbatim
internal import VerbatimUI

extension Verb {
  static let composers: [Verb] = [
    plain("open", "Opens the composer of the place; whatever else is done in it does so, too.") {
      _ = try await $0.composer()
    },
    plain("leave", "Leaves the composer.") { player in
      let composer = try await player.composer()
      try await composer.leave()
      player.composers[composer.key] = nil
    },
    doing(
      "quote", "message", "Quotes a message.",
      scenarioAction: { player, name in
        try await player.perform(.quote(player.id(name.string)))
      }),
    performing("stopQuoting", "Quotes none.", .stopQuoting),
    doing(
      "beginEdit", "message", "Begins to edit a message.",
      scenarioAction: { player, name in
        let message = try await player.channel.message(player.id(name.string))
        try await player.perform(.beginEdit(message))
      }),
    performing("cancelEdit", "Leaves the edited message as it was.", .cancelEdit),
    Verb(
      "enter", "state", "Goes into a state, of an app's own for instance.",
      [Argument("keeping", "which parts come along: `text`, `attachments`, `command`, `extra`")]
    ) { reader throws(InputDefect) in
      let state: ComposerState = try reader.required("enter", try reader.id("enter"))
      let words = try reader.texts("keeping") ?? []
      let parts = try words.map { word throws(InputDefect) in
        guard let part = Composer.Part.allCases.first(where: { "\($0)" == word }) else {
          throw InputDefect("“\(word)” is no part of what is written: take text, attachments, command or extra.")
        }
        return part
      }
      return { player in try await player.perform(.enter(state, keeping: SmallSet(parts))) }
    },
    doing("picker", "what", "Opens a picker: `collapsed`, `expanded`, `media`, `giphy`, or one of the app's own.") {
      .showPicker(Composer.Picker($0.string))
    },
    switching("showInChannel", "Shows a reply in the channel, too, or not.") { .setShowsInChannel($0) },
    switching("silent", "Notifies nobody, or does.") { .setSilent($0) },
    Verb("extra", "object", "Adds something of the app's own.") { reader throws(InputDefect) in
      let extra = try reader.required("extra", try reader.extra("extra"))
      return { player in try await player.perform(.setExtra(extra)) }
    },
    doing(
      "tap", "item", "Taps something that the composer shows.",
      scenarioAction: { player, id in
        let composer = try await player.composer()
        guard composer.presentation.items.contains(where: { $0.id == id && $0.isEnabled }) else {
          throw Refused("notThere", "“\(id)” cannot be tapped: take an item that is shown and enabled.")
        }
        try await composer.tap(id)
      }),
    Verb(
      "custom", "name", "Does what a button of the app's own does.", [Argument("payload", "what it is given")]
    ) { reader throws(InputDefect) in
      let name: Composer.ActionName = try reader.required("custom", try reader.id("custom"))
      let payload = Array((try reader.text("payload") ?? "").utf8)
      return { player in try await player.perform(.custom(name, payload: payload)) }
    },
    Verb(
      "send", "true", "Sends what is written.",
      [
        Argument("id", "what the message is called"),
        Argument("meanwhile", "true to go on while the command is held that it executes"),
      ]
    ) { reader throws(InputDefect) in
      try reader.truth("send")
      let (name, goesOn) = (try reader.text("id"), try reader.bool("meanwhile") ?? false)
      return { player in
        let composer = try await player.composer()
        if goesOn { return try await player.beginSend(from: composer, calling: name) }
        try await player.send(from: composer, calling: name)
      }
    },
    Verb("act", "what", "Has an ephemeral message sent, shuffled or cancelled.", [Argument("on", "which message")]) {
      reader throws(InputDefect) in
      let actions = EphemeralAction.allCases.map { ($0.rawValue, $0) }
      let action = try reader.required("act", try reader.choice("act", actions))
      let name = try reader.text("on")
      return { player in
        let message = try await player.ephemeral(name)
        try await player.composer().act(action, on: message)
      }
    },
    performing("clear", "Throws away what is written.", .clear),
  ]
}

extension Composer.Picker {
  fileprivate init(_ word: String) {
    self =
      switch word {
      case "collapsed": .collapsed
      case "expanded": .expanded
      case "media": .media
      case "giphy": .giphy
      default: .custom(Composer.PickerName(rawValue: word) ?? "-")
      }
  }
}

extension Player {
  /// Sends the message, and waits for the end of the send.
  func send(from composer: LiveComposer, calling name: String?) async throws {
    outcome = nil
    switch try await composer.send() {
    case .message(let id):
      if let name { call(id, name) }
      outcome = "message"
    case .edit: outcome = "edit"
    case .command(let id): outcome = "command \(id)"
    }
  }

  /// Begins to send, and waits until the command is held.
  fileprivate func beginSend(from composer: LiveComposer, calling name: String?) async throws {
    var isOver = false
    let task = Task {
      defer { isOver = true }
      try await send(from: composer, calling: name)
    }
    sends.append(task)
    try await wait("the send was not held: say first what is to be held") {
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
      throw Refused("notThere", "There is no ephemeral message: have one made first.")
    }
    return message
  }
}
