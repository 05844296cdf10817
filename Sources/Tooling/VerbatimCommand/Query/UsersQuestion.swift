// `verbatim query user`, `users` and `mentions`: one user, users by prefix, and mentions of a user.
internal import Chat
internal import ChatProjections
internal import JSONLines
internal import Terminal
internal import Verbatim

/// The query for one user.
struct UserQuestion: Question {
  static let name = "user"
  static let summary = "Shows a user: profile, role and state."
  static let details = """
    --json: user, with id, profile (name, image, extra), role, isDeactivated, created, changed; empty for
    an unknown user.
    """
  static let examples = ["verbatim query user chat ben --as ada"]
  static let isPaged = false
  static var parameters: [Parameter<Self>] { [.positional("USER", "The user.", \.user)] }

  var user: User.ID = "ada"

  func answer(_ reading: ClientReading, _ page: Page) throws(ReadError) -> Answer {
    let user = try reading.user(user)
    var list = PropertyList()
    list.add("user", user?.id.text)
    list.add("name", user?.profile.name.string)
    list.add("image", user?.profile.image?.string)
    list.add("role", user?.role.text)
    list.add("deactivated", user?.isDeactivated == true ? "deactivated" : nil)
    list.add("created", user.map { page.times($0.created) })
    list.add("changed", user.map { page.times($0.changed) })
    list.add("extra", user?.profile.extra.isEmpty == false ? user?.profile.extra.json.text : nil)
    var answer = Answer(list, [JSON.Member("user", user as Any)])
    if user == nil { answer.nothing = "There is no user \(self.user)." }
    return answer
  }
}

/// The query for users whose name or id begins with a prefix.
struct UsersQuestion: Question {
  static let name = "users"
  static let summary = "Finds other users by a prefix of the name, of one of its words, or of the id, best match first."
  static let details = """
    Case and diacritics are ignored; '' finds all users.

    --json: users, each with id, profile (name, image, extra), role, isDeactivated, created, changed.
    """
  static let examples = [
    "verbatim query users chat be --as ada", "verbatim query users chat '' --as ada --channel general",
  ]

  static var parameters: [Parameter<Self>] {
    [
      .positional("NAME", "The prefix.", \.typed),
      .option("channel", "CHANNEL", "Only members of this channel.", \.channel),
    ]
  }

  var typed = ""
  var channel: Channel.ID?

  func answer(_ reading: ClientReading, _ page: Page) throws(ReadError) -> Answer {
    // One more than is shown, to know whether more follow.
    let (typed, limit) = (UserText(typed), page.reach + 1)
    let found =
      if let channel { try reading.members(of: channel, matching: typed, limit: limit) } else {
        try reading.users(matching: typed, limit: limit)
      }
    return try Answer(
      page.part(of: found), key: "users", called: "such users", page, hasMore: found.count > page.reach,
      as: [.init("user", style: .bold), .init("name", isCut: true), .init("role"), .init("created")]
    ) { user throws(ReadError) in
      [user.id.text, user.profile.name.string, user.role.text, page.times(user.created)]
    }
  }
}

/// The query for messages that mention a user.
struct MentionsQuestion: Question {
  static let name = "mentions"
  static let summary = "Shows messages that mention the user, in all of their channels, the last first."
  static let details = """
    --json: messages. A message has key (channel, id), author, content, number, sent, edited, editCount,
    presence, pin, reactions, replyCount, delivery.
    """
  static let examples = ["verbatim query mentions chat --as ada"]

  func answer(_ reading: ClientReading, _ page: Page) throws(ReadError) -> Answer {
    let found = try page.read(\.messages, \.next) { cursor, limit throws(ReadError) in
      try reading.mentions(after: cursor, limit: limit)
    }
    return try Answer(
      found.items, key: "messages", called: "mentions", page, hasMore: found.hasMore,
      as: [.init("channel")] + .messages
    ) { message throws(ReadError) in
      [message.key.channel.text] + (try reading.row(of: message, page.times))
    }
  }
}
