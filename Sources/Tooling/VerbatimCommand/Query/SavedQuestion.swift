// `verbatim query saved`, `scheduled`, `blocks`, `invitations` and `public`: what a user keeps, and may join.
internal import Chat
internal import ChatComposer
internal import ChatProjections
internal import JSONLines
internal import Terminal
internal import Verbatim

/// The query for the messages that a user saved.
struct SavedQuestion: Question {
  static let name = "saved"
  static let summary = "Shows the messages that the user saved, the last saved first."
  static let details = """
    --json: saved, each with saved (key, saved, note, remindAt, reminded) and message, left out where the user
    can no longer see it.
    """
  static let examples = ["verbatim query saved chat --as ada"]

  func answer(_ reading: ClientReading, _ page: Page) throws(ReadError) -> Answer {
    let found = try page.read(\.items, \.next) { cursor, limit throws(ReadError) in
      try reading.savedMessages(after: cursor, limit: limit)
    }
    return try Answer(
      found.items, key: "saved", called: "saved messages", page, hasMore: found.hasMore,
      as: [
        .init("message", style: .bold), .init("saved"), .init("reminder"), .init("note", isCut: true),
        .init("what", isCut: true),
      ]
    ) { item throws(ReadError) in
      let (saved, key) = (item.saved, item.saved.key.message)
      return [
        "\(key.channel)/\(key.id)", page.times(saved.saved), saved.reminder.map { page.times($0) } ?? "",
        saved.note?.string ?? "", item.message.map { reading.words(of: $0) } ?? "",
      ]
    }
  }
}

/// The query for the messages that a user scheduled.
struct ScheduledQuestion: Question {
  static let name = "scheduled"
  static let summary = "Shows the messages that the user scheduled and that were not sent, by channel and id."
  static let details = "--json: scheduled, each with key (author, message), content, at, failure."
  static let examples = ["verbatim query scheduled chat --as ada"]

  func answer(_ reading: ClientReading, _ page: Page) throws(ReadError) -> Answer {
    let found = try reading.scheduledMessages()
    return try Answer(
      page.part(of: found), key: "scheduled", called: "scheduled messages", page, hasMore: found.count > page.reach,
      as: [.init("message", style: .bold), .init("at"), .init("what", isCut: true), .init("", isCut: true)]
    ) { message throws(ReadError) in
      let key = message.key.message
      return [
        "\(key.channel)/\(key.id)", page.times(message.at), message.content.text.string,
        message.failure.map { "not sent: \($0.sentence)" } ?? "",
      ]
    }
  }
}

/// The query for the users whom a user blocks.
struct BlocksQuestion: Question {
  static let name = "blocks"
  static let summary = "Shows the users whom the user blocks, in the order of their ids."
  static let details = "--json: blocked, the ids."
  static let examples = ["verbatim query blocks chat --as ada"]

  func answer(_ reading: ClientReading, _ page: Page) throws(ReadError) -> Answer {
    let found = try reading.blockedUsers()
    return try Answer(
      page.part(of: found), key: "blocked", called: "blocked users", page, hasMore: found.count > page.reach,
      as: [.init("user", style: .bold), .init("name", isCut: true)]
    ) { user throws(ReadError) in [user.text, try reading.name(of: user)] }
  }
}

/// The query for the invitations of a user.
struct InvitationsQuestion: Question {
  static let name = "invitations"
  static let summary = "Shows the channels to which the user is invited and which they have not joined."
  static let details = """
    --json: channels, each with id, kind, profile, memberCount, isMember, invitation (by, at, role, declined).
    """
  static let examples = [
    "verbatim query invitations chat --as ben", "verbatim query invitations chat --as ben --declined",
  ]
  static var parameters: [Parameter<Self>] {
    [.flag("declined", "Also invitations that the user declined.", \.isDeclined)]
  }

  var isDeclined = false

  func answer(_ reading: ClientReading, _ page: Page) throws(ReadError) -> Answer {
    let found = try reading.invitations(withDeclined: isDeclined, offset: page.offset, limit: page.limit)
    return try Answer(
      found.channels, key: "channels", called: "invitations", page, hasMore: found.hasMore,
      as: [
        .init("channel", style: .bold), .init("name", isCut: true), .init("invited"), .init("by"), .init("as"),
        .init(""),
      ]
    ) { channel throws(ReadError) in
      let invitation = channel.invitation
      return [
        channel.id.text, channel.profile.name.string, invitation.map { page.times($0.at) } ?? "",
        invitation?.by.user?.text ?? "the app", invitation?.role.text ?? "",
        invitation?.declined == nil ? "" : "declined",
      ]
    }
  }
}

/// The query for the public channels.
struct PublicChannelsQuestion: Question {
  static let name = "public"
  static let summary = "Shows the public channels, which everybody can join, in the order of their ids."
  static let details = """
    --json: channels, each with id, kind, profile, memberCount, isMember, invitation.
    """
  static let examples = ["verbatim query public chat --as ben", "verbatim query public chat --as ben --name des"]
  static var parameters: [Parameter<Self>] {
    [.option("name", "TEXT", "Only channels whose name or one of its words has this prefix.", \.prefix)]
  }

  var prefix: String?

  func answer(_ reading: ClientReading, _ page: Page) throws(ReadError) -> Answer {
    let found = try page.read(\.channels, \.next) { cursor, limit throws(ReadError) in
      try reading.publicChannels(matching: prefix.map { UserText($0) }, after: cursor, limit: limit)
    }
    return try Answer(
      found.items, key: "channels", called: "public channels", page, hasMore: found.hasMore,
      as: [
        .init("channel", style: .bold), .init("name", isCut: true), .init("members", isNumber: true), .init(""),
      ]
    ) { channel throws(ReadError) in
      [
        channel.id.text, channel.profile.name.string, "\(channel.memberCount)", channel.isMember ? "a member" : "",
      ]
    }
  }
}
