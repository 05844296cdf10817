// Verbs that send, change and react to messages without a composer.
internal import Chat
internal import JSONLines
internal import ChatProjections
internal import Verbatim

extension Verb {
  static let messages: [Verb] = [
    submitting("say", "text", "Sends a message.", messageArguments) { reader throws(InputDefect) in
      let content = try MessageToSay(&reader, "say")
      return { place throws(InputDefect) in [try content.intent(at: place)] }
    },
    submitting("tell", "text", "Sends a system message of the app.", messageArguments, bySystem: true) {
      reader throws(InputDefect) in
      var message = try MessageToSay(&reader, "tell")
      if message.content.kind == .regular { message.content.kind = .system }
      let content = message
      return { place throws(InputDefect) in [try content.intent(at: place)] }
    },
    submitting(
      "edit", "message", "Edits a message.",
      [Argument("text", "the new text"), Argument("extra", "the new custom data of the app", .json)]
    ) { reader throws(InputDefect) in
      let name = try reader.required("edit", try reader.text("edit"))
      let edits = Message.Edits(text: try reader.userText("text"), extra: try reader.extra("extra"))
      return { place throws(InputDefect) in [.message(try place.key(name), .edit(edits))] }
    },
    submitting(
      "delete", "message", "Deletes a message.", [Argument("forGood", "true if it cannot be restored", .truth)]
    ) { reader throws(InputDefect) in
      let name = try reader.required("delete", try reader.text("delete"))
      let isForGood = try reader.bool("forGood") ?? false
      return { place throws(InputDefect) in [.message(try place.key(name), .delete(forGood: isForGood))] }
    },
    submitting(about: "restore", "Restores a deleted message.") { place, name throws(InputDefect) in
      .message(try place.key(name), .restore)
    },
    submitting("pin", "message", "Pins a message.", [term]) { reader throws(InputDefect) in
      let name = try reader.required("pin", try reader.text("pin"))
      let span = try reader.span("for")
      return { place throws(InputDefect) in [.message(try place.key(name), .pin(try place.expiry(span)))] }
    },
    submitting(about: "unpin", "Unpins a message.") { place, name throws(InputDefect) in
      .message(try place.key(name), .unpin)
    },
    reacting("react", "Reacts to a message.") { .add($0, score: 1) },
    reacting("unreact", "Removes a reaction.") { .remove($0) },
    submitting("flag", "message", "Flags a message for the moderators.", [Argument("reason", "why")]) {
      reader throws(InputDefect) in
      let name = try reader.required("flag", try reader.text("flag"))
      let reason = try reader.userText("reason")
      return { place throws(InputDefect) in
        let target = Flag.Target.message(try place.key(name))
        return [.flag(Flag.Key(by: try place.actingUser(), on: target), .raise(reason: reason))]
      }
    },
    submitting(about: "read", "Marks the channel read through a message.") { place, name throws(InputDefect) in
      .member(try place.membership(), .read(through: try place.message(name)))
    },
    submitting(about: "unread", "Marks the channel unread from a message on.") { place, name throws(InputDefect) in
      .member(try place.membership(), .markUnread(from: try place.message(name)))
    },
    submitting(about: "receive", "Marks messages received through a message.") { place, name throws(InputDefect) in
      .member(try place.membership(), .receive(through: try place.message(name)))
    },
    submitting(about: "acknowledge", "Confirms the delivery of a pending message.", bySystem: true) {
      place, name throws(InputDefect) in
      .message(try place.key(name), .acknowledge)
    },
    submitting(
      "fail", "message", "Reports the failed delivery of a pending message.", [Argument("reason", "why")],
      bySystem: true
    ) { reader throws(InputDefect) in
      let name = try reader.required("fail", try reader.text("fail"))
      let reason = try reader.userText("reason") ?? "no answer"
      return { place throws(InputDefect) in [.message(try place.key(name), .fail(reason: reason))] }
    },
    acting(
      "search", "words", "Searches messages of the channel by words.",
      scenarioAction: { player, words in
        player.found = []
        player.found = try await player.channel.messages(matching: words.string).messages.map(\.key.id)
      }),
    submitting(about: "retry", "Retries a failed message.") { place, name throws(InputDefect) in
      .message(try place.key(name), .retry)
    },
  ]

  /// Returns a verb that changes the user's reaction to a message.
  private static func reacting(
    _ name: String, _ help: String, _ intent: @escaping @Sendable (Reaction.Kind) -> Reaction.Intent
  ) -> Verb {
    submitting(name, "kind", help, [Argument("to", "the message")]) { reader throws(InputDefect) in
      let kind: Reaction.Kind = try reader.required(name, try reader.id(name))
      let message = try reader.required("to", try reader.text("to"))
      return { place throws(InputDefect) in
        [.reaction(Reaction.Key(to: try place.key(message), by: try place.actingUser()), intent(kind))]
      }
    }
  }

  private static let messageArguments = [
    Argument("id", "its id; default a new one"), Argument("quote", "the quoted message"),
    Argument("attachments", "its attachments: `[{\"id\":…,\"kind\":…}]`", .json),
    Argument("mentions", "its mentions: `[{\"user\":…,\"range\":[0,4]}]`", .json),
    Argument("showsInChannel", "whether a reply is also shown in the channel", .truth),
    Argument("silent", "whether the message is silent", .truth),
    Argument("extra", "the custom data of the app", .json),
    Argument("client", "its client id"), Argument("pending", "whether its delivery is pending", .truth),
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

  func intent(at place: IntentPlace) throws(InputDefect) -> ChatIntent {
    var content = content
    content.parent = try place.threadParent()
    if let quoted { content.quoted = try place.message(quoted) }
    let channel = try place.targetChannel()
    let id = if let id { try place.message(id) } else { place.newMessage() }
    return .message(Message.Key(channel, id), .send(content))
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
