// Verbs of joining, blocking, reviewing, voting, saving and scheduling.
internal import Chat
internal import JSONLines
internal import Verbatim

extension Verb {
  static let people: [Verb] = [
    submitting("publish", "true or false", "Makes the channel public, or not any more.", word: .truth, bySystem: true) {
      reader throws(InputDefect) in
      let isPublic = try reader.required("publish", try reader.bool("publish"))
      return { place in
        var config = try await place.currentConfig()
        config.isPublic = isPublic
        return [.channel(try place.targetChannel(), .configure(config))]
      }
    },
    submitting("join", "Joins a public channel, or accepts an invitation.") { place throws(InputDefect) in
      .member(try place.membership(), .join)
    },
    submitting("decline", "Declines an invitation.") { place throws(InputDefect) in
      .member(try place.membership(), .decline)
    },
    submitting(
      "invite", "users", "Invites users to the channel.", [Argument("role", "their role; default `member`")],
      word: .list
    ) { reader throws(InputDefect) in
      let users: [User.ID] = try reader.required("invite", try reader.ids("invite"))
      let role: Role = try reader.id("role") ?? .member
      return { place throws(InputDefect) in
        let channel = try place.targetChannel()
        return users.map { .member(Member.Key(channel, $0), .invite(role)) }
      }
    },
    submitting("pinChannel", "true or false", "Pins or unpins the channel in the user's list.", word: .truth) {
      reader throws(InputDefect) in
      let isOn = try reader.required("pinChannel", try reader.bool("pinChannel"))
      return { place throws(InputDefect) in [.member(try place.membership(), isOn ? .pin : .unpin)] }
    },
    submitting("archive", "true or false", "Moves the channel to the user's archive, or back.", word: .truth) {
      reader throws(InputDefect) in
      let isOn = try reader.required("archive", try reader.bool("archive"))
      return { place throws(InputDefect) in [.member(try place.membership(), isOn ? .archive : .unarchive)] }
    },
    submitting("direct", "users", "Creates the direct channel with users, unless it exists.", word: .list) {
      reader throws(InputDefect) in
      let users: [User.ID] = try reader.required("direct", try reader.ids("direct"))
      return { place throws(InputDefect) in
        let id = Channel.ID.direct(among: users + [try place.actingUser()])
        return [.channel(id, .create(.direct, Channel.Profile(), ChannelConfig(), members: users))]
      }
    },
    blocking("block", "Blocks a user.", .begin),
    blocking("unblock", "Ends the block of a user.", .end),
    submitting(about: "claim", "Claims the review of a flagged message.") { place, name throws(InputDefect) in
      .review(.message(try place.key(name)), .claim)
    },
    submitting(about: "unclaim", "Releases the claimed review of a flagged message.") {
      place, name throws(InputDefect) in
      .review(.message(try place.key(name)), .release)
    },
    submitting(
      "resolve", "message", "Resolves the flags on a message.",
      [Argument("outcome", "`dismissed`, the default, `acted`, or the app's own"), Argument("note", "a note")]
    ) { reader throws(InputDefect) in
      let name = try reader.required("resolve", try reader.text("resolve"))
      let outcome: Review.Outcome = try reader.id("outcome") ?? .dismissed
      let note = try reader.userText("note")
      return { place throws(InputDefect) in
        [.review(.message(try place.key(name)), .resolve(outcome, note: note))]
      }
    },
    submitting(
      "poll", "text", "Sends a message with a poll, whose options have the ids `1`, `2` …",
      [
        Argument("options", "the options", .list), Argument("id", "its id; default a new one"),
        Argument("votes", "the maximum number of votes of a user; default 1", .json),
        Argument("anonymous", "whether votes are anonymous", .truth),
        Argument("extensible", "whether every member who votes can add options", .truth),
        Argument("for", "the time span until it closes; default until it is closed"),
      ]
    ) { reader throws(InputDefect) in
      let question = try reader.required("poll", try reader.userText("poll"))
      let texts = try reader.required("options", try reader.texts("options"))
      let (id, votes, span) = (try reader.text("id"), try reader.count("votes") ?? 1, try reader.span("for"))
      let rules = Poll.Rules(
        votesPerUserMax: UInt32(clamping: votes), isAnonymous: try reader.bool("anonymous") ?? false,
        isExtensible: try reader.bool("extensible") ?? false)
      let options = texts.enumerated().map {
        Poll.Option(ID(stringLiteral: "\($0.offset + 1)"), UserText($0.element))
      }
      return { place throws(InputDefect) in
        let message = if let id { try place.message(id) } else { place.newMessage() }
        let key = Message.Key(try place.targetChannel(), message)
        let content = Message.Content(question, parent: try place.threadParent())
        var rules = rules
        rules.expiry = try place.expiry(span)
        return [.message(key, .send(content)), .message(key, .openPoll(options, rules))]
      }
    },
    submitting(
      "addOption", "text", "Adds an option to a poll.",
      [Argument("of", "the message"), Argument("option", "the id of the option; default a new one")]
    ) { reader throws(InputDefect) in
      let text = try reader.required("addOption", try reader.userText("addOption"))
      let message = try reader.required("of", try reader.text("of"))
      let option: Poll.Option.ID? = try reader.id("option")
      return { place throws(InputDefect) in
        let id = option ?? ID(stringLiteral: place.newMessage().text)
        return [.message(try place.key(message), .addPollOption(Poll.Option(id, text)))]
      }
    },
    submitting("vote", "options", "Votes in a poll.", [Argument("of", "the message")], word: .list) {
      reader throws(InputDefect) in
      let options: [Poll.Option.ID] = try reader.required("vote", try reader.ids("vote"))
      let message = try reader.required("of", try reader.text("of"))
      return { place throws(InputDefect) in
        [.vote(Vote.Key(in: try place.key(message), by: try place.actingUser()), .cast(options))]
      }
    },
    submitting(about: "closePoll", "Closes a poll.") { place, name throws(InputDefect) in
      .message(try place.key(name), .closePoll)
    },
    submitting(
      "forward", "message", "Forwards a message to the channel.",
      [Argument("from", "its channel"), Argument("id", "the id of the copy; default a new one")]
    ) { reader throws(InputDefect) in
      let name = try reader.required("forward", try reader.text("forward"))
      let (from, id): (Channel.ID?, String?) = (try reader.id("from"), try reader.text("id"))
      return { place throws(InputDefect) in
        let channel = try place.targetChannel()
        let source = Message.Key(from ?? channel, try place.message(name))
        let message = if let id { try place.message(id) } else { place.newMessage() }
        return [.message(Message.Key(channel, message), .forward(source))]
      }
    },
    submitting(
      "save", "message", "Saves a message for later.",
      [Argument("note", "a note"), Argument("for", "the time span until the reminder; default none")]
    ) { reader throws(InputDefect) in
      let name = try reader.required("save", try reader.text("save"))
      let (note, span) = (try reader.userText("note"), try reader.span("for"))
      return { place throws(InputDefect) in
        let key = SavedMessage.Key(by: try place.actingUser(), try place.key(name))
        return [.saved(key, .save(note: note, remindAt: try place.expiry(span).end))]
      }
    },
    submitting(about: "unsave", "Removes a message from the saved ones.") { place, name throws(InputDefect) in
      .saved(SavedMessage.Key(by: try place.actingUser(), try place.key(name)), .remove)
    },
    submitting(
      "schedule", "text", "Schedules a message.",
      [Argument("for", "the time span until it is sent"), Argument("id", "its id; default a new one")]
    ) { reader throws(InputDefect) in
      let content = Message.Content(try reader.required("schedule", try reader.userText("schedule")))
      let (span, id) = (try reader.required("for", try reader.span("for")), try reader.text("id"))
      return { place throws(InputDefect) in
        let message = if let id { try place.message(id) } else { place.newMessage() }
        let key = ScheduledMessage.Key(by: try place.actingUser(), Message.Key(try place.targetChannel(), message))
        return [.scheduled(key, .schedule(content, at: try place.instant() + span))]
      }
    },
    submitting(about: "cancelScheduled", "Cancels a scheduled message.") { place, name throws(InputDefect) in
      .scheduled(ScheduledMessage.Key(by: try place.actingUser(), try place.key(name)), .cancel)
    },
    markingThread("readThread", "Marks a thread read through a reply.") { .read(through: $0) },
    markingThread("unreadThread", "Marks a thread unread from a reply on.") { .markUnread(from: $0) },
    plain("deliver", "Sends scheduled messages and records reminders that are due.") { player in
      try await player.workspace.deliverDue()
    },
    submitting("readAll", "true", "Marks all channels and threads read.", word: .none) { reader throws(InputDefect) in
      try reader.truth("readAll")
      return { place in
        let client = try place.actingClient()
        try place.needsFirstTry("What is unread")
        return try await client.me.intentsThatReadAll()
      }
    },
  ]

  private static func markingThread(
    _ name: String, _ help: String, _ intent: @escaping @Sendable (Message.ID) -> ThreadMarker.Intent
  ) -> Verb {
    submitting(name, "reply", help, [Argument("of", "its parent message")]) { reader throws(InputDefect) in
      let reply = try reader.required(name, try reader.text(name))
      let parent = try reader.required("of", try reader.text("of"))
      return { place throws(InputDefect) in
        let key = ThreadMarker.Key(of: try place.actingUser(), in: try place.key(parent))
        return [.thread(key, intent(try place.message(reply)))]
      }
    }
  }

  private static func blocking(_ name: String, _ help: String, _ intent: UserBlock.Intent) -> Verb {
    submitting(name, "user", help) { reader throws(InputDefect) in
      let user: User.ID = try reader.required(name, try reader.id(name))
      return { place throws(InputDefect) in
        [.block(UserBlock.Key(by: try place.actingUser(), of: user), intent)]
      }
    }
  }
}
