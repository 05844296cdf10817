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
    creatingUser,
    submitting(
      "rename", "name", "Changes the name of the user.",
      [Argument("image", "the URL of their picture; default the present one")]
    ) { reader throws(InputDefect) in
      let name = try reader.required("rename", try reader.userText("rename"))
      let image = try reader.userText("image")
      return { place in
        var profile = try await place.currentProfile() ?? User.Profile(name: name)
        profile.name = name
        if let image { profile.image = image }
        return [.user(try place.actingUser(), .change(profile))]
      }
    },
    submitting("mute", "user", "Mutes a user.", [term]) { reader throws(InputDefect) in
      let user: User.ID = try reader.required("mute", try reader.id("mute"))
      let span = try reader.span("for")
      return { place throws(InputDefect) in
        [.mute(Mute.Key(by: try place.actingUser(), of: .user(user)), .begin(try place.expiry(span)))]
      }
    },
    submitting("unmute", "user", "Unmutes a user.") { reader throws(InputDefect) in
      let user: User.ID = try reader.required("unmute", try reader.id("unmute"))
      return { place throws(InputDefect) in [.mute(Mute.Key(by: try place.actingUser(), of: .user(user)), .end)] }
    },
    submitting(
      "ban", "user", "Bans a user in the channel or everywhere.",
      [term, Argument("reason", "why"), Argument("everywhere", "true for all channels", .truth)]
    ) { reader throws(InputDefect) in
      let user: User.ID = try reader.required("ban", try reader.id("ban"))
      let (span, reason) = (try reader.span("for"), try reader.userText("reason"))
      let isEverywhere = try reader.bool("everywhere") ?? false
      return { place throws(InputDefect) in
        let scope = isEverywhere ? Ban.Scope.everywhere : .channel(try place.targetChannel())
        return [.ban(Ban.Key(of: user, from: scope), .impose(try place.expiry(span), reason: reason))]
      }
    },
    submitting(
      "unban", "user", "Lifts the ban of a user in the channel or everywhere.",
      [Argument("everywhere", "true for the ban from all channels", .truth)]
    ) { reader throws(InputDefect) in
      let user: User.ID = try reader.required("unban", try reader.id("unban"))
      let isEverywhere = try reader.bool("everywhere") ?? false
      return { place throws(InputDefect) in
        let scope = isEverywhere ? Ban.Scope.everywhere : .channel(try place.targetChannel())
        return [.ban(Ban.Key(of: user, from: scope), .lift)]
      }
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

  /// Creates a user as that user, and gives the role as the app; as words, the author does both.
  private static var creatingUser: Verb {
    let intents = { @Sendable (reader: inout ObjectReader) throws(InputDefect) -> (User.ID, [User.Intent]) in
      let id: User.ID = try reader.required("user", try reader.id("user"))
      let profile = User.Profile(name: try reader.userText("name") ?? UserText(id.text))
      let role: Role? = try reader.id("role")
      return (id, [.create(profile)] + [role.map { .changeRole($0) }].compactMap(\.self))
    }
    var verb = Verb(
      "user", "id", "Creates a user, as that user.",
      [Argument("name", "their name; default their id"), Argument("role", "`admin`, or another role")]
    ) { reader throws(InputDefect) in
      let (id, changes) = try intents(&reader)
      return { player in
        for (index, change) in changes.enumerated() {
          try await player.submit([.user(id, change)], by: index == 0 ? .user(id) : .system)
        }
      }
    }
    verb.intents = { reader throws(InputDefect) in
      let (id, changes) = try intents(&reader)
      return { _ in changes.map { .user(id, $0) } }
    }
    return verb
  }

  static let term = Argument("for", "the duration; default permanent")

  private static let holdHelp =
    "Holds requests of a kind: `people`, `previews`, `gifs`, or a custom command by its id."
}
