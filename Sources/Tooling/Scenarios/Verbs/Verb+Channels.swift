// Verbs of channels and their members.
internal import Chat
internal import JSONLines
internal import ChatProjections
internal import Verbatim

extension Verb {
  static let channels: [Verb] = [
    Verb(
      "channel", "id", "Creates a channel owned by the user.",
      [
        Argument("members", "its other members"), Argument("name", "its name; default its id"),
        Argument("kind", "its kind; default `team`"),
      ]
    ) { reader throws(InputDefect) in
      let id: Channel.ID = try reader.required("channel", try reader.id("channel"))
      let members: [User.ID] = try reader.ids("members") ?? []
      let profile = Channel.Profile(name: try reader.userText("name") ?? UserText(id.text))
      let kind: Channel.Kind = try reader.id("kind") ?? "team"
      return { player in _ = try await player.client.channel(id).create(kind, profile, members: members) }
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
        var config = try await player.currentConfig()
        for (flag, isOn) in given { if isOn { config.off.remove(flag) } else { config.off.insert(flag) } }
        if let length { config.messageLengthMax = UInt32(length) }
        if let commands { config.commands = commands }
        if let slowMode { config.slowMode = UInt32(slowMode) }
        try await player.submit(.channel(player.target.channel, .configure(config)), by: .system)
      }
    },
    plain("freeze", "Freezes the channel.") { _ = try await $0.channel.freeze() },
    plain("unfreeze", "Unfreezes the channel.") { _ = try await $0.channel.unfreeze() },
    plain("deleteChannel", "Deletes the channel.") { _ = try await $0.channel.delete() },
    Verb("truncate", "message", "Truncates the channel through a message.") {
      reader throws(InputDefect) in
      let name = try reader.required("truncate", try reader.text("truncate"))
      return { player in _ = try await player.channel.truncate(through: player.id(name)) }
    },
    Verb(
      "add", "users", "Adds members to the channel.", [Argument("role", "their role; default `member`")]
    ) { reader throws(InputDefect) in
      let users: [User.ID] = try reader.required("add", try reader.ids("add"))
      let role: Role = try reader.id("role") ?? .member
      return { player in
        for user in users {
          try await player.submit(.member(Member.Key(player.target.channel, user), .add(role)), by: .system)
        }
      }
    },
    Verb("remove", "users", "Removes members from the channel.") { reader throws(InputDefect) in
      let users: [User.ID] = try reader.required("remove", try reader.ids("remove"))
      return { player in _ = try await player.channel.remove(users) }
    },
    Verb("role", "role", "Changes the role of a member.", [Argument("of", "the member")]) {
      reader throws(InputDefect) in
      let role: Role = try reader.required("role", try reader.id("role"))
      let user: User.ID = try reader.required("of", try reader.id("of"))
      return { player in
        try await player.submit(.member(Member.Key(player.target.channel, user), .changeRole(role)), by: .system)
      }
    },
    plain("leaveChannel", "Leaves the channel.") { _ = try await $0.channel.leave() },
    plain("hide", "Hides the channel until its next message.") { _ = try await $0.channel.hide() },
    Verb("muteChannel", "true or false", "Mutes or unmutes the channel.", [term]) {
      reader throws(InputDefect) in
      let isOn = try reader.required("muteChannel", try reader.bool("muteChannel"))
      let span = try reader.span("for")
      return { player in
        if isOn { try await player.channel.mute(for: player.expiry(span)) } else { try await player.channel.unmute() }
      }
    },
  ]
}

extension Player {
  /// Returns the current configuration of the target's channel.
  func currentConfig() async throws -> ChannelConfig {
    let id = target.channel
    return try await workspace.read { try $0.chat.anyChannel(id)?.config } ?? ChannelConfig()
  }
}
