// Verbs of channels and their members.
internal import Chat
internal import JSONLines
internal import ChatProjections
internal import Verbatim

extension Verb {
  static let channels: [Verb] = [
    submitting(
      "channel", "id", "Creates a channel owned by the user.",
      [
        Argument("members", "its other members", .list), Argument("name", "its name; default its id"),
        Argument("kind", "its kind; default `team`"),
      ]
    ) { reader throws(InputDefect) in
      let id: Channel.ID = try reader.required("channel", try reader.id("channel"))
      let members: [User.ID] = try reader.ids("members") ?? []
      let profile = Channel.Profile(name: try reader.userText("name") ?? UserText(id.text))
      let kind: Channel.Kind = try reader.id("kind") ?? "team"
      return { _ in [.channel(id, .create(kind, profile, ChannelConfig(), members: members))] }
    },
    Verb(
      "configure", "flags", "Configures the channel by an object of flags, such as `{\"quotes\":false}`.",
      [
        Argument("maxMessageLength", "the maximum number of characters of a message"),
        Argument("commands", "the available commands; default all"),
        Argument("slowMode", "the seconds of slow mode"),
      ]
    ) { reader throws(InputDefect) in
      guard var flags = try reader.object("configure") else { throw InputDefect("“configure” must be an object.") }
      var changed: [(ChannelFlag, Bool)] = []
      for flag in ChannelFlag.allCases { if let isOn = try flags.bool("\(flag)") { changed.append((flag, isOn)) } }
      let given = changed
      try flags.finish()
      let length = try reader.count("maxMessageLength")
      let commands: [ComposedCommand.ID]?? = reader.has("commands") ? .some(try reader.ids("commands")) : nil
      let slowMode = try reader.count("slowMode")
      return { player in
        var config = try await player.place.currentConfig()
        for (flag, isOn) in given { if isOn { config.off.remove(flag) } else { config.off.insert(flag) } }
        if let length { config.messageLengthMax = UInt32(length) }
        if let commands { config.commands = commands }
        if let slowMode { config.slowMode = UInt32(slowMode) }
        try await player.submit(.channel(player.target.channel, .configure(config)), by: .system)
      }
    },
    submitting("freeze", "Freezes the channel.") { place throws(InputDefect) in
      .channel(try place.targetChannel(), .freeze)
    },
    submitting("unfreeze", "Unfreezes the channel.") { place throws(InputDefect) in
      .channel(try place.targetChannel(), .unfreeze)
    },
    submitting("deleteChannel", "Deletes the channel.") { place throws(InputDefect) in
      .channel(try place.targetChannel(), .delete)
    },
    submitting(about: "truncate", "Truncates the channel through a message.") { place, name throws(InputDefect) in
      .channel(try place.targetChannel(), .truncate(through: try place.message(name)))
    },
    submitting(
      "add", "users", "Adds members to the channel.", [Argument("role", "their role; default `member`")], word: .list,
      bySystem: true
    ) { reader throws(InputDefect) in
      let users: [User.ID] = try reader.required("add", try reader.ids("add"))
      let role: Role = try reader.id("role") ?? .member
      return { place throws(InputDefect) in
        let channel = try place.targetChannel()
        return users.map { .member(Member.Key(channel, $0), .add(role)) }
      }
    },
    submitting("remove", "users", "Removes members from the channel.", word: .list) { reader throws(InputDefect) in
      let users: [User.ID] = try reader.required("remove", try reader.ids("remove"))
      return { place throws(InputDefect) in
        let channel = try place.targetChannel()
        return users.map { .member(Member.Key(channel, $0), .remove) }
      }
    },
    submitting("role", "role", "Changes the role of a member.", [Argument("of", "the member")], bySystem: true) {
      reader throws(InputDefect) in
      let role: Role = try reader.required("role", try reader.id("role"))
      let user: User.ID = try reader.required("of", try reader.id("of"))
      return { place throws(InputDefect) in
        [.member(Member.Key(try place.targetChannel(), user), .changeRole(role))]
      }
    },
    submitting("leaveChannel", "Leaves the channel.") { place throws(InputDefect) in
      .member(try place.membership(), .leave)
    },
    submitting("hide", "Hides the channel until its next message.") { place throws(InputDefect) in
      .member(try place.membership(), .hide)
    },
    submitting("muteChannel", "true or false", "Mutes or unmutes the channel.", [term], word: .truth) {
      reader throws(InputDefect) in
      let isOn = try reader.required("muteChannel", try reader.bool("muteChannel"))
      let span = try reader.span("for")
      return { place throws(InputDefect) in
        let key = Mute.Key(by: try place.actingUser(), of: .channel(try place.targetChannel()))
        return [.mute(key, isOn ? .begin(try place.expiry(span)) : .end)]
      }
    },
  ]
}
