// Verbs that send, change and react to messages without a composer.
internal import Chat
internal import JSONLines
internal import ChatProjections
internal import Verbatim

extension Verb {
  static let messages: [Verb] = [
    Verb("say", "text", "Sends a message.", messageArguments) { reader throws(InputDefect) in
      let content = try MessageToSay(&reader, "say")
      return { player in try await content.send(by: player, as: player.client.actor) }
    },
    Verb("tell", "text", "Sends a system message of the app.", messageArguments) { reader throws(InputDefect) in
      var content = try MessageToSay(&reader, "tell")
      if content.content.kind == .regular { content.content.kind = .system }
      return { player in try await content.send(by: player, as: .system) }
    },
    Verb(
      "edit", "message", "Edits a message.",
      [Argument("text", "the new text"), Argument("extra", "the new custom data of the app")]
    ) { reader throws(InputDefect) in
      let name = try reader.required("edit", try reader.text("edit"))
      let edits = Message.Edits(text: try reader.userText("text"), extra: try reader.extra("extra"))
      return { player in _ = try await player.channel.edit(player.id(name), edits) }
    },
    Verb(
      "delete", "message", "Deletes a message.", [Argument("forGood", "true if it cannot be restored")]
    ) { reader throws(InputDefect) in
      let name = try reader.required("delete", try reader.text("delete"))
      let isForGood = try reader.bool("forGood") ?? false
      return { player in _ = try await player.channel.delete(player.id(name), forGood: isForGood) }
    },
    about("restore", "Restores a deleted message.") { _ = try await $0.channel.restore($1) },
    Verb("pin", "message", "Pins a message.", [term]) { reader throws(InputDefect) in
      let name = try reader.required("pin", try reader.text("pin"))
      let span = try reader.span("for")
      return { player in _ = try await player.channel.pin(player.id(name), for: player.expiry(span)) }
    },
    about("unpin", "Unpins a message.") { _ = try await $0.channel.unpin($1) },
    Verb("react", "kind", "Reacts to a message.", [to]) { reader throws(InputDefect) in
      let kind: Reaction.Kind = try reader.required("react", try reader.id("react"))
      let name = try reader.required("to", try reader.text("to"))
      return { player in _ = try await player.channel.react(to: player.id(name), kind) }
    },
    Verb("unreact", "kind", "Removes a reaction.", [to]) { reader throws(InputDefect) in
      let kind: Reaction.Kind = try reader.required("unreact", try reader.id("unreact"))
      let name = try reader.required("to", try reader.text("to"))
      return { player in _ = try await player.channel.unreact(to: player.id(name), kind) }
    },
    about("flag", "Flags a message for the moderators.") { _ = try await $0.channel.flag($1) },
    about("read", "Marks the channel read through a message.") { _ = try await $0.channel.markRead(through: $1) },
    about("unread", "Marks the channel unread from a message on.") { _ = try await $0.channel.markUnread(from: $1) },
    about("receive", "Marks messages received through a message.") {
      _ = try await $0.channel.markReceived(through: $1)
    },
    about("acknowledge", "Confirms the delivery of a pending message.") { player, id in
      try await player.submit(.message(Message.Key(player.target.channel, id), .acknowledge), by: .system)
    },
    Verb("fail", "message", "Reports the failed delivery of a pending message.", [Argument("reason", "why")]) {
      reader throws(InputDefect) in
      let name = try reader.required("fail", try reader.text("fail"))
      let reason = try reader.userText("reason") ?? "no answer"
      return { player in
        let key = Message.Key(player.target.channel, player.id(name))
        try await player.submit(.message(key, .fail(reason: reason)), by: .system)
      }
    },
    acting(
      "search", "words", "Searches messages of the channel by words.",
      scenarioAction: { player, words in
        player.found = []
        player.found = try await player.channel.messages(matching: words.string).messages.map(\.key.id)
      }),
    about("retry", "Retries a failed message.") { player, id in
      try await player.submit(.message(Message.Key(player.target.channel, id), .retry), by: player.client.actor)
    },
  ]

  private static let to = Argument("to", "the message")

  /// Returns a verb that names a message.
  static func about(
    _ name: String, _ help: String,
    _ scenarioAction: @escaping @MainActor @Sendable (Player, Message.ID) async throws -> Void
  ) -> Verb {
    Verb(name, "message", help) { reader throws(InputDefect) in
      let message = try reader.required(name, try reader.text(name))
      return { player in try await scenarioAction(player, player.id(message)) }
    }
  }

  private static let messageArguments = [
    Argument("id", "its name in the scenario"), Argument("quote", "the quoted message"),
    Argument("attachments", "its attachments: `[{\"id\":…,\"kind\":…}]`"),
    Argument("mentions", "its mentions: `[{\"user\":…,\"range\":[0,4]}]`"),
    Argument("showsInChannel", "whether a reply is also shown in the channel"),
    Argument("silent", "whether the message is silent"), Argument("extra", "the custom data of the app"),
    Argument("client", "its client id"), Argument("pending", "whether its delivery is pending"),
    Argument("kind", "`system`, or a custom kind"),
  ]
}

/// The message of a line.
private struct MessageToSay: Sendable {
  var content: Message.Content
  private let id: String?
  private let quoted: String?

  init(_ reader: inout ObjectReader, _ verb: String) throws(InputDefect) {
    content = Message.Content(try reader.required(verb, try reader.userText(verb)))
    (id, quoted) = (try reader.text("id"), try reader.text("quote"))
    if let id { _ = try Message.ID(valid: id) }
    content.attachments = try (try reader.objects("attachments") ?? []).map { value throws(InputDefect) in
      var value = value
      return try Attachment(&value, isSent: true)
    }
    content.mentions = try (try reader.objects("mentions") ?? []).map { value throws(InputDefect) in
      try Mention(value)
    }
    content.showsInChannel = try reader.bool("showsInChannel") ?? false
    content.isSilent = try reader.bool("silent") ?? false
    content.extra = try reader.extra("extra") ?? [:]
    content.client = try reader.id("client")
    content.isPending = try reader.bool("pending") ?? false
    guard let kind = try reader.text("kind") else { return }
    content.kind = kind == "system" ? .system : .custom(try ID(valid: kind))
  }

  @MainActor
  func send(by player: Player, as actor: Author) async throws {
    var content = content
    content.parent = player.thread
    content.quoted = quoted.map { player.id($0) }
    let id = id.map { player.id($0) } ?? player.workspace.newID()
    try await player.submit(.message(Message.Key(player.target.channel, id), .send(content)), by: actor)
  }
}

extension Mention {
  init(_ reader: ObjectReader) throws(InputDefect) {
    var reader = reader
    let user: User.ID = try reader.required("user", try reader.id("user"))
    self.init(user, at: try reader.required("range", try reader.range("range")))
    try reader.finish()
  }
}
