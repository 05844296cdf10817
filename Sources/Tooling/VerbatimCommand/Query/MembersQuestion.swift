// `verbatim query members`, `unread`, `mutes` and `bans`: members, unread counts, mutes and bans.
internal import Chat
internal import ChatProjections
internal import JSONLines
internal import Terminal
internal import Verbatim

/// The query for the members of a channel.
struct MembersQuestion: Question {
  static let name = "members"
  static let summary = "Shows the members of a channel, in the order of their ids."
  static let details = """
    Read and received positions of others are shown as far as the channel allows.

    --json: members, each with key (channel, user), role, isMember, joined, lastSent, read, readAt, received,
    hidden.
    """
  static let examples = [
    "verbatim query members chat general --as ada", "verbatim query members chat general --as ada --role moderator",
  ]

  static var parameters: [Parameter<Self>] {
    [
      .positional("CHANNEL", "The channel.", \.channel),
      .options("role", "ROLE", "Only members with this role; can be repeated.", \.roles),
    ]
  }

  var channel: Channel.ID = "general"
  var roles: [Role] = []

  func answer(_ reading: ClientReading, _ page: Page) throws(ReadError) -> Answer {
    let found = try page.read(\.members, \.next) { cursor, limit throws(ReadError) in
      try reading.members(of: channel, in: roles.isEmpty ? nil : Set(roles), after: cursor, limit: limit)
    }
    let columns: [TextTable.Column] = [
      .init("user", style: .bold), .init("name", isCut: true), .init("role"), .init("joined"),
      .init("read", isNumber: true), .init("received", isNumber: true),
    ]
    return try Answer(
      found.items, key: "members", called: "members", page, hasMore: found.hasMore, as: columns
    ) { member throws(ReadError) in
      [
        member.key.user.text, try reading.name(of: member.key.user), member.role.text, page.times(member.joined),
        "\(member.read.rawValue)", "\(member.received.rawValue)",
      ]
    }
  }
}

/// The query for the unread counts of a user.
struct UnreadQuestion: Question {
  static let name = "unread"
  static let summary = "Shows the unread counts of a user, in all channels or in one."
  static let details = """
    The total excludes muted channels.

    --json: unread (messages, mentions), and channels, each with channel and unread; with --channel, unread
    and firstUnread, the first unread message.
    """
  static let examples = [
    "verbatim query unread chat --as ada", "verbatim query unread chat --as ada --channel general",
  ]
  static var parameters: [Parameter<Self>] {
    [.option("channel", "CHANNEL", "Only in this channel, with the first unread message.", \.channel)]
  }

  var channel: Channel.ID?

  func answer(_ reading: ClientReading, _ page: Page) throws(ReadError) -> Answer {
    if let channel { return try answer(reading, of: channel) }
    let unread = try reading.unread()
    let filter = ChannelFilter(isHidden: nil, isArchived: nil, unreadOnly: true)
    let found = try page.read(\.channels, \.next) { cursor, limit throws(ReadError) in
      try reading.channels(where: filter, after: cursor, limit: limit)
    }
    let shown = found.items
    var rows = shown.map { item in
      [item.channel.id.text, item.channel.profile.name.string, "\(item.unread.messages)", "\(item.unread.mentions)"]
        + [item.mute == nil ? "" : "muted"]
    }
    rows.append(["all", "", "\(unread.messages)", "\(unread.mentions)", ""])
    let columns: [TextTable.Column] = [
      .init("channel", style: .bold), .init("name", isCut: true), .init("messages", isNumber: true),
      .init("mentions", isNumber: true), .init(""),
    ]
    let channels = shown.map { item in
      JSON.object([JSON.Member("channel", item.channel.id), JSON.Member("unread", item.unread)])
    }
    var answer = Answer(
      .table(TextTable(columns, rows)), shown, key: "channels", called: "", page, hasMore: found.hasMore)
    answer.nothing = nil
    answer.members = [JSON.Member("unread", unread), JSON.Member(key: "channels", value: .array(channels))]
    return answer
  }

  private func answer(_ reading: ClientReading, of channel: Channel.ID) throws(ReadError) -> Answer {
    let unread = try reading.unread(in: channel)
    let first = try reading.firstUnread(in: channel)
    var list = PropertyList()
    list.add("messages", "\(unread.messages)")
    list.add("mentions", "\(unread.mentions)")
    if let first {
      list.add("first", "\(first.key.id.text), \(try reading.author(of: first)): \(reading.words(of: first))")
    }
    return Answer(list, [JSON.Member("unread", unread), JSON.Member("firstUnread", first as Any)])
  }
}

/// The query for the mutes of a user.
struct MutesQuestion: Question {
  static let name = "mutes"
  static let summary = "Shows the mutes of a user: users, then channels."
  static let details = "--json: mutes, each with key (user, target), since, and term, its end or `endless`."
  static let examples = ["verbatim query mutes chat --as ada"]

  func answer(_ reading: ClientReading, _ page: Page) throws(ReadError) -> Answer {
    let mutes = try reading.mutes()
    return try Answer(
      page.part(of: mutes), key: "mutes", called: "mutes", page, hasMore: mutes.count > page.reach,
      as: [.init("muted", style: .bold), .init("since"), .init("how long")]
    ) { mute throws(ReadError) in
      let target = JSON(of: mute.key.target)
      let name = target["user"].map { "user \($0.text)" } ?? target["channel"].map { "channel \($0.text)" }
      return [name ?? "", page.times(mute.since), page.times(mute.term)]
    }
  }
}

/// The query for bans.
struct BansQuestion: Question {
  static let name = "bans"
  static let summary = "Shows the bans of a channel, or those for all channels."
  static let details = """
    Users who may ban in a channel see its bans; administrators see those for all channels.

    --json: bans, each with key (user, scope), by, since, term (its end or `endless`), reason.
    """
  static let examples = [
    "verbatim query bans chat --as ada --channel general", "verbatim query bans chat --as root",
  ]
  static var parameters: [Parameter<Self>] {
    [.option("channel", "CHANNEL", "The channel; default the bans for all channels.", \.channel)]
  }

  var channel: Channel.ID?

  func answer(_ reading: ClientReading, _ page: Page) throws(ReadError) -> Answer {
    let found = try page.read(\.bans, \.next) { cursor, limit throws(ReadError) in
      try reading.bans(from: channel.map { .channel($0) } ?? .everywhere, after: cursor, limit: limit)
    }
    return try Answer(
      found.items, key: "bans", called: "bans", page, hasMore: found.hasMore,
      as: [
        .init("user", style: .bold), .init("since"), .init("how long"), .init("by"), .init("reason", isCut: true),
      ]
    ) { ban throws(ReadError) in
      [
        ban.key.user.text, page.times(ban.since), page.times(ban.term), ban.by.user?.text ?? "the app",
        ban.reason?.string ?? "",
      ]
    }
  }
}
