// Verbs of time and people.
internal import Chat
internal import JSONLines
internal import Verbatim

extension Verb {
  static let world: [Verb] = [
    Verb("note", "words", "Adds a comment for the reader of the scenario.") { reader throws(InputDefect) in
      _ = try reader.required("note", try reader.text("note"))
      return { _ in }
    },
    Verb("clock", "instant", "Sets the clock, which otherwise stops and never goes back.") {
      reader throws(InputDefect) in
      let instant = try reader.required("clock", try reader.instant("clock"))
      return { player in
        guard instant >= player.stage.now else {
          throw Refused("earlier", "The clock is at \(player.stage.now) and cannot be set back: give a later time.")
        }
        player.stage.now = instant
      }
    },
    Verb("pass", "span", "Advances the clock.") { reader throws(InputDefect) in
      let span = try reader.required("pass", try reader.span("pass"))
      return { player in player.stage.now = player.stage.now + span }
    },
    Verb(
      "user", "id", "Creates a user, as that user.",
      [Argument("name", "their name; default their id"), Argument("role", "`admin`, or another role")]
    ) { reader throws(InputDefect) in
      let id: User.ID = try reader.required("user", try reader.id("user"))
      let name = try reader.userText("name") ?? UserText(id.text)
      let role: Role? = try reader.id("role")
      return { player in
        try await player.submit(.user(id, .create(User.Profile(name: name))), by: .user(id))
        if let role { try await player.submit(.user(id, .changeRole(role)), by: .system) }
      }
    },
    Verb(
      "rename", "name", "Changes the name of the user.",
      [Argument("image", "the URL of their picture")]
    ) { reader throws(InputDefect) in
      let name = try reader.required("rename", try reader.userText("rename"))
      let image = try reader.userText("image")
      return { player in _ = try await player.client.me.change(User.Profile(name: name, image: image)) }
    },
    Verb("mute", "user", "Mutes a user.", [term]) { reader throws(InputDefect) in
      let user: User.ID = try reader.required("mute", try reader.id("mute"))
      let span = try reader.span("for")
      return { player in _ = try await player.client.user(user).mute(for: player.expiry(span)) }
    },
    Verb("unmute", "user", "Unmutes a user.") { reader throws(InputDefect) in
      let user: User.ID = try reader.required("unmute", try reader.id("unmute"))
      return { player in _ = try await player.client.user(user).unmute() }
    },
    Verb(
      "ban", "user", "Bans a user in the channel or everywhere.",
      [term, Argument("reason", "why"), Argument("everywhere", "true for all channels")]
    ) { reader throws(InputDefect) in
      let user: User.ID = try reader.required("ban", try reader.id("ban"))
      let (span, reason) = (try reader.span("for"), try reader.userText("reason"))
      let isEverywhere = try reader.bool("everywhere") ?? false
      return { player in
        let expiry = player.expiry(span)
        if isEverywhere {
          try await player.client.user(user).ban(for: expiry, reason: reason)
        } else {
          try await player.channel.ban(user, for: expiry, reason: reason)
        }
      }
    },
    Verb("unban", "user", "Lifts the ban of a user in the channel.") { reader throws(InputDefect) in
      let user: User.ID = try reader.required("unban", try reader.id("unban"))
      return { player in _ = try await player.channel.liftBan(of: user) }
    },
    Verb("hold", "what", holdHelp) { reader throws(InputDefect) in
      let gate = try reader.required("hold", try reader.text("hold"))
      return { player in player.stage.hold(gate) }
    },
    Verb(
      "release", "what", "Releases held requests.",
      [
        Argument("for", "the query or command to release; default all"),
        Argument("fails", "the reason with which it fails"),
      ]
    ) { reader throws(InputDefect) in
      let gate = try reader.required("release", try reader.text("release"))
      let (label, reason) = (try reader.text("for"), try reader.text("fails"))
      return { player in
        player.stage.release(gate, for: label, failing: reason)
        try await player.finishSends()
      }
    },
    plain("reopen", "Closes the workspace and opens it again, as a new process would.") { player in
      try await player.reopen()
    },
  ]

  static let term = Argument("for", "the duration; default permanent")

  private static let holdHelp =
    "Holds requests of a kind: `people`, `previews`, `gifs`, or a custom command by its id."
}
